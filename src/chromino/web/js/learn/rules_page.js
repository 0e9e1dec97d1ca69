/**
 * The rules page. The outline and the figures are the same in all languages, and each language has a file with its
 * text. The files are fetched only when you open the page. Tests compare the text and the figures with the engine.
 */

import { h, s } from "../browser/dom.js";
import { addStyle } from "../browser/style.js";
import { currentLanguage, joinSentences, LANGUAGES, t } from "../language/i18n.js";
import { choiceWords, placeWords, tileWords } from "../language/words.js";
import { frame } from "../page/frame.js";
import { Page } from "../page/page.js";
import { ruleChoices } from "../server/api.js";
import { edgeBetween, parsePlacement, parseTable } from "../table/geometry.js";
import { tablePicture } from "../table/table_picture.js";
import { tilePicture, UNIT } from "../table/tile_art.js";

/** @typedef {import("../types.js").Square} Square */

/**
 * @typedef {object} Outline
 * @property {{id: string, rules: string[]}[]} sections
 * @property {Record<string, string[]>} figures the names of each rule's figures
 * @property {Record<string, string[]>} see the rules that each rule refers to
 * @property {Record<string, string>[]} names the game's terms, each by language
 *
 * @typedef {object} Figure
 * @property {string} table
 * @property {string[]} [places] tiles that are placed in the figure
 * @property {string} [verdict] "legal", or the reason it isn't
 * @property {[Square, Square][]} [good] contacts that count
 * @property {[Square, Square][]} [bad] contacts that clash
 * @property {number[]} [points] what the placement earns
 *
 * @typedef {object} Rule
 * @property {string} title
 * @property {(string | string[])[]} text paragraphs and lists
 * @property {string} [ruling]
 * @property {string} [why]
 *
 * @typedef {object} Texts
 * @property {Record<string, string>} words
 * @property {Record<string, string>} sections
 * @property {Record<string, Rule>} rules
 * @property {Record<string, string>} figures captions
 */

const SQUARE = 38; // Pixels per square where there's room.
const MARGIN = 0.25; // In squares, around a figure.

