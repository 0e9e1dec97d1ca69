/**
 * Game records: the position after each event, and whether the deal was fair. Whether the moves follow the rules is
 * left to the server.
 */

import { isPlacementOf, parsePlacement } from "../table/geometry.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {object} Record
 * @property {import("../types.js").Rules} rules
 * @property {string[]} players
 * @property {{first: number, tile: string, hands: string[][], bag: string[], seed: string | null}} start
 * @property {import("../types.js").Event[]} events
 *
 * @typedef {{over: boolean, winners: number[], scores: number[], preset: string | null}} Outcome
 *
 * @typedef {object} Position
 * @property {import("../types.js").Placement[]} laid
 * @property {string[][]} hands
 * @property {number[]} earned
 */

/** @param {string} text JSON Lines: a header, then one event per line @returns {Record} */
export function readRecord(text) {
  const [header, ...events] = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { ...header, events };
}

/** The position after the first `move` events. @param {Record} record @param {number} move @returns {Position} */
export function positionAfter({ players, start, events }, move) {
  const laid = [parsePlacement(`${start.tile}@0,0>`)];
  const hands = start.hands.map((hand) => [...hand]);
  const earned = players.map(() => 0);
  for (const { seat, place, points, draw } of events.slice(0, move)) {
    const hand = hands[seat] ?? [];
    if (place !== undefined) {
      const placement = parsePlacement(place);
      laid.push(placement);
      hands[seat] = hand.filter((tile) => !isPlacementOf(placement, tile));
      earned[seat] = (earned[seat] ?? 0) + (points ?? []).reduce((sum, part) => sum + part, 0);
    } else if (draw) hands[seat] = [...hand, draw];
  }
  return { laid, hands, earned };
}

/**
 * Is this the game that was played here? The server sends the record only after the game ends, so it could send
 * a different game's. Every tile has to be there exactly once, draws have to come from the bag in order, and everything
 * has to match what this browser saw.
 * @param {Record} record
 * @param {import("./seed_hashes.js").SeenStart | null} seen
 * @param {import("../types.js").Event[] | null} log
 */
export function matchesWhatWasSeen({ rules, start, events }, seen, log) {
  const { tile, hands, bag } = start;
  const all = [tile, ...hands.flat(), ...bag];
  const size = rules.chameleons ? 80 : 75;
  const draws = events.flatMap(({ draw }) => (draw ? [draw] : []));
  return (
    all.length === size &&
    new Set(all).size === size &&
    hands.every((hand) => hand.length === rules.hand_size) &&
    draws.every((drawn, n) => drawn === bag[n]) &&
    (!seen ||
      (isPlacementOf(parsePlacement(seen.laid), tile) &&
        seen.dealt.every((hand, n) => !hand || isSameHand(hand, hands[n])))) &&
    (!log || (log.length === events.length && log.every((event, n) => isSameEvent(event, events[n]))))
  );
}

/** @param {string[]} hand @param {string[]} [other] */
function isSameHand(hand, other = []) {
  return [...hand].sort().join() === [...other].sort().join();
}

/** @param {import("../types.js").Event} seen @param {import("../types.js").Event} [event] */
function isSameEvent(seen, event) {
  if (seen.seat !== event?.seat || seen.place !== event.place) return false;
  return seen.draw === undefined ? event.draw === undefined : seen.draw === null || seen.draw === event.draw;
}

/**
 * Does the seed produce this deal? Tiles are dealt in the order of the hashes of seed and tile. The tile that starts
 * the table is the suitable one with the smallest hash of seed, "start" and tile. Before version 1.0, it was the first
 * suitable one in the order of the deal.
 * @param {Record} record
 * @returns {string | null} if it does, the seed's hash, to compare with the one published at the start; otherwise null
 */
export function verifiedSeedHash({ start, rules }) {
  if (start.seed === null) return null;
  const { seed } = start;
  const dealt = [start.tile, ...start.hands.flat(), ...start.bag];
  const byHash = (/** @type {string} */ prefix) =>
    dealt
      .map((tile) => ({ tile, hash: sha256(prefix + tile) }))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ tile }) => tile);
  const canStart = rules.chameleons
    ? (/** @type {string} */ tile) => tile[1] === "*"
    : (/** @type {string} */ tile) => new Set(tile).size === 3;
  const order = byHash(seed);
  const starts = [byHash(`${seed}start`).find(canStart), order.find(canStart)];
  const expected = [start.tile, ...order.filter((tile) => tile !== start.tile)];
  return starts.includes(start.tile) && expected.every((tile, n) => tile === dealt[n]) ? sha256(seed) : null;
}
