/**
 * What happens in a game on this device: a state comes, somebody acts, the answer comes. No elements and no clock: a screen
 * shows and says it, and time is an argument. No rules either: what may be done is in the state.
 */

import { ApiError } from "../server/api.js";
import { Refused } from "../server/connection.js";
import { isOf, lastMiddle, parsePlacement } from "../table/geometry.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Event} Event */
/** @typedef {import("../types.js").Placement} Placement */

/**
 * What shows the game, and leads to the server.
 * @typedef {object} GameScreen
 * @property {import("../placing/tile_placer.js").TilePlacer} placer
 * @property {(message: Record<string, unknown>) => Promise<any>} ask the server
 * @property {() => void} show
 * @property {() => void} showTiles
 * @property {(key: string, values?: Record<string, any>) => void} say
 * @property {(place: Placement) => void} sayHint
 * @property {(refusal: import("../types.js").Refusal) => void} sayRefusal
 * @property {(name: string) => void} playSound
 * @property {() => void} hideSecrets the device goes to the next player: nothing of the last one stays on it
 */

const HURRY = 10; // Seconds before the end of a turn that is limited, at which it is told.

export class GamePlay {
  /** @type {State | null} */
  state = null;
  /** @type {number | null} On a device that goes round: whose hand is shown. */
  revealed = null;
  /** @type {string | null} The key of what went wrong, other than a tile that does not fit. */
  problem = null;
  /** When the state came, in seconds of this page. */
  #came = 0;
  /** Was it told that the turn is nearly over? */
  #hurried = false;

  /** @param {GameScreen} screen @param {{lit: boolean, playable: boolean, confirm: boolean}} settings */
  constructor(screen, settings) {
    this.screen = screen;
    this.settings = settings;
  }

  // What the server says.

  /** A new state. @param {State} state @param {number} now in seconds @returns {Event[]} what happened since the last one */
  receive(state, now) {
    const before = this.state;
    const events = eventsSince(before, state);
    const { batch } = this.screen.placer;
    batch.run(() => {
      this.state = state;
      this.#came = now;
      if (!before || events.length) this.#startAnew();
      if (this.isHidden()) {
        this.revealed = null;
        this.screen.hideSecrets();
      }
      this.#pickDrawn(events);
      batch.request("all");
    });
    return events;
  }

