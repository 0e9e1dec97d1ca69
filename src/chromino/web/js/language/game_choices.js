/** The rules of one game in words, from its choices: for help, and for guests before they sit down. */

import { t } from "./i18n.js";
import { choiceKey, choiceWords } from "./words.js";

/** @typedef {import("../types.js").OfferedChoice} OfferedChoice */

/**
 * A line for each choice, in the order of the table: its value in a few words, what that means in play, and the number of
 * its rule.
 * @param {readonly OfferedChoice[]} choices
 * @param {Partial<import("../types.js").Rules>} rules
 * @param {number} players with one player, nobody can be faster and there's no round to finish
 */
export function rulesSummary(choices, rules, players) {
  const isSolo = players === 1;
  return choices
    .filter(({ name }) => !isSolo || name !== "ending")
    .map(({ name, default: usual, rule, own_rules }) => {
      const value = name in rules ? /** @type {any} */ (rules)[name] : usual;
      const about = [t(`${choiceKey(name, value)}_about`, { n: value })];
      if (name === "scoring" && value !== null) about.push(t(isSolo ? "help.solo_points" : "help.most_points"));
      else if (name === "scoring" && isSolo) about[0] = t("help.solo");
      return {
        name: t(`rule.${name}`),
        value: choiceWords(name, value),
        about: about.join(" "),
        rule: own_rules[String(value)] ?? rule,
        isUsual: value === usual,
      };
    });
}
