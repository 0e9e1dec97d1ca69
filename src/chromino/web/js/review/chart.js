/**
 * A line chart of a value, move by move. Each choice is a point with a name. You can click a point, or reach it with
 * Tab and the arrow keys.
 */

import { h, keyed, s, setAttribute } from "../browser/dom.js";

/**
 * @typedef {object} Point
 * @property {number} x the move
 * @property {number} y the value
 *
 * @typedef {object} Axis
 * @property {number} low
 * @property {number} high
 * @property {number[]} ticks values with a line and a label
 * @property {(value: number) => string} words a value's label
 * @property {number | null} base the tick to highlight
 *
 * @typedef {Point & {name: string, costly: boolean}} Stop a point you can select
 */

// In pixels.
const HEIGHT = 160;
const LEFT = 44; // Room for the labels.
const EDGE = 14; // Room on the other sides.

export class Chart {
  /** @type {Point[]} */
  line = [];
  /** @type {Stop[]} */
  stops = [];
  current = -1;
  /** @type {Axis} */
  axis = { low: 0, high: 1, ticks: [], words: String, base: null };

  /** @param {(index: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.grid = s("g", { class: "chart-grid", "aria-hidden": "true" });
    this.path = s("path", { class: "chart-line", "aria-hidden": "true" });
    this.points = s("g", {});
    this.svg = s("svg", { class: "chart", role: "group", height: HEIGHT }, this.grid, this.path, this.points);
    this.box = h("div", { class: "chart-box" }, this.svg);
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  /** @param {{label: string, axis: Axis, line: Point[], stops: Stop[], current: number}} shown */
  show({ label, axis, line, stops, current }) {
    setAttribute(this.svg, "aria-label", label);
    this.axis = axis;
    this.line = line;
    this.stops = stops;
    this.current = current;
    this.draw();
  }

  draw() {
    const width = this.box.clientWidth;
    if (!width || !this.line.length) return;
    const last = Math.max(1, ...this.line.map(({ x }) => x));
    const toX = (/** @type {number} */ x) => LEFT + (x / last) * (width - LEFT - EDGE);
    const { low, high, ticks, words, base } = this.axis;
    const toY = (/** @type {number} */ y) => EDGE + ((high - y) / (high - low)) * (HEIGHT - 2 * EDGE);
    setAttribute(this.svg, "viewBox", `0 0 ${width} ${HEIGHT}`);
    this.grid.replaceChildren(
      ...ticks.flatMap((y) => {
        const number = s("text", { x: LEFT - 6, y: toY(y) + 4, "text-anchor": "end" });
        number.textContent = words(y);
        return [
          s("line", { class: y === base ? "base" : null, x1: LEFT, x2: width - EDGE, y1: toY(y), y2: toY(y) }),
          number,
        ];
      }),
    );
    setAttribute(
      this.path,
      "d",
      this.line.map(({ x, y }, n) => `${n ? "L" : "M"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join(""),
    );
    const middles = this.stops.map(({ x }, n) => toX((x + (this.stops[n + 1]?.x ?? last)) / 2));
    keyed(
      this.points,
      this.stops,
      ({ x }) => String(x),
      ({ x }) => this.point(x),
      (group, { x, y, name, costly }, index) => {
        const [area, mark] = /** @type {[Element, Element]} */ (/** @type {unknown} */ ([...group.children]));
        const left = index ? (middles[index - 1] ?? LEFT) : LEFT - EDGE;
        const right = index === this.stops.length - 1 ? width : (middles[index] ?? width);
        setAttribute(area, "x", left);
        setAttribute(area, "width", Math.max(1, right - left));
        setAttribute(mark, "d", costly ? "M0-8 8 6H-8Z" : "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0");
        setAttribute(mark, "transform", `translate(${toX(x).toFixed(1)} ${toY(y).toFixed(1)})`);
        setAttribute(group, "aria-label", name);
        setAttribute(group, "aria-current", index === this.current ? "true" : null);
        setAttribute(group, "tabindex", index === Math.max(0, this.current) ? 0 : -1);
        group.classList.toggle("costly", costly);
      },
    );
  }

  /** @param {number} x */
  point(x) {
    const group = s(
      "g",
      { class: "chart-point", role: "button" },
      s("rect", { class: "chart-area", y: 0, height: HEIGHT }),
      s("path", { class: "chart-mark" }),
    );
    group.addEventListener("click", () => this.choose(this.stops.findIndex((stop) => stop.x === x)));
    return group;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const index = [...this.points.children].indexOf(/** @type {Element} */ (event.target));
    const last = this.stops.length - 1;
    const target = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      ArrowDown: index - 1,
      Home: 0,
      End: last,
      Enter: index,
      " ": index,
    }[event.key];
    if (index < 0 || target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(Math.max(0, Math.min(last, target)));
    /** @type {SVGElement | undefined} */ (this.points.children[this.current])?.focus();
  }
}
