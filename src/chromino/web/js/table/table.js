/**
 * `<chromino-table>`: the unbounded table. It shows what it's given, pans, zooms and follows play; it knows no rules. Fires
 * "tap" (detail: the point in squares).
 */

import { h, keyed, lessMotion, s, setAttribute } from "../browser/dom.js";
import { boundsOf, middleOf, squaresOf } from "./geometry.js";
import { spotFor } from "./label_spot.js";
import { areaArt, at, blameArt, edgeArt, foundArt, ghost, mark, markedArt, withClass } from "./table_art.js";
import { tileGroup, UNIT } from "./tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */

/**
 * @typedef {object} Shown
 * @property {Placement[]} laid
 * @property {Placement | null} last the last move, marked
 * @property {{place: Placement, faint: boolean, aimed: boolean}[]} lit where the tile may lie; aimed: where it would go now
 * @property {Placement | null} held a tile in the fingers
 * @property {Placement | null} pending a tile put down, not yet confirmed
 * @property {Placement[]} [found] places of a conundrum that were found
 * @property {{x: number, y: number, width: number, height: number} | null} [area] where to look
 * @property {import("../types.js").Contact[]} [joined] edges that hold, to be shown
 * @property {{place: Placement, name: string}[]} [marked] placements to compare: "played", "better" or "before"
 * @property {{place: Placement, refusal: import("../types.js").Refusal, words: string} | null} blame
 */

const SMALLEST = 0.25;
const LARGEST = 3;
const AT_REST = 1.5; // The largest scale that "fit" chooses.
const READABLE = 0.4; // The smallest that following chooses: squares of 16 px.
const TAP = 8; // Pixels that a finger may move in a tap.

export class ChrominoTable extends HTMLElement {
  /** Where the table's 0,0 is on the screen, and how large: in CSS pixels. */
  camera = { x: 0, y: 0, scale: 1 };
  /** Does the camera follow play? Until the person moves it. */
  follows = true;
  /** @type {Shown} */
  shown = { laid: [], last: null, lit: [], held: null, pending: null, blame: null };
  /** @type {Map<number, {x: number, y: number}>} */
  pointers = new Map();
  moved = 0;

  connectedCallback() {
    if (this.firstChild) return;
    this.layers = {
      tiles: s("g", {}),
      lit: s("g", {}),
      over: s("g", {}),
    };
    this.drawing = s("svg", { class: "drawing", "aria-hidden": "true" });
    this.drawing.append(this.layers.tiles, this.layers.lit, this.layers.over);
    this.label = h("div", { class: "blame-words", hidden: true });
    this.world = h("div", { class: "world" }, this.drawing);
    this.append(this.world, this.label);
    this.addEventListener("pointerdown", (event) => this.onDown(event));
    this.addEventListener("pointermove", (event) => this.onMove(event));
    this.addEventListener("pointerup", (event) => this.onUp(event));
    this.addEventListener("pointercancel", (event) => this.onCancel(event));
    this.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    new ResizeObserver(() => this.onResize()).observe(this);
  }

  /** @param {Partial<Shown>} changes */
  show(changes) {
    const before = this.shown.laid.length;
    this.shown = { ...this.shown, ...changes };
    this.drawTiles();
    this.drawLit();
    this.drawOver();
    if (this.shown.laid.length !== before) this.follow(before > 0);
  }

  drawTiles() {
    const { laid, last } = this.shown;
    keyed(
      this.layer("tiles"),
      laid,
      (placement) => placement.text,
      (placement) => at(placement, tileGroup(placement.colors, placement.down)),
      (group, placement) => group.classList.toggle("last", placement.text === last?.text),
    );
  }

  drawLit() {
    keyed(
      this.layer("lit"),
      this.shown.lit,
      ({ place, faint }) => `${place.text}${faint}`,
      ({ place, faint }) => at(place, faint ? mark(place) : ghost(place)),
      (group, { aimed }) => group.classList.toggle("aimed", aimed),
    );
  }

