/**
 * `<chromino-table>`: the unbounded table. It shows what it's given, pans, zooms and follows play. It doesn't know the
 * rules. Fires "tap" (detail: the point in squares).
 */

import { h, keyed, prefersReducedMotion, s, setAttribute } from "../browser/dom.js";
import { clamp, clamped, fitted, followed, MIN_ZOOM, shows, unionOf, zoomed } from "./camera.js";
import { dotsOf } from "./dots.js";
import { boundsOf, middleOf, squaresOf } from "./geometry.js";
import { spotFor } from "./label_spot.js";
import { showPoints } from "./points_label.js";
import {
  areaArt,
  dotsArt,
  edgeArt,
  foundArt,
  haloArt,
  markedArt,
  moveTo,
  placeArt,
  refusedArt,
  withClass,
} from "./table_art.js";
import { tileGroup, UNIT } from "./tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */

/**
 * @typedef {object} Shown
 * @property {Placement[]} laid
 * @property {Placement | null} last the last move, marked
 * @property {Placement[]} [ahead] tiles to come, which the camera leaves room for
 * @property {{place: Placement, faint: boolean, aimed: boolean}[]} lit where the tile fits. faint: only if it's
 * rotated; aimed: the tile would go there now
 * @property {Placement | null} held the tile being held
 * @property {Placement | null} pending a tile that's been put down but not confirmed yet
 * @property {{place: Placement, points: number} | null} [preview] what the tile would earn where it is
 * @property {Placement[]} [found] places in a conundrum that have been found
 * @property {{x: number, y: number, width: number, height: number} | null} [area] the part of the table to look at
 * @property {import("../types.js").Contact[]} [joined] matching edges to show
 * @property {{place: Placement, name: string}[]} [marked] placements to compare: "played", "better" or "before"
 * @property {{place: Placement, refusal: import("../types.js").Refusal, words: string} | null} refused a
 * refused tile, and why
 */

/** If squares are smaller than this, in pixels, phones get zoom buttons, too. */
const CROWDED = 24;
/** How far a finger may move during a tap, in pixels. */
const TAP = 8;

export class ChrominoTable extends HTMLElement {
  /** Where the table's 0,0 is in this element, in CSS pixels, and the scale. */
  camera = { x: 0, y: 0, scale: 1 };
  /** @type {import("./camera.js").Camera | null} Where the camera returns to when no places are shown. */
  restingCamera = null;
  /** Does the camera follow play? It does until the person moves it. */
  follows = true;
  /** @type {Shown} */
  shown = { laid: [], last: null, lit: [], held: null, pending: null, refused: null };
  /** @type {Map<number, {x: number, y: number}>} */
  pointers = new Map();
  /** How far the pointer has moved from where it was pressed, in pixels; infinite with more than one pointer. */
  moved = 0;

  connectedCallback() {
    if (this.firstChild) return;
    this.layers = {
      tiles: s("g", {}),
      halo: s("g", {}),
      lit: s("g", {}),
      over: s("g", {}),
    };
    this.drawing = s("svg", { class: "drawing", "aria-hidden": "true" });
    this.drawing.append(...Object.values(this.layers));
    this.dots = s("svg", { class: "dots", "aria-hidden": "true" });
    this.label = h("div", { class: "refusal-words", hidden: true });
    this.world = h("div", { class: "world" }, this.dots, this.drawing);
    this.points = h("div", { class: "points-preview", "aria-hidden": "true", hidden: true });
    this.append(this.world, this.label, this.points);
    this.addEventListener("pointerdown", (event) => this.onDown(event));
    this.addEventListener("pointermove", (event) => this.onMove(event));
    this.addEventListener("pointerup", (event) => this.onUp(event));
    this.addEventListener("pointercancel", (event) => this.onCancel(event));
    this.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    new ResizeObserver(() => this.onResize()).observe(this);
  }

