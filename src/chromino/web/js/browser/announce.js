/** Announcements for screen readers: events politely, and only "your turn" at once. */

import { h } from "./dom.js";

const MAX_LINES = 6; // Kept for people who read back.

const polite = h("div", { class: "spoken", "aria-live": "polite", role: "log", id: "announcements" });
const assertive = h("div", { class: "spoken", "aria-live": "assertive", role: "alert" });

/** Put the live regions into the page; they must be there before they speak. */
export function prepareAnnouncements() {
  document.body.append(polite, assertive);
}

/** @param {string} text */
export function say(text) {
  polite.append(h("p", {}, text));
  while (polite.children.length > MAX_LINES) polite.firstElementChild?.remove();
}

/** Clear earlier announcements, because someone else has the device now. */
export function clearAnnouncements() {
  polite.replaceChildren();
}

/** For "your turn" alone. @param {string} text */
export function sayAtOnce(text) {
  assertive.textContent = text;
}
