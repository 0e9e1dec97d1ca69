/** The frame of all pages except the game page: a header, and the page's content. */

import { h } from "../browser/dom.js";
import { iconButton } from "./controls.js";
import { openHelp } from "./help_dialog.js";
import { languageChoice } from "./language_choice.js";
import { openSettings } from "./settings_dialog.js";

/**
 * @param {(path: string) => void} go
 * @param {{looks?: string, main?: string, isHome?: boolean}} how classes of the page and of its main part
 * @param {...(Node | string | null | false)} content
 */
export function frame(go, { looks = "", main = "", isHome = false }, ...content) {
  return h(
    "div",
    { class: `page ${looks}`.trim() },
    header(go, isHome),
    h("main", { class: main || null }, ...content),
  );
}

/** @param {(path: string) => void} go @param {boolean} isHome */
function header(go, isHome) {
  return h(
    "header",
    { class: "bar" },
    isHome ? null : iconButton("home", "nav.home", () => go("/")),
    h("span", { class: "bar-space" }),
    languageChoice(),
    iconButton("settings", "settings.title", () => openSettings()),
    iconButton("help", "help.title", () => openHelp()),
  );
}
