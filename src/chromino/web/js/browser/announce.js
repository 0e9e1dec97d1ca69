/** Announcements for screen readers. Events are announced politely; only "your turn" interrupts. */

import { h } from "./dom.js";

/** How many announcements are kept, for people who go back and read them. */
const MAX_LINES = 6;

const polite = h("div", { class: "spoken", "aria-live": "polite", role: "log", id: "announcements" });
const assertive = h("div", { class: "spoken", "aria-live": "assertive", role: "alert" });

/** Add the live regions to the page. Screen readers only announce changes in regions that already exist. */
export function prepareAnnouncements() {
  document.body.append(polite, assertive);
}

/** @param {string} text */
export function say(text) {
  polite.append(h("p", {}, text));
  while (polite.children.length > MAX_LINES) polite.firstElementChild?.remove();
}

/** Clear earlier announcements, because someone else may have the device now. */
export function clearAnnouncements() {
  polite.replaceChildren();
}

/** Interrupt the screen reader; only for "your turn". @param {string} text */
export function sayAtOnce(text) {
  assertive.textContent = text;
}