  /** The game has gone on: nothing is in the fingers, nothing is wrong. */
  #startAnew() {
    const { view } = /** @type {State} */ (this.state);
    this.problem = null;
    this.screen.placer.offer(this.isHidden() ? [] : view.actions, this.myHand(), lastMiddle(view.table));
  }

  /** A tile just drawn that fits is in the fingers at once: nothing else may be placed. @param {Event[]} events */
  #pickDrawn(events) {
    const { placer } = this.screen;
    const drawn = this.state?.view.drawn;
    if (!drawn || this.isHidden() || !events.some((event) => "draw" in event) || !placer.placing.fits(drawn)) return;
    placer.pickUp(drawn);
    if (placer.byKey) placer.batch.afterwards(() => placer.screen.hand.focusTile(drawn));
  }

  // What is known.

  /** My tiles, or none behind the curtain. */
  myHand() {
    const view = this.state?.view;
    return view && view.me !== null && !this.isHidden() ? (view.hands[view.me] ?? []) : [];
  }

  /** Do several people play on this device, with hands that the others may not see? */
  isShared() {
    if (!this.state) return false;
    const { seats, view } = this.state;
    return seats.filter(({ mine }) => mine).length > 1 && !view.rules.open_hands && !view.over;
  }

  /** Is the hand behind the curtain? */
  isHidden() {
    const view = this.state?.view;
    return this.isShared() && (this.revealed !== view?.me || view?.seat !== view?.me);
  }

  isMyTurn() {
    const view = this.state?.view;
    return Boolean(view && !view.over && view.seat === view.me && !this.isHidden());
  }

  mustDraw() {
    return this.isMyTurn() && this.state?.view.actions[0] === "draw";
  }

  /** Is a tile to be confirmed or taken back? What was sent cannot be taken back. */
  isConfirming() {
    const { placing, sending } = this.screen.placer;
    return this.settings.confirm && placing.pending !== null && !sending;
  }

  /** Is it shown which tiles can be placed? */
  showsPlayable() {
    return this.settings.playable && (this.state?.aids ?? false) && this.isMyTurn();
  }

  /** Seconds since the state came. @param {number} now */
  elapsed(now) {
    return now - this.#came;
  }

  /** Tell once that the turn is nearly over. @param {number} now in seconds */
  tellHurry(now) {
    const left = (this.state?.turn_left ?? Infinity) - this.elapsed(now);
    if (this.isMyTurn() && left <= HURRY && !this.#hurried) this.screen.say("turn.hurry", { n: HURRY });
    this.#hurried = left <= HURRY;
  }

  // What the tiles ask for: see `Host` in tile_placer.js.

  show() {
    this.screen.show();
  }

  showTiles() {
    this.screen.showTiles();
  }

  isLit() {
    return this.settings.lit && (this.state?.aids ?? false);
  }

  canPlace() {
    return this.isMyTurn();
  }

  refuseToPlace() {
    this.refuse("problem.not-your-turn");
  }

  forget() {
    this.problem = null;
  }

  /** What does not fit needs no confirmation: the server says why, and nothing happens. @param {Placement} place */
  mustConfirm(place) {
    return this.settings.confirm && this.screen.placer.placing.legal.some(({ text }) => text === place.text);
  }

  askToConfirm() {
    this.screen.say("status.confirm");
  }

  /** @param {Placement} place @returns {Promise<import("../placing/tile_placer.js").Outcome>} */
  async submit(place) {
    const error = await this.#act(place.text);
    if (!error) return "waiting"; // What follows comes with the next state.
    if (!error.refusal) {
      this.refuse(`problem.${error.code}`);
      return "kept";
    }
    this.screen.sayRefusal(error.refusal);
    return error.refusal;
  }

  // What else a person does.

  /** Say what cannot be. @param {string} key */
  refuse(key) {
    this.problem = key;
    this.screen.say(key);
    this.screen.playSound("refused");
    this.screen.placer.batch.request("tiles");
  }

  async drawTile() {
    const { placer } = this.screen;
    if (placer.sending) return;
    if (!this.mustDraw()) {
      if (this.isMyTurn()) this.refuse("refusal.must-place");
      return;
    }
    placer.setSending(true);
    const error = await this.#act("draw");
    if (!error) return;
    placer.setSending(false);
    this.refuse(`problem.${error.code}`);
  }

  /** Do it; nothing, or why it was not done. @param {string} action @returns {Promise<Refused | null>} */
  async #act(action) {
    const { version, view } = /** @type {State} */ (this.state);
    try {
      await this.screen.ask({ type: "act", version, seat: view.me, action });
      return null;
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  async askHint() {
    if (this.screen.placer.sending || !this.state) return;
    if (!this.isMyTurn()) return this.refuse("problem.not-your-turn");
    const { version } = this.state;
    try {
      const answer = await this.screen.ask({ type: "hint", version });
      if (this.state.version === version && this.isMyTurn()) this.#showHint(parsePlacement(answer.placement));
    } catch (error) {
      if (error instanceof ApiError) this.refuse(`problem.${error.code}`);
    }
  }

  /** @param {Placement} place */
  #showHint(place) {
    const tile = this.myHand().find((mine) => isOf(place, mine));
    if (!tile) return;
    this.screen.placer.showHint(tile, place);
    this.screen.sayHint(place);
  }

  /** Lift the curtain for the one whose turn it is. */
  lift() {
    const view = this.state?.view;
    if (!view || view.me === null) return;
    const { placer } = this.screen;
    placer.batch.run(() => {
      this.revealed = view.me;
      this.#startAnew();
      placer.batch.request("all");
      placer.batch.afterwards(() => placer.screen.hand.focusTile());
    });
  }
}

/** What happened since the state before. @param {State | null} before @param {State} now */
export function eventsSince(before, now) {
  return before ? now.view.log.slice(before.view.log.length) : [];
}
