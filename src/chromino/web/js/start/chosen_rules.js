/** What guests should know before they sit down: all of the game's rule choices, and a button that explains them. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { openHelp } from "../dialogs/help_dialog.js";
import { currentLanguage, t } from "../language/i18n.js";
import { rulesSummary } from "../language/rules_summary.js";
import { limitWords } from "../language/words.js";
import { ruleChoices } from "../server/api.js";

/** @typedef {import("../types.js").Gathering} Gathering */

/** One line on what's special about this game, and a list of all its choices. */
export class ChosenRules {
  lead = h("p", { class: "lead" });
  list = h("details", { class: "chosen-rules", hidden: true });
  /** What was rendered last, so that we don't render it again. */
  shown = "";
  language = "";

  /** @param {Gathering} gathering */
  async show({ preset, rules, chairs, turn_limit, watch, aids, rated, latecomers, host }) {
    const summary = rulesSummary(await ruleChoices(), rules, chairs.length);
    const name = t(preset ? `preset.${preset}` : "preset.custom");
    const shown = JSON.stringify([summary, name, turn_limit, watch, aids, rated, latecomers, currentLanguage()]);
    if (this.shown === shown) return;
    this.shown = shown;
    const unusual = preset ? [] : summary.filter(({ isUsual }) => !isUsual);
    const special = unusual.map(({ name, value }) => t("words.labeled", { name, value }));
    const facts = [name, ...special, rated && t("game.rated"), turn_limit && limitWords(turn_limit)];
    const words = facts.filter(Boolean).join(" · ");
    const hasChanged = this.language === currentLanguage() && this.lead.textContent !== words;
    this.language = currentLanguage();
    this.lead.textContent = words;
    if (hasChanged && !host) this.announceChange();
    const lines = [
      ...summary,
      { name: t("setup.limit"), value: turn_limit ? limitWords(turn_limit) : t("limit.none"), isUsual: !turn_limit },
      { name: t("join.spectators"), value: t(watch ? "join.allowed" : "join.not_allowed"), isUsual: watch },
      {
        name: t("join.latecomers"),
        value: t(latecomers && !rated ? "join.allowed" : "join.not_allowed"),
        isUsual: latecomers && !rated,
      },
      { name: t("join.aids"), value: t(aids ? "join.allowed" : "join.not_allowed"), isUsual: aids },
    ];
    this.list.replaceChildren(
      h("summary", { t: "join.all_rules" }),
      rated ? h("p", { class: "muted", t: "game.rated_about" }) : "",
      h(
        "dl",
        { class: "rules-summary brief" },
        ...lines.flatMap(({ name, value, isUsual }) => [
          h("dt", {}, name),
          h("dd", { class: isUsual ? "" : "unusual" }, value),
        ]),
      ),
      h("button", { type: "button", class: "button", t: "help.title", onclick: () => openHelp(rules, chairs.length) }),
    );
    this.list.hidden = false;
  }

  /** Draw guests' attention to the rules, because the host has changed them. */
  announceChange() {
    this.lead.classList.add("changed");
    say(this.lead.textContent ?? "");
  }
}