  /** @param {Partial<Shown>} changes */
  show(changes) {
    const before = this.shown;
    this.shown = { ...this.shown, ...changes };
    const hasNewTiles = this.shown.laid !== before.laid || this.shown.last !== before.last;
    // While a tile is carried, this runs in every frame.
    if (hasNewTiles) this.drawTiles();
    this.drawLit();
    this.drawOverlay();
    const isIdle = !this.shown.lit.length && !this.shown.held && !this.shown.pending;
    if (this.shown.laid.length !== before.laid.length) this.follow(before.laid.length > 0);
    else if (isIdle && before.lit.length) this.follow(true); // Showing places may have moved the camera.
  }

  drawTiles() {
    const { laid, last } = this.shown;
    keyed(
      this.layer("tiles"),
      laid,
      (placement) => placement.text,
      (placement) => moveTo(placement, tileGroup(placement.colors, placement.down)),
      (group, placement) => group.classList.toggle("last", placement.text === last?.text),
    );
    keyed(
      /** @type {SVGElement} */ (this.dots),
      dotsOf(laid),
      ({ key }) => key,
      ({ dots }) => dotsArt(dots),
      () => {},
    );
    keyed(
      this.layer("halo"),
      last ? [last] : [],
      ({ text }) => text,
      (placement) => moveTo(placement, haloArt(placement)),
      () => {},
    );
  }

  drawLit() {
    keyed(
      this.layer("lit"),
      this.shown.lit,
      ({ place, faint }) => `${place.text}${faint}`,
      ({ place, faint }) => moveTo(place, placeArt(place, faint)),
      (group, { aimed }) => group.classList.toggle("aimed", aimed),
    );
  }

  drawOverlay() {
    const { held, pending, refused } = this.shown;
    const parts = [];
    for (const place of this.shown.found ?? []) parts.push(moveTo(place, foundArt(place)));
    if (this.shown.area) parts.push(areaArt(this.shown.area));
    parts.push(...markedArt(this.shown.marked ?? []));
    if (held) parts.push(moveTo(held, withClass(tileGroup(held.colors, held.down), "held")));
    if (pending) parts.push(moveTo(pending, withClass(tileGroup(pending.colors, pending.down), "pending")));
    parts.push(...(this.shown.joined ?? []).map((contact) => edgeArt(contact, "edge good joined")));
    if (refused) parts.push(...refusedArt(refused.place, refused.refusal));
    this.layer("over").replaceChildren(...parts);
    const label = /** @type {HTMLElement} */ (this.label);
    showPoints(this, this.shown.preview ?? null);
    label.hidden = !refused;
    if (refused) {
      label.textContent = refused.words;
      shrinkToText(label);
      this.placeLabel();
    }
  }

  /** Put the words of a refusal near the tile, never on the squares they're about. */
  placeLabel() {
    const { refused, laid, lit } = this.shown;
    const label = /** @type {HTMLElement} */ (this.label);
    if (!refused) return;
    const size = this.squareSize;
    const rect = (/** @type {Square} */ [x, y]) => ({
      left: this.camera.x + x * size,
      top: this.camera.y + y * size,
      width: size,
      height: size,
    });
    const { contacts, squares } = refused.refusal;
    const about = [
      ...squaresOf(refused.place),
      ...squares,
      ...contacts.flatMap(({ square, neighbor }) => [square, neighbor]),
    ];
    const { width, height, above, below } = this.room();
    const covered = [
      { left: 0, top: 0, width, height: above },
      { left: 0, top: height - below, width, height: below },
    ];
    const { left, top } = spotFor(
      { width: label.offsetWidth, height: label.offsetHeight },
      { width, height },
      about.map(rect),
      [...[...laid, ...lit.map(({ place }) => place)].flatMap(squaresOf).map(rect), ...covered],
    );
    label.style.transform = `translate(${left}px, ${top}px)`;
  }

  /** @param {"tiles" | "halo" | "lit" | "over"} name */
  layer(name) {
    return /** @type {NonNullable<typeof this.layers>} */ (this.layers)[name];
  }

  /** Hide a tile while its picture flies in. @param {string} text @param {boolean} hidden */
  setConcealed(text, hidden) {
    const group = this.layer("tiles").querySelector(`[data-key="${CSS.escape(text)}"]`);
    if (group) setAttribute(group, "visibility", hidden ? "hidden" : null);
  }

