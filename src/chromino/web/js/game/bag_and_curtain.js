/** The bag, and the curtain that hides a hand. */

import { setAttribute, setLabel, setText } from "../browser/dom.js";
import { seatName } from "../language/words.js";

/** @typedef {import("./game_layout.js").Parts} Parts */
/** @typedef {import("./game_play.js").GamePlay} GamePlay */

/** Show the bag, which pulses when you must draw. @param {Parts} parts @param {GamePlay} play */
export function showBag({ bag, bagCount }, play) {
  const n = play.state?.view.bag_count ?? 0;
  const mustDraw = play.mustDraw();
  bag.classList.toggle("pulses", mustDraw);
  setAttribute(bag, "aria-disabled", mustDraw ? null : "true");
  setLabel(bag, mustDraw ? "bag.draw" : "bag.label", { n });
  bagCount.textContent = String(n);
}

/** Show the curtain that hides the hand until the next player lifts it. @param {Parts} parts @param {GamePlay} play */
export function showCurtain({ curtain, curtainWords, hand, reveal }, play) {
  const { view, seats, watching } = /** @type {import("../types.js").State} */ (play.state);
  const isHidden = play.isHandHidden();
  curtain.hidden = !isHidden;
  hand.hidden = isHidden || view.over || watching;
  if (!isHidden || view.me === null) return;
  const name = seatName(seats, view.me);
  const isTurn = view.seat === view.me;
  setText(curtainWords, isTurn ? "curtain.pass_to" : "curtain.next", { name });
  reveal.hidden = !isTurn;
  setText(reveal, "curtain.show", { name });
}
