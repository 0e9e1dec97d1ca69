/** @typedef {number | string | boolean | null} RuleValue what is chosen */

/**
 * Types of the page's own, which never go over the wire; `types.js` passes them on.
 *
 * @typedef {"R" | "G" | "B" | "Y" | "P" | "*"} Color
 * @typedef {[number, number]} Square x grows right, y grows down
 *
 * @typedef {object} Placement
 * @property {string} text its only text form: `RGB@0,-2>`
 * @property {string} colors as laid, from the left or from the top
 * @property {number} x
 * @property {number} y
 * @property {boolean} down
 *
 * @typedef {object} NewGame as it's set up: complete, and seats may be free
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
 * @typedef {object} LastTable what was chosen at the last table for friends
 * @property {import("./types.js").RuleChoices} [rules]
 * @property {boolean} [aids]
 * @property {boolean} [pace]
 * @property {boolean} [watch]
 * @property {number | null} [turn_limit]
 *
 * Shorter names of messages:
 * @typedef {import("./types.js").SeatState} Seat
 * @typedef {import("./types.js").ChairState} Chair
 * @typedef {import("./types.js").GatheringState} Gathering
 * @typedef {import("./types.js").GameSummary} Summary
 * @typedef {import("./types.js").ConundrumText} Conundrum
 * @typedef {import("./types.js").ReviewChoice} Choice
 * @typedef {import("./types.js").GameReview} Review
 * @typedef {import("./types.js").PracticeLesson} Lesson
 * @typedef {import("./types.js").PathUp} Path
 */

export {};
