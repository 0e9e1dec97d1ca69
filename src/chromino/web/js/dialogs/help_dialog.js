/** The help dialog: how to play, and the keyboard shortcuts. */

import { h } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { soloResult } from "../browser/solo_results.js";
import { t } from "../language/i18n.js";
import { rulesSummary } from "../language/rules_summary.js";
import { toggle } from "../page/controls.js";
import { problemKey } from "../page/problem.js";
import { ruleChoices } from "../server/api.js";
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
  ["U", "keys.undo"],
  ["T", "keys.tracker"],
  ["F", "keys.fit"],
  ["+  −", "keys.zoom"],
  ["?", "keys.help"],
];

/**
 * A link that opens in a new tab, because people who ask for help are in the middle of something.
 * @param {string} address
 * @param {string} words a catalog key
 */
function moreHelp(address, words) {
  if (address === location.pathname) return null; // We're already on that page.
  return h("p", {}, h("a", { class: "button", href: address, target: "_blank", t: words }));
}

/**
 * A game's rule choices and what they mean in play, each with a link to its rule.
 * @param {Partial<import("../types.js").Rules>} rules @param {number} players
 */
function chosenRules(rules, players) {
  const list = h("dl", { class: "rules-summary" });
  const show = async () => {
    for (const { name, about, rule } of rulesSummary(await ruleChoices(), rules, players)) {
      const words = t("help.choice", { name });
      const link = h("a", { href: `/rules#${rule}`, target: "_blank", "aria-label": words }, name);
      list.append(h("dt", {}, link), h("dd", {}, about));
    }
  };
  show().catch((error) => list.append(h("dd", { class: "problem", t: problemKey(error) })));
  return list;
}

/**
 * Open the help for a game's rules.
 * @param {Partial<import("../types.js").Rules>} [rules] the classic rules if left out @param {number} [players]
 */
export function openHelp(rules = {}, players = 2) {
  const toBeat = players === 1 ? soloResult(rules) : null;
  openDialog(
    "help",
    "help.title",
    chosenRules(rules, players),
    toBeat && h("p", {}, t(rules.scoring ? "help.beat_points" : "help.beat_turns", toBeat)),
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
      toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => changeSettings({ shortcuts })),
    ),
  );
}
