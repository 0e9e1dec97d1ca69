/** The status line over the table: what to do now, or what went wrong. */

import { setText } from "../browser/dom.js";
import { botName, seatName } from "../language/words.js";

/**
 * What the line says: a catalog key and its values.
 * @param {import("./game_play.js").GamePlay} play @param {boolean} rotatesByKey can they rotate a tile by pressing R?
 * @returns {[key: string, values?: Record<string, any>]}
 */
export function statusOf(play, rotatesByKey) {
  const { placing, hint, sending } = play.screen.placer;
  const { view, seats, watching, stand_in } = /** @type {import("../types.js").State} */ (play.state);
  if (play.problem) return [play.problem];
  if (view.over) return ["status.over"];
  const name = seatName(seats, view.seat);
  if (watching) return ["status.watching", { name }];
  if (seats[view.seat]?.has_left) return ["status.thinks", { name: botName(stand_in) }];
  if (view.seat !== view.me || play.isHandHidden())
    return [seats[view.seat]?.bot ? "status.thinks" : "status.waits", { name }];
  if (view.actions[0] === "draw") return [view.draws ? "turn.must_draw_again" : "turn.must_draw"];
  if (view.actions[0] === "pass") return ["turn.must_pass"];
  if (placing.pending) return [sending ? "status.placing" : "status.confirm"];
  if (hint) return ["status.hint"];
  if (placing.tile === null) return [view.drawn ? "status.drawn" : "status.pick"];
  if (play.showsPlayable() && !placing.fits(placing.tile)) return ["status.fits_nowhere"];
  return [putKey(rotatesByKey)];
}

/** What to do with the tile you're holding: a catalog key. @param {boolean} rotatesByKey */
export function putKey(rotatesByKey) {
  return rotatesByKey ? "status.put_by_mouse" : "status.put";
}

/**
 * Show the status line. The reason for a refusal is shown next to the tile instead.
 * @param {HTMLElement} line @param {import("./game_play.js").GamePlay} play @param {boolean} rotatesByKey
 */
export function showStatus(line, play, rotatesByKey) {
  line.classList.toggle("yours", play.isMyTurn());
  line.classList.toggle("wrong", Boolean(play.problem));
  setText(line, ...statusOf(play, rotatesByKey));
}
