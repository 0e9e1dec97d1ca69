/** The frame of all pages except the game page: a header, and the page's content. */

import { h } from "../browser/dom.js";
import { iconButton } from "./controls.js";
import { languageChoice } from "./language_choice.js";
import { linkTo } from "./links.js";

/**
 * @param {(path: string) => void} go
 * @param {{className?: string, main?: string, homeLinks?: [path: string, title: string][], help?: () => void}} options
 * className and main: the classes of the page and of its main element; homeLinks: links in the header of the home page;
 * help: opens the help; by default, that's the help for the classic game
 * @param {...(Node | string | null | false)} content
 */
export function frame(go, { className = "", main = "", homeLinks, help }, ...content) {
  return h(
    "div",
    { class: `page ${className}`.trim() },
    header(go, homeLinks, help),
    h("main", { class: main || null }, ...content),
  );
}

/**
 * @param {(path: string) => void} go @param {[path: string, title: string][]} [homeLinks]
 * @param {() => void} [help]
 */
function header(go, homeLinks, help) {
  return h(
    "header",
    { class: "bar" },
    homeLinks ? h("span", { class: "brand", t: "title" }) : iconButton("home", "nav.home", () => go("/")),
    h("span", { class: "bar-space" }),
    ...(homeLinks ?? []).map(([path, title]) => linkTo(go, path, { class: "bar-link", t: title })),
    languageChoice(),
    iconButton(
      "settings",
      "settings.title",
      openLater(() => import("../dialogs/settings_dialog.js").then((m) => () => m.openSettings())),
    ),
    iconButton(
      "help",
      "help.title",
      help ?? openLater(() => import("../dialogs/help_dialog.js").then((m) => () => m.openHelp())),
    ),
  );
}

/**
 * A listener that loads a dialog before opening it: few people need it, so it isn't loaded with the page. Pressing
 * twice opens it only once.
 * @param {() => Promise<() => void>} load
 */
function openLater(load) {
  /** @type {Promise<void> | null} */
  let opening = null;
  return () => {
    opening ??= load()
      .then((open) => open())
      .finally(() => (opening = null));
  };
}
