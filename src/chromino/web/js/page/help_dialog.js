/** How to play, and the keyboard shortcuts. */

import { h } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { toggle } from "./controls.js";
import { openDialog } from "./dialogs.js";

/** @type {[string, string][]} */
const SHORTCUTS = [
  ["←  →", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["Shift + ←  ↑  →  ↓", "keys.shift"],
  ["R", "keys.turn"],
  ["Esc", "keys.escape"],
  ["D", "keys.draw"],
  ["H", "keys.hint"],
  ["T", "keys.tracker"],
  ["F", "keys.fit"],
  ["+  −", "keys.zoom"],
  ["?", "keys.help"],
];

/**
 * A link in a new tab: people who ask for help are in the middle of something.
 * @param {string} address
 * @param {string} words a key
 */
function moreHelp(address, words) {
  if (address.split("#")[0] === location.pathname) return null; // That's this page.
  return h("p", {}, h("a", { class: "button", href: address, target: "_blank", t: words }));
}

/** Where the rules begin for these choices. @param {import("../types.js").Rules} [rules] */
function rulesAddress(rules) {
  return `/rules${rules?.joining === "ends" ? "#6.3" : rules?.scoring ? `#6.4-${rules.scoring}` : ""}`;
}

/** How to play by these rules, and the keys. @param {import("../types.js").Rules} [rules] none: the classic ones */
export function openHelp(rules) {
  const sentences = [
    rules?.joining === "ends" ? "help.place_ends" : "help.place",
    "help.draw",
    rules?.scoring ? "help.points" : "help.end",
    ...(rules?.chameleons === false ? [] : ["help.chameleon"]),
  ];
  openDialog(
    "help",
    "help.title",
    ...sentences.map((key) => h("p", { t: key })),
    moreHelp("/learn", "help.learn"),
    moreHelp(rulesAddress(rules), "help.rules"),
    h(
      "section",
      { class: "help-keys" },
      h("h3", { t: "help.keys" }),
      h(
        "dl",
        { class: "keys" },
        ...SHORTCUTS.flatMap(([keys, words]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", { t: words })]),
      ),
      toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => change({ shortcuts })),
    ),
  );
}
