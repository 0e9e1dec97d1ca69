/** A game's rules in words, for the help dialog and for guests before they sit down. */

import { t } from "./i18n.js";
import { choiceKey, choiceWords } from "./words.js";

/** @typedef {import("../types.js").OfferedChoice} OfferedChoice */

/**
 * One line for each choice: the chosen value, what it means in play, and the number of its rule.
 * @param {readonly OfferedChoice[]} choices
 * @param {Partial<import("../types.js").Rules>} rules
 * @param {number} players with only one, the goal is different and there's no round to finish
 */
export function rulesSummary(choices, rules, players) {
  const isSolo = players === 1;
  return choices
    .filter(({ name }) => !isSolo || name !== "ending")
    .map(({ name, default: usual, rule, own_rules }) => {
      const value = name in rules ? /** @type {any} */ (rules)[name] : usual;
      return {
        name: t(`rule.${name}`),
        value: choiceWords(name, value),
        about: aboutWords(name, value, isSolo),
        rule: own_rules[String(value)] ?? rule,
        isUsual: value === usual,
      };
    });
}

/** What a choice means in play. @param {string} name @param {any} value @param {boolean} isSolo */
function aboutWords(name, value, isSolo) {
  if (name === "scoring" && value === null && isSolo) return t("help.solo");
  const about = t(`${choiceKey(name, value)}_about`, { n: value });
  if (name !== "scoring" || value === null) return about;
  return `${about} ${t(isSolo ? "help.solo_points" : "help.most_points")}`;
}
