// Written by `make types` from src/chromino/messages/: change those, and run it again.
// What never goes over the wire is in page_types.js, and listed at the end.

/**
 * @typedef {object} Account Where I'm signed in.
 * @property {number} devices This one included; 0 for someone without an identity.
 * @property {string | null} recovery_made When I made my recovery code, if I have one.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face The one I chose last.
 */

/**
 * @typedef {object} Act Place, draw or pass; decided on `version`, with an id of its own: sent twice, it happens once.
 * @property {"act"} type
 * @property {string} id
 * @property {number} version how many events have happened
 * @property {number} seat
 * @property {string} action
 */

/**
 * @typedef {object} AskConundrumHint Where is a place that was not found yet? Each step tells more.
 * @property {string} conundrum
 * @property {string[]} [found]
 * @property {1 | 2 | 3} [step]
 */

/**
 * @typedef {object} AskHint A good placement, please.
 * @property {"hint"} type
 * @property {string} id
 * @property {number} version how many events have happened
 */

/**
 * @typedef {object} Asked A tile with its number of places.
 * @property {string} tile
 * @property {number} count
 */

/**
 * @typedef {object} BeListed My name on the leaderboards.
 * @property {string | null} name None: not to be listed.
 */

/**
 * @typedef {object} Begun The gathering is over: the game has begun, or nobody is left.
 * @property {"begun"} type
 * @property {string} game
 * @property {boolean} begun
 */

/**
 * @typedef {object} ChairChoice Who shall sit where: the host, another person on the same device, a bot, or whoever comes.
 * @property {"bot" | "free" | "here" | "me"} kind
 * @property {string} [name]
 * @property {number | null} [level]
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] Of a person; none: pages pick one by the name.
 */

/**
 * @typedef {object} ChairState A seat of a gathering.
 * @property {"bot" | "free" | "person"} kind
 * @property {string} name
 * @property {boolean} mine
 * @property {boolean} host
 * @property {number | null} level
 * @property {boolean} program Has this person said that a program of theirs plays?
 * @property {"committed" | "revealed" | "waiting" | null} deal How far this person's part of the deal is; none if they give none.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face If this person has chosen one.
 */

/**
 * @typedef {object} CheckRecord A record to be looked at.
 * @property {string} record
 */

/**
 * @typedef {object} Checked The record as the rules replay it: the view of someone who sees all, when it was over.
 * @property {boolean} over
 * @property {number[]} winners
 * @property {number[]} scores
 * @property {string | null} preset
 */

/**
 * @typedef {object} ChooseFace The face that I have from now on: on the leaderboards, and on my other devices.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes"} face
 */

/**
 * @typedef {object} ClaimCode A code from another device, or a recovery code. Case, spaces and dashes don't matter.
 * @property {string} code
 */

/**
 * @typedef {object} Commit The hash of a new part.
 * @property {string} commitment SHA-256 of a part
 */

/**
 * @typedef {object} Contact One edge shared by a square of the placed tile and a square on the table.
 * @property {[number, number]} square
 * @property {"*" | "B" | "G" | "P" | "R" | "Y"} color
 * @property {[number, number]} neighbor
 * @property {"*" | "B" | "G" | "P" | "R" | "Y"} neighbor_color
 */

/**
 * @typedef {object} ConundrumHint A box of squares to look at.
 * @property {string} tile
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/**
 * @typedef {object} ConundrumText A conundrum without its solutions.
 * @property {string} conundrum
 * @property {string} table
 * @property {Asked[]} asked
 * @property {number} grade
 * @property {number} score
 * @property {Record<string, number>} reasons
 */

/**
 * @typedef {object} Created A new game or gathering, by its id.
 * @property {string} game
 * @property {DealTerms | null} deal If the game begins only when all who sit there have revealed their parts of the deal.
 */

/**
 * @typedef {object} DealTerms What the seed of a table's deal will be made of. Remember it before you reveal your part.
 * @property {boolean} begun Does the table wait for commitments and parts? Then nobody can sit down.
 * @property {string[]} commitments In the order of the seats, the server's last. Empty ones are still to come: reveal nothing before they're there.
 * @property {number | null} mine Which of them is the reader's; none: the reader gives no part.
 * @property {number[]} seats The reader's seats in the game.
 * @property {number} players
 * @property {number | null} first The seat that begins; none: by chance.
 */

/**
 * @typedef {object} Done The action is stored, or the wish is granted.
 * @property {"done"} type
 * @property {string} id
 * @property {number} version how many events have happened
 */

