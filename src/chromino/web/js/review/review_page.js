/**
 * The review of a finished game, next to its table: what the choices cost, move by move, and what would have been
 * better.
 */

import { h, setAttribute, setText } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { seatName, tileWords } from "../language/words.js";
import { positionAfter, readRecord } from "../replay/record.js";
import { recordOf, reviewOf } from "../server/api.js";
import { parsePlacement } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";
import { Chart } from "./chart.js";
import { comparedTile } from "./compared_tile.js";
import { MoveList } from "./move_list.js";
import { measureNamed } from "./review_measure.js";
import {
  chartPointWords,
  gainLines,
  headline,
  measureOfReview,
  moveWords,
  resultWords,
  summaryWords,
} from "./review_words.js";
import "../table/table.js";
import { iconButton } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";

/** @typedef {import("../types.js").Choice} Choice */
/** @typedef {import("../types.js").Review} Review */

export class ReviewPage extends Page {
  /** @type {Review | null} */
  review = null;
  /** @type {import("../replay/record.js").Record | null} */
  record = null;
  /**
   * Every tile on the final table, and every better placement. With them in view, the camera doesn't have to move.
   * @type {import("../types.js").Placement[]}
   */
  allTiles = [];
  /** The index of the choice that's shown. */
  current = 0;
  requests = 0;

  table = /** @type {import("../table/table.js").ChrominoTable} */ (document.createElement("chromino-table"));
  chart = new Chart((index) => this.goTo(index));
  moves = new MoveList((index) => this.goTo(index));
  problem = problemLine();
  thinking = h("p", { role: "status", t: "review.thinking" });
  result = h("p", { class: "result" });
  number = h("strong", { class: "headline-number" });
  cost = h("span", { class: "headline-words" });
  summary = h("p");
  gains = h("dl", { class: "gains" });
  choiceNumber = h("p", { class: "nth", "aria-hidden": "true" });
  words = h("p", { class: "status spoken", role: "status" });
  comparison = h("div", { class: "compared", "aria-hidden": "true" });
  hand = h("p", { class: "final-hand" });
  seatSelect = h("select", { tLabel: "review.whose" });
  measures = h("fieldset", { class: "segments", hidden: true });
  chartTitle = h("h2");
  about = h("p", { class: "muted" });