  // The camera.

  /** Show everything, with all places that are lit, and follow play again. */
  fit() {
    this.follows = true;
    if (this.shown.laid.length) this.settle(fitted(this.bounds(), this.room(), { minScale: MIN_ZOOM }), true);
    this.reveal(this.shown.lit.map(({ place }) => place));
  }

  /**
   * Slowly move the camera until all tiles fit above and to the left of a point on the screen, as large as possible.
   * Resolves when that's done.
   * @param {number} bottom @param {number} [right]
   */
  async fitWithin(bottom, right = Infinity) {
    const box = this.getBoundingClientRect();
    const all = this.room();
    const room = { ...all, width: Math.min(all.width, right - box.left) };
    const covered = Math.max(0, box.bottom - bottom);
    const below = Math.max(room.below, Math.min(covered, room.height * 0.7));
    this.follows = false;
    const world = /** @type {HTMLElement} */ (this.world);
    world.classList.add("finale");
    this.settle(fitted(boundsOf(this.shown.laid), { ...room, below }, { minScale: MIN_ZOOM }), true);
    await Promise.all(world.getAnimations().map((animation) => animation.finished.catch(() => {})));
    world.classList.remove("finale");
  }

  /** Follow play: the camera moves if a tile would be out of sight. @param {boolean} smooth */
  follow(smooth) {
    const { laid, last } = this.shown;
    if (!this.follows || !laid.length || !this.clientWidth) return;
    const before = smooth ? this.restingCamera : null;
    this.settle(followed(before, this.bounds(), this.room(), last && middleOf(last)), smooth);
  }

  /** The box around all tiles, the tiles to come, and the area to look at. */
  bounds() {
    const { laid, ahead = [], area } = this.shown;
    const tiles = boundsOf([...laid, ...ahead]);
    return area ? unionOf(tiles, { left: area.x, top: area.y, width: area.width, height: area.height }) : tiles;
  }

  /** @param {import("./camera.js").Camera} camera @param {boolean} smooth */
  settle(camera, smooth) {
    this.restingCamera = camera;
    if (camera.x !== this.camera.x || camera.y !== this.camera.y || camera.scale !== this.camera.scale)
      this.moveCamera(camera, smooth);
  }

  /** The room for tiles, and how much of it is covered. @returns {import("./camera.js").Room} */
  room() {
    const style = getComputedStyle(this);
    const [above = 0, below = 0] = ["--above", "--below"].map((name) => parseFloat(style.getPropertyValue(name)) || 0);
    return { width: this.clientWidth, height: this.clientHeight, above, below };
  }

  onResize() {
    if (this.follows) this.follow(false);
    else this.moveCamera(this.withTilesInSight(this.camera), false);
    this.reveal([...this.shown.lit, ...(this.shown.marked ?? [])].map(({ place }) => place));
  }

  /**
   * Bring placements into view: all of them while the camera follows play, otherwise at least one.
   * @param {Placement[]} placements
   */
  reveal(placements) {
    if (!placements.length || !this.clientWidth) return;
    const room = this.room();
    const inSight = placements.filter((placement) => shows(this.camera, boundsOf([placement]), room));
    if (inSight.length === placements.length || (inSight.length && !this.follows)) return;
    const box = boundsOf(placements);
    const whole = this.shown.laid.length ? unionOf(boundsOf(this.shown.laid), box) : box;
    const { scale } = this.camera;
    const all = fitted(whole, room, { minScale: MIN_ZOOM, maxScale: scale, margin: 0.6 });
    this.moveCamera(
      all.scale > 0.7 * scale ? all : fitted(box, room, { minScale: MIN_ZOOM, maxScale: scale, margin: 1 }),
      true,
    );
  }

  /** This camera, moved if it would lose sight of the tiles. @param {import("./camera.js").Camera} camera */
  withTilesInSight(camera) {
    const { held, laid, lit, ahead = [] } = this.shown;
    const all = [...laid, ...ahead, ...lit.map(({ place }) => place), ...(held ? [held] : [])];
    return all.length ? clamped(camera, boundsOf(all), this.room()) : camera;
  }

