/** The review of a finished game: luck and choices, move by move, and what would have been better. */

import { h, setAttribute, setText } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { placeWords, seatName, tileWords } from "../language/words.js";
import { momentAt, readRecord } from "../replay/record.js";
import { recordOf, reviewOf } from "../server/api.js";
import { parsePlacement } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";
import { Chart } from "./chart.js";
import { measureOf } from "./review_measure.js";
import "../table/table.js";
import { iconButton } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";

/** @typedef {import("../types.js").Choice} Choice */

const LISTED = 5; // Moves that cost most.

export class ReviewPage extends Page {
  /** @type {import("../types.js").Review | null} */
  review = null;
  /** @type {import("../replay/record.js").Record | null} */
  record = null;
  current = 0;
  asked = 0;

  /** @param {(path: string) => void} go @param {string} game */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.table = /** @type {import("../table/table.js").ChrominoTable} */ (document.createElement("chromino-table"));
    this.chart = new Chart((index) => this.goTo(index));
    this.problem = problemLine();
    this.waiting = h("p", { role: "status", t: "review.thinking" });
    this.result = h("p", { class: "result" });
    this.summary = h("p");
    this.gains = h("dl", { class: "gains" });
    this.nth = h("p", { class: "nth", "aria-hidden": "true" });
    this.words = h("p", { class: "status", role: "status" });
    this.hand = h("p", { class: "final-hand" });
    this.costly = h("ol", { class: "costly-moves" });
    this.whose = h("select", { tLabel: "review.whose" });
    this.whose.addEventListener("change", () => void this.load(Number(this.whose.value)));
    this.measures = h("fieldset", { class: "segments", hidden: true });
    this.chartTitle = h("h2");
    this.about = h("p", { class: "muted" });
    this.viewer = h(
      "div",
      { class: "viewer", hidden: true },
      this.result,
      this.summary,
      this.gains,
      h(
        "div",
        { class: "review-of" },
        h("label", { class: "choice" }, h("span", { t: "review.whose" }), this.whose),
        this.measures,
      ),
      this.chartTitle,
      this.chart.box,
      this.about,
      h(
        "div",
        { class: "controls" },
        iconButton("back", "review.back", () => this.goTo(this.current - 1)),
        this.nth,
        iconButton("next", "review.next", () => this.goTo(this.current + 1)),
        this.words,
      ),
      h("div", { class: "table-box" }, this.table),
      h(
        "p",
        { class: "marks-legend" },
        h("span", { t: "review.mark_played" }),
        " ",
        h("span", { t: "review.mark_better" }),
      ),
      h("div", { class: "hand-then" }, h("span", { class: "muted", t: "review.hand" }), this.hand),
      h("h2", { t: "review.costly" }),
      this.costly,
      h("p", {}, linkTo(go, `/replay/${game}`, { class: "button", t: "end.replay" })),
    );
    this.content = frame(
      go,
      { main: "review" },
      h("h1", { t: "review.title" }),
      this.problem,
      this.waiting,
      this.viewer,
    );
  }

  /** @override */
  start() {
    this.listen(window, "hashchange", () => this.goToMove(location.hash));
    void this.load(null);
  }

  /** @param {number | null} seat @param {string | null} [measure] */
  async load(seat, measure = new URLSearchParams(location.search).get("measure")) {
    const asked = ++this.asked;
    this.waiting.hidden = false;
    try {
      const [review, record] = await Promise.all([
        reviewOf(this.game, seat, measure),
        this.record ?? recordOf(this.game).then(readRecord),
      ]);
      if (this.isClosed || asked !== this.asked) return; // Another seat has been chosen since.
      this.problem.hidden = true;
      this.review = review;
      this.record = record;
    } catch (error) {
      showProblem(this.problem, error);
      return;
    } finally {
      this.waiting.hidden = true;
    }
    this.viewer.hidden = false;
    this.current = this.costliest()[0]?.index ?? 0;
    this.show();
    this.goToMove(location.hash);
  }

  /** The choices that clearly cost something, the most expensive first. */
  costliest() {
    const choices = (this.review?.choices ?? []).map((choice, index) => ({ ...choice, index }));
    return choices
      .filter(({ clear }) => clear)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, LISTED);
  }

  /** How the values of this review are written. @param {import("../types.js").Review} review */
  measure({ measure, seats }) {
    return measureOf(measure, seats.length === 1);
  }

  /** @override */
  show() {
    const { review } = this;
    if (!review) return;
    this.showSummary(review);
    this.showMeasures(review);
    const { amount, chart, about } = this.measure(review);
    setText(this.chartTitle, chart);
    setText(this.about, about);
    const costly = this.costliest();
    this.costly.replaceChildren(
      ...costly.map((choice) => {
        const words = t("review.costly_move", {
          n: choice.version + 1,
          cost: amount(choice.cost),
          better: placeWords(parsePlacement(choice.best)),
        });
        return h(
          "li",
          {},
          h("button", { type: "button", class: "button", onclick: () => this.lookAt(choice.index) }, words),
        );
      }),
    );
    if (!costly.length) this.costly.append(h("li", { t: "review.nothing_costly" }));
    this.showMove();
  }

  /** @param {import("../types.js").Review} review */
  showSummary(review) {
    const { seat, seats, gains, cost, result, fair } = review;
    const name = seatName(seats, seat);
    const mine = Boolean(seats[seat]?.mine);
    const how = this.outcome(review);
    const sentences = [t(`outcome.${mine ? "you" : "they"}_${how}`, { name })];
    const solo = seats.length === 1;
    if (solo)
      sentences.push(t("end.turns", { n: this.record?.events.filter(({ draw }) => draw === undefined).length }));
    this.result.textContent = sentences.join(" ");
    const { gain, amount, around, value, fair: begins } = this.measure(review);
    const luck = gain(gains.deal.mean + gains.draw.mean);
    const choices = gain(gains.choice.mean);
    const summary = solo
      ? t("review.summary_solo", { luck, choices })
      : t("review.summary", { luck, choices, others: gain(gains.others.mean) });
    this.summary.textContent = `${summary} ${t("review.more", { cost: amount(Math.max(0, cost.mean)), error: amount(cost.error) })}`;
    /** @type {[string, string][]} */
    const lines = [
      [begins, value(fair)],
      ["gain.deal", around(gains.deal)],
      ["gain.draw", around(gains.draw)],
      ["gain.choice", around(gains.choice)],
      ["gain.others", around(gains.others)],
      ["gain.result", value(result)],
    ];
    const shown = lines.filter(([key]) => !solo || key !== "gain.others");
    this.gains.replaceChildren(...shown.flatMap(([key, words]) => [h("dt", { t: key }), h("dd", {}, words)]));
    this.whose.replaceChildren(
      ...seats.map((_, number) => h("option", { value: number, selected: number === seat }, seatName(seats, number))),
    );
  }

  /** Did this seat win? @param {import("../types.js").Review} review @returns {"won" | "shared" | "lost"} */
  outcome({ measure, result, seats, seat }) {
    if (seats.length === 1) {
      const left = this.record && momentAt(this.record, this.record.events.length).hands[seat];
      return left?.length ? "lost" : "won"; // Solo is won by running out, however many points.
    }
    if (measure === "points") return result > 0 ? "won" : result < 0 ? "lost" : "shared";
    return result === 1 ? "won" : result === 0 ? "lost" : "shared";
  }

  /** Show the measures, if there's a choice. @param {import("../types.js").Review} review */
  showMeasures({ measure, measures, seats, seat }) {
    this.measures.hidden = measures.length < 2;
    const focused = this.measures.contains(document.activeElement);
    const choices = measures.map((name) => {
      const input = h("input", { type: "radio", name: "measure", value: name, checked: name === measure });
      input.addEventListener("change", () => {
        history.replaceState(null, "", `?measure=${name}${location.hash}`); // So that the address can be shared.
        void this.load(seat, name);
      });
      return h("label", {}, input, h("span", { t: measureOf(name, seats.length === 1).name }));
    });
    this.measures.replaceChildren(h("legend", { class: "spoken", t: "review.measure" }), ...choices);
    if (focused) /** @type {HTMLElement | null} */ (this.measures.querySelector("input:checked"))?.focus();
  }

  /** Show the current choice: chart, table and words. */
  showMove() {
    const { review, record, current } = this;
    if (!review || !record) return;
    const stops = review.choices.map((choice) => ({
      x: choice.version + 1,
      y: choice.value.mean,
      name: this.nameOf(review, choice),
      costly: choice.clear,
    }));
    const line = [{ x: 0, y: review.fair }, ...review.steps.map(({ until, after }) => ({ x: until, y: after.mean }))];
    const { chart, axis } = this.measure(review);
    this.chart.show({ label: t(chart), axis: axis(line.map(({ y }) => y)), line, stops, current });
    const choice = review.choices[current];
    const moment = momentAt(record, choice ? choice.version : record.events.length);
    const marked = choice ? [{ place: parsePlacement(choice.chosen), name: "played" }] : [];
    if (choice?.clear) marked.push({ place: parsePlacement(choice.best), name: "better" });
    this.table.show({ laid: moment.laid, last: null, marked });
    this.table.reveal(marked.map(({ place }) => place));
    this.nth.textContent = choice ? t("review.nth", { n: current + 1, all: review.choices.length }) : "";
    this.words.textContent = choice ? this.wordsOf(review, choice) : t("review.no_choices");
    this.hand.replaceChildren(
      ...(moment.hands[review.seat] ?? []).map((tile) =>
        h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile)),
      ),
    );
    setAttribute(this.viewer, "data-move", choice ? choice.version + 1 : null);
  }

  /** A point of the chart in words. @param {import("../types.js").Review} review @param {Choice} choice */
  nameOf(review, { version, value, cost, clear }) {
    const measure = this.measure(review);
    const values = { n: version + 1, value: measure.value(value.mean), cost: measure.amount(cost) };
    return t(clear ? "review.point_cost" : "review.point", values);
  }

  /** @param {import("../types.js").Review} review @param {Choice} choice */
  wordsOf(review, { version, chosen, best, value, best_value, clear }) {
    const measure = this.measure(review);
    const values = {
      n: version + 1,
      place: placeWords(parsePlacement(chosen)),
      value: measure.value(value.mean),
      better: placeWords(parsePlacement(best)),
      best: measure.value(best_value.mean),
    };
    return t(clear ? "review.move_better" : "review.move_good", values);
  }

  /** @param {number} index of a choice */
  goTo(index) {
    const last = (this.review?.choices.length ?? 0) - 1;
    this.current = Math.max(0, Math.min(last, index));
    const choice = this.review?.choices[this.current];
    if (choice) history.replaceState(null, "", `${location.search}#${choice.version + 1}`);
    this.showMove();
  }

  /** Go to a choice from the list below, when the table may be out of sight. @param {number} index */
  lookAt(index) {
    this.goTo(index);
    this.table.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} hash of an address: a move */
  goToMove(hash) {
    const index = this.review?.choices.findIndex(({ version }) => hash === `#${version + 1}`) ?? -1;
    if (index >= 0) this.goTo(index);
  }
}
