/**
 * Picks up, rotates and places tiles by mouse, finger or key, in games, lessons, practice and conundrums alike. It has
 * no rules and no elements: the page decides what happens to a tile that's been put down.
 */

import { rotationOf } from "../table/geometry.js";
import { nextOf } from "./magnet.js";
import { Placing } from "./placing.js";
import { RenderBatch } from "./render_batch.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Refusal} Refusal */

/**
 * What happened to a tile after it was put down:
 * "placed": it's on the table, or counts as found.
 * "kept": it's still picked up.
 * "waiting": it stays where it is until the page calls `offer`.
 * A refusal: it's still picked up, and the table shows what's wrong.
 * @typedef {"placed" | "kept" | "waiting" | Refusal} Outcome
 */

/**
 * The page that the tiles are on.
 * @typedef {object} PlacingPage
 * @property {() => void} show renders the whole page
 * @property {() => void} showTiles renders what changes while a tile is moved
 * @property {() => boolean} showsPlaces does the page show where a tile fits?
 * @property {() => boolean} canPlace may a tile be placed now?
 * @property {() => void} [onCannotPlace] called when someone tries to place a tile and can't
 * @property {(place: Placement) => boolean} [mustConfirm] does this placement need to be confirmed?
 * @property {() => void} [askToConfirm]
 * @property {(place: Placement) => Promise<Outcome>} submit
 * @property {() => void} [clearMessage] clears the message about the last try
 * @property {() => void} [onPick] called when a tile is picked up
 * @property {(place: Placement) => number | null} [pointsOf] what a place earns, in games with scoring
 */

/**
 * The elements whose focus or camera the placer moves.
 * @typedef {object} Screen
 * @property {{reveal: (places: Placement[]) => void}} table
 * @property {{focusTile: (tile?: string | null) => void}} hand
 * @property {{enter: (place?: Placement) => void, focus: () => void}} places
 * @property {(place: Placement) => void} [returnRefused] called when a tile is refused at a place
 */

export class TilePlacer {
  placing = new Placing();
  /** @type {{place: Placement, refusal: Refusal} | null} What was refused, shown on the table. */
  refused = null;
  /** @type {Placement | null} A good place to point out. */
  hint = null;
  /** Is an action on its way? Nothing else can be done until there's an answer. */
  sending = false;
  /** Is a keyboard or a screen reader in use? Then something must always have the focus. */
  byKeyboard = false;
  /** Are tiles placed by touch? */
  byTouch = false;
  /** Counts offers and submitted tiles, so that answers to earlier ones can be ignored. */
  #attempt = 0;

  /** @param {PlacingPage} page @param {Screen} screen */
  constructor(page, screen) {
    this.page = page;
    this.screen = screen;
    this.batch = new RenderBatch((all) => (all ? page.show() : page.showTiles()));
    this.placing.addEventListener("change", () => this.batch.request("tiles"));
  }

  /**
   * The position has changed: set what may be placed now.
   * @param {readonly string[]} actions
   * @param {readonly string[]} hand
   * @param {import("../types.js").Square} lastMiddle the middle of the last tile placed
   */
  offer(actions, hand, lastMiddle) {
    this.batch.run(() => {
      this.refused = this.hint = null;
      this.sending = false;
      this.#attempt += 1;
      this.placing.offer(actions, hand, lastMiddle);
    });
  }

  /**
   * A tile in the hand was chosen. By key, move on to its places; by pointer, choosing it again rotates it.
   * @param {{tile: string, byKeyboard: boolean}} picked
   */
  chooseTile({ tile, byKeyboard }) {
    if (this.sending) return;
    this.byKeyboard = byKeyboard;
    const { placing } = this;
    if (placing.tile === tile && !placing.pending && !byKeyboard) placing.rotate();
    else this.pickUp(tile);
    if (byKeyboard && placing.tile !== null && this.page.canPlace()) this.screen.places.enter();
  }

  /** @param {string} tile */
  pickUp(tile) {
    const { page, placing } = this;
    this.batch.run(() => {
      this.#clearMessages();
      this.hint = null;
      if (placing.tile !== tile || placing.pending) placing.pick(tile, page.showsPlaces());
      page.onPick?.();
      if (page.showsPlaces()) this.batch.afterRendering(() => this.screen.table.reveal(placing.places()));
    });
  }

  /** Pick up a tile and show a good place for it. @param {string} tile @param {Placement} place */
  showHint(tile, place) {
    this.batch.run(() => {
      this.#clearMessages();
      this.placing.pick(tile, false);
      this.placing.rotate(rotationOf(place, tile));
      this.hint = place;
      this.batch.request("tiles");
    });
    this.screen.table.reveal([place]);
    if (this.byKeyboard) this.screen.places.enter(place);
  }

