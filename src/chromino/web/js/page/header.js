/** The bar at the top of all pages but the game's. */

import { h } from "../browser/dom.js";
import { openHelp } from "./help_dialog.js";
import { languageChoice } from "./language_choice.js";
import { openSettings } from "./settings_dialog.js";
import { iconButton } from "./controls.js";

/** The bar that all pages but the table share. @param {(path: string) => void} go @param {string} [title] a key */
export function topBar(go, title) {
  return h(
    "header",
    { class: "bar" },
    title ? iconButton("home", "nav.home", () => go("/")) : null,
    h("span", { class: "bar-space" }),
    languageChoice(),
    iconButton("settings", "settings.title", () => openSettings()),
    iconButton("help", "help.title", () => openHelp()),
  );
}
