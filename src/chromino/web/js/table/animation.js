/** Animations: tiles that fly, points that pop up, confetti. Under reduced motion, nothing moves. */

import { h, prefersReducedMotion } from "../browser/dom.js";
import { freeTop } from "./label_spot.js";
import { tileBack, tilePicture } from "./tile_art.js";

const COLORS = ["R", "G", "B", "Y", "P"];

/**
 * Fly a tile from one place to another, and resolve when it arrives.
 * @param {string | null} colors null for a tile seen from behind
 * @param {boolean} down
 * @param {DOMRect | null} from
 * @param {DOMRect | null} to
 * @param {number} [delay] milliseconds
 */
export async function fly(colors, down, from, to, delay = 0) {
  if (!from || !to || !from.width || !to.width || prefersReducedMotion()) return;
  const picture = colors ? tilePicture(colors, down) : tileBack(down);
  const [width, height] = down ? [40, 120] : [120, 40];
  const box = h("div", { class: "flying", "aria-hidden": "true" }, picture);
  box.style.width = `${width}px`;
  box.style.height = `${height}px`;
  document.body.append(box);
  /** @param {DOMRect} rect @param {number} scale */
  const pose = (rect, scale) =>
    `translate(${rect.x + rect.width / 2 - width / 2}px, ${rect.y + rect.height / 2 - height / 2}px) scale(${scale})`;
  const size = Math.min(3, Math.max(to.width, to.height) / 120);
  const start = Math.min(1, Math.max(from.width, from.height) / 120);
  // The tile rises on its way, drops into place, and bounces a little.
  const flight = box.animate(
    [
      { transform: pose(from, start), easing: "cubic-bezier(.3,.6,.4,1)" },
      { transform: pose(to, size * 1.12), offset: 0.72, easing: "ease-in" },
      { transform: pose(to, size * 0.98), offset: 0.9 },
      { transform: pose(to, size) },
    ],
    { duration: 420, delay, fill: "backwards" },
  );
  await flight.finished.catch(() => {});
  box.remove();
}

/**
 * Show a few words, such as the points that a tile has earned, just above a rectangle.
 * @param {string} text @param {DOMRect} rect
 */
export function pop(text, rect) {
  const earlier = [...document.querySelectorAll(".pop")];
  if (earlier.length > 1) earlier.shift()?.remove(); // Don't cover the table when people play fast.
  const box = h("div", { class: "pop", "aria-hidden": "true" }, text);
  document.body.append(box);
  box.style.left = `${rect.x + rect.width / 2}px`;
  const taken = earlier.map((other) => other.getBoundingClientRect());
  box.style.top = `${freeTop(rect.y - box.offsetHeight, box.getBoundingClientRect(), taken) + box.offsetHeight}px`;
  const rise = prefersReducedMotion() ? 0 : 36;
  const anchor = "translate(-50%, -100%)";
  box
    .animate(
      [
        { opacity: 0, transform: anchor },
        { opacity: 1, transform: `${anchor} translateY(-${rise / 3}px)`, offset: 0.15 },
        { opacity: 1, transform: `${anchor} translateY(-${rise / 2}px)`, offset: 0.75 },
        { opacity: 0, transform: `${anchor} translateY(-${rise}px)` },
      ],
      { duration: 1700 },
    )
    .finished.catch(() => {})
    .then(() => box.remove());
}

/** A short shower of squares. */
export function confetti() {
  if (prefersReducedMotion()) return;
  const box = h("div", { class: "confetti", "aria-hidden": "true" });
  // If a dialog is open, the confetti goes inside, because only the dialog's children appear on top of it.
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  const flights = Array.from({ length: 70 }, (_, n) => {
    const piece = h("i", { class: `piece color-${COLORS[n % 5]}` });
    box.append(piece);
    const x = Math.random() * innerWidth;
    const drift = (Math.random() - 0.5) * 200;
    return piece
      .animate(
        [
          { transform: `translate(${x}px, -30px) rotate(0)` },
          { transform: `translate(${x + drift}px, ${innerHeight + 30}px) rotate(${(Math.random() - 0.5) * 1200}deg)` },
        ],
        {
          duration: 1600 + Math.random() * 1400,
          delay: Math.random() * 500,
          easing: "cubic-bezier(.2,.4,.7,1)",
          fill: "both",
        },
      )
      .finished.catch(() => {});
  });
  Promise.all(flights).then(() => box.remove());
}

/**
 * Deal a hand: its tiles fly out of the bag one by one.
 * @param {readonly {colors: string, option: HTMLElement}[]} tiles @param {boolean} down @param {DOMRect} bag
 */
export async function deal(tiles, down, bag) {
  if (prefersReducedMotion()) return;
  await Promise.all(
    tiles.map(async ({ colors, option }, number) => {
      option.classList.add("concealed");
      await fly(colors, down, bag, option.getBoundingClientRect(), 60 * number);
      option.classList.remove("concealed");
    }),
  );
}