  /**
   * The table was tapped. If several places share the square, a finger can't choose among them, so the player must
   * confirm, and tapping again shows the next place.
   * @param {import("../types.js").Square} point
   */
  tap(point) {
    const { page, placing } = this;
    const showsPlaces = page.showsPlaces() || this.hint !== null;
    this.batch.run(() => {
      this.#clearMessages();
      if (placing.tile === null) return;
      const places = showsPlaces ? placing.placesUnder(point) : [];
      const isShared = places.length > 1;
      const shown = placing.pending;
      const next = shown && isShared ? nextOf(places, ({ text }) => text === shown.text) : undefined;
      const mustAsk = isShared && (shown !== null || this.byTouch);
      this.put(next ?? (mustAsk ? places[0] : undefined) ?? placing.placeTapped(point, showsPlaces), mustAsk);
    });
  }

  /**
   * Rotate the tile. If a listed place is focused, go to the next place that needs a different rotation.
   * @param {number} [current] the index of the focused place
   */
  rotate(current) {
    const { placing } = this;
    if (current === undefined) return placing.rotate();
    const places = placing.places();
    const next = [...places.slice(current + 1), ...places.slice(0, current)].find(
      (place) => !placing.isRotatedFor(place),
    );
    if (next) this.screen.places.enter(next);
  }

  /**
   * Put the tile down, and submit it unless it must be confirmed.
   * @param {Placement} place @param {boolean} [mustAsk] ask the player to confirm, whatever the settings say
   */
  put(place, mustAsk = false) {
    const { page, placing } = this;
    if (this.sending || placing.tile === null) return;
    if (!page.canPlace()) {
      placing.hold(null);
      placing.carry(null);
      page.onCannotPlace?.();
      return;
    }
    this.batch.run(() => {
      this.#clearMessages();
      placing.putDown(place);
      if (page.askToConfirm && (mustAsk || page.mustConfirm?.(place))) page.askToConfirm();
      else void this.confirm();
    });
  }

  /** Submit the tile that was put down. */
  async confirm() {
    const { placing } = this;
    const place = placing.pending;
    if (!place || this.sending) return;
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.setSending(true);
    const outcome = await this.page.submit(place);
    if (outcome === "waiting" || attempt !== this.#attempt) return;
    this.batch.run(() => {
      this.setSending(false);
      const isReturned = outcome !== "placed";
      if (placing.pending) placing.takeBack(isReturned && this.byKeyboard ? place : null);
      if (typeof outcome === "object") this.refused = { place, refusal: outcome };
    });
    if (typeof outcome === "object" && !this.byKeyboard) this.screen.returnRefused?.(place);
    if (this.byKeyboard && placing.tile !== null) this.screen.places.focus();
  }

  /** @param {boolean} sending */
  setSending(sending) {
    this.sending = sending;
    this.batch.request("tiles");
  }

  /** Take back the tile that was put down. */
  takeBack() {
    if (!this.sending) this.placing.takeBack();
  }

  /** Take back a tile that was put down, or put a picked tile back into the hand. */
  escape() {
    const { placing, screen } = this;
    const { tile, pending } = placing;
    this.batch.run(() => {
      this.#clearMessages();
      this.hint = null;
      if (pending) this.takeBack();
      else if (placing.putBack()) this.batch.afterRendering(() => screen.hand.focusTile(tile));
    });
  }

  /** Stop showing a refusal. @param {Refusal} refusal */
  hideRefusal(refusal) {
    if (this.refused?.refusal !== refusal) return;
    this.refused = null;
    this.batch.request("tiles");
  }

  #clearMessages() {
    this.refused = null;
    this.page.clearMessage?.();
    this.batch.request("tiles");
  }

  /** The places to light up; faint where the tile would have to be rotated. */
  litPlaces() {
    const { refused, hint, page, placing } = this;
    if (placing.pending || this.sending || !page.canPlace()) return [];
    if (hint) return [{ place: hint, faint: false, aimed: false }];
    if (!page.showsPlaces()) return [];
    const places = placing.places().filter(({ text }) => text !== refused?.place.text);
    const aimed = placing.carried?.text;
    return places.map((place) => ({ place, faint: !placing.isRotatedFor(place), aimed: place.text === aimed }));
  }

  /**
   * What the tile would earn where it is now. It's null if neither places nor a hint are shown, because points would
   * give away that the tile fits.
   */
  preview() {
    const { hint, page, placing, sending } = this;
    const place = placing.pending ?? placing.carried ?? placing.held;
    const points = place && !sending && (page.showsPlaces() || hint) ? this.pointsOf(place) : null;
    return place && points !== null ? { place, points } : null;
  }

  /** @param {Placement} place */
  pointsOf(place) {
    return this.page.pointsOf?.(place) ?? null;
  }

  /** The places that arrow keys step through. */
  listedPlaces() {
    const { hint, page, placing } = this;
    if (!page.canPlace() || placing.pending) return [];
    if (page.showsPlaces()) return placing.places();
    return hint ? [hint] : [];
  }
}