/**
 * @typedef {object} DrawRecord A picture of a record, at its end or after so many events.
 * @property {string} record
 * @property {"animated" | "gif" | "png" | "svg"} kind
 * @property {number | null} [move]
 * @property {"auto" | "dark" | "light"} [theme]
 */

/**
 * @typedef {object} ErrorBody The answer to a request that was refused.
 * @property {string} code
 * @property {string} text
 * @property {Refusal | null} refusal
 */

/**
 * @typedef {object} Event
 * @property {string | null} [draw]
 * @property {boolean} [pass]
 * @property {string} [place]
 * @property {number[]} [points]
 * @property {number} seat
 * @property {string} [shows]
 */

/**
 * @typedef {object} FillSeat The seat to give to a bot.
 * @property {number} seat
 * @property {number} level
 * @property {string} name in one line
 */

/**
 * @typedef {object} GameReview How a game went for a seat; see docs/learn.md.
 * @property {string} game
 * @property {number} seat
 * @property {SeatState[]} seats
 * @property {"points" | "win"} measure What all values count.
 * @property {("points" | "win")[]} measures What can be asked for, the usual first.
 * @property {number} fair
 * @property {number} result
 * @property {ReviewGains} gains With `fair` they add up to `result`.
 * @property {ReviewValue} cost What the best choices would have given more.
 * @property {ReviewStep[]} steps
 * @property {ReviewChoice[]} choices
 */

/**
 * @typedef {object} GameSummary A line of "My games".
 * @property {string} game
 * @property {string} created
 * @property {string} updated
 * @property {string | null} preset
 * @property {string[]} players
 * @property {SeatState[]} seats
 * @property {boolean} over
 * @property {number} seat Whose turn it is.
 * @property {number[]} winners
 * @property {number[]} scores
 * @property {number} tiles How many lie on the table.
 * @property {boolean} rated
 * @property {string} table Placements in the order laid; empty for games that were last played before lists had a picture of the table.
 */

/**
 * @typedef {object} GatheringState A gathering as one of its people, or a guest, sees it.
 * @property {"gathering"} type
 * @property {string} game
 * @property {number} version how many events have happened
 * @property {ChairState[]} chairs
 * @property {boolean} host Is the reader the host?
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {boolean} watch
 * @property {boolean} public
 * @property {number | null} turn_limit
 * @property {DealTerms} deal
 * @property {boolean} rated Will the game count in the ratings, for everyone and however it ends?
 */

/**
 * @typedef {object} Hint A good placement, with its estimated value and that one's standard error.
 * @property {"hint"} type
 * @property {string} id
 * @property {number} version how many events have happened
 * @property {string} placement
 * @property {number} value
 * @property {number} error
 */

/**
 * @typedef {object} Judged Is the place right? If not, why not.
 * @property {"found" | "not-asked" | "right" | "wrong"} verdict
 * @property {Refusal | null} refusal
 */

/**
 * @typedef {object} Leaderboard The best of a family of rules, by what is certain: rating less uncertainty.
 * @property {"classic" | "expert" | "junior" | "points"} family
 * @property {RatedPlayer[]} players
 * @property {boolean} known Has the reader an identity, and can be listed?
 * @property {string | null} listed_as The reader's name on the leaderboards.
 * @property {"bots" | "people"} board
 */

/**
 * @typedef {object} Leave Go for good; a bot plays on.
 * @property {"leave"} type
 * @property {string} id
 */

/**
 * @typedef {object} LessonState One step as the learner finds it.
 * @property {string} name
 * @property {boolean} extra Is it beside the steps, for those who want it?
 * @property {View} view Seen from the learner's seat.
 * @property {string[]} offers Places to choose among, right and wrong.
 */

/**
 * @typedef {object} LessonTried What became of it; `view` and `offers` are as they are now, or still are.
 * @property {Verdict} verdict
 * @property {View} view
 * @property {string[]} offers
 * @property {Refusal | null} refusal
 * @property {Contact[]} contacts Of the tile that was placed.
 * @property {number[]} points What the placement earned, or would have, as the parts of a sum.
 */

/**
 * @typedef {object} Lessons The steps of the lesson.
 * @property {LessonState[]} lessons
 */

/**
 * @typedef {object} Lobby The tables that are open to anyone.
 * @property {GatheringState[]} gatherings
 */

/**
 * @typedef {object} LookAtConundrum Any conundrum.
 * @property {string} conundrum
 */

