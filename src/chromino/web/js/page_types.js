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
 * @typedef {object} NewGame a game that's being set up; seats may be free
 * @property {(import("./types.js").ChairChoice & {name: string})[]} seats
 * @property {import("./types.js").RuleChoices} rules
 * @property {number | null} first
 * @property {boolean} aids
 * @property {boolean} pace
 * @property {boolean} [rated]
 * @property {number | null} [turn_limit]
 * @property {boolean} [watch]
 * @property {boolean} [public]
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
