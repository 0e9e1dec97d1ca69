/**
 * Picking up, turning and placing tiles: the one way in which games, lessons, practice and conundrums do it, whether by mouse,
 * finger or key. It knows no rules and no elements: what becomes of a tile that was put down, the page decides.
 */

import { turnOf } from "../table/geometry.js";
import { Placing } from "./placing.js";
import { RenderBatch } from "./render_batch.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Refusal} Refusal */

/**
 * What became of a tile that was put down. "placed": it is on the table, or found; the page has said so. "kept": it is in the
 * fingers again, where it was. "waiting": it lies there until the page makes its next offer. A refusal: it is in the
 * fingers again, and what is to blame is shown.
 * @typedef {"placed" | "kept" | "waiting" | Refusal} Outcome
 */

/**
 * The page with the tiles.
 * @typedef {object} Host
 * @property {() => void} show all of it
 * @property {() => void} showTiles what changes while a tile is moved
 * @property {() => boolean} isLit are the places shown where a tile fits?
 * @property {() => boolean} canPlace may a tile be placed now?
 * @property {() => void} [refuseToPlace] somebody tries although none may be placed
 * @property {(place: Placement) => boolean} [mustConfirm] is a tile put down for good only when that is confirmed?
 * @property {() => void} [askToConfirm]
 * @property {(place: Placement) => Promise<Outcome>} submit
 * @property {() => void} [forget] what was said about the last try: there is a new one
 * @property {() => void} [picked] a tile was picked up
 */

/**
 * The elements that it moves the focus and the camera of.
 * @typedef {object} Screen
 * @property {{reveal: (places: Placement[]) => void}} table
 * @property {{focusTile: (tile?: string | null) => void}} hand
 * @property {{enter: (place?: Placement) => void, focus: () => void}} places
 */

export class TilePlacer {
  placing = new Placing();
  /** @type {{place: Placement, refusal: Refusal} | null} What was refused, shown on the table. */
  blame = null;
  /** @type {Placement | null} A good place, pointed out. */
  hint = null;
  /** Is an action on its way? Until it is decided nothing else is done. */
  sending = false;
  /** Is the keyboard, or a screen reader, in use? Then the focus must always have somewhere to be. */
  byKey = false;
  /** Counts tiles put down and offers: an answer to what was before them is too late. */
  #attempt = 0;

  /** @param {Host} host @param {Screen} screen */
  constructor(host, screen) {
    this.host = host;
    this.screen = screen;
    this.batch = new RenderBatch((all) => (all ? host.show() : host.showTiles()));
    this.placing.addEventListener("change", () => this.batch.request("tiles"));
  }

  /**
   * The position has changed: these may be placed now, and what was tried before is over.
   * @param {readonly string[]} actions @param {readonly string[]} hand @param {import("../types.js").Square} from where play was last
   */
  offer(actions, hand, from) {
    this.batch.run(() => {
      this.blame = this.hint = null;
      this.sending = false;
      this.#attempt += 1;
      this.placing.offer(actions, hand, from);
    });
  }

  /** A tile of the hand was chosen. By key, the way goes on to its places; by hand, the same tile again turns. @param {{tile: string, byKey: boolean}} picked */
  pick({ tile, byKey }) {
    if (this.sending) return;
    this.byKey = byKey;
    const { placing } = this;
    if (placing.tile === tile && !placing.pending && !byKey) placing.turnTile();
    else this.pickUp(tile);
    if (byKey && placing.tile !== null && this.host.canPlace()) this.screen.places.enter();
  }

  /** @param {string} tile */
  pickUp(tile) {
    const { host, placing } = this;
    this.batch.run(() => {
      this.#forget();
      this.hint = null;
      if (placing.tile !== tile || placing.pending) placing.pick(tile, host.isLit());
      host.picked?.();
      if (host.isLit()) this.batch.afterwards(() => this.screen.table.reveal(placing.places()));
    });
  }