/**
 * @typedef {object} Missing The places that were not found.
 * @property {string[]} places
 */

/**
 * @typedef {object} MyGames A page of my games: first those in progress, then the finished ones, each with the latest first.
 * @property {GameSummary[]} games
 * @property {Wins[]} wins Of all my games, not just of this page.
 * @property {string | null} next What to send as `after` to get the next page; none if this is the last one.
 */

/**
 * @typedef {object} NewGathering People to be found before a game begins.
 * @property {ChairChoice[]} chairs
 * @property {RuleChoices} [rules]
 * @property {number | null} [first]
 * @property {boolean} [aids]
 * @property {boolean} [pace]
 * @property {boolean} [watch] May others look on?
 * @property {boolean} [public] Is it in the lobby?
 * @property {number | null} [turn_limit]
 * @property {boolean} [rated] Will it count? Then it needs a turn limit of an hour or less, eight tiles in each hand, and no aids.
 * @property {string | null} [commitment] To your part of the deal; without one you give none.
 */

/**
 * @typedef {object} OfferedChoice A choice, as the rules know it. Its words are `rule.NAME` and `rule.NAME_VALUE` of the page's catalogs.
 * @property {string} name
 * @property {(boolean | number | string | null)[]} values What is offered, in this order.
 * @property {boolean | number | string | null} default
 * @property {string} rule The rule that explains it: an address on the page of the rules.
 * @property {Record<string, string>} own_rules Values that have a rule of their own.
 */

/**
 * @typedef {object} OfferedChoices All choices, in the order in which they are offered.
 * @property {OfferedChoice[]} choices
 */

/**
 * @typedef {object} OneTimeCode Type it on another device, and that one is mine, too.
 * @property {string} code
 */

/**
 * @typedef {object} Option One value of one choice.
 * @property {number | string | boolean | null} value
 * @property {boolean} fits
 * @property {string | null} why The code of the reason, where it does not fit.
 * @property {RuleChoices} sets Other choices that change with it.
 */

/**
 * @typedef {object} Options Each choice with its values; `rules` are complete, and `preset` is their name if they have one.
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {string | null} why The code of the reason, if these rules and this number of players do not go together.
 * @property {Record<string, Rules>} presets What each preset chooses.
 * @property {Record<string, Option[]>} choices
 */

/**
 * @typedef {object} PathRung My latest games against one bot alone.
 * @property {string} bot
 * @property {number} level
 * @property {number} played
 * @property {number} won
 * @property {boolean} mastered
 */

/**
 * @typedef {object} PathUp The bots, from the easiest, and the one to play next.
 * @property {PathRung[]} rungs
 * @property {number} next The level to play.
 */

/**
 * @typedef {object} PlaceValue A placement with its value, and that one's standard error.
 * @property {string} placement
 * @property {number} value
 * @property {number} error
 */

/**
 * @typedef {object} Practice Choices to be made again.
 * @property {PracticeLesson[]} lessons The most expensive first.
 * @property {number} waiting Games that were not looked at yet: ask again.
 */

/**
 * @typedef {object} PracticeLesson A choice of mine that cost much, to be made again.
 * @property {string} game
 * @property {number} version how many events have happened
 * @property {number} cost
 * @property {View} view What I could know then.
 * @property {string} played
 * @property {PlaceValue[]} values Each placement, the best first.
 */

/**
 * @typedef {object} RatedPlayer A line of a leaderboard.
 * @property {number} place Among those who are listed; equal for those who share it.
 * @property {"bot" | "person" | "program"} kind A bot is built in; a program is somebody's own.
 * @property {string | null} name A bot's, or the one that somebody chose; none for a reader who is not listed.
 * @property {number | null} level Of a bot.
 * @property {number} rating
 * @property {number} uncertainty The true strength is hardly ever further from the rating than this.
 * @property {number} games
 * @property {boolean} mine Is this the reader?
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face Of a person who has chosen one.
 */

/** @typedef {"clash" | "game-over" | "last-chameleon" | "must-draw" | "must-pass" | "must-place" | "not-by-an-end" | "not-in-hand" | "only-drawn-tile" | "overlap" | "too-far" | "too-few-contacts" | "touches-more"} Reason Every reason there is to refuse a placement or an action. */

/**
 * @typedef {object} RecoveryCode Brings me back on any device, as often as I like, until I make another one. It's shown this once.
 * @property {string} code
 */