export class RulesPage extends Page {
  /** @type {Outline} */
  outline = { sections: [], figures: {}, see: {}, names: [] };
  /** @type {Record<string, Figure>} */
  figures = {};
  /** @type {Texts} */
  texts = { words: {}, sections: {}, rules: {}, figures: {} };
  /** @type {import("../types.js").OfferedChoice[]} */
  choices = [];

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.text = h("div", { class: "rules-content" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true, t: "problem.away" });
    this.content = frame(go, { className: "rules" }, h("h1", { t: "rules.title" }), this.problem, this.text);
  }

  /** @override */
  start() {
    void this.load(true);
  }

  /** @override */
  show() {
    void this.load();
  }

  /** Load the text in the current language. @param {boolean} [isFirst] scroll to the rule in the address, too */
  async load(isFirst = false) {
    const language = currentLanguage();
    try {
      const [outline, figures, texts, choices] = await Promise.all([
        readRulesFile("outline", this.signal),
        readRulesFile("figures", this.signal),
        readRulesFile(language, this.signal),
        ruleChoices(),
        isFirst ? addStyle("/css/pages/rules.css").catch(() => {}) : null,
      ]);
      if (language !== currentLanguage() || this.signal.aborted) return; // Another language has been chosen since.
      Object.assign(this, { outline, figures, texts, choices });
      this.problem.hidden = true;
      this.showText(language);
      // The browser looked for the target before it existed.
      if (isFirst && location.hash) location.replace(location.hash);
    } catch {
      this.problem.hidden = this.signal.aborted;
    }
  }

  /** Render the rules without losing the reader's place. @param {string} language */
  showText(language) {
    const parts = () => /** @type {HTMLElement[]} */ ([...this.text.querySelectorAll(".rule")]);
    const anchor = scrollY > 0 ? parts().find((part) => part.getBoundingClientRect().bottom > 60) : undefined;
    const top = anchor?.getBoundingClientRect().top ?? 0;
    const { words } = this.texts;
    this.text.lang = language;
    this.text.replaceChildren(
      h(
        "div",
        { class: "rules-intro" },
        h("p", { class: "lead" }, words.lead ?? ""),
        h("button", { type: "button", class: "button", onclick: () => print() }, t("printing.print")),
      ),
      this.contents(),
      h("article", {}, ...this.outline.sections.map(({ id, rules }) => this.section(id, rules)), this.rulings()),
    );
    const moved = anchor && document.getElementById(anchor.id);
    if (moved) scrollBy({ top: moved.getBoundingClientRect().top - top, behavior: "instant" });
  }

  contents() {
    const { words, sections, rules } = this.texts;
    const entries = this.outline.sections.map(({ id, rules: ids }) =>
      h(
        "li",
        {},
        h("a", { href: `#${id}` }, numbered(id, sections[id] ?? "")),
        h(
          "ol",
          {},
          ...ids.map((rule) => h("li", {}, h("a", { href: `#${rule}` }, numbered(rule, rules[rule]?.title ?? "")))),
        ),
      ),
    );
    const last = h("li", {}, h("a", { href: "#rulings" }, words.rulings ?? ""));
    return h(
      "nav",
      { class: "contents", "aria-labelledby": "contents" },
      h("h2", { id: "contents" }, words.contents ?? ""),
      h("ol", {}, ...entries, last),
    );
  }

  /** @param {string} id @param {string[]} rules */
  section(id, rules) {
    const title = numbered(id, this.texts.sections[id] ?? "");
    return h("section", { id, class: "chapter" }, h("h2", {}, title), ...rules.map((rule) => this.rule(rule)));
  }

  /** @param {string} id */
  rule(id) {
    const { title = "", text = [], ruling, why } = this.texts.rules[id] ?? {};
    const number = numberOf(id);
    const figures = this.outline.figures[id] ?? [];
    return h(
      "section",
      { id, class: "rule" },
      h("h3", {}, number && h("a", { class: "number", href: `#${id}` }, number), h("span", {}, title)),
      ...text.map((part) =>
        typeof part === "string"
          ? h("p", {}, ...withTilePictures(part))
          : h("ul", {}, ...part.map((item) => h("li", {}, ...withTilePictures(item)))),
      ),
      id === "names" && this.names(),
      figures.length > 0 && h("div", { class: "figures" }, ...figures.map((name) => this.figure(name))),
      ruling !== undefined && this.ruling(id, ruling, why ?? ""),
      ...this.choices.filter(({ rule }) => rule === id).map((choice) => choiceLine(choice)),
      this.see(id),
    );
  }

  /** @param {string} id @param {string} ruling @param {string} why */
  ruling(id, ruling, why) {
    const { words } = this.texts;
    return h(
      "div",
      { class: "ruling", role: "note", "aria-labelledby": `${id}-ruling` },
      h("p", { class: "ruling-mark", id: `${id}-ruling` }, words.ruling ?? ""),
      h("p", {}, ...withTilePictures(ruling)),
      h("p", {}, h("strong", {}, words.why ?? ""), " ", why),
    );
  }

  /** @param {string} id */
  see(id) {
    const others = this.outline.see[id];
    return others
      ? h("p", { class: "see" }, h("span", {}, this.texts.words.see ?? ""), ...others.map((rule) => this.chip(rule)))
      : null;
  }

  rulings() {
    const { words, rules } = this.texts;
    const ids = this.outline.sections.flatMap(({ rules: all }) => all).filter((id) => rules[id]?.ruling !== undefined);
    return h(
      "section",
      { id: "rulings", class: "chapter" },
      h("h2", {}, words.rulings ?? ""),
      h("ul", { class: "see" }, ...ids.map((id) => h("li", {}, this.chip(id)))),
    );
  }

  /** A link to a rule. @param {string} id */
  chip(id) {
    return h("a", { class: "chip", href: `#${id}` }, numbered(id, this.texts.rules[id]?.title ?? ""));
  }

  /** @param {string} name */
  figure(name) {
    const { words, figures } = this.texts;
    const {
      table,
      places = [],
      verdict = "",
      good = [],
      bad = [],
      points,
    } = /** @type {Figure} */ (this.figures[name]);
    const laid = parseTable(table);
    const placed = places.map(parsePlacement);
    const isLegal = !verdict || verdict === "legal";
    const description = joinSentences([
      fill(words.table, laid.map(placeWords)),
      ...(placed.length ? [fill(words.placed, placed.map(placeWords))] : []),
    ]);
    const svg = tablePicture(laid, placed, isLegal ? "put" : "refused", description, MARGIN);
    svg.setAttribute("width", String((svg.viewBox.baseVal.width / UNIT) * SQUARE));
    svg.append(...good.map((edge) => edgeArt(edge, true)), ...bad.map((edge) => edgeArt(edge, false)));
    return h(
      "figure",
      { "data-figure": name },
      svg,
      h(
        "figcaption",
        {},
        verdict &&
          !points &&
          h("strong", { class: isLegal ? "verdict" : "verdict not" }, (isLegal ? words.legal : words.illegal) ?? ""),
        " ",
        h("span", {}, ...withTilePictures(figures[name] ?? "")),
      ),
    );
  }

  /** A table of the game's terms in each language, with the reader's language first. */
  names() {
    const { title = "" } = this.texts.rules.names ?? {};
    const [own = "", ...others] = [...new Set([currentLanguage(), ...Object.keys(LANGUAGES)])];
    return h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": title },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, ...[own, ...others].map((tag) => h("th", { scope: "col", lang: tag }, LANGUAGES[tag] ?? ""))),
        ),
        h(
          "tbody",
          {},
          ...this.outline.names.map((words) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, words[own] ?? ""),
              ...others.map((tag) => h("td", { lang: tag }, words[tag] ?? "")),
            ),
          ),
        ),
      ),
    );
  }
}

