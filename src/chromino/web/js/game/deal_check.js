/** After a game: did the deal come from what everyone had promised? */

import { h } from "../browser/dom.js";
import { keptFor, verdict } from "../replay/fair_deal.js";
import { isAsSeen, isFair, readRecord } from "../replay/record.js";
import { publishedHash, seenStart } from "../replay/seed_hashes.js";
import { recordOf } from "../server/api.js";

/** @typedef {import("../types.js").State} State */

/** Say it in the dialog at the end, if this browser took part in the deal. @param {State} state @param {HTMLElement} dialog */
export async function tellDeal({ game, seats, view }, dialog) {
  if (!keptFor(game).length) return;
  const text = await recordOf(game).catch(() => null);
  if (text === null) return; // The replay can tell later.
  const mine = seats.flatMap(({ mine }, seat) => (mine ? [seat] : []));
  dialog.querySelector(".final, .final-hand")?.after(verdictLine(checkDeal(game, readRecord(text), mine, view.log)));
}

/**
 * @param {string} game
 * @param {import("../replay/record.js").Record} record
 * @param {number[] | null} seats mine, if they're known
 * @param {import("../types.js").Event[] | null} log what was seen of the game, if it's known
 */
export function checkDeal(game, record, seats, log = null) {
  const { seed, first } = record.start;
  return verdict(game, {
    seed: seed ?? "",
    hash: publishedHash(game),
    seats,
    players: record.players.length,
    first,
    fits: isFair(record) !== null && isAsSeen(record, seenStart(game), log),
  });
}

/** @param {import("../replay/fair_deal.js").Verdict | null} found */
function verdictLine(found) {
  return h("p", { class: found === "verified" ? "muted deal-check" : "problem deal-check", t: `fair.${found}` });
}
