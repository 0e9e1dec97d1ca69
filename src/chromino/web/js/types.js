// Written by `make types` from src/chromino/messages/: change those, and run it again.
// Types that never go over the wire are written by hand in page_types.js and repeated at the end.

/**
 * @typedef {object} Account Your devices, recovery code and face.
 * @property {number} devices How many devices are signed in, including this one; 0 if you have no identity.
 * @property {string | null} recovery_made When you made your recovery code, if you have one.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face The face you chose last.
 */

/**
 * @typedef {object} Act Place, draw or pass, based on `version`. Each action has its own id, so if it's sent twice, it happens once.
 * @property {"act"} type
 * @property {string} id
 * @property {number} version how many events have happened
 * @property {number} seat
 * @property {string} action
 */

/**
 * @typedef {object} Arrange The rules, settings, and number of seats that the host wants.
 * @property {number} seats
 * @property {RuleChoices} [rules]
 * @property {boolean} [aids]
 * @property {boolean} [pace]
 * @property {boolean} [watch] Are spectators allowed?
 * @property {boolean} [public] Is the table in the lobby?
 * @property {number | null} [turn_limit]
 * @property {boolean} [rated] Is the game rated? An unrated table can only become rated before anyone else has joined.
 * @property {boolean} [latecomers] Can people who come after the deal take over a bot's seat?
 */

/**
 * @typedef {object} AskConundrumHint Ask for help with finding one of the places that are still missing. Each step reveals more.
 * @property {string} conundrum
 * @property {string[]} [found]
 * @property {1 | 2 | 3} [step]
 */

/**
 * @typedef {object} AskForHint Ask for a good placement.
 * @property {"hint"} type
 * @property {string} id
 * @property {number} version how many events have happened
 */

/**
 * @typedef {object} AskedTile A tile, and how many places it has.
 * @property {string} tile
 * @property {number} count
 */

/**
 * @typedef {object} BeListed Your name on the leaderboards.
 * @property {string | null} name If it's null, you're taken off the leaderboards.
 */

/**
 * @typedef {object} Begun The gathering is over: the game has started, or everyone has left.
 * @property {"begun"} type
 * @property {string} game
 * @property {boolean} begun
 */

/**
 * @typedef {object} BotLadder The bots, easiest first, and the one to play next.
 * @property {LadderRung[]} rungs
 * @property {number} next The level to play next.
 */

/**
 * @typedef {object} ChairChoice Who gets this chair: the host, another person on the same device, a bot, or anyone who joins.
 * @property {"bot" | "free" | "here" | "me"} kind
 * @property {string} [name]
 * @property {number | null} [level]
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] A person's face; if it's null, pages pick one based on the name.
 */

/**
 * @typedef {object} ChairState A chair in a gathering.
 * @property {"bot" | "free" | "person"} kind
 * @property {string} name
 * @property {boolean} mine
 * @property {boolean} host
 * @property {number | null} level
 * @property {boolean} program Has this person declared that a program plays for them?
 * @property {"committed" | "revealed" | "waiting" | null} deal The state of this person's part of the deal; null if they contribute nothing.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face This person's face, if they've chosen one.
 */

/**
 * @typedef {object} CheckRecord A record to check.
 * @property {string} record
 */

/**
 * @typedef {object} Checked The result of a recorded game, if the record follows the rules.
 * @property {boolean} over
 * @property {number[]} winners
 * @property {number[]} scores
 * @property {string | null} preset
 */

/**
 * @typedef {object} ChooseFace The face that you want from now on, on the leaderboards and on your other devices.
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
 * @typedef {object} Contact An edge shared by a square of the placed tile and a square on the table.
 * @property {[number, number]} square
 * @property {"*" | "B" | "G" | "P" | "R" | "Y"} color
 * @property {[number, number]} neighbor
 * @property {"*" | "B" | "G" | "P" | "R" | "Y"} neighbor_color
 */

/**
 * @typedef {object} ConundrumHint The tile to place, and the squares to look at, as a rectangle.
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
 * @property {AskedTile[]} asked
 * @property {number} grade
 * @property {number} score
 * @property {Record<string, number>} reasons
 */

