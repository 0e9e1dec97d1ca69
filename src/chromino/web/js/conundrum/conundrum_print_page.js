/** Conundrums to print: a page with 1, 2, 4 or 6 of them, and a second page with the solutions upside down. */

import { h } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { tileWords } from "../language/words.js";
import { frame } from "../page/frame.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { conundrumOf, missingPlaces } from "../server/api.js";
import { parsePlacement, parseTable } from "../table/geometry.js";
import { tablePicture } from "../table/table_picture.js";
import { tilePicture } from "../table/tile_art.js";
import { dayBefore, dayOf } from "./solved_conundrums.js";

export class ConundrumPrintPage extends Page {
  count = 4;
  grade = 3;
  requests = 0;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.sheets = h("div", {});
    this.problem = problemLine();
    const count = this.select([1, 2, 4, 6], this.count, (n) => (this.count = n));
    const grade = this.select([1, 2, 3, 4, 5], this.grade, (n) => (this.grade = n));
    this.content = frame(
      go,
      { className: "printing" },
      h("h1", { t: "conundrum.print_title" }),
      h("label", { class: "choice" }, h("span", { t: "printing.count" }), count),
      h("label", { class: "choice" }, h("span", { t: "printing.grade" }), grade),
      h("button", { type: "button", class: "button primary", t: "printing.print", onclick: () => print() }),
      this.problem,
      this.sheets,
    );
  }

  /** @override */
  start() {
    void this.load();
  }

  /** @override */
  show() {
    void this.load();
  }

  /** @param {number[]} values @param {number} chosen @param {(value: number) => void} set */
  select(values, chosen, set) {
    const select = h(
      "select",
      {},
      ...values.map((value) => h("option", { value, selected: value === chosen }, String(value))),
    );
    select.addEventListener("change", () => {
      set(Number(select.value));
      void this.load();
    });
    return select;
  }

  async load() {
    const request = ++this.requests;
    const days = [dayOf()];
    while (days.length < this.count) days.push(dayBefore(/** @type {string} */ (days[days.length - 1])));
    try {
      const conundrums = await Promise.all(days.map((day) => conundrumOf(day, this.grade)));
      const solutions = await Promise.all(conundrums.map(({ conundrum }) => missingPlaces(conundrum, [])));
      if (request !== this.requests) return; // Something else has been chosen since.
      this.problem.hidden = true;
      const sheetClass = `sheet of-${this.count}`;
      this.sheets.replaceChildren(
        h("section", { class: sheetClass }, ...conundrums.map((conundrum, n) => figure(conundrum, n, []))),
        h(
          "section",
          { class: `${sheetClass} solutions` },
          ...conundrums.map((conundrum, n) => figure(conundrum, n, solutions[n] ?? [])),
        ),
      );
    } catch (error) {
      showProblem(this.problem, error);
    }
  }
}

/**
 * @param {import("../types.js").Conundrum} conundrum
 * @param {number} number
 * @param {string[]} places to show as solutions
 */
function figure({ table, asked }, number, places) {
  const laid = parseTable(table);
  const solutions = places.map(parsePlacement);
  const svg = tablePicture(laid, solutions, "found", t("table.label", { n: laid.length }));
  const tiles = asked.map(({ tile, count }) =>
    h("span", {}, h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile)), ` × ${count}`),
  );
  return h("figure", {}, h("strong", {}, String(number + 1)), svg, h("figcaption", {}, ...tiles));
}
