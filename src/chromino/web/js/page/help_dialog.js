/** How to play, and the keyboard shortcuts. */

import { h } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { choiceWords } from "../language/words.js";
import { ruleChoices } from "../server/api.js";
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
  if (address === location.pathname) return null; // That's this page.
  return h("p", {}, h("a", { class: "button", href: address, target: "_blank", t: words }));
}

/** The choices of a game that are not the usual ones, each with a link to its rule. @param {import("../types.js").Rules} rules */
function unusualChoices(rules) {
  const list = h("ul", {});
  const section = h("section", { class: "help-choices", hidden: true }, h("h3", { t: "help.choices" }), list);
  const show = async () => {
    for (const { name, default: usual, rule, own_rules } of await ruleChoices()) {
      const value = name in rules ? /** @type {any} */ (rules)[name] : usual;
      if (value === usual) continue;
      const address = `/rules#${own_rules[String(value)] ?? rule}`;
      const words = t("help.choice", { name: t(`rule.${name}`), value: choiceWords(name, value) });
      list.append(h("li", {}, h("a", { class: "button", href: address, target: "_blank" }, words)));
      section.hidden = false;
    }
  };
  show().catch(() => {}); // Help that needs no server is there already.
  return section;
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
    rules ? unusualChoices(rules) : null,
    moreHelp("/learn", "help.learn"),
    moreHelp("/rules", "help.rules"),
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
