/** The table as a file: the drawing with its colors written into it, so that it looks the same anywhere. */

import { textureDefs } from "./art.js";
import { s } from "./dom.js";

const MARGIN = 20;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "display"];
const LARGER = 2; // A PNG has so many pixels a unit.

/** @param {import("./table.js").ChrominoTable} table @returns {string} an SVG document */
export function tableSvg(table) {
  const drawn = /** @type {SVGGElement} */ (table.querySelector(".drawing > g"));
  const { x, y, width, height } = drawn.getBBox();
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const svg = s("svg", { viewBox: `${x - MARGIN} ${y - MARGIN} ${w} ${h}`, width: w, height: h });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.append(/** @type {Node} */ (textureDefs().firstElementChild), drawn.cloneNode(true));
  // Only what is in the page has a style: it is read from there while the copy hangs in it, unseen.
  const box = document.body.appendChild(s("svg", { class: "defs", "aria-hidden": "true" }, svg));
  for (const element of svg.querySelectorAll("rect, path, line")) {
    const style = getComputedStyle(element);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  }
  box.remove();
  return new XMLSerializer().serializeToString(svg);
}

/** @param {string} svg @returns {Promise<Blob>} */
export async function tablePng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * LARGER;
  canvas.height = image.height * LARGER;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}
