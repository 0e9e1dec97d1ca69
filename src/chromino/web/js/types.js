/**
 * The shapes of what the server sends, for the type checker; see `server/messages.py` and `view.py`.
 *
 * @typedef {"R" | "G" | "B" | "Y" | "P" | "*"} Color
 * @typedef {[number, number]} Square x grows right, y grows down
 *
 * @typedef {object} Placement
 * @property {string} text the one text it has: `RGB@0,-2>`
 * @property {string} colors as laid, from the left or from the top
 * @property {number} x
 * @property {number} y
 * @property {boolean} down
 *
 * @typedef {object} Event
 * @property {number} seat
 * @property {string} [place] the text of a placement
 * @property {number[]} [points]
 * @property {string} [shows] the last tile, which lies open
 * @property {string | null} [draw] the tile drawn, null if unseen
 * @property {true} [pass]
 *
 * @typedef {object} Rules
 * @property {boolean} chameleons
 * @property {number} hand_size
 * @property {number | null} draw_limit
 * @property {boolean} open_hands
 * @property {string} joining
 * @property {string | null} scoring
 * @property {string} ending
 *
 * @typedef {object} View
 * @property {number | null} me
 * @property {Rules} rules
 * @property {string[]} players
 * @property {number} first
 * @property {Event[]} log
 * @property {string} table placements in the order laid
 * @property {(string[] | null)[]} hands
 * @property {number[]} hand_sizes
 * @property {number} bag_count
 * @property {number[]} scores
 * @property {number} seat
 * @property {string | null} drawn
 * @property {number} draws
 * @property {string[]} actions
 * @property {boolean} over
 * @property {number[]} winners
 *
 * @typedef {object} Seat
 * @property {"person" | "bot"} kind
 * @property {string} name
 * @property {boolean} mine
 * @property {string | null} bot
 * @property {number | null} level
 * @property {boolean} present
 * @property {boolean} has_left
 * @property {number | null} stand_in_in seconds until a bot stands in for someone away
 *
 * @typedef {object} State
 * @property {"state"} type
 * @property {string} game
 * @property {number} version
 * @property {View} view
 * @property {string | null} preset
 * @property {Seat[]} seats
 * @property {boolean} aids
 * @property {boolean} pace
 * @property {number} turns
 * @property {boolean} watching
 * @property {number | null} turn_left seconds, when it was sent
 * @property {string | null} next_game
 * @property {string} seed_hash
 * @property {string | null} seed
 *
 * @typedef {object} Contact
 * @property {Square} square
 * @property {Color} color
 * @property {Square} neighbor
 * @property {Color} neighbor_color
 *
 * @typedef {object} Refusal
 * @property {string} reason
 * @property {string} text
 * @property {Square[]} squares
 * @property {Contact[]} contacts
 * @property {number} needed
 *
 * @typedef {object} Summary
 * @property {string} game
 * @property {string} created
 * @property {string} updated
 * @property {string | null} preset
 * @property {string[]} players
 * @property {Seat[]} seats
 * @property {boolean} over
 * @property {number} seat
 * @property {number[]} winners
 * @property {number[]} scores
 * @property {number} tiles
 *
 * @typedef {object} Wins
 * @property {string | null} preset
 * @property {number} played
 * @property {number} won
 *
 * @typedef {object} MyGames
 * @property {Summary[]} games
 * @property {Wins[]} wins
 * @property {string | null} next
 *
 * @typedef {object} Option
 * @property {number | string | boolean | null} value
 * @property {boolean} fits
 * @property {string | null} why
 * @property {Record<string, any>} sets
 *
 * @typedef {object} Options
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {string | null} why
 * @property {Record<string, Partial<Rules>>} presets
 * @property {Record<string, Option[]>} choices
 *
 * @typedef {object} SeatChoice
 * @property {"me" | "here" | "bot" | "free"} kind
 * @property {string} name
 * @property {number | null} [level]
 *
 * @typedef {object} NewGame
 * @property {SeatChoice[]} seats
 * @property {Partial<Rules>} rules
 * @property {number | null} first
 * @property {boolean} aids
 * @property {boolean} pace
 *
 * @typedef {object} Friends what a game over a link has besides
 * @property {boolean} watch
 * @property {boolean} public
 * @property {number | null} turn_limit
 *
 * @typedef {object} Chair
 * @property {"person" | "bot" | "free"} kind
 * @property {string} name
 * @property {boolean} mine
 * @property {boolean} host
 * @property {number | null} level
 *
 * @typedef {object} Conundrum
 * @property {string} conundrum its text
 * @property {string} table
 * @property {{tile: string, count: number}[]} asked
 * @property {number} grade
 * @property {number} score
 * @property {Record<string, number>} reasons
 *
 * @typedef {object} RatedPlayer
 * @property {number} place
 * @property {"person" | "bot"} kind
 * @property {string | null} name null for a reader who is not listed
 * @property {number | null} level
 * @property {number} rating
 * @property {number} uncertainty
 * @property {number} games
 * @property {boolean} mine
 *
 * @typedef {object} Leaderboard
 * @property {string} family
 * @property {RatedPlayer[]} players
 * @property {boolean} known has the reader an identity?
 * @property {string | null} listed_as
 *
 * @typedef {{mean: number, error: number}} ReviewValue
 *
 * @typedef {object} Choice one of several placements was chosen
 * @property {number} version
 * @property {number} options
 * @property {ReviewValue} before
 * @property {string} chosen
 * @property {ReviewValue} value
 * @property {string} best
 * @property {ReviewValue} best_value
 * @property {number} cost
 * @property {number} error
 * @property {boolean} clear
 *
 * @typedef {object} Review
 * @property {string} game
 * @property {number} seat
 * @property {Seat[]} seats
 * @property {"win" | "points"} measure what all values count
 * @property {("win" | "points")[]} measures what can be asked for
 * @property {number} fair
 * @property {number} result
 * @property {Record<"deal" | "draw" | "choice" | "others", ReviewValue>} gains
 * @property {ReviewValue} cost
 * @property {{kind: string, since: number, until: number, before: ReviewValue, after: ReviewValue}[]} steps
 * @property {Choice[]} choices
 *
 * @typedef {object} Lesson a choice to be made again
 * @property {string} game
 * @property {number} version
 * @property {number} cost
 * @property {View} view
 * @property {string} played
 * @property {{placement: string, value: number, error: number}[]} values the best first
 *
 * @typedef {object} Path
 * @property {{bot: string, level: number, played: number, won: number, mastered: boolean}[]} rungs
 * @property {number} next the level to play
 *
 * @typedef {object} Gathering
 * @property {"gathering"} type
 * @property {string} game
 * @property {number} version
 * @property {Chair[]} chairs
 * @property {boolean} host
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {boolean} watch
 * @property {boolean} public
 * @property {number | null} turn_limit
 */

export {};