/**
 * @typedef {object} Created The id of a new game or gathering.
 * @property {string} game
 * @property {DealTerms | null} deal Present if the game starts only when everyone has revealed their part of the deal.
 */

/**
 * @typedef {object} DealTerms What determines the seed of a table's deal. Save these terms before you reveal your part.
 * @property {boolean} begun Is the table waiting for commitments and parts? If so, nobody can sit down.
 * @property {string[]} commitments In seat order, with the server's last. An empty one is still missing: reveal nothing until all are there.
 * @property {number[][]} givers For each commitment, the seats it covers; the server's covers its bots' seats. Other seats contribute nothing.
 * @property {number | null} mine The index of the reader's commitment; null if the reader contributes nothing.
 * @property {number[]} seats The reader's seats in the game.
 * @property {number} players
 * @property {number | null} first The seat that goes first; null if chance decides.
 * @property {Rules} rules
 */

/**
 * @typedef {object} Done The action has been stored, or the request has been carried out.
 * @property {"done"} type
 * @property {string} id
 * @property {number} version how many events have happened
 */

/**
 * @typedef {object} DrawRecord A record to draw: the position after this many events or, if `move` is null, at the end.
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
 * @property {string} name on one line
 */

/**
 * @typedef {object} FreeSeat The seat to free.
 * @property {number} seat
 */

/**
 * @typedef {object} GameLink A link to share a finished game.
 * @property {string} url The game's replay or, if that isn't open to everyone, the home page.
 * @property {"anywhere" | "device" | "network"} reach
 */

/**
 * @typedef {object} GameReview How a game went for a seat; see docs/learn.md.
 * @property {string} game
 * @property {number} seat
 * @property {SeatState[]} seats
 * @property {"points" | "win"} measure What all values measure.
 * @property {("points" | "win")[]} measures The available measures, the default first.
 * @property {number} fair What any seat can expect before the deal.
 * @property {number} result
 * @property {ReviewGains} gains The gains and `fair` add up to `result`.
 * @property {ReviewValue} cost How much more the best choices would have gained.
 * @property {ReviewStep[]} steps
 * @property {ReviewChoice[]} choices
 */

/**
 * @typedef {object} GameSummary A line in "My games".
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
 * @property {number} tiles How many tiles are on the table.
 * @property {boolean} rated
 * @property {string} table Placements in the order they were made; empty for games last played before lists had pictures of tables.
 */

/**
 * @typedef {object} GatheringState A gathering as one person sees it, with or without a chair.
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
 * @property {boolean} aids Will there be hints and other aids?
 * @property {boolean} pace Will bots pause naturally before they play?
 * @property {boolean} latecomers Will people who come after the deal be able to take over a bot's seat? Never in a rated game.
 * @property {"day" | "minute" | null} offer How long people have to accept this rematch, from when it was offered; null if nobody still has to answer.
 * @property {boolean} can_let_in Can this game be opened to latecomers? It can't if it's rated or has open hands.
 */

/**
 * @typedef {object} GiveUpConundrum Ask for all places that are still missing.
 * @property {string} conundrum
 * @property {string[]} [found]
 */

/**
 * @typedef {object} HideSomeone Hide a person you've played with: they can't invite you, and you're never paired with them. They won't know.
 * @property {string} game
 * @property {number} seat
 * @property {boolean} [hidden] Set it to false to show them again.
 */

/**
 * @typedef {object} Hint A good placement, with its estimated value and standard error.
 * @property {"hint"} type
 * @property {string} id
 * @property {number} version how many events have happened
 * @property {string} placement
 * @property {number} value
 * @property {number} error
 */

/**
 * @typedef {object} Judged Is the placement right, and if not, why not?
 * @property {"found" | "not-asked" | "right" | "wrong"} verdict
 * @property {Refusal | null} refusal
 */

/**
 * @typedef {object} KnownPerson A person you've played with, with the name and face they had then.
 * @property {string} game The latest game that you both finished; together with `seat`, it says who this person is.
 * @property {number} seat
 * @property {string} name
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face
 * @property {string} played When that game ended.
 * @property {boolean} hidden
 * @property {"declined" | "waiting" | null} invited The state of your invitation to the table you asked about, if you're its host.
 */

