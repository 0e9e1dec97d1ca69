/** After a game: did the deal come from what everyone had promised? */

import { h, setText } from "../browser/dom.js";
import { listed } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { keptFor, silentSeats, verdict } from "../replay/fair_deal.js";
import { isAsSeen, isFair, readRecord } from "../replay/record.js";
import { publishedHash, seenStart } from "../replay/seed_hashes.js";
import { recordOf } from "../server/api.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Seat} Seat
 * @typedef {import("../replay/record.js").Record} Record
 */

/**
 * Say it in the dialog at the end, if this browser took part in the deal, or if only one side made it.
 * @param {State} state @param {HTMLElement} dialog
 */
export async function tellDeal(state, dialog) {
  const line = h("p", { class: "deal-check" });
  const { game } = state;
  const text = keptFor(game).length ? await recordOf(game).catch(() => null) : null;
  if (text) showDealCheck(line, game, readRecord(text), state, state.view.log);
  else if (state.deal === "joint")
    return; // Nothing to check; or the replay can tell later.
  else showDeal(line, state.deal);
  dialog.querySelector(".final, .final-hand")?.after(line);
}

/** Who picked the deal, as the server says. @param {HTMLElement} line @param {State["deal"]} deal */
function showDeal(line, deal) {
  line.classList.add("muted");
  setText(line, `deal.${deal}`);
}

/**
 * Show what this browser finds. If it gave no part of the deal, say who picked it, unless that's everyone or not known.
 * @param {HTMLElement} line
 * @param {string} game
 * @param {Record} record
 * @param {Pick<State, "seats" | "deal"> | null} state if it's known
 * @param {import("../types.js").Event[] | null} log what was seen of the game, if it's known
 */
export function showDealCheck(line, game, record, state, log = null) {
  const seats = state?.seats ?? null;
  const found = checkDeal(game, record, seats && numbersOf(seats, ({ mine }) => mine), log);
  line.hidden = !found && (state?.deal ?? "joint") === "joint";
  if (!found && state) showDeal(line, state.deal);
  if (!found) return;
  line.classList.toggle("muted", found === "verified");
  line.classList.toggle("problem", found !== "verified");
  const silent = silentSeats(game, seats && numbersOf(seats, ({ kind }) => kind === "person"));
  const names = silent.map((seat) => (seats ? seatName(seats, seat) : (record.players[seat] ?? "")));
  const rest = h("span");
  if (names.length) setText(rest, "fair.silent", { names: listed(names) });
  line.replaceChildren(h("span", { t: `fair.${found}` }), " ", rest);
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