  /** @param {Square} point @param {number} scale @param {boolean} [smooth] */
  center([x, y], scale, smooth = true) {
    this.moveCamera(
      { scale, x: this.clientWidth / 2 - x * UNIT * scale, y: this.clientHeight / 2 - y * UNIT * scale },
      smooth,
    );
  }

  /**
   * Zoom around a point, which stays in place.
   * @param {number} factor @param {number} [x] @param {number} [y] in pixels of the table
   */
  zoom(factor, x = this.clientWidth / 2, y = this.clientHeight / 2) {
    this.follows = false;
    this.moveCamera(this.withTilesInSight(zoomed(this.camera, factor, x, y)), false);
  }

  /** @param {import("./camera.js").Camera} camera @param {boolean} smooth */
  moveCamera(camera, smooth) {
    this.camera = camera;
    const world = /** @type {HTMLElement} */ (this.world);
    world.classList.toggle("smooth", smooth && !prefersReducedMotion());
    world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale})`;
    this.classList.toggle("crowded", camera.scale * UNIT < CROWDED);
    if (this.shown.refused) this.placeLabel();
    showPoints(this, this.shown.preview ?? null);
  }

  /**
   * The point of the table under a point on the screen, in squares.
   * @param {number} x
   * @param {number} y
   * @returns {Square}
   */
  pointAt(x, y) {
    const box = this.getBoundingClientRect();
    const size = this.squareSize;
    return [(x - box.left - this.camera.x) / size, (y - box.top - this.camera.y) / size];
  }

  /** The size of a square on the screen, in pixels. */
  get squareSize() {
    return UNIT * this.camera.scale;
  }

  /** Where a placement is on the screen. @param {Placement} placement */
  rectOf({ x, y, down }) {
    const box = this.getBoundingClientRect();
    const size = this.squareSize;
    return new DOMRect(
      box.left + this.camera.x + x * size,
      box.top + this.camera.y + y * size,
      size * (down ? 1 : 3),
      size * (down ? 3 : 1),
    );
  }

  // Fingers and mouse.

  /** @param {PointerEvent} event */
  onDown(event) {
    if (event.button > 0) return;
    this.setPointerCapture(event.pointerId);
    this.moved = this.pointers.size ? Infinity : 0; // Two fingers never tap.
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.classList.add("grabbed");
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const now = { x: event.clientX, y: event.clientY };
    this.moved = Math.max(this.moved, Math.hypot(now.x - before.x, now.y - before.y));
    if (this.moved < TAP && !others.length) return;
    this.pointers.set(event.pointerId, now);
    const [other] = others;
    const box = this.getBoundingClientRect();
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      this.zoom(factor || 1, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    }
    const share = others.length ? 0.5 : 1;
    this.follows = false;
    const { x, y, scale } = this.camera;
    this.moveCamera(
      this.withTilesInSight({ scale, x: x + (now.x - before.x) * share, y: y + (now.y - before.y) * share }),
      false,
    );
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const tapped = this.moved < TAP;
    this.onCancel(event);
    if (tapped) this.dispatchEvent(new CustomEvent("tap", { detail: this.pointAt(event.clientX, event.clientY) }));
  }

  /** @param {PointerEvent} event */
  onCancel(event) {
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.classList.remove("grabbed");
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    event.preventDefault();
    const box = this.getBoundingClientRect();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    this.zoom(Math.exp(-clamp(pixels, -200, 200) / 400), event.clientX - box.left, event.clientY - box.top);
  }
}

customElements.define("chromino-table", ChrominoTable);

/** Make a box as narrow as its text, which CSS can't do for several lines. @param {HTMLElement} box */
function shrinkToText(box) {
  box.style.width = "";
  const words = document.createRange();
  words.selectNodeContents(box);
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  const width = words.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight);
  box.style.width = `${Math.ceil(width) + 1}px`;
}