  /** Have a tile in the fingers, and its good place pointed out. @param {string} tile @param {Placement} place */
  showHint(tile, place) {
    this.batch.run(() => {
      this.#forget();
      this.placing.pick(tile, false);
      this.placing.turnTile(turnOf(place, tile));
      this.hint = place;
      this.batch.request("tiles");
    });
    this.screen.table.reveal([place]);
    if (this.byKey) this.screen.places.enter(place);
  }

  /** The table was tapped. @param {import("../types.js").Square} point */
  tap(point) {
    const { placing } = this;
    this.batch.run(() => {
      this.#forget();
      if (placing.tile !== null) this.put(placing.placeTapped(point, this.host.isLit() || this.hint !== null));
    });
  }

  /** Turn the tile in the fingers; among its places, go to the next one that needs another turn. @param {number} [current] its number */
  turn(current) {
    const { placing } = this;
    if (current === undefined) return placing.turnTile();
    const places = placing.places();
    const next = [...places.slice(current + 1), ...places.slice(0, current)].find(
      (place) => !placing.isTurnedFor(place),
    );
    if (next) this.screen.places.enter(next);
  }

  /** Put the tile down here; at once for good, unless that must be confirmed. @param {Placement} place */
  put(place) {
    const { host, placing } = this;
    if (this.sending || placing.tile === null) return;
    if (!host.canPlace()) {
      placing.hold(null);
      host.refuseToPlace?.();
      return;
    }
    this.batch.run(() => {
      this.#forget();
      placing.putDown(place);
      if (host.mustConfirm?.(place)) host.askToConfirm?.();
      else void this.confirm();
    });
  }

  /** What was put down is meant. */
  async confirm() {
    const { placing } = this;
    const place = placing.pending;
    if (!place || this.sending) return;
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.setSending(true);
    const outcome = await this.host.submit(place);
    if (outcome === "waiting" || attempt !== this.#attempt) return;
    this.batch.run(() => {
      this.setSending(false);
      const isBack = outcome !== "placed";
      if (placing.pending) placing.takeBack(isBack && this.byKey ? place : null);
      if (typeof outcome === "object") this.blame = { place, refusal: outcome };
    });
    if (this.byKey && placing.tile !== null) this.screen.places.focus();
  }

  /** @param {boolean} sending */
  setSending(sending) {
    this.sending = sending;
    this.batch.request("tiles");
  }

  /** What was put down is in the fingers again. */
  takeBack() {
    if (!this.sending) this.placing.takeBack();
  }

  /** What was put down is taken back; what was picked up goes back to the hand. */
  escape() {
    const { placing, screen } = this;
    const { tile, pending } = placing;
    this.batch.run(() => {
      this.#forget();
      this.hint = null;
      if (pending) this.takeBack();
      else if (placing.putBack()) this.batch.afterwards(() => screen.hand.focusTile(tile));
    });
  }

  /** What is refused is no longer shown. @param {Refusal} refusal */
  forgive(refusal) {
    if (this.blame?.refusal !== refusal) return;
    this.blame = null;
    this.batch.request("tiles");
  }

  #forget() {
    this.blame = null;
    this.host.forget?.();
    this.batch.request("tiles");
  }

  /** Where the tile may lie, to be lit; faint where it would have to be turned. */
  litPlaces() {
    const { blame, hint, host, placing } = this;
    if (placing.pending || this.sending || !host.canPlace()) return [];
    if (hint) return [{ place: hint, faint: false }];
    if (!host.isLit()) return [];
    const places = placing.places().filter(({ text }) => text !== blame?.place.text);
    return places.map((place) => ({ place, faint: !placing.isTurnedFor(place) }));
  }

  /** The places to go through by key. */
  listedPlaces() {
    const { hint, host, placing } = this;
    if (!host.canPlace() || placing.pending) return [];
    if (host.isLit()) return placing.places();
    return hint ? [hint] : [];
  }
}
