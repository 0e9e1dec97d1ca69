/**
 * Joint deals, as in `chromino/fair_deal.py`: what this browser gave and was shown, and the check after the game. It's
 * stored here, so a server can't change it later.
 */

import { readStored, store } from "../browser/storage.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("../types.js").DealTerms} DealTerms
 * @typedef {{part: string, shown: Omit<DealTerms, "begun"> | null}} RememberedPart a part, and on which terms it was revealed
 * @typedef {"verified" | "repeated" | "not-in-it" | "changed" | "other-rules" | "other-seats" | "other-hash" | "other-tiles"} Verdict
 */

const KEY = "chromino-deals";
const GAMES = 200; // How many games to remember.
const PARTS = 5; // Parts per game: a commitment can get lost, or a new one may be needed.

/** For browsers without storage: good until the page is closed. @type {Map<string, RememberedPart[]>} */
const inMemory = new Map();

/** @returns {[string, RememberedPart[]][]} */
function stored() {
  return readStored(KEY) ?? [];
}

/** What this browser gave for a game, the oldest first. @param {string} game @returns {RememberedPart[]} */
export function keptFor(game) {
  return inMemory.get(game) ?? stored().find(([known]) => known === game)?.[1] ?? [];
}

/** @param {string} game @param {RememberedPart[]} parts */
function keep(game, parts) {
  // Keep those that were revealed, so that asking for many more can't hide that a deal was stopped.
  const revealed = parts.filter((one) => one.shown).slice(-2);
  const kept = parts.filter((one) => revealed.includes(one) || parts.slice(-PARTS).includes(one));
  inMemory.set(game, kept);
  store(KEY, [...stored().filter(([known]) => known !== game), [game, kept]].slice(-GAMES));
}

/** 128 random bits. */
export function newPart() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Remember a part. @param {string} game @param {string} part @returns {string} its commitment */
export function keepPart(game, part) {
  keep(game, [...keptFor(game), { part, shown: null }]);
  return sha256(part);
}

/** Is this one of this browser's commitments? @param {string} game @param {string} commitment */
export function knowsPart(game, commitment) {
  return keptFor(game).some(({ part }) => sha256(part) === commitment);
}

/**
 * Did this browser already reveal a part for a game that now asks for another one? Then that deal was stopped, and
 * someone may have known it.
 * @param {string} game @param {DealTerms} terms
 */
export function wasStopped(game, { commitments, mine }) {
  const revealed = keptFor(game).filter((one) => one.shown);
  const now = mine === null ? "" : (commitments[mine] ?? "");
  return revealed.length > 0 && !revealed.some(({ part }) => sha256(part) === now);
}

/**
 * My part, if it's safe to reveal it on these terms: everyone has committed, and the part was never revealed on others.
 * A part from before one that was revealed stays secret, or others could choose between two deals. The terms are
 * remembered first.
 * @param {string} game @param {DealTerms} terms @returns {string | null}
 */
export function partToReveal(game, { begun, ...shown }) {
  const { commitments, mine } = shown;
  if (!begun || mine === null || !commitments.every(Boolean)) return null;
  const kept = keptFor(game);
  for (let n = kept.length - 1; n >= 0; n -= 1) {
    const one = /** @type {RememberedPart} */ (kept[n]);
    if (sha256(one.part) === commitments[mine] && (!one.shown || isSame(one.shown, shown))) {
      keep(
        game,
        kept.map((other) => (other === one ? { ...one, shown: structuredClone(shown) } : other)),
      );
      return one.part;
    }
    if (one.shown) return null;
  }
  return null;
}

/** @param {RememberedPart["shown"]} one @param {RememberedPart["shown"]} other */
function isSame(one, other) {
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
  return fields(one) === fields(other);
}

/** Rules to compare, because with different rules the same seed gives different hands. @param {object} [rules] */
function rulesText(rules = {}) {
  return JSON.stringify(Object.entries(rules).sort());
}

/**
 * The seats of people who gave no part of a deal that this browser took part in.
 * @param {string} game
 * @param {number[] | null} people the seats of people; null if that isn't known now
 */
export function silentSeats(game, people) {
  const shown = revealedFor(game)?.shown;
  if (!shown?.givers) return []; // An earlier version of the page didn't keep it.
  const givers = shown.givers.slice(0, -1);
  const bots = shown.givers.at(-1) ?? [];
  const seats = people ?? [...Array(shown.players).keys()].filter((seat) => !bots.includes(seat));
  return seats.filter((seat) => !givers.flat().includes(seat));
}

/** The seats that were called a bot's when the tiles were dealt. @param {string} game */
export function botSeats(game) {
  return revealedFor(game)?.shown?.givers?.at(-1) ?? [];
}

/**
 * What to say of a deal for which this browser gave no part; nothing to people who only watched a joint one. A server
 * that calls a deal joint has to ask the players for their parts: if it didn't ask here, they should know.
 * @param {Pick<import("../types.js").State, "deal" | "watching">} state
 * @returns {string | null} a key of the catalogs
 */
export function dealKey({ deal, watching }) {
  if (deal !== "joint") return `deal.${deal}`;
  return watching ? null : "fair.unchecked";
}

/** The part that should be in the deal. @param {string} game */
function revealedFor(game) {
  return keptFor(game)
    .filter((one) => one.shown)
    .pop();
}

/**
 * Was a finished game dealt from what its players contributed?
 * @param {string} game
 * @param {object} end
 * @param {string} end.seed
 * @param {string | null} end.hash that came with the hand, if this browser saw it
 * @param {object} end.rules
 * @param {number[] | null} end.seats mine; null if that isn't known now
 * @param {number} end.players
 * @param {number} end.first who began
 * @param {boolean} end.fits does the seed give the tiles?
 * @returns {Verdict | null} null if this browser gave no part, so it can't tell
 */
export function verdict(game, { seed, hash, rules, seats, players, first, fits }) {
  const kept = keptFor(game);
  if (!kept.length) return null;
  const { part, shown } = revealedFor(game) ?? /** @type {RememberedPart} */ (kept[kept.length - 1]);
  const parts = seed.split("-");
  if (!fits) return "other-tiles";
  if (!shown || shown.mine === null || parts[shown.mine] !== part) return "not-in-it";
  if (parts.map(sha256).join() !== shown.commitments.join()) return "changed";
  if (shown.rules && rulesText(rules) !== rulesText(shown.rules)) return "other-rules";
  const begins = shown.first ?? Number(BigInt(`0x${sha256(`${seed}first`)}`) % BigInt(players));
  if ((seats ?? shown.seats).join() !== shown.seats.join() || players !== shown.players || first !== begins)
    return "other-seats";
  if (hash !== null && hash !== sha256(seed)) return "other-hash";
  // Parts were revealed before, and then everyone had to commit again: someone could have known that deal and not liked it.
  return kept.filter((one) => one.shown).length > 1 ? "repeated" : "verified";
}
