/** After a game, checks that the deal came from the numbers that everyone committed to. */

import { h, setText } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { botSeats, dealKey, myParts, silentSeats, verdict } from "../replay/fair_deal.js";
import { matchesWhatWasSeen, readRecord, verifiedSeedHash } from "../replay/record.js";
import { publishedHash, seenStart } from "../replay/seed_hashes.js";
import { recordOf } from "../server/api.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Seat} Seat
 * @typedef {import("../replay/record.js").Record} Record
 */

/** Check the deal at the end of a game, and show the result. @param {State} state @param {HTMLElement} dialog */
export async function addDealCheck(state, dialog) {
  const { game } = state;
  const line = h("p", { class: "deal-check" });
  if (myParts(game).length && !state.watching) {
    const text = await recordOf(game).catch(() => null);
    if (text === null) return; // The replay can still check the deal later.
    showDealCheck(line, game, readRecord(text), state, state.view.log);
  } else showUnchecked(line, state);
  if (line.hidden) return;
  // Good news is collapsed; warnings are always visible.
  const isGood = line.classList.contains("verified");
  const box = isGood ? h("details", { class: "deal-details" }, h("summary", { t: "fair.short" }), line) : line;
  dialog.querySelector(".final, .final-hand")?.after(box);
}

/**
 * Check the deal, and show what this browser found.
 * @param {HTMLElement} line
 * @param {string} game
 * @param {Record} record
 * @param {State | null} state null if unknown
 * @param {import("../types.js").Event[] | null} log the events this browser saw; null if unknown
 */
export function showDealCheck(line, game, record, state, log = null) {
  const seats = state?.seats ?? null;
  const result = checkDeal(game, record, seats && numbersOf(seats, ({ mine }) => mine), log);
  // If there was no seat left, this browser committed to a number that was never used.
  if (!result || state?.watching) return showUnchecked(line, state);
  line.hidden = false;
  line.classList.toggle("muted", result === "verified");
  line.classList.toggle("verified", result === "verified");
  line.classList.toggle("problem", result !== "verified");
  const silent = silentSeats(game, seats && numbersOf(seats, ({ kind }) => kind === "person"));
  // People may have taken over bots' seats since the deal.
  const bots = botSeats(game);
  const remarks = [
    remark("fair.silent", (seat) => !bots.includes(seat)),
    remark("fair.late", (seat) => bots.includes(seat)),
  ].flat();
  line.replaceChildren(h("span", { t: `fair.${result}` }), ...remarks);

  /**
   * A sentence that names the matching seats among the silent ones.
   * @param {string} key @param {(seat: number) => boolean} matches
   */
  function remark(key, matches) {
    const names = silent.filter(matches).map((seat) => (seats ? seatName(seats, seat) : (record.players[seat] ?? "")));
    if (!names.length) return [];
    const words = h("span");
    setText(words, key, { names: listed(names) });
    return [t("words.between_sentences"), words];
  }
}

/** Describe a deal that this browser can't check. @param {HTMLElement} line @param {State | null} state */
function showUnchecked(line, state) {
  const key = state && dealKey(state);
  line.hidden = !key;
  line.classList.add("muted");
  if (key) setText(line, key);
}

/**
 * @param {string} game
 * @param {Record} record
 * @param {number[] | null} seats my seats; null if unknown
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
    fits: verifiedSeedHash(record) !== null && matchesWhatWasSeen(record, seenStart(game), log),
  });
}

/** The numbers of the seats that match. @param {Seat[]} seats @param {(seat: Seat) => boolean} matches */
function numbersOf(seats, matches) {
  return seats.flatMap((seat, number) => (matches(seat) ? [number] : []));
}