/**
 * @typedef {object} LadderRung Your latest two-player games against one bot.
 * @property {string} bot
 * @property {number} level
 * @property {number} played
 * @property {number} won
 * @property {boolean} mastered
 */

/**
 * @typedef {object} Latecomers What people who came after the deal can still do.
 * @property {SeatToTake[]} seats
 * @property {boolean} can_wait Can the reader join the rematch?
 * @property {Waiting[]} waiting
 * @property {boolean} over
 * @property {boolean} watch Can the reader watch?
 */

/**
 * @typedef {object} Leaderboard The best players in a family of rules, by rating minus uncertainty.
 * @property {"classic" | "expert" | "junior" | "points"} family
 * @property {RatedPlayer[]} players
 * @property {boolean} known Does the reader have an identity, so they can be listed?
 * @property {string | null} listed_as The reader's name on the leaderboards.
 * @property {"bots" | "people"} board
 */

/**
 * @typedef {object} Leave Leave for good; a bot takes over.
 * @property {"leave"} type
 * @property {string} id
 */

/**
 * @typedef {object} Lesson The steps of the lesson.
 * @property {StepState[]} steps
 */

/**
 * @typedef {object} Lobby The tables that are open to anyone.
 * @property {GatheringState[]} gatherings
 */

/**
 * @typedef {object} LookAtConundrum A conundrum to look at.
 * @property {string} conundrum
 */

/**
 * @typedef {object} MissingPlaces The places that haven't been found.
 * @property {string[]} places
 */

/**
 * @typedef {object} MyGames A page of your games: those in progress first, then the finished ones, latest first in each group.
 * @property {GameSummary[]} games
 * @property {Wins[]} wins Counted over all your games, not just this page.
 * @property {string | null} next Send this as `after` to get the next page; null if this page is the last one.
 */

/**
 * @typedef {object} MyPeople The people you've played with, latest first, and your current invitations.
 * @property {KnownPerson[]} people
 * @property {TableInvitation[]} invitations
 */

/**
 * @typedef {object} NewGame A game to start at once.
 * @property {SeatChoice[]} seats
 * @property {RuleChoices} [rules]
 * @property {number | null} [first] The seat that goes first; null if chance decides.
 * @property {boolean} [aids] Can players use hints, highlighted places and the tracker?
 * @property {boolean} [pace] Do bots pause naturally before they play?
 * @property {number | null} [turn_limit]
 * @property {boolean} [rated] Is the game rated? If so, it needs a turn limit of an hour or less, eight or more tiles per hand, and no aids.
 * @property {string | null} [commitment] The hash of your part of the deal, which you reveal to start the game. If it's null, the server deals at once.
 */

/**
 * @typedef {object} NewGathering A table to open, for people to join before the game starts.
 * @property {ChairChoice[]} chairs
 * @property {RuleChoices} [rules]
 * @property {number | null} [first]
 * @property {boolean} [aids]
 * @property {boolean} [pace]
 * @property {boolean} [watch] Are spectators allowed?
 * @property {boolean} [public] Is the table in the lobby?
 * @property {number | null} [turn_limit]
 * @property {boolean} [rated] Is the game rated? If so, it needs a turn limit of an hour or less, eight or more tiles per hand, and no aids.
 * @property {string | null} [commitment] The hash of your part of the deal; if it's null, you contribute nothing.
 * @property {boolean} [latecomers] Can people who come after the deal take over a bot's seat? Never in a rated game.
 */

/**
 * @typedef {object} OfferedChoice A choice on offer. Its keys in the catalogs are `rule.NAME`, `rule.NAME_VALUE`, `rule.NAME_VALUE_about`.
 * @property {string} name
 * @property {(boolean | number | string | null)[]} values The values on offer, in order.
 * @property {boolean | number | string | null} default
 * @property {string} rule The number of the rule that explains the choice, which is also its anchor on the rules page.
 * @property {Record<string, string>} own_rules For values that have a rule of their own, its number.
 */

/**
 * @typedef {object} OfferedChoices All choices, in the order they're offered.
 * @property {OfferedChoice[]} choices
 */

/**
 * @typedef {object} Offers Offers that others have made you; those that end soonest come first.
 * @property {RematchOffer[]} rematches
 */

