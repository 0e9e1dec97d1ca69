/** Icons of buttons, and faces of players. */

import { s } from "../browser/dom.js";

/** @type {Record<string, string>} Faces of the bots, each drawn in a box of 24. */
const FACES = {
  snail:
    "M3 19h14.5a3 3 0 0 0 3-3v-5M20.5 11V8M18 9.5 17 7M3 19a3 3 0 0 1 2.5-2.5M9.5 16.5a5.5 5.5 0 1 1 5.5-5.5 4 4 0 0 1-4 4 3 3 0 0 1-3-3 2 2 0 0 1 2-2",
  hedgehog:
    "M3 17c0-6 4-10 9-10l.5-2.5L14 7.4l2-1.9.4 2.7 2.6-.8-.6 2.7 2.6.6-1.4 2.3 2.1 1.5-2.4 1.2.7 2.3ZM3 17l-1-1.5M7.5 13.5h.01M7 19.5h2M15 19.5h2",
  fox: "M4 4l4 3.5h8L20 4l.5 8.5L12 21l-8.5-8.5ZM8.5 12h.01M15.5 12h.01M10.8 17.5 12 18.6l1.2-1.1",
  owl: "M5 4.5 7.5 6h9L19 4.5V14a7 7 0 0 1-14 0ZM9 8.5a2.5 2.5 0 1 0 .01 0M15 8.5a2.5 2.5 0 1 0 .01 0M9 11h.01M15 11h.01M12 13.5l-1 1.5h2Z",
  dragon:
    "M4 9l3-5 2.5 3H15l2.5-4 .5 4.5L21 11l-2 5-6 1-1.5 3.5L9 17H6.5L3 13.5ZM14.5 10.5h.01M17.5 13.5h.01M9 17l2-2.5",
};

/**
 * The face of a bot, or the first letter of a person's name; "Player 2" has a 2.
 * @param {{bot: string | null, name: string}} seat
 */
export function face({ bot, name }) {
  const path = bot ? FACES[bot] : undefined;
  const svg = s("svg", { class: "face", viewBox: "0 0 24 24", "aria-hidden": "true" });
  if (path) svg.append(s("path", { d: path }));
  else {
    const letter = s("text", { x: 12, y: 17, "text-anchor": "middle" });
    letter.textContent = (/\d$/.exec(name.trim())?.[0] ?? [...name.trim()][0] ?? "?").toUpperCase();
    svg.append(letter);
  }
  return svg;
}

/** @type {Record<string, string>} Line drawings for buttons, each in a box of 24. */
const ICONS = {
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5 8 12l7 7",
  draw: "M6 9h12l1.5 11h-15ZM9 9V7a3 3 0 0 1 6 0v2",
  first: "M18 5l-7 7 7 7M7 5v14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V16h7v-2.1A6 6 0 0 0 12 3Z",
  help: "M9 9a3 3 0 1 1 4.5 2.6C12.5 12.2 12 12.8 12 14M12 17.5h.01",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4Z",
  last: "M6 5l7 7-7 7M17 5v14",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  menu: "M5 7h14M5 12h14M5 17h14",
  minus: "M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  next: "M9 5l7 7-7 7",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7Z",
  plus: "M12 5v14M5 12h14",
  say: "M4 5h16v11h-9l-5 4v-4H4Z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  tiles: "M4 4h5v5H4ZM15 4h5v5h-5ZM4 15h5v5H4ZM15 15h5v5h-5Z",
  turn: "M19 12a7 7 0 1 1-2.5-5.4M19 3.5v4.5h-4.5",
};

/** @param {keyof typeof ICONS & string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}
