/** The one line above the hand: what to do now, or what went wrong. */

import { setText } from "../browser/dom.js";
import { refusalWords, seatName } from "../language/words.js";

/**
 * @param {HTMLElement} line
 * @param {import("./game_page.js").GamePage} page
 */
export function showStatus(line, page) {
  const { placing, problem, blame } = page;
  const { view, seats, aids, watching } = /** @type {import("../types.js").State} */ (page.state);
  line.classList.toggle("yours", page.isMyTurn());
  line.classList.toggle("wrong", Boolean(problem || blame));
  /** @param {string} key @param {Record<string, any>} [values] */
  const say = (key, values) => setText(line, key, values);
  if (blame) {
    delete line.dataset.t;
    line.textContent = refusalWords(blame.refusal);
  } else if (problem) say(problem);
  else if (view.over) say("status.over");
  else if (watching) say("status.watching", { name: seatName(seats, view.seat) });
  else if (view.seat !== view.me || page.isHidden()) {
    say(seats[view.seat]?.bot ? "status.thinks" : "status.waits", { name: seatName(seats, view.seat) });
  } else if (view.actions[0] === "draw") say(view.draws ? "turn.must_draw_again" : "turn.must_draw");
  else if (view.actions[0] === "pass") say("turn.must_pass");
  else if (placing.pending) say(page.sending ? "status.placing" : "status.confirm");
  else if (page.hint) say("status.hint");
  else if (placing.tile !== null) {
    if (aids && page.showsPlayable() && !placing.fits(placing.tile)) say("status.fits_nowhere");
    else say(matchMedia("(hover: hover)").matches ? "status.put_by_mouse" : "status.put");
  } else say(view.drawn ? "status.drawn" : "status.pick");
}
