/** After a game: did the deal come from the numbers that everyone had committed to? */

import { h, setText } from "../browser/dom.js";
import { listed } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { botSeats, dealKey, keptFor, silentSeats, verdict } from "../replay/fair_deal.js";
import { isAsSeen, isFair, readRecord } from "../replay/record.js";
import { publishedHash, seenStart } from "../replay/seed_hashes.js";
import { recordOf } from "../server/api.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Seat} Seat
 * @typedef {import("../replay/record.js").Record} Record
 */

/** Show the result in the dialog at the end. @param {State} state @param {HTMLElement} dialog */
export async function tellDeal(state, dialog) {
  const { game } = state;
  const line = h("p", { class: "deal-check" });
  if (keptFor(game).length && !state.watching) {
    const text = await recordOf(game).catch(() => null);
    if (text === null) return; // The replay can check it later.
    showDealCheck(line, game, readRecord(text), state, state.view.log);
  } else showUnchecked(line, state);
  if (line.hidden) return;
  const isLong = line.classList.contains("verified"); // Warnings are always in sight.
  const shown = isLong ? h("details", { class: "deal-details" }, h("summary", { t: "fair.short" }), line) : line;
  dialog.querySelector(".final, .final-hand")?.after(shown);
}

/**
 * Show what this browser finds.
 * @param {HTMLElement} line
 * @param {string} game
 * @param {Record} record
 * @param {State | null} state if it's known
 * @param {import("../types.js").Event[] | null} log what was seen of the game, if it's known
 */
export function showDealCheck(line, game, record, state, log = null) {
  const seats = state?.seats ?? null;
  const found = checkDeal(game, record, seats && numbersOf(seats, ({ mine }) => mine), log);
  // If there was no seat left, this browser promised a number that nobody asked for.
  if (!found || state?.watching) return showUnchecked(line, state);
  line.hidden = false;
  line.classList.toggle("muted", found === "verified");
  line.classList.toggle("verified", found === "verified");
  line.classList.toggle("problem", found !== "verified");
  const silent = silentSeats(game, seats && numbersOf(seats, ({ kind }) => kind === "person"));
  const bots = botSeats(game); // People may have taken over since.
  const rest = [
    facts("fair.silent", (seat) => !bots.includes(seat)),
    facts("fair.late", (seat) => bots.includes(seat)),
  ].flat();
  line.replaceChildren(h("span", { t: `fair.${found}` }), ...rest);

  /** @param {string} key @param {(seat: number) => boolean} holds */
  function facts(key, holds) {
    const names = silent.filter(holds).map((seat) => (seats ? seatName(seats, seat) : (record.players[seat] ?? "")));
    if (!names.length) return [];
    const words = h("span");
    setText(words, key, { names: listed(names) });
    return [" ", words];
  }
}

/** If this browser gave no part, there's nothing to check. @param {HTMLElement} line @param {State | null} state */
function showUnchecked(line, state) {
  const key = state && dealKey(state);
  line.hidden = !key;
  line.classList.add("muted");
  if (key) setText(line, key);
}

/**
 * @param {string} game
 * @param {Record} record
 * @param {number[] | null} seats mine, if they're known
 * @param {import("../types.js").Event[] | null} log
 */
function checkDeal(game, record, seats, log) {
  const { seed, first } = record.start;
  return verdict(game, {
    seed: seed ?? "",
    hash: publishedHash(game),
    rules: record.rules,
    seats,
    players: record.players.length,
    first,
    fits: isFair(record) !== null && isAsSeen(record, seenStart(game), log),
  });
}

/** @param {Seat[]} seats @param {(seat: Seat) => boolean} holds */
function numbersOf(seats, holds) {
  return seats.flatMap((seat, number) => (holds(seat) ? [number] : []));
}