/**
 * @typedef {object} OneTimeCode A code that you enter on another device to link that device to you.
 * @property {string} code
 */

/**
 * @typedef {object} Option One value of one choice.
 * @property {number | string | boolean | null} value
 * @property {boolean} fits
 * @property {string | null} why A code that says why, if the value doesn't fit.
 * @property {RuleChoices} sets Other choices that change with this value.
 */

/**
 * @typedef {object} Options Each choice with its values; `rules` are complete, and `preset` is their name, if any.
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {string | null} why A code that says why, if these rules and this number of players can't be combined.
 * @property {Record<string, Rules>} presets What each preset chooses.
 * @property {Record<string, Option[]>} choices
 */

/**
 * @typedef {object} PlaceValue A placement with its value and standard error.
 * @property {string} placement
 * @property {number} value
 * @property {number} error
 */

/**
 * @typedef {object} Practice Choices to try again.
 * @property {PracticePosition[]} positions The costliest choices first.
 * @property {number} waiting How many games haven't been reviewed yet; ask again later.
 */

/**
 * @typedef {object} PracticePosition A choice of yours that cost a lot, to try again.
 * @property {string} game
 * @property {number} version how many events have happened
 * @property {number} cost
 * @property {View} view What you could know at the time.
 * @property {string} played
 * @property {PlaceValue[]} values Each placement, best first.
 */

/**
 * @typedef {object} PushOff The endpoint of a browser that wants no more notifications.
 * @property {string} endpoint
 */

/**
 * @typedef {object} PushOffer What a browser needs to subscribe.
 * @property {string | null} key This server's public key; null if it sends no notifications.
 */

/**
 * @typedef {object} PushOn A browser's `PushSubscription`, and how its user wants to be notified.
 * @property {string} endpoint
 * @property {string} p256dh
 * @property {string} auth
 * @property {string} [language]
 * @property {string} [timezone]
 * @property {number} [quiet_from] The minute of the user's day when quiet hours start. Nothing is sent during quiet hours.
 * @property {number} [quiet_to] The minute when quiet hours end; if it's the same as `quiet_from`, there are no quiet hours.
 */

/**
 * @typedef {object} RatedPlayer A line on a leaderboard.
 * @property {number} place The rank among those listed; tied players share a rank.
 * @property {"bot" | "person" | "program"} kind A bot is built in; a program is someone's own bot.
 * @property {string | null} name A bot's name, or the name a person chose; null for a reader who isn't listed.
 * @property {number | null} level A bot's level.
 * @property {number} rating
 * @property {number} uncertainty The true strength is hardly ever farther from the rating than this.
 * @property {number} games
 * @property {boolean} mine Is this the reader?
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face A person's face, if they've chosen one.
 */

/** @typedef {"clash" | "game-over" | "last-chameleon" | "must-draw" | "must-pass" | "must-place" | "not-by-an-end" | "not-in-hand" | "only-drawn-tile" | "overlap" | "too-far" | "too-few-contacts" | "touches-more"} Reason Every reason to refuse a placement or an action. */

/**
 * @typedef {object} RecoveryCode A code that signs you in on any device, as often as you like, until you make another. It's only shown once.
 * @property {string} code
 */

/**
 * @typedef {object} Refusal Why the rules don't allow something, and the squares and contacts that cause it.
 * @property {Reason} reason
 * @property {string} text
 * @property {[number, number][]} squares
 * @property {Contact[]} contacts
 * @property {number} needed How many contacts the tile needs, if that's the reason.
 */

/**
 * @typedef {object} Refused The server refused a request: nothing has changed, and `text` says why.
 * @property {"refused"} type
 * @property {string | null} id
 * @property {string} code
 * @property {string} text
 * @property {Refusal | null} refusal For the code `not-allowed`: the reason, squares and contacts.
 */

/**
 * @typedef {object} RematchOffer A rematch that's waiting for your answer.
 * @property {string} game The rematch's table.
 * @property {string} by The name of the person who's offering the rematch.
 * @property {number} left Seconds until the rematch starts without you.
 */

/**
 * @typedef {object} Reveal Your part, once all commitments are there.
 * @property {string} part 128 random bits
 */

