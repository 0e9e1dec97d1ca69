/**
 * The logic of the game page: what happens when a state arrives, someone acts, or the server answers. It has no
 * elements and no clock: a screen shows and announces things, and time is an argument. It doesn't know the rules: the
 * state says what's allowed.
 */

import { ApiError } from "../server/api.js";
import { Refused } from "../server/connection.js";
import { isPlacementOf, lastMiddle, parsePlacement } from "../table/geometry.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Event} Event */
/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../server/connection.js").NewRequest} NewRequest */
/** @typedef {import("../server/connection.js").Answer} Answer */

/**
 * The elements, as the logic sees them.
 * @typedef {object} GameScreen
 * @property {import("../placing/tile_placer.js").TilePlacer} placer
 * @property {(message: NewRequest) => Promise<Answer>} ask sends a message to the server
 * @property {() => void} show
 * @property {() => void} showTiles
 * @property {(key: string, values?: Record<string, any>) => void} say
 * @property {(place: Placement) => void} sayHint
 * @property {(refusal: import("../types.js").Refusal) => void} sayRefusal
 * @property {(name: import("../browser/wood.js").Sound) => void} playSound
 * @property {() => void} tilePicked
 * @property {() => void} hideSecrets removes everything private, because the device is changing hands
 */

/** The player is warned when this many seconds are left in a turn. */
export const HURRY_SECONDS = 10;

export class GamePlay {
  /** @type {State | null} */
  state = null;
  /** @type {number | null} On a shared device, the seat whose hand is shown. */
  revealedSeat = null;
  /** @type {string | null} The catalog key for what went wrong. If a tile didn't fit, the table says so instead. */
  problem = null;
  /** When the state arrived, in seconds. */
  #arrivedAt = 0;
  /** Was time running out at the last check? */
  #wasHurried = false;

  /** @param {GameScreen} screen @param {{lit: boolean, playable: boolean, ask: string}} settings */
  constructor(screen, settings) {
    this.screen = screen;
    this.settings = settings;
  }

  // Messages from the server.

  /**
   * Take in a new state.
   * @param {State} state
   * @param {number} now in seconds
   * @returns {Event[]} what has happened since the last state
   */
  receive(state, now) {
    const before = this.state;
    const events = eventsSince(before, state);
    const { batch } = this.screen.placer;
    batch.run(() => {
      this.state = state;
      this.#arrivedAt = now;
      if (!before || before.view.me !== state.view.me || events.length || wasTakenBack(before, state))
        this.#offerActions();
      if (this.isHandHidden()) {
        this.revealedSeat = null;
        this.screen.hideSecrets();
      }
      this.#pickDrawn(events);
      batch.request("all");
    });
    return events;
  }

