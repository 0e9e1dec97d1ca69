/**
 * Joint deals, as in `chromino/fair_deal.py`. This browser stores its parts (the random numbers it contributes) and the
 * terms it was shown, so that a server can't change them later. After the game, it checks the deal.
 */

import { readStored, store } from "../browser/storage.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("../types.js").DealTerms} DealTerms
 * @typedef {{part: string, shown: Omit<DealTerms, "begun"> | null}} RememberedPart shown: the terms it was revealed on
 * @typedef {"verified" | "repeated" | "not-in-it" | "changed"
 *   | "other-rules" | "other-seats" | "other-hash" | "other-tiles"} Verdict
 */

const KEY = "chromino-deals";
const MAX_GAMES = 200; // How many games to remember.
const MAX_PARTS = 5; // Per game. One isn't enough: a commitment can get lost, and a table may ask for another.

/** A copy for browsers without storage. It lasts until the page is closed. @type {Map<string, RememberedPart[]>} */
const inMemory = new Map();

/** @returns {[string, RememberedPart[]][]} */
function stored() {
  return readStored(KEY) ?? [];
}

/** The parts that this browser has made for a game, oldest first. @param {string} game @returns {RememberedPart[]} */
export function myParts(game) {
  return inMemory.get(game) ?? stored().find(([id]) => id === game)?.[1] ?? [];
}

/** @param {string} game @param {RememberedPart[]} parts */
function storeParts(game, parts) {
  // Keep the revealed parts, so that a server can't hide a stopped deal by asking for many new parts.
  const revealed = parts.filter((entry) => entry.shown).slice(-2);
  const kept = parts.filter((entry) => revealed.includes(entry) || parts.slice(-MAX_PARTS).includes(entry));
  inMemory.set(game, kept);
  store(KEY, [...stored().filter(([id]) => id !== game), [game, kept]].slice(-MAX_GAMES));
}

/** A new part of a deal: 128 random bits, in hexadecimal. */
export function newPart() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Store a part, and return its commitment. @param {string} game @param {string} part */
export function keepPart(game, part) {
  storeParts(game, [...myParts(game), { part, shown: null }]);
  return sha256(part);
}

/** Is this one of this browser's commitments? @param {string} game @param {string} commitment */
export function knowsPart(game, commitment) {
  return myParts(game).some(({ part }) => sha256(part) === commitment);
}

/**
 * Has this browser already revealed a part for a game that's now asking for another? If so, the first deal was
 * stopped, and someone may have seen its tiles.
 * @param {string} game @param {DealTerms} terms
 */
export function wasStopped(game, { commitments, mine }) {
  const revealed = myParts(game).filter((entry) => entry.shown);
  const current = mine === null ? "" : (commitments[mine] ?? "");
  return revealed.length > 0 && !revealed.some(({ part }) => sha256(part) === current);
}

/**
 * My part, if it's safe to reveal on these terms: everyone has committed, and the part hasn't been revealed on other
 * terms. A part that's older than a revealed one stays secret, or others could choose between two deals. The terms are
 * stored before the part is returned.
 * @param {string} game @param {DealTerms} terms @returns {string | null}
 */
export function partToReveal(game, { begun, ...shown }) {
  const { commitments, mine } = shown;
  if (!begun || mine === null || !commitments.every(Boolean)) return null;
  const kept = myParts(game);
  for (let n = kept.length - 1; n >= 0; n -= 1) {
    const entry = /** @type {RememberedPart} */ (kept[n]);
    if (sha256(entry.part) === commitments[mine] && (!entry.shown || areSameTerms(entry.shown, shown))) {
      storeParts(
        game,
        kept.map((other) => (other === entry ? { ...entry, shown: structuredClone(shown) } : other)),
      );
      return entry.part;
    }
    if (entry.shown) return null;
  }
  return null;
}

/** @param {RememberedPart["shown"]} first @param {RememberedPart["shown"]} second */
function areSameTerms(first, second) {
  const fields = (/** @type {RememberedPart["shown"]} */ shown) =>
    JSON.stringify([
      shown?.commitments,
      shown?.givers,
      shown?.mine,
      shown?.seats,
      shown?.players,
      shown?.first,
      rulesText(shown?.rules),
    ]);
  return fields(first) === fields(second);
}

/** The rules as text. Under different rules, the same seed deals different hands. @param {object} [rules] */
function rulesText(rules = {}) {
  return JSON.stringify(Object.entries(rules).sort());
}

/**
 * The seats of people who contributed nothing to a deal that this browser took part in.
 * @param {string} game
 * @param {number[] | null} people the seats of people, or null if they're unknown
 */
export function silentSeats(game, people) {
  const shown = lastRevealed(game)?.shown;
  if (!shown?.givers) return []; // An earlier version of the page didn't store the givers.
  const givers = shown.givers.slice(0, -1);
  const bots = shown.givers.at(-1) ?? [];
  const seats = people ?? [...Array(shown.players).keys()].filter((seat) => !bots.includes(seat));
  return seats.filter((seat) => !givers.flat().includes(seat));
}

/** The seats that belonged to bots when the tiles were dealt, according to the server. @param {string} game */
export function botSeats(game) {
  return lastRevealed(game)?.shown?.givers?.at(-1) ?? [];
}

/**
 * What to say about a deal to which this browser contributed nothing. For spectators of a joint deal, that's normal.
 * Its players should have been asked for their parts, so we tell a player who wasn't.
 * @param {Pick<import("../types.js").State, "deal" | "watching">} state
 * @returns {string | null} a key in the catalogs
 */
export function dealKey({ deal, watching }) {
  if (deal !== "joint") return `deal.${deal}`;
  return watching ? null : "fair.unchecked";
}

/** The part that was revealed last. It should be in the deal. @param {string} game */
function lastRevealed(game) {
  return myParts(game)
    .filter((entry) => entry.shown)
    .pop();
}

/**
 * Was a finished game dealt from the parts that its players contributed?
 * @param {string} game
 * @param {object} end
 * @param {string} end.seed
 * @param {string | null} end.hash the hash that came with the hand, if this browser saw it
 * @param {object} end.rules
 * @param {number[] | null} end.seats my seats, or null if they're unknown
 * @param {number} end.players
 * @param {number} end.first the seat that went first
 * @param {boolean} end.fits does the seed produce the tiles, and does the record match what this browser saw?
 * @returns {Verdict | null} null if this browser contributed nothing, so there's nothing to check
 */
export function verdict(game, { seed, hash, rules, seats, players, first, fits }) {
  const kept = myParts(game);
  if (!kept.length) return null;
  const { part, shown } = lastRevealed(game) ?? /** @type {RememberedPart} */ (kept[kept.length - 1]);
  const parts = seed.split("-");
  if (!fits) return "other-tiles";
  if (!shown || shown.mine === null || parts[shown.mine] !== part) return "not-in-it";
  if (parts.map(sha256).join() !== shown.commitments.join()) return "changed";
  if (shown.rules && rulesText(rules) !== rulesText(shown.rules)) return "other-rules";
  const expectedFirst = shown.first ?? Number(BigInt(`0x${sha256(`${seed}first`)}`) % BigInt(players));
  if ((seats ?? shown.seats).join() !== shown.seats.join() || players !== shown.players || first !== expectedFirst)
    return "other-seats";
  if (hash !== null && hash !== sha256(seed)) return "other-hash";
  // If parts were revealed more than once, someone may have seen the first deal and rejected it.
  return kept.filter((entry) => entry.shown).length > 1 ? "repeated" : "verified";
}