/**
 * @typedef {object} Refusal Why the rules do not allow something, and what is to blame.
 * @property {Reason} reason
 * @property {string} text
 * @property {[number, number][]} squares
 * @property {Contact[]} contacts
 * @property {number} needed How many contacts it takes, where that is the reason.
 */

/**
 * @typedef {object} Refused Nothing was changed, and why.
 * @property {"refused"} type
 * @property {string | null} id
 * @property {string} code
 * @property {string} text
 * @property {Refusal | null} refusal For a code `not-allowed`: reason, squares and contacts to blame.
 */

/**
 * @typedef {object} Reveal My part, once all commitments are there.
 * @property {string} part 128 random bits
 */

/**
 * @typedef {object} ReviewChoice One of several placements was chosen.
 * @property {number} version how many events have happened
 * @property {number} options
 * @property {ReviewValue} before Of any of them, by chance.
 * @property {string} chosen
 * @property {ReviewValue} value
 * @property {string} best
 * @property {ReviewValue} best_value
 * @property {number} cost
 * @property {number} error Of the cost.
 * @property {boolean} clear Is it sure that the best one is better?
 */

/**
 * @typedef {object} ReviewGains What each cause gave.
 * @property {ReviewValue} deal
 * @property {ReviewValue} draw
 * @property {ReviewValue} choice
 * @property {ReviewValue} others
 */

/**
 * @typedef {object} ReviewStep A change, from after so many events to after so many.
 * @property {"choice" | "deal" | "draw" | "others"} kind The cause.
 * @property {number} since how many events have happened
 * @property {number} until how many events have happened
 * @property {ReviewValue} before
 * @property {ReviewValue} after
 */

/**
 * @typedef {object} ReviewValue A value in the measure of the review, or what something gave: with its standard error.
 * @property {number} mean
 * @property {number} error
 */

/**
 * @typedef {object} RuleChoices Some choices; one that is missing has its classic value.
 * @property {boolean} [chameleons]
 * @property {number} [hand_size]
 * @property {number | null} [draw_limit]
 * @property {boolean} [open_hands]
 * @property {"contacts" | "ends"} [joining]
 * @property {"a" | "b" | "c" | "expert" | null} [scoring]
 * @property {"at_once" | "one_more_turn" | "round"} [ending]
 */

/**
 * @typedef {object} Rules The choices made before a game.
 * @property {boolean} chameleons
 * @property {number} hand_size
 * @property {number | null} draw_limit
 * @property {boolean} open_hands
 * @property {"contacts" | "ends"} joining
 * @property {"a" | "b" | "c" | "expert" | null} scoring
 * @property {"at_once" | "one_more_turn" | "round"} ending
 */

/**
 * @typedef {object} RulesToCheck Choices to look at before a game: what goes together with them?
 * @property {RuleChoices} [rules]
 * @property {number} [players]
 */

/**
 * @typedef {object} Said Somebody said a phrase.
 * @property {"said"} type
 * @property {number} seat
 * @property {"bye" | "good-luck" | "heart" | "hello" | "laugh" | "moment" | "oh-no" | "one-more" | "sorry" | "thanks" | "well-played" | "your-turn"} phrase
 */

/**
 * @typedef {object} Say Say a phrase to the table.
 * @property {"say"} type
 * @property {string} id
 * @property {"bye" | "good-luck" | "heart" | "hello" | "laugh" | "moment" | "oh-no" | "one-more" | "sorry" | "thanks" | "well-played" | "your-turn"} phrase
 */

/**
 * @typedef {object} SeatChoice Who takes this seat: you, another person on the same device, or a bot.
 * @property {"bot" | "here" | "me"} kind
 * @property {string} name in one line
 * @property {number | null} [level] Of a bot.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] Of a person; none: pages pick one by the name.
 */

/**
 * @typedef {object} SeatOnly The seat to free.
 * @property {number} seat
 */

/**
 * @typedef {object} SeatState A seat as its neighbors see it.
 * @property {"bot" | "person"} kind
 * @property {string} name
 * @property {boolean} mine Does the reader play it?
 * @property {string | null} bot
 * @property {number | null} level
 * @property {boolean} present Is this person's page open?
 * @property {boolean} has_left Gone for good; a bot plays on.
 * @property {number | null} stand_in_in Seconds until a bot stands in for someone who is away; 0 while it does.
 * @property {boolean} program Has this person said that a program of theirs plays?
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face If this person has chosen one.
 */

