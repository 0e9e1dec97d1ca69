/** What's around the table: bag, curtain, and status line. */

import { setAttribute, setLabel, setText } from "../browser/dom.js";
import { seatName } from "../language/words.js";
import { statusOf } from "./status.js";

/** @typedef {import("./game_layout.js").Parts} Parts */
/** @typedef {import("./game_play.js").GamePlay} GamePlay */

/** The bag pulses when a tile must be drawn. @param {Parts} parts @param {GamePlay} play */
export function showBag({ bag, bagCount }, play) {
  const n = play.state?.view.bag_count ?? 0;
  const must = play.mustDraw();
  bag.classList.toggle("pulses", must);
  setAttribute(bag, "aria-disabled", must ? null : "true");
  setLabel(bag, must ? "bag.draw" : "bag.label", { n });
  bagCount.textContent = String(n);
}

/** The curtain hides the hand until the next player lifts it. @param {Parts} parts @param {GamePlay} play */
export function showCurtain({ curtain, curtainWords, hand, reveal }, play) {
  const { view, seats, watching } = /** @type {import("../types.js").State} */ (play.state);
  const hidden = play.isHidden();
  curtain.hidden = !hidden;
  hand.hidden = hidden || view.over || watching;
  if (!hidden || view.me === null) return;
  const name = seatName(seats, view.me);
  const now = view.seat === view.me;
  setText(curtainWords, now ? "curtain.pass_to" : "curtain.next", { name });
  reveal.hidden = !now;
  setText(reveal, "curtain.show", { name });
}

/** The reason for a refusal is shown at the tile instead. @param {HTMLElement} line @param {GamePlay} play */
export function showStatus(line, play) {
  line.classList.toggle("yours", play.isMyTurn());
  line.classList.toggle("wrong", Boolean(play.problem));
  setText(line, ...statusOf(play, matchMedia("(hover: hover)").matches));
}