  /** @param {(path: string) => void} go @param {string} game */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.seatSelect.addEventListener("change", () => void this.load(Number(this.seatSelect.value)));
    this.replay = linkTo(go, `/replay/${game}`, { class: "button", t: "end.replay", hidden: true });
    this.viewer = h("div", { class: "viewer", hidden: true }, this.board(), this.side());
    this.content = frame(
      go,
      { main: "review" },
      h("div", { class: "title-row" }, h("h1", { t: "review.title" }), this.replay),
      this.problem,
      this.thinking,
      this.viewer,
    );
  }

  /** The table, and the choice that's shown on it. */
  board() {
    return h(
      "div",
      { class: "board-side" },
      h("div", { class: "table-box" }, this.table),
      h(
        "div",
        { class: "controls" },
        iconButton("back", "review.back", () => this.goTo(this.current - 1)),
        h("div", { class: "shown-move" }, this.choiceNumber, this.comparison, this.words),
        iconButton("next", "review.next", () => this.goTo(this.current + 1)),
      ),
      h("div", { class: "hand-at-move" }, h("span", { class: "muted", t: "review.hand" }), this.hand),
    );
  }

  /** The headline, the chart, the list of moves, and the breakdown. */
  side() {
    return h(
      "div",
      { class: "facts-side" },
      h("div", { class: "headline" }, this.result, h("p", {}, this.number, " ", this.cost)),
      h("div", { class: "review-of" }, this.seatSelect, this.measures),
      this.chartTitle,
      this.chart.box,
      this.moves.list,
      h(
        "details",
        { class: "breakdown" },
        h("summary", { t: "review.breakdown" }),
        this.summary,
        this.gains,
        this.about,
      ),
    );
  }

  /** @override */
  start() {
    this.listen(window, "hashchange", () => this.goToMove(location.hash));
    this.listen(window, "keydown", (event) => this.onKey(event));
    void this.load(null);
  }

  /** @param {number | null} seat @param {string | null} [measure] */
  async load(seat, measure = new URLSearchParams(location.search).get("measure")) {
    const request = ++this.requests;
    this.thinking.hidden = false;
    try {
      const [review, record] = await Promise.all([
        reviewOf(this.game, seat, measure),
        this.record ?? recordOf(this.game).then(readRecord),
      ]);
      if (this.isClosed || request !== this.requests) return; // Something else has been chosen since.
      this.problem.hidden = true;
      this.review = review;
      this.record = record;
      this.allTiles = [
        ...positionAfter(record, record.events.length).laid,
        ...review.choices.filter(({ clear }) => clear).map(({ best }) => parsePlacement(best)),
      ];
    } catch (error) {
      showProblem(this.problem, error);
      return;
    } finally {
      this.thinking.hidden = true;
    }
    this.viewer.hidden = false;
    this.replay.hidden = false;
    this.current = costliest(this.review.choices);
    this.show();
    this.goToMove(location.hash);
  }

  /** @override */
  show() {
    const { review, record } = this;
    if (!review || !record) return;
    const { chart, about } = measureOfReview(review);
    const { number, words } = headline(review);
    this.result.textContent = resultWords(review, record);
    this.number.textContent = number;
    this.cost.textContent = words;
    this.summary.textContent = summaryWords(review);
    this.gains.replaceChildren(...gainLines(review).flatMap(([key, line]) => [h("dt", { t: key }), h("dd", {}, line)]));
    setText(this.chartTitle, chart);
    setText(this.about, about);
    this.showSeats(review);
    this.showMeasures(review);
    this.showMove();
  }

  /** @param {Review} review */
  showSeats({ seats, seat }) {
    this.seatSelect.replaceChildren(
      ...seats.map((_, number) => h("option", { value: number, selected: number === seat }, seatName(seats, number))),
    );
  }

  /** Offer the measures, if there's more than one. @param {Review} review */
  showMeasures({ measure, measures, seats, seat }) {
    this.measures.hidden = measures.length < 2;
    const focused = this.measures.contains(document.activeElement);
    const choices = measures.map((name) => {
      const input = h("input", { type: "radio", name: "measure", value: name, checked: name === measure });
      input.addEventListener("change", () => {
        history.replaceState(null, "", `?measure=${name}${location.hash}`); // So that the address can be shared.
        void this.load(seat, name);
      });
      return h("label", {}, input, h("span", { t: measureNamed(name, seats.length === 1).name }));
    });
    this.measures.replaceChildren(h("legend", { class: "spoken", t: "review.measure" }), ...choices);
    if (focused) /** @type {HTMLElement | null} */ (this.measures.querySelector("input:checked"))?.focus();
  }

  /** Show the current choice on the table, in the chart, in the list, and in words. */
  showMove() {
    const { review, record, current } = this;
    if (!review || !record) return;
    const choice = review.choices[current];
    this.showChart(review);
    this.showMoves(review);
    const position = positionAfter(record, choice ? choice.version : record.events.length);
    const marked = choice ? [{ place: parsePlacement(choice.chosen), name: "played" }] : [];
    if (choice?.clear) marked.push({ place: parsePlacement(choice.best), name: "better" });
    this.table.show({ laid: position.laid, last: null, marked, ahead: this.allTiles });
    this.table.reveal(marked.map(({ place }) => place));
    this.showComparison(review, choice);
    this.words.textContent = choice ? moveWords(review, choice) : t("review.no_choices");
    this.words.classList.toggle("spoken", Boolean(choice));
    this.hand.replaceChildren(
      ...(position.hands[review.seat] ?? []).map((tile) =>
        h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile)),
      ),
    );
    setAttribute(this.viewer, "data-move", choice ? choice.version + 1 : null);
  }

  /** @param {Review} review */
  showChart(review) {
    const stops = review.choices.map((choice) => ({
      x: choice.version + 1,
      y: choice.value.mean,
      name: chartPointWords(review, choice),
      costly: choice.clear,
    }));
    const line = [{ x: 0, y: review.fair }, ...review.steps.map(({ until, after }) => ({ x: until, y: after.mean }))];
    const { chart, axis } = measureOfReview(review);
    this.chart.show({ label: t(chart), axis: axis(line.map(({ y }) => y)), line, stops, current: this.current });
  }

  /** @param {Review} review */
  showMoves(review) {
    const { short, shortAmount } = measureOfReview(review);
    const moves = review.choices.map((choice) => ({
      number: choice.version + 1,
      words: moveWords(review, choice),
      colors: parsePlacement(choice.chosen).colors,
      value: short(choice.value.mean),
      better: choice.clear ? { colors: parsePlacement(choice.best).colors, cost: shortAmount(choice.cost) } : null,
    }));
    this.moves.show(moves, this.current);
  }

  /**
   * Show what was played and what would have been better, with the same symbols as on the table.
   * @param {Review} review @param {Choice} [choice]
   */
  showComparison(review, choice) {
    this.choiceNumber.textContent = choice ? t("review.nth", { n: this.current + 1, all: review.choices.length }) : "";
    this.comparison.replaceChildren();
    if (!choice) return;
    const { value } = measureOfReview(review);
    this.comparison.append(comparedTile("●", choice.chosen, value(choice.value.mean), "review.played"));
    if (choice.clear)
      this.comparison.append(comparedTile("★", choice.best, value(choice.best_value.mean), "review.better"));
    else this.comparison.append(h("span", { class: "muted", t: "review.nothing_better" }));
  }

  /** @param {number} index of a choice */
  goTo(index) {
    const last = (this.review?.choices.length ?? 0) - 1;
    this.current = Math.max(0, Math.min(last, index));
    const choice = this.review?.choices[this.current];
    if (choice) history.replaceState(null, "", `${location.search}#${choice.version + 1}`);
    this.showMove();
  }

  /** @param {string} hash the part of an address that names a move */
  goToMove(hash) {
    const index = this.review?.choices.findIndex(({ version }) => hash === `#${version + 1}`) ?? -1;
    if (index >= 0) this.goTo(index);
  }

  /**
   * Left, right, Home and End move through the choices, unless the focus is in an input, a select or a dialog.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (document.querySelector("dialog[open]") || /** @type {Element} */ (event.target).closest("input, select"))
      return;
    const last = (this.review?.choices.length ?? 0) - 1;
    const target = { ArrowLeft: this.current - 1, ArrowRight: this.current + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const inList = this.moves.list.contains(document.activeElement);
    this.goTo(target);
    if (inList) this.moves.focus();
  }
}

/** The index of the choice that clearly cost the most, or of the first one. @param {readonly Choice[]} choices */
function costliest(choices) {
  const highest = Math.max(...choices.map(({ clear, cost }) => (clear ? cost : 0)));
  return Math.max(
    0,
    choices.findIndex(({ clear, cost }) => clear && cost === highest),
  );
}