  drawOver() {
    const { held, pending, blame } = this.shown;
    const parts = [];
    for (const place of this.shown.found ?? []) parts.push(at(place, foundArt(place)));
    if (this.shown.area) parts.push(areaArt(this.shown.area));
    parts.push(...markedArt(this.shown.marked ?? []));
    if (held) parts.push(at(held, withClass(tileGroup(held.colors, held.down), "held")));
    if (pending) parts.push(at(pending, withClass(tileGroup(pending.colors, pending.down), "pending")));
    parts.push(...(this.shown.joined ?? []).map((contact) => edgeArt(contact, "edge good joined")));
    if (blame) parts.push(...blameArt(blame.place, blame.refusal));
    this.layer("over").replaceChildren(...parts);
    const label = /** @type {HTMLElement} */ (this.label);
    label.hidden = !blame;
    if (blame) {
      label.textContent = blame.words;
      hugWords(label);
      this.placeLabel();
    }
  }

  /** Put the words of a refusal near the tile, never on the squares they're about. */
  placeLabel() {
    const { blame, laid, lit } = this.shown;
    const label = /** @type {HTMLElement} */ (this.label);
    if (!blame) return;
    const size = UNIT * this.camera.scale;
    const rect = (/** @type {Square} */ [x, y]) => ({
      left: this.camera.x + x * size,
      top: this.camera.y + y * size,
      width: size,
      height: size,
    });
    const { contacts, squares } = blame.refusal;
    const about = [
      ...squaresOf(blame.place),
      ...squares,
      ...contacts.flatMap(({ square, neighbor }) => [square, neighbor]),
    ];
    const { left, top } = spotFor(
      { width: label.offsetWidth, height: label.offsetHeight },
      { width: this.clientWidth, height: this.clientHeight },
      about.map(rect),
      [...laid, ...lit.map(({ place }) => place)].flatMap(squaresOf).map(rect),
    );
    label.style.transform = `translate(${left}px, ${top}px)`;
  }

  /** @param {"tiles" | "lit" | "over"} name */
  layer(name) {
    return /** @type {NonNullable<typeof this.layers>} */ (this.layers)[name];
  }

  /** Hide a tile while its picture flies in. @param {string} text @param {boolean} hidden */
  conceal(text, hidden) {
    const group = this.layer("tiles").querySelector(`[data-key="${CSS.escape(text)}"]`);
    if (group) setAttribute(group, "visibility", hidden ? "hidden" : null);
  }

  // The camera.

  /** Look at everything, and follow play again. */
  fit() {
    this.follows = true;
    this.follow(true, SMALLEST);
  }

  /**
   * Look at everything, slowly, in what is left above a point of the screen; resolves when it's done.
   * @param {number} bottom
   */
  async zoomOut(bottom) {
    const { top, height } = this.getBoundingClientRect();
    const { left, top: above, width, height: deep } = boundsOf(this.shown.laid);
    const free = Math.max(height / 3, Math.min(height, bottom - top));
    const scale = clamp(
      Math.min(this.clientWidth / ((width + 3) * UNIT), free / ((deep + 3) * UNIT)),
      SMALLEST,
      AT_REST,
    );
    this.follows = false;
    const world = /** @type {HTMLElement} */ (this.world);
    world.classList.add("finale");
    this.look(
      {
        scale,
        x: this.clientWidth / 2 - (left + width / 2) * UNIT * scale,
        y: free / 2 - (above + deep / 2) * UNIT * scale,
      },
      true,
    );
    await Promise.all(world.getAnimations().map((animation) => animation.finished.catch(() => {})));
    world.classList.remove("finale");
  }