/**
 * @typedef {object} ReviewChoice A choice among several placements.
 * @property {number} version how many events have happened
 * @property {number} options
 * @property {ReviewValue} before The mean value of all placements.
 * @property {string} chosen
 * @property {ReviewValue} value
 * @property {string} best
 * @property {ReviewValue} best_value
 * @property {number} cost
 * @property {number} error The standard error of the cost.
 * @property {boolean} clear Is the best placement clearly better?
 */

/**
 * @typedef {object} ReviewGains What the seat gained from each cause.
 * @property {ReviewValue} deal
 * @property {ReviewValue} draw
 * @property {ReviewValue} choice
 * @property {ReviewValue} others
 */

/**
 * @typedef {object} ReviewStep A change in value between two points in the game; `since` and `until` count events.
 * @property {"choice" | "deal" | "draw" | "others"} kind The cause.
 * @property {number} since how many events have happened
 * @property {number} until how many events have happened
 * @property {ReviewValue} before
 * @property {ReviewValue} after
 */

/**
 * @typedef {object} ReviewValue A value or a gain in the review's measure, with its standard error.
 * @property {number} mean
 * @property {number} error
 */

/**
 * @typedef {object} RuleChoices Some choices; missing ones have their classic values.
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
 * @typedef {object} RulesToCheck Choices to check before a game, to see which others can be combined with them.
 * @property {RuleChoices} [rules]
 * @property {number} [players]
 */

/**
 * @typedef {object} Said Someone said a phrase.
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
 * @property {string} name on one line
 * @property {number | null} [level] A bot's level.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] A person's face; if it's null, pages pick one based on the name.
 */

/**
 * @typedef {object} SeatState A seat as everyone at the table sees it.
 * @property {"bot" | "person"} kind
 * @property {string} name
 * @property {boolean} mine Does the reader play this seat?
 * @property {string | null} bot
 * @property {number | null} level
 * @property {boolean} present Is this person's page open?
 * @property {boolean} has_left Have they left for good? A bot plays for them.
 * @property {number | null} stand_in_in Seconds until a bot stands in for someone who's away; 0 while one does.
 * @property {number | null} away_for How many seconds this person's page has been closed.
 * @property {boolean} program Has this person declared that a program plays for them?
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face This person's face, if they've chosen one.
 */

/**
 * @typedef {object} SeatToTake A bot's seat that the reader can take over.
 * @property {number} seat
 * @property {string} name
 * @property {string} bot
 */

/**
 * @typedef {object} Seek Look for someone to play with. Repeat this call every two seconds, or the search ends.
 * @property {string} name on one line
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face]
 * @property {RuleChoices} [rules] You're paired with someone who wants the same rules.
 * @property {boolean} [rated]
 * @property {boolean} [anew] Is this a new search? Otherwise, the last one continues.
 */

/**
 * @typedef {object} SeekState How far along a search is: still looking; seated with an opponent, while tiles are being dealt; or playing.
 * @property {number} seconds How long you've been looking.
 * @property {string | null} game The table where you play against your opponent.
 * @property {DealTerms | null} deal The terms for your part of the deal, as at any table. Null if there's no table yet, or the game has started.
 */

/**
 * @typedef {object} SetPace Should bots pause naturally before they play?
 * @property {"pace"} type
 * @property {string} id
 * @property {boolean} pace
 */

/**
 * @typedef {object} Sit Take a free seat, or change your name or face.
 * @property {string} name on one line
 * @property {string | null} [commitment] The hash of your part of the deal; if it's null, you contribute nothing.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face] If it's null, you keep the face you have here, if any.
 */

/**
 * @typedef {object} SolvedConundrum A daily conundrum that you've solved, and how long it took.
 * @property {string} day
 * @property {number} grade
 * @property {number} seconds
 * @property {string[]} found
 */

/**
 * @typedef {object} SolvedTimes How many seconds you took, by day and grade, like "2026-11-15/3".
 * @property {Record<string, number>} times
 */

/**
 * @typedef {object} Someone A person you've played with, who had this seat in a game that you both finished.
 * @property {string} game
 * @property {number} seat
 */

