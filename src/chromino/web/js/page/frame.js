/** The frame of all pages except the game page: a header, and the page's content. */

import { h } from "../browser/dom.js";
import { iconButton } from "./controls.js";
import { openHelp } from "./help_dialog.js";
import { languageChoice } from "./language_choice.js";
import { linkTo } from "./links.js";
import { openSettings } from "./settings_dialog.js";

/**
 * @param {(path: string) => void} go
 * @param {{looks?: string, main?: string, homeLinks?: [path: string, title: string][], help?: () => void}} how classes of the page
 * and of its main part; only the home page has links in its header; help, if not about the classic game
 * @param {...(Node | string | null | false)} content
 */
export function frame(go, { looks = "", main = "", homeLinks, help = openHelp }, ...content) {
  return h(
    "div",
    { class: `page ${looks}`.trim() },
    header(go, help, homeLinks),
    h("main", { class: main || null }, ...content),
  );
}

/** @param {(path: string) => void} go @param {() => void} help @param {[path: string, title: string][]} [homeLinks] */
function header(go, help, homeLinks) {
  return h(
    "header",
    { class: "bar" },
    homeLinks ? h("span", { class: "brand", t: "title" }) : iconButton("home", "nav.home", () => go("/")),
    h("span", { class: "bar-space" }),
    ...(homeLinks ?? []).map(([path, title]) => linkTo(go, path, { class: "bar-link", t: title })),
    languageChoice(),
    iconButton("settings", "settings.title", () => openSettings()),
    iconButton("help", "help.title", () => help()),
  );
}