/**
 * @typedef {object} SetPace Shall bots take a natural moment?
 * @property {"pace"} type
 * @property {string} id
 * @property {boolean} pace
 */

/**
 * @typedef {object} Sit Take a free seat, or another name or face.
 * @property {string} name in one line
 * @property {string | null} [commitment] To your part of the deal; without one you give none.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] None: the one you have here, if any.
 */

/**
 * @typedef {object} SolvedConundrum All places of the conundrum of a day, and how long it took to find them.
 * @property {string} day
 * @property {number} grade
 * @property {number} seconds
 * @property {string[]} found
 */

/**
 * @typedef {object} SolvedTimes Seconds by day and grade, like "2026-11-15/3".
 * @property {Record<string, number>} times
 */

/**
 * @typedef {object} State The whole game as the reader may see it.
 * @property {"state"} type
 * @property {string} game
 * @property {number} version how many events have happened
 * @property {View} view Seen from the reader's seat that plays now or next.
 * @property {string | null} preset
 * @property {SeatState[]} seats
 * @property {boolean} aids
 * @property {boolean} pace
 * @property {number} turns
 * @property {boolean} watching Has the reader no seat?
 * @property {number | null} turn_left Seconds left of a turn that is limited, when this was sent.
 * @property {string | null} next_game The rematch, once somebody wants one.
 * @property {string} seed_hash SHA-256 of the seed's text, published before the first turn.
 * @property {string | null} seed Shown when the game is over, so that anyone can check the deal.
 * @property {"fixed" | "joint" | "server"} deal Who picked it: players and server jointly, the server alone, or the person who gave a fixed seed.
 * @property {boolean} rated Does it count in the ratings, for everyone and however it ends?
 * @property {number[] | null} places Where each seat ends in the ratings, once a rated game is over.
 * @property {number[] | null} points What each of the view's actions would earn, if they are placements and points count.
 */

/**
 * @typedef {object} Tiles All tiles of an edition, by kind.
 * @property {Record<string, string[]>} kinds
 */

/**
 * @typedef {object} TryLesson All that was done in this step so far; the last is to be judged.
 * @property {string[]} actions
 */

/**
 * @typedef {object} TryPlacement A place that may be right.
 * @property {string} conundrum
 * @property {string} placement
 * @property {string[]} [found]
 */

/** @typedef {"go-on" | "other" | "refused" | "right"} Verdict What a try amounts to. */

/**
 * @typedef {object} View A game as seen from one seat, or by a spectator.
 * @property {number | null} me The seat that looks; null: a spectator.
 * @property {Rules} rules
 * @property {string[]} players
 * @property {number} first The seat that began.
 * @property {(string[] | null)[]} dealt The hands at the start, null where the reader did not see one.
 * @property {Event[]} log Each has one of `place`, `draw` (null if unseen) and `pass`; `shows` is a last tile, which lies open.
 * @property {string} table Placements in the order laid.
 * @property {(string[] | null)[]} hands The hands that the reader can see now.
 * @property {number[]} hand_sizes
 * @property {number} bag_count
 * @property {number[]} scores
 * @property {number} seat Whose turn it is.
 * @property {string | null} drawn The tile just drawn in this turn, if the reader saw it.
 * @property {number} draws How many tiles this turn has drawn.
 * @property {string[]} actions What the reader may do: empty unless it is their turn.
 * @property {boolean} over
 * @property {number[]} winners
 */

/**
 * @typedef {object} Wins How many games by these rules I finished, and how many of them I won.
 * @property {string | null} preset
 * @property {number} played
 * @property {number} won
 */

/** @typedef {import("./page_types.js").RuleValue} RuleValue */

/** @typedef {import("./page_types.js").Color} Color */

/** @typedef {import("./page_types.js").Square} Square */

/** @typedef {import("./page_types.js").Placement} Placement */

/** @typedef {import("./page_types.js").NewGame} NewGame */

/** @typedef {import("./page_types.js").Friends} Friends */

/** @typedef {import("./page_types.js").Seat} Seat */

/** @typedef {import("./page_types.js").Chair} Chair */

/** @typedef {import("./page_types.js").Gathering} Gathering */

/** @typedef {import("./page_types.js").Summary} Summary */

/** @typedef {import("./page_types.js").Conundrum} Conundrum */

/** @typedef {import("./page_types.js").Choice} Choice */

/** @typedef {import("./page_types.js").Review} Review */

/** @typedef {import("./page_types.js").Lesson} Lesson */

/** @typedef {import("./page_types.js").Path} Path */

export {};
