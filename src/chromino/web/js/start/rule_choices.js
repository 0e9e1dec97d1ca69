/** Rule choices as dropdowns. Values that don't go with the other choices are disabled, and a line says why. */

import { h, keyed } from "../browser/dom.js";
import { joinSentences, listed, t } from "../language/i18n.js";
import { choiceWords } from "../language/words.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {import("../types.js").Option} Option */

/**
 * Show one dropdown for each choice.
 * @param {HTMLElement} parent
 * @param {Options} options
 * @param {(changes: Record<string, any>) => void} choose
 */
export function showRuleChoices(parent, options, choose) {
  keyed(
    parent,
    Object.keys(options.choices),
    (name) => name,
    (name) => makeChoice(name, choose),
    (item, name) => showChoice(item, name, options),
  );
}

/** @param {string} name @param {(changes: Record<string, any>) => void} choose */
function makeChoice(name, choose) {
  const select = h("select", { name, "aria-describedby": `why-${name}` });
  select.addEventListener("change", () => choose(JSON.parse(select.selectedOptions[0]?.dataset.sets ?? "{}")));
  return h(
    "div",
    { class: "choice" },
    h("label", {}, h("span", { t: `rule.${name}` }), select),
    h("p", { class: "why-not", id: `why-${name}` }),
  );
}

/** @param {HTMLElement} item @param {string} name @param {Options} options */
function showChoice(item, name, { choices, rules }) {
  const select = /** @type {HTMLSelectElement} */ (item.querySelector("select"));
  const values = choices[name] ?? [];
  select.replaceChildren(
    ...values.map(({ value, fits, sets }) =>
      h(
        "option",
        {
          "data-sets": JSON.stringify({ [name]: value, ...sets }),
          disabled: !fits,
          selected: value === /** @type {any} */ (rules)[name],
        },
        choiceWords(name, value),
      ),
    ),
  );
  const why = /** @type {HTMLElement} */ (item.querySelector(".why-not"));
  why.textContent = whyNot(name, values);
}

/**
 * What can't be chosen now, and why: one sentence for each reason.
 * @param {string} name @param {readonly Option[]} values
 */
export function whyNot(name, values) {
  const reasons = [...new Set(values.flatMap(({ fits, why }) => (fits ? [] : [why])))];
  const sentences = reasons.map((why) => {
    const unavailable = values.filter((option) => !option.fits && option.why === why);
    return t("setup.not_now", {
      words: listed(unavailable.map(({ value }) => t("setup.quoted", { words: choiceWords(name, value) }))),
      why: t(`why.${why}`),
    });
  });
  return joinSentences(sentences);
}

/** The choices that differ from a preset's, like "Hands: Face up". @param {Options} options @param {string} preset */
export function unusualChoices({ choices, rules, presets }, preset) {
  const usual = /** @type {any} */ (presets[preset] ?? {});
  const chosen = /** @type {any} */ (rules);
  return Object.keys(choices)
    .filter((name) => chosen[name] !== usual[name])
    .map((name) => t("words.labeled", { name: t(`rule.${name}`), value: choiceWords(name, chosen[name]) }));
}