  /**
   * Show the whole table, or the last move if that would be too small.
   * @param {boolean} smooth
   * @param {number} [least]
   */
  follow(smooth, least = READABLE) {
    if (!this.follows || !this.shown.laid.length || !this.clientWidth) return;
    const margin = 2.2; // Squares around, where the next tile may lie.
    const { left, top, width, height } = boundsOf(this.shown.laid);
    const fitting = Math.min(
      this.clientWidth / ((width + 2 * margin) * UNIT),
      this.clientHeight / ((height + 2 * margin) * UNIT),
    );
    const scale = clamp(fitting, least, AT_REST);
    let center = /** @type {Square} */ ([left + width / 2, top + height / 2]);
    if (fitting < least && this.shown.last) center = middleOf(this.shown.last);
    this.center(center, scale, smooth);
  }

  onResize() {
    this.follow(false);
    this.reveal([...this.shown.lit, ...(this.shown.marked ?? [])].map(({ place }) => place));
  }

  /**
   * Bring placements into view: all of them while the camera follows play, otherwise at least one.
   * @param {Placement[]} placements
   */
  reveal(placements) {
    const box = this.getBoundingClientRect();
    const inSight = placements.filter((placement) => {
      const { left, top, right, bottom } = this.rectOf(placement);
      return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
    });
    if (!placements.length || inSight.length === placements.length || (inSight.length && !this.follows)) return;
    const { left, top, width, height } = boundsOf(placements);
    const fitting = Math.min(this.clientWidth / ((width + 2) * UNIT), this.clientHeight / ((height + 2) * UNIT));
    this.center([left + width / 2, top + height / 2], clamp(fitting, SMALLEST, this.camera.scale));
  }

  /** @param {Square} point @param {number} scale @param {boolean} [smooth] */
  center([x, y], scale, smooth = true) {
    this.look(
      { scale, x: this.clientWidth / 2 - x * UNIT * scale, y: this.clientHeight / 2 - y * UNIT * scale },
      smooth,
    );
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] what stays where it is, in pixels of the table */
  zoom(factor, x = this.clientWidth / 2, y = this.clientHeight / 2) {
    this.follows = false;
    const scale = clamp(this.camera.scale * factor, SMALLEST, LARGEST);
    const ratio = scale / this.camera.scale;
    this.look({ scale, x: x - (x - this.camera.x) * ratio, y: y - (y - this.camera.y) * ratio }, false);
  }

  /** @param {typeof this.camera} camera @param {boolean} smooth */
  look(camera, smooth) {
    this.camera = camera;
    const world = /** @type {HTMLElement} */ (this.world);
    world.classList.toggle("smooth", smooth && !lessMotion());
    world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale})`;
    if (this.shown.blame) this.placeLabel();
  }

  /**
   * The point of the table under a point of the screen, in squares.
   * @param {number} x
   * @param {number} y
   * @returns {Square}
   */
  pointAt(x, y) {
    const box = this.getBoundingClientRect();
    const size = UNIT * this.camera.scale;
    return [(x - box.left - this.camera.x) / size, (y - box.top - this.camera.y) / size];
  }

  /** Pixels of a square on the screen. */
  get squareSize() {
    return UNIT * this.camera.scale;
  }

  /** Where a placement is on the screen. @param {Placement} placement */
  rectOf({ x, y, down }) {
    const box = this.getBoundingClientRect();
    const size = UNIT * this.camera.scale;
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
    if (!this.pointers.size) this.moved = 0;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.classList.add("grabbed");
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const now = { x: event.clientX, y: event.clientY };
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.moved < TAP && !others.length) return;
    this.pointers.set(event.pointerId, now);
    const [other] = others;
    const box = this.getBoundingClientRect();
    if (other) {
      this.moved = Infinity; // Two fingers never tap.
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      this.zoom(factor || 1, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    }
    const share = others.length ? 0.5 : 1;
    this.follows = false;
    const { x, y, scale } = this.camera;
    this.look({ scale, x: x + (now.x - before.x) * share, y: y + (now.y - before.y) * share }, false);
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

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

/** Make a box as narrow as its words, which CSS can't do for several lines. @param {HTMLElement} box */
function hugWords(box) {
  box.style.width = "";
  const words = document.createRange();
  words.selectNodeContents(box);
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  box.style.width = `${Math.ceil(words.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight)) + 1}px`;
}