  /** The game has moved on: offer the current actions, and clear all messages. */
  #offerActions() {
    const { view } = /** @type {State} */ (this.state);
    this.problem = null;
    this.screen.placer.offer(this.isHandHidden() ? [] : view.actions, this.myHand(), lastMiddle(view.table));
  }

  /** If a tile that was just drawn fits, pick it up, because no other tile may be placed. @param {Event[]} events */
  #pickDrawn(events) {
    const { placer } = this.screen;
    const drawn = this.state?.view.drawn;
    if (!drawn || this.isHandHidden() || !events.some((event) => "draw" in event) || !placer.placing.fits(drawn))
      return;
    placer.pickUp(drawn);
    if (placer.byKeyboard) placer.batch.afterRendering(() => placer.screen.hand.focusTile(drawn));
  }

  // Questions about the state.

  /** My tiles; none while they're behind the curtain. */
  myHand() {
    const view = this.state?.view;
    return view && view.me !== null && !this.isHandHidden() ? (view.hands[view.me] ?? []) : [];
  }

  /** Do several people with hidden hands share this device? */
  isShared() {
    if (!this.state) return false;
    const { seats, view } = this.state;
    return seats.filter(({ mine }) => mine).length > 1 && !view.rules.open_hands && !view.over;
  }

  /** Is the hand behind the curtain? */
  isHandHidden() {
    const view = this.state?.view;
    return this.isShared() && (this.revealedSeat !== view?.me || view?.seat !== view?.me);
  }

  isMyTurn() {
    if (!this.state) return false;
    const { view, seats } = this.state;
    return !view.over && view.seat === view.me && !seats[view.seat]?.has_left && !this.isHandHidden();
  }

  mustDraw() {
    return this.isMyTurn() && this.state?.view.actions[0] === "draw";
  }

  /** Is a tile waiting to be confirmed or taken back? Once it's been sent, it isn't. */
  isConfirming() {
    const { placing, sending } = this.screen.placer;
    return placing.pending !== null && !sending;
  }

  /** Does the hand show which tiles fit? */
  showsPlayable() {
    return this.settings.playable && (this.state?.aids ?? false) && this.isMyTurn();
  }

  /** Seconds since the state arrived. @param {number} now */
  elapsed(now) {
    return now - this.#arrivedAt;
  }

  /** Warn the player, once per turn, that time is running out. @param {number} now in seconds */
  warnAboutTime(now) {
    const left = (this.state?.turn_left ?? Infinity) - this.elapsed(now);
    if (this.isMyTurn() && left <= HURRY_SECONDS && !this.#wasHurried)
      this.screen.say("turn.hurry", { n: Math.max(0, Math.ceil(left)) });
    this.#wasHurried = left <= HURRY_SECONDS;
  }

  // For the tile placer: see `PlacingPage` in tile_placer.js.

  show() {
    this.screen.show();
  }

  showTiles() {
    this.screen.showTiles();
  }

  showsPlaces() {
    return this.settings.lit && (this.state?.aids ?? false);
  }

  canPlace() {
    return this.isMyTurn();
  }

  onCannotPlace() {
    this.sayProblem("problem.not-your-turn");
  }

  clearMessage() {
    this.problem = null;
  }

  onPick() {
    this.screen.tilePicked();
  }

  /**
   * Does this placement need to be confirmed? An illegal one doesn't: the server refuses it and says why, so nothing
   * changes.
   * @param {Placement} place
   */
  mustConfirm(place) {
    const { byTouch, placing } = this.screen.placer;
    const shouldAsk = this.settings.ask === "always" || (this.settings.ask === "touch" && byTouch);
    return shouldAsk && placing.legal.some(({ text }) => text === place.text);
  }

  /** What a placement earns, according to the server. @param {Placement} place */
  pointsOf({ text }) {
    const { points, view } = /** @type {State} */ (this.state);
    return points?.[view.actions.indexOf(text)] ?? null;
  }

  askToConfirm() {
    this.screen.say("status.confirm");
  }

  /** @param {Placement} place @returns {Promise<import("../placing/tile_placer.js").Outcome>} */
  async submit(place) {
    const error = await this.#act(place.text);
    if (!error) return "waiting"; // The next state will show the tile.
    if (!error.refusal) {
      this.sayProblem(`problem.${error.code}`);
      return "kept";
    }
    this.screen.sayRefusal(error.refusal);
    return error.refusal;
  }

  // Other actions.

  /** Say why something isn't possible. @param {string} key */
  sayProblem(key) {
    this.problem = key;
    this.screen.say(key);
    this.screen.playSound("refuse");
    this.screen.placer.batch.request("tiles");
  }

  async drawTile() {
    const { placer } = this.screen;
    if (placer.sending) return;
    if (!this.mustDraw()) {
      const mustPass = this.state?.view.actions[0] === "pass";
      if (this.isMyTurn()) this.sayProblem(mustPass ? "turn.must_pass" : "refusal.must-place");
      return;
    }
    placer.setSending(true);
    const error = await this.#act("draw");
    if (!error) return;
    placer.setSending(false);
    this.sayProblem(`problem.${error.code}`);
  }

  /**
   * Send an action, and return the server's refusal, or null if the action was accepted.
   * @param {string} action
   * @returns {Promise<Refused | null>}
   */
  async #act(action) {
    const { version, view } = /** @type {State} */ (this.state);
    const seat = /** @type {number} */ (view.me); // Spectators can't act.
    try {
      await this.screen.ask({ type: "act", version, seat, action });
      return null;
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  async askForHint() {
    if (this.screen.placer.sending || !this.state) return;
    if (!this.isMyTurn()) return this.sayProblem("problem.not-your-turn");
    const { version } = this.state;
    try {
      const answer = await this.screen.ask({ type: "hint", version });
      const isCurrent = answer.type === "hint" && this.state.version === version && this.isMyTurn();
      if (isCurrent) this.#showHint(parsePlacement(answer.placement));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.sayProblem(`problem.${error.code}`);
    }
  }

  /** Take back my last turn, and the bots' turns after it. */
  async takeTurnBack() {
    const { placer } = this.screen;
    if (placer.sending || !this.state?.can_take_back) return;
    placer.setSending(true);
    try {
      await this.screen.ask({ type: "take-back", version: this.state.version });
      this.screen.say("tool.turn_taken_back");
    } catch (error) {
      if (error instanceof ApiError) this.sayProblem(`problem.${error.code}`);
      else throw error;
    } finally {
      placer.setSending(false);
    }
  }

  /** @param {Placement} place */
  #showHint(place) {
    const tile = this.myHand().find((mine) => isPlacementOf(place, mine));
    if (!tile) return;
    this.screen.placer.showHint(tile, place);
    this.screen.sayHint(place);
  }

  /** Lift the curtain for the current player. */
  liftCurtain() {
    const view = this.state?.view;
    if (!view || view.me === null) return;
    const { placer } = this.screen;
    placer.batch.run(() => {
      this.revealedSeat = view.me;
      this.#offerActions();
      placer.batch.request("all");
      placer.batch.afterRendering(() => placer.screen.hand.focusTile());
    });
  }
}

/** The events since the last state; none if a turn was taken back. @param {State | null} before @param {State} now */
export function eventsSince(before, now) {
  return !before || wasTakenBack(before, now) ? [] : now.view.log.slice(before.view.log.length);
}

/** Was a turn taken back between two states? @param {State} before @param {State} now */
function wasTakenBack(before, now) {
  const last = before.view.log.length - 1;
  return last >= 0 && comparable(before.view.log[last]) !== comparable(now.view.log[last]);
}

/**
 * An event as text, whatever tile was drawn: not everyone sees that tile, until the game is over.
 * @param {Event | undefined} event
 */
function comparable(event) {
  return JSON.stringify(event && "draw" in event ? { ...event, draw: null } : event);
}