/**
 * @typedef {object} State The whole game as the reader may see it.
 * @property {"state"} type
 * @property {string} game
 * @property {number} version how many events have happened
 * @property {View} view The view of the reader's seat; if the reader has several, of the one that plays now or next.
 * @property {string | null} preset
 * @property {SeatState[]} seats
 * @property {boolean} aids
 * @property {boolean} pace
 * @property {number} turns
 * @property {boolean} watching Is the reader a spectator?
 * @property {number | null} turn_left If turns are limited, how many seconds were left in this turn when the message was sent.
 * @property {string | null} next_game The rematch, once someone has asked for one.
 * @property {string} seed_hash SHA-256 of the seed's text, published before the first turn.
 * @property {string | null} seed Shown once the game is over, so anyone can check the deal.
 * @property {"fixed" | "joint" | "server"} deal Who picked the seed: the players and the server together, the server alone, or one person.
 * @property {Latecomers} latecomers
 * @property {boolean} rated Does the game count toward everyone's rating, however it ends?
 * @property {number[] | null} ranks Each seat's rank in this game, as the ratings count it, once a rated game is over.
 * @property {boolean} can_take_back Can the reader take back their last turn?
 * @property {number | null} turn_limit In seconds.
 * @property {number[]} stood_in The log indices of placements that a bot made for a person who was away, too slow, or gone.
 * @property {string | null} stand_in The bot that stands in at this table.
 * @property {number[]} played_for_me The placements in `stood_in` that a bot has made for the reader since the reader's own last action.
 * @property {number[][] | null} costs What each tile left in `view.hands` cost, once the game is over, if leftover tiles cost points.
 * @property {number[] | null} points How many points each of the view's actions would earn, if they're placements and the game has scoring.
 */

/**
 * @typedef {object} StepState One step as the learner first sees it.
 * @property {string} name
 * @property {boolean} extra Is this step optional?
 * @property {View} view The view of the learner's seat.
 * @property {string[]} offers Places to choose from, right and wrong.
 */

/**
 * @typedef {object} StepTried The result of an attempt. `view` and `offers` show the step after it; an action that failed changes neither.
 * @property {Verdict} verdict
 * @property {View} view
 * @property {string[]} offers
 * @property {Refusal | null} refusal
 * @property {Contact[]} contacts The contacts of the tile that was placed.
 * @property {number[]} points What the placement earned or would have earned, as the parts of a sum.
 */

/**
 * @typedef {object} TableInvitation An invitation to a table, from someone you've played with.
 * @property {string} game The table.
 * @property {string} name The host's name.
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face
 * @property {string | null} preset Null for custom rules.
 * @property {number | null} turn_limit
 * @property {boolean} rated
 */

/**
 * @typedef {object} TableLink A link to send to friends.
 * @property {string} url
 * @property {"anywhere" | "device" | "network"} reach
 */

/**
 * @typedef {object} TakeBack Go back to your last turn, in an unrated game against bots.
 * @property {"take-back"} type
 * @property {string} id
 * @property {number} version how many events have happened
 */

/**
 * @typedef {object} TakeSeat A bot's seat to take over.
 * @property {number} seat
 * @property {string} name on one line
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face]
 */

/**
 * @typedef {object} Tiles All tiles of an edition, by kind.
 * @property {Record<string, string[]>} kinds
 */

/**
 * @typedef {object} TryPlacement A placement to try, given the places found so far.
 * @property {string} conundrum
 * @property {string} placement
 * @property {string[]} [found]
 */

/**
 * @typedef {object} TryStep Everything done in this step so far; the last action is judged.
 * @property {string[]} actions
 */

/** @typedef {"go-on" | "other" | "refused" | "right"} Verdict The result of an attempt. */

