/** Tiles, squares, events and refusals in words. */

import { middleOf, parsePlacement } from "../table/geometry.js";
import { joinSentences, listed, t } from "./i18n.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */
/**
 * What a seat's name depends on.
 * @typedef {Pick<import("../types.js").Seat, "name" | "bot" | "mine"> & {program?: boolean}} Named
 */

/** Default names that we used to give people in French, Spanish and Catalan. Older games still have them. */
const EARLIER_NAMES = ["Place #", "Puesto #", "Persona #", "Lloc #"];

/** @param {string} colors */
export function tileWords(colors) {
  return [...colors].map((color) => t(`color.${color}`)).join(t("color.between"));
}

/** "2 squares to the right and 1 square down from the starting square". @param {Square} square */
function squareWords([x, y]) {
  const parts = [];
  if (x) parts.push(t(x > 0 ? "square.right" : "square.left", { n: Math.abs(x) }));
  if (y) parts.push(t(y > 0 ? "square.down" : "square.up", { n: Math.abs(y) }));
  if (!parts.length) return t("square.start");
  return t(y ? "square.from_start" : "square.beside_start", { where: parts.join(t("square.between")) });
}

/** A tile's colors, where it is, and which way it goes. @param {Placement} placement */
export function placeWords({ colors, x, y, down }) {
  return t(down ? "place.down" : "place.right", { tile: tileWords(colors), where: squareWords([x, y]) });
}

/**
 * A seat's name. Bots have a name in each language, with a number if several of the same kind are playing. I'm "You"
 * unless I've chosen a name.
 * @param {readonly Named[]} seats @param {number} seat
 */
export function seatName(seats, seat) {
  const { bot, name, program } = /** @type {Named} */ (seats[seat]);
  if (!bot) return isYou(seats, seat) ? t("setup.me") : personName(name, program);
  const alike = seats.map((other, index) => (other.bot === bot ? index : -1)).filter((index) => index >= 0);
  const word = t(`bot.${bot}`);
  return alike.length > 1 ? `${word} ${alike.indexOf(seat) + 1}` : word;
}

/** A bot's name. @param {string | null} bot */
export function botName(bot) {
  return bot ? t(`bot.${bot}`) : "";
}

/**
 * Is this the only seat on this device, and does it still have its default name?
 * @param {readonly Named[]} seats @param {number} seat
 */
export function isYou(seats, seat) {
  const { mine, name } = /** @type {Named} */ (seats[seat]);
  const isOnly = mine && seats.filter((other) => other.mine).length === 1;
  const pattern = name.replace(/\d+/, "#");
  return isOnly && pattern !== name && [t("setup.player", { n: "#" }), ...EARLIER_NAMES].includes(pattern);
}

/** A person's name, with a badge if a program is playing for them. @param {string} name @param {boolean} [program] */
export function personName(name, program) {
  return program ? t("seats.program", { name }) : name;
}

/** "2 + 1 + 2 = 5". @param {readonly number[]} points */
export function sumWords(points) {
  const total = points.reduce((sum, part) => sum + part, 0);
  return points.length > 1 ? `${points.join(" + ")} = ${total}` : String(total);
}

/** @typedef {{hidesDraws?: boolean, brief?: boolean, why?: string}} Wording
 * hidesDraws: others can see this screen, so don't name a tile that was drawn; brief: a picture shows which tile was
 * placed; why: why a bot placed the tile */

/**
 * A sentence about an event in a game's log.
 * @param {import("../types.js").State} state @param {number} number of the event in the log @param {Wording} [wording]
 */
export function logWords({ view, seats, stood_in, stand_in, turn_limit }, number, wording = {}) {
  const event = /** @type {import("../types.js").Event} */ (view.log[number]);
  const name = seatName(seats, event.seat);
  const { has_left, present } = /** @type {import("../types.js").Seat} */ (seats[event.seat]);
  const ranOutOfTime = turn_limit !== null && present && !has_left;
  const isMe = isYou(seats, event.seat);
  let why = "";
  if (stood_in.includes(number)) {
    const bot = botName(stand_in);
    if (isMe) why = t(ranOutOfTime ? "log.your_time_up" : "log.stood_in_for_you", { bot });
    else why = t(ranOutOfTime ? "log.times_up" : "log.stood_in", { name, bot });
  }
  return eventWords(event, isMe ? null : name, { ...wording, why });
}

/**
 * A sentence about an event.
 * @param {import("../types.js").Event} event
 * @param {string | null} who the player's name, or null for you
 * @param {Wording} [wording]
 */
export function eventWords(event, who, { hidesDraws = false, brief = false, why = "" } = {}) {
  const isMe = who === null;
  const name = who ?? "";
  if (event.place !== undefined) {
    const place = placeWords(parsePlacement(event.place));
    const placed = brief
      ? t(isMe ? "log.you_place" : "log.places", { name })
      : t(isMe ? "event.you_place" : "event.places", { name, place });
    const words = why ? [why, ...(brief ? [] : [t("event.placed_for", { place })])] : [placed];
    if (event.points) words.push(t("event.points", { sum: sumWords(event.points) }));
    if (event.shows) words.push(t("event.shows", { tile: tileWords(event.shows) }));
    return joinSentences(words);
  }
  if (event.pass) return t(isMe ? "event.you_pass" : "event.passes", { name });
  return event.draw && !hidesDraws
    ? t(isMe ? "event.you_draw_tile" : "event.draws_tile", { name, tile: tileWords(event.draw) })
    : t(isMe ? "event.you_draw" : "event.draws", { name });
}

/** Seconds as a clock shows them: "0:42", "3:05:00". @param {number} seconds */
export function durationWords(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

/** The time left in a turn: "0:42", or just "23 hr" so that it fits on a phone. @param {number} seconds */
export function clockWords(seconds) {
  const whole = Math.ceil(seconds);
  return whole < 3600 ? durationWords(whole) : t("time.hours", { n: Math.floor(whole / 3600) });
}

/** A turn limit in words. @param {number} seconds */
export function limitWords(seconds) {
  if (seconds >= 86400) return t("limit.days", { n: Math.round(seconds / 86400) });
  return seconds >= 120 ? t("limit.minutes", { n: Math.round(seconds / 60) }) : t("limit.seconds", { n: seconds });
}

/** Why a placement was refused. @param {import("../types.js").Refusal} refusal */
export function refusalWords({ reason, contacts, needed }) {
  if (reason === "clash") {
    const pairs = contacts.map((contact) =>
      t("refusal.clash_pair", { one: t(`color.${contact.color}`), other: t(`color.${contact.neighbor_color}`) }),
    );
    return t("refusal.clash", { pairs: listed([...new Set(pairs)]) });
  }
  return t(`refusal.${reason}`, { n: contacts.length, needed });
}

/** Where the middle of a tile is, in words. @param {Placement} placement */
export function middleWords(placement) {
  return t("square.alone", { where: squareWords(middleOf(placement)) });
}

/** The value of a rule choice, in words. @param {string} name @param {import("../types.js").RuleValue} value */
export function choiceWords(name, value) {
  return t(choiceKey(name, value), { n: value });
}

/** @param {string} name @param {import("../types.js").RuleValue} value */
export function choiceKey(name, value) {
  return `rule.${name}_${typeof value === "number" ? "n" : value}`;
}