/** The choices a rule offers. @param {import("../types.js").OfferedChoice} choice */
function choiceLine({ name, values }) {
  const words = values.map((value) => choiceWords(name, value)).join(" · ");
  return h("p", { class: "choose" }, h("strong", {}, t("rules.choose", { name: t(`rule.${name}`) })), " ", words);
}

/** Load one of the rules files. @param {string} name @param {AbortSignal} signal @returns {Promise<any>} */
async function readRulesFile(name, signal) {
  const answer = await fetch(`/rules/${name}.json`, { signal });
  if (!answer.ok) throw new Error(`can't load the rules file ${name}`);
  return answer.json();
}

/** "6.4" from "6.4-b", nothing from "editions". @param {string} id */
function numberOf(id) {
  return /^[\d.]+/.exec(id)?.[0] ?? "";
}

/** @param {string} id @param {string} title */
function numbered(id, title) {
  return `${numberOf(id)} ${title}`.trim();
}

/** @param {string | undefined} text @param {string[]} tiles */
function fill(text, tiles) {
  return (text ?? "").replace("{tiles}", tiles.join("; "));
}

/** Text with a small picture of the tile in place of {RGB}. @param {string} text @returns {(Node | string)[]} */
function withTilePictures(text) {
  return text
    .split(/\{([RGBYP*]{3})\}/)
    .map((part, n) =>
      n % 2 ? h("span", { class: "inline-tile", role: "img", "aria-label": tileWords(part) }, tilePicture(part)) : part,
    );
}

/** A line along a contact's edge, with a cross if it's bad. @param {[Square, Square]} edge @param {boolean} good */
function edgeArt([one, other], good) {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = edgeBetween(one, other).map((n) => n * UNIT);
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  // Leave gaps between the edges, so that you can count them.
  const shorten = (/** @type {number} */ end, /** @type {number} */ middle) => middle + (end - middle) * 0.6;
  const line = { x1: shorten(x1, x), y1: shorten(y1, y), x2: shorten(x2, x), y2: shorten(y2, y) };
  if (good) return s("line", { class: "edge good", ...line });
  const cross = s("path", { class: "cross", d: "M-9-9 9 9M9-9-9 9", transform: `translate(${x} ${y})` });
  return s("g", {}, s("line", { class: "edge", ...line }), cross);
}