/**
 * @typedef {object} View A game as seen from one seat, or by a spectator.
 * @property {number | null} me The seat that sees this view; null for a spectator.
 * @property {Rules} rules
 * @property {string[]} players
 * @property {number} first The seat that went first.
 * @property {(string[] | null)[]} dealt The hands at the start; null for those that the reader didn't see.
 * @property {Event[]} log Each event has `place`, `draw` (null if unseen) or `pass`; `shows` is a player's last tile, seen by everyone.
 * @property {string} table Placements in the order they were made.
 * @property {(string[] | null)[]} hands The current hands; null for those that the reader can't see.
 * @property {number[]} hand_sizes
 * @property {number} bag_count
 * @property {number[]} scores
 * @property {number} seat Whose turn it is.
 * @property {string | null} drawn The tile just drawn in this turn, if the reader saw it.
 * @property {number} draws How many tiles have been drawn in this turn.
 * @property {string[]} actions What the reader may do; empty unless it's their turn.
 * @property {boolean} over
 * @property {number[]} winners
 */

/**
 * @typedef {object} Wait Join the rematch under this name.
 * @property {string} name on one line
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} [face]
 */

/**
 * @typedef {object} Waiting Someone who's waiting for the rematch.
 * @property {string} name
 * @property {boolean} mine
 * @property {boolean} program
 * @property {"beard" | "bob" | "braids" | "bun" | "cap" | "curls" | "glasses" | "long" | "redhead" | "scarf" | "short" | "spikes" | null} face
 */

/**
 * @typedef {object} Wins How many games with these rules you've finished, and how many of those you've won.
 * @property {string | null} preset
 * @property {number} played
 * @property {number} won
 */

/**
 * The body and the answer of each call, by its method and path. Answers that aren't JSON are null.
 * @typedef {{
 *   "GET /api/rules": {body: undefined, answer: OfferedChoices},
 *   "POST /api/rules": {body: RulesToCheck, answer: Options},
 *   "GET /api/tiles": {body: undefined, answer: Tiles},
 *   "POST /api/games": {body: NewGame, answer: Created},
 *   "GET /api/games": {body: undefined, answer: MyGames},
 *   "GET /api/games/{game}": {body: undefined, answer: State},
 *   "GET /api/games/{game}/record": {body: undefined, answer: null},
 *   "GET /api/games/{game}/review": {body: undefined, answer: GameReview},
 *   "GET /api/practice": {body: undefined, answer: Practice},
 *   "GET /api/path": {body: undefined, answer: BotLadder},
 *   "POST /api/games/{game}/rematch": {body: undefined, answer: Created},
 *   "GET /api/games/{game}/latecomers": {body: undefined, answer: Latecomers},
 *   "POST /api/games/{game}/take-seat": {body: TakeSeat, answer: Latecomers},
 *   "POST /api/games/{game}/wait": {body: Wait, answer: Latecomers},
 *   "POST /api/games/{game}/stop-waiting": {body: undefined, answer: Latecomers},
 *   "POST /api/games/{game}/share": {body: undefined, answer: GameLink},
 *   "POST /api/records": {body: CheckRecord, answer: Checked},
 *   "GET /api/games/{game}/picture.svg": {body: undefined, answer: null},
 *   "GET /api/games/{game}/picture.png": {body: undefined, answer: null},
 *   "GET /api/games/{game}/picture.gif": {body: undefined, answer: null},
 *   "GET /api/games/{game}/animated.svg": {body: undefined, answer: null},
 *   "GET /api/games/{game}/card.png": {body: undefined, answer: null},
 *   "GET /api/card.png": {body: undefined, answer: null},
 *   "POST /api/pictures": {body: DrawRecord, answer: null},
 *   "GET /api/conundrums/{day}/{grade}": {body: undefined, answer: ConundrumText},
 *   "POST /api/conundrums": {body: LookAtConundrum, answer: ConundrumText},
 *   "POST /api/conundrums/try": {body: TryPlacement, answer: Judged},
 *   "POST /api/conundrums/hint": {body: AskConundrumHint, answer: ConundrumHint},
 *   "GET /api/solved": {body: undefined, answer: SolvedTimes},
 *   "POST /api/solved": {body: SolvedConundrum, answer: SolvedTimes},
 *   "POST /api/conundrums/missing": {body: GiveUpConundrum, answer: MissingPlaces},
 *   "POST /api/gatherings": {body: NewGathering, answer: Created},
 *   "GET /api/gatherings": {body: undefined, answer: Lobby},
 *   "GET /api/offers": {body: undefined, answer: Offers},
 *   "GET /api/gatherings/{game}": {body: undefined, answer: GatheringState},
 *   "GET /api/gatherings/{game}/link": {body: undefined, answer: TableLink},
 *   "GET /api/gatherings/{game}/link.svg": {body: undefined, answer: null},
 *   "POST /api/gatherings/{game}/sit": {body: Sit, answer: GatheringState},
 *   "POST /api/gatherings/{game}/invite": {body: Someone, answer: null},
 *   "POST /api/gatherings/{game}/decline": {body: undefined, answer: null},
 *   "GET /api/people": {body: undefined, answer: MyPeople},
 *   "POST /api/people/hide": {body: HideSomeone, answer: null},
 *   "POST /api/people/forget": {body: Someone, answer: null},
 *   "POST /api/seek": {body: Seek, answer: SeekState},
 *   "POST /api/seek/stop": {body: undefined, answer: null},
 *   "POST /api/gatherings/{game}/leave": {body: undefined, answer: GatheringState | null},
 *   "POST /api/gatherings/{game}/remove": {body: FreeSeat, answer: GatheringState},
 *   "POST /api/gatherings/{game}/fill": {body: FillSeat, answer: GatheringState},
 *   "POST /api/gatherings/{game}/arrange": {body: Arrange, answer: GatheringState},
 *   "POST /api/gatherings/{game}/begin": {body: undefined, answer: Created},
 *   "GET /api/me": {body: undefined, answer: Account},
 *   "POST /api/me/recovery": {body: undefined, answer: RecoveryCode},
 *   "POST /api/me/sign-out-others": {body: undefined, answer: Account},
 *   "POST /api/gatherings/{game}/commit": {body: Commit, answer: GatheringState},
 *   "POST /api/gatherings/{game}/reveal": {body: Reveal, answer: Created},
 *   "POST /api/gatherings/{game}/stop": {body: undefined, answer: GatheringState},
 *   "POST /api/me/code": {body: undefined, answer: OneTimeCode},
 *   "POST /api/me/claim": {body: ClaimCode, answer: null},
 *   "GET /api/ratings/{family}": {body: undefined, answer: Leaderboard},
 *   "POST /api/me/bot": {body: undefined, answer: null},
 *   "GET /api/me/push": {body: undefined, answer: PushOffer},
 *   "POST /api/me/push": {body: PushOn, answer: null},
 *   "POST /api/me/push/stop": {body: PushOff, answer: null},
 *   "POST /api/me/listed": {body: BeListed, answer: null},
 *   "POST /api/me/face": {body: ChooseFace, answer: null},
 *   "POST /api/me/erase": {body: undefined, answer: null},
 *   "GET /api/lesson": {body: undefined, answer: Lesson},
 *   "POST /api/lesson/{step}/try": {body: TryStep, answer: StepTried},
 *   "GET /healthz": {body: undefined, answer: null},
 *   "GET /readyz": {body: undefined, answer: null},
 * }} Calls
 */

