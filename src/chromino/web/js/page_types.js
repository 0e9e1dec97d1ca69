/** @typedef {number | string | boolean | null} RuleValue the value of a rule choice */

/**
 * The page's own types, which never go over the wire. `types.js` lists them, too.
 *
 * @typedef {"R" | "G" | "B" | "Y" | "P" | "*"} Color
 * @typedef {[number, number]} Square x grows right, y grows down
 *
 * @typedef {object} Placement
 * @property {string} text such as `RGB@0,-2>`; every placement has exactly one text
 * @property {string} colors from left to right, or from top to bottom
 * @property {number} x
 * @property {number} y
 * @property {boolean} down vertical, from top to bottom
 *
 * @typedef {object} LastSetup the choices made when a game was last set up
 * @property {Pick<import("./types.js").SeatPill, "kind" | "name" | "level" | "face">[]} seats
 * @property {import("./types.js").RuleChoices} rules
 * @property {number | null} first
 * @property {boolean} aids
 * @property {boolean} pace
 *
 * @typedef {object} SeatPill a seat on the setup page; a free one is for someone who gets the link
 * @property {number} id
 * @property {import("./types.js").ChairChoice["kind"]} kind
 * @property {string} name
 * @property {number} level the bot's level, if it's a bot
 * @property {import("./page/faces.js").Face | null} face
 *
 * @typedef {object} LastTable the choices made at the last table for friends
 * @property {import("./types.js").RuleChoices} [rules]
 * @property {boolean} [aids]
 * @property {boolean} [pace]
 * @property {boolean} [watch]
 * @property {number | null} [turn_limit]
 *
 * Shorter names for messages:
 * @typedef {import("./types.js").SeatState} Seat
 * @typedef {import("./types.js").ChairState} Chair
 * @typedef {import("./types.js").GatheringState} Gathering
 * @typedef {import("./types.js").GameSummary} Summary
 * @typedef {import("./types.js").ConundrumText} Conundrum
 * @typedef {import("./types.js").ReviewChoice} Choice
 * @typedef {import("./types.js").GameReview} Review
 */

export {};
