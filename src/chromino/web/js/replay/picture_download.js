/** Downloads pictures of a record, drawn by the server: one moment, or the whole game animated. */

import { h } from "../browser/dom.js";
import { pictureOf } from "../server/api.js";

/** @typedef {"svg" | "png" | "gif" | "animated"} PictureFormat */

/** @type {Record<PictureFormat, string>} */
const NAMES = { svg: "chromino.svg", png: "chromino.png", gif: "chromino.gif", animated: "chromino-moving.svg" };

/**
 * Save a picture as a file.
 * @param {string} record @param {PictureFormat} format @param {number} move how many events have happened
 */
export async function savePicture(record, format, move) {
  const isAnimated = format === "gif" || format === "animated";
  const picture = await pictureOf({ record, kind: format, move: isAnimated ? null : move, theme: theme() });
  const url = URL.createObjectURL(picture);
  h("a", { href: url, download: NAMES[format] }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // The browser has saved the picture by then.
}

/** The current theme. @returns {"light" | "dark"} */
function theme() {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