/**
 * What the page sends to and gets from each socket, by its path.
 * @typedef {{
 *   "/api/games/{game}/play": {sends: Act | TakeBack | AskForHint | SetPace | Say | Leave, gets: State | Done | Hint | Said | Refused},
 *   "/api/gatherings/{game}/watch": {sends: never, gets: GatheringState | Begun | Refused},
 * }} Sockets
 */

/** @typedef {import("./page_types.js").RuleValue} RuleValue */

/** @typedef {import("./page_types.js").Color} Color */

/** @typedef {import("./page_types.js").Square} Square */

/** @typedef {import("./page_types.js").Placement} Placement */

/** @typedef {import("./page_types.js").LastSetup} LastSetup */

/** @typedef {import("./page_types.js").SeatPill} SeatPill */

/** @typedef {import("./page_types.js").LastTable} LastTable */

/** @typedef {import("./page_types.js").Seat} Seat */

/** @typedef {import("./page_types.js").Chair} Chair */

/** @typedef {import("./page_types.js").Gathering} Gathering */

/** @typedef {import("./page_types.js").Summary} Summary */

/** @typedef {import("./page_types.js").Conundrum} Conundrum */

/** @typedef {import("./page_types.js").Choice} Choice */

/** @typedef {import("./page_types.js").Review} Review */

export {};
