/** Icons for buttons, and faces of players. */

import { s } from "../browser/dom.js";
import { BOTS, facesOf, PEOPLE } from "./faces.js";

/** The face of a seat at a table. @param {readonly import("../types.js").Seat[]} seats @param {number} seat */
export function seatFace(seats, seat) {
  const { bot, name } = /** @type {import("../types.js").Seat} */ (seats[seat]);
  return face({ bot, name, personFace: facesOf(seats)[seat] });
}

/**
 * The face of a bot or person. Players without a face get the first letter of their name, or the digit at its end: 2
 * for "Player 2".
 * @param {{bot: string | null, name: string, personFace?: import("./faces.js").Face | null}} player
 */
export function face({ bot, name, personFace }) {
  const shapes = bot ? BOTS[bot] : personFace ? PEOPLE[personFace] : undefined;
  if (shapes) return drawnFace(shapes);
  const letter = s("text", { x: 16, y: 22.5, "text-anchor": "middle" });
  letter.textContent = (/\d$/.exec(name.trim())?.[0] ?? [...name.trim()][0] ?? "?").toUpperCase();
  return faceOf(letter);
}

/** @param {readonly import("./faces.js").Shape[]} shapes */
export function drawnFace(shapes) {
  return faceOf(...shapes.map(([fill, d]) => s("path", { fill, d })));
}

/** @param {...Node} parts */
function faceOf(...parts) {
  return s("svg", { class: "face", viewBox: "0 0 32 32", "aria-hidden": "true" }, ...parts);
}

/** @type {Record<string, string>} Line drawings for buttons, each in a 24 × 24 box. */
const ICONS = {
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5 8 12l7 7",
  device:
    "M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3ZM11 18h2",
  draw: "M6 9h12l1.5 11h-15ZM9 9V7a3 3 0 0 1 6 0v2",
  first: "M18 5l-7 7 7 7M7 5v14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V16h7v-2.1A6 6 0 0 0 12 3Z",
  help: "M9 9a3 3 0 1 1 4.5 2.6C12.5 12.2 12 12.8 12 14M12 17.5h.01",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4Z",
  last: "M6 5l7 7-7 7M17 5v14",
  leave: "M13 4H6v16h7M10.5 12H20M16 8l4 4-4 4",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  menu: "M5 7h14M5 12h14M5 17h14",
  minus: "M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  next: "M9 5l7 7-7 7",
  open: "M4 15v3.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V15M12 15V4M7.5 8.5 12 4l4.5 4.5",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7Z",
  plus: "M12 5v14M5 12h14",
  say: "M4 5h16v11h-9l-5 4v-4H4Z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  tiles: "M4 4h5v5H4ZM15 4h5v5h-5ZM4 15h5v5H4ZM15 15h5v5h-5Z",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  turn: "M19 12a7 7 0 1 1-2.5-5.4M19 3.5v4.5h-4.5",
};

/** @param {keyof typeof ICONS & string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}
