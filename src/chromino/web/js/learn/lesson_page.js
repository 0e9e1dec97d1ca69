/**
 * The lesson: short steps, each a position from a real game in which the learner makes a move. The server judges the
 * move. This page has the words, the table, and the list of steps.
 */

import { clearAnnouncements, say } from "../browser/announce.js";
import { h, prefersReducedMotion, setText } from "../browser/dom.js";
import { playSound } from "../browser/sound.js";
import { t } from "../language/i18n.js";
import { eventWords, refusalWords, sumWords } from "../language/words.js";
import { PlacingArea } from "../placing/placing_area.js";
import { tryStep } from "../server/api.js";
import { confetti, pop } from "../table/animation.js";
import { isPlacementOf, lastMiddle, parsePlacement, parseTable } from "../table/geometry.js";
import { showTableWords } from "../table/table_words.js";
import { contactWords, frameTable, makeEnding, showBag, showSteps, stateOf } from "./lesson_parts.js";
import { doneSteps, saveDoneSteps } from "./lesson_progress.js";
import "../game/seats.js";
import { frame } from "../page/frame.js";
import { face, icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../placing/tile_placer.js").Outcome} Outcome */
/** @typedef {import("../types.js").StepState} Step */
/** @typedef {import("../types.js").StepTried} Attempt */

const END = "end"; // The screen after the last step.
const OPPONENT_PAUSE = 900; // Milliseconds before the other player's tile is placed.
const WITH_SEATS = ["last", "round", "scoring"]; // Steps that show the players.
/** Reasons for a refusal that the lesson explains in its own words. */
const EXPLAINED = ["clash", "overlap", "too-few-contacts", "needs-an-end", "not-by-an-end", "touches-more"];

export class LessonPage extends Page {
  area = new PlacingArea(this);
  placer = this.area.placer;
  placing = this.placer.placing;
  table = this.area.table;
  /** @type {Step | null} Null on the screen after the last step. */
  step = null;
  /** @type {View | null} */
  view = null;
  /** @type {string[]} Everything the learner has done in this step. */
  actions = [];
  /** @type {string[]} The names of the steps that are done. */
  done = doneSteps();
  /** @type {import("../types.js").Contact[]} The contacts of the last tile that was placed. */
  contacts = [];
  /** How many tiles on the table aren't shown yet, because the other player takes a moment to place them. */
  withheld = 0;
  /** @type {{tone: string, words: () => string} | null} The feedback on the last try; its tone is a CSS class. */
  feedback = null;
  /** How many times a step has been opened, so that late answers for a step that's no longer open can be dropped. */
  openings = 0;
  /** Is the step done? */
  over = false;

  /** @param {(path: string) => void} go @param {Step[]} steps */
  constructor(go, steps) {
    super(go);
    this.steps = steps;
    this.bar = h("ol", { class: "steps", tLabel: "learn.steps" });
    this.title = h("h2", { id: "step-title" });
    this.words = h("p", { id: "step-words", class: "step-words" });
    this.teacher = h(
      "section",
      { class: "teacher", tabindex: -1, "aria-labelledby": this.title.id, "aria-describedby": this.words.id },
      face({ bot: "owl", name: "" }),
      this.title,
      this.words,
    );
    this.seats = /** @type {import("../game/seats.js").ChrominoSeats} */ (document.createElement("chromino-seats"));
    this.laid = h("ol", { class: "spoken" });
    this.status = h("p", { class: "feedback" });
    this.bagCount = h("span", { class: "bag-count" });
    this.bag = h(
      "button",
      { type: "button", class: "bag", onclick: () => void this.drawTile() },
      icon("draw"),
      this.bagCount,
    );
    this.nextButton = h("button", {
      type: "button",
      class: "button primary big",
      t: "learn.next",
      onclick: () => this.openNext(),
    });
    this.againButton = h("button", {
      type: "button",
      class: "button",
      t: "learn.again",
      onclick: () => this.openStep(this.step),
    });
    this.afterStep = h("div", { class: "buttons" }, this.nextButton, this.againButton);
    this.tray = this.area.tray();
    this.tray.prepend(this.bag);
    this.lesson = h(
      "div",
      { class: "lesson" },
      this.seats,
      this.area.board(),
      this.laid,
      this.status,
      this.tray,
      this.afterStep,
    );
    this.ending = makeEnding(this);
    this.content = frame(
      go,
      { main: "learn" },
      h("h1", { class: "spoken", t: "learn.title" }),
      h("p", { class: "spoken", id: "hand-help", t: "hand.help" }),
      this.bar,
      this.teacher,
      this.lesson,
      this.ending,
      this.area.floating,
    );
  }

  /** @override */
  start() {
    this.area.listen(this, { d: () => this.bag.checkVisibility() && void this.drawTile() });
    const observer = new ResizeObserver(() => frameTable(this, false));
    observer.observe(this.table);
    this.signal.addEventListener("abort", () => observer.disconnect());
    this.listen(window, "hashchange", () => this.openFromAddress());
    this.listen(document, "settings", () => this.show());
    this.openFromAddress();
  }

  /** @override */
  close() {
    super.close();
    clearAnnouncements();
  }

  // Steps.

  /** The steps of the lesson, without the extra ones. */
  mainSteps() {
    return this.steps.filter(({ extra }) => !extra);
  }

  /** Open the step that the address names, or the first that isn't done. */
  openFromAddress() {
    const name = location.hash.slice(1);
    const next = this.mainSteps().find((step) => !this.done.includes(step.name)) ?? null;
    if (name && name === (this.step?.name ?? END) && this.view) return;
    this.openStep(name === END ? null : (this.steps.find((step) => step.name === name) ?? next));
  }

  /** @param {Step | null} step null for the screen after the last step */
  openStep(step) {
    const { batch } = this.placer;
    batch.run(() => {
      this.openings += 1;
      this.step = step;
      this.view = step?.view ?? null;
      this.actions = [];
      this.contacts = [];
      this.feedback = null;
      this.over = false;
      this.withheld = 0;
      this.placing.putBack();
      this.offer(step?.offers ?? []);
      batch.request("all");
    });
    history.replaceState(null, "", `#${step?.name ?? END}`);
    frameTable(this, false);
  }

  openNext() {
    const { step } = this;
    const main = this.mainSteps();
    const index = step && !step.extra ? main.indexOf(step) : main.length;
    this.openStep(main[index + 1] ?? null);
    this.teacher.focus();
    scrollTo(0, 0);
    if (!this.step) confetti();
  }

  restart() {
    this.done = [];
    saveDoneSteps(this.done);
    this.openStep(this.mainSteps()[0] ?? null);
    this.teacher.focus();
  }

  /** @param {string[]} offers */
  offer(offers) {
    this.placer.offer(offers, this.view?.hands[0] ?? [], lastMiddle(this.view?.table ?? ""));
  }

  // Rendering.

  /** @override */
  show() {
    const { step, view } = this;
    showSteps(this);
    this.lesson.hidden = !step;
    this.ending.hidden = Boolean(step);
    setText(this.title, step ? `learn.${step.name}` : "learn.finished");
    setText(this.words, step ? `learn.${step.name}_text` : "learn.finished_text", { name: t("bot.snail") });
    if (!step || !view) return;
    this.seats.hidden = !WITH_SEATS.includes(step.name);
    this.seats.show(stateOf(view));
    this.bag.hidden = step.view.actions[0] !== "draw";
    showTableWords(this.laid, this.visibleTiles());
    this.tray.hidden = this.over;
    this.afterStep.hidden = !this.over;
    this.showTiles();
  }

  /** The tiles on the table, except those that are still withheld. */
  visibleTiles() {
    const laid = parseTable(this.view?.table ?? "");
    return laid.slice(0, laid.length - this.withheld);
  }

  showTiles() {
    const { view } = this;
    if (!view) return;
    const laid = this.visibleTiles();
    const fits = (/** @type {string} */ tile) =>
      view.actions.some((action) => action.includes("@") && isPlacementOf(parsePlacement(action), tile));
    this.area.show(
      { laid, last: this.actions.length ? (laid[laid.length - 1] ?? null) : null, joined: this.contacts },
      { tiles: view.hands[0] ?? [], fits: this.placer.sending ? null : fits, drawn: view.drawn },
    );
    showBag(this, view);
    this.status.className = `feedback ${this.feedback?.tone ?? ""}`;
    const words = this.feedback ? this.feedback.words() : this.hintWords(view);
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  /** What the learner should do now. @param {View} view */
  hintWords(view) {
    if (view.actions[0] === "draw") return t("learn.draw");
    return t(this.placing.tile === null ? "learn.pick" : "learn.put");
  }

  /** @param {string} tone @param {() => string} words */
  giveFeedback(tone, words) {
    this.feedback = { tone, words };
    say(words());
  }

  // Actions.

  /** All places that the learner might try are lit. */
  showsPlaces() {
    return true;
  }

  canPlace() {
    return this.step !== null && !this.over;
  }

  onPick() {
    if (this.feedback?.tone !== "right") this.feedback = null;
  }

  /** @param {Placement} place @returns {Promise<Outcome>} */
  submit(place) {
    return this.judge(place.text);
  }

  async drawTile() {
    if (this.placer.sending || !this.canPlace()) return;
    this.placer.setSending(true);
    if ((await this.judge("draw")) !== "waiting") this.placer.setSending(false);
  }

  /** Let the server judge an action. @param {string} action @returns {Promise<Outcome>} */
  async judge(action) {
    const { openings } = this;
    const step = /** @type {Step} */ (this.step);
    this.feedback = null;
    try {
      const attempt = await tryStep(step.name, [...this.actions, action]);
      if (!this.isStillOpen(openings)) return "waiting"; // The learner has left the step or restarted it.
      return await this.onJudged(action, attempt);
    } catch (error) {
      if (!this.isStillOpen(openings)) return "waiting";
      this.giveFeedback("wrong", () => t(problemKey(error)));
      return "kept";
    }
  }

  /** Is the step that was open then still open? @param {number} openings the count at that time */
  isStillOpen(openings) {
    return this.openings === openings && !this.isClosed;
  }

  /** @param {string} action @param {Attempt} attempt @returns {Promise<Outcome>} */
  async onJudged(action, attempt) {
    if (attempt.verdict === "refused" && attempt.refusal) {
      this.onRefused(attempt.refusal);
      return attempt.refusal;
    }
    if (attempt.verdict === "other") {
      this.onOther(attempt);
      return "kept";
    }
    return this.onAccepted(action, attempt);
  }

  /** @param {import("../types.js").Refusal} refusal */
  onRefused(refusal) {
    const { reason, needed } = refusal;
    say(refusalWords(refusal));
    const why = reason === "too-few-contacts" && needed === 1 ? "needs-an-end" : reason; // Under Junior rules.
    const words = () =>
      EXPLAINED.includes(why) ? t(`learn.why_${why}`) : t("learn.why_other", { why: refusalWords(refusal) });
    this.giveFeedback("wrong", () => (this.view?.actions[0] === "draw" ? t("learn.draw") : words()));
    playSound("refuse");
  }

  /** The action is legal, but it isn't what the step asks for. @param {Attempt} attempt */
  onOther({ points }) {
    const { step } = this;
    this.giveFeedback("wrong", () => t(`learn.${step?.name}_other`, { sum: sumWords(points) }));
    if (points.length) this.cheer(sumWords(points));
    playSound("refuse");
  }

  /** @param {string} action @param {Attempt} attempt @returns {Promise<Outcome>} */
  async onAccepted(action, { verdict, view, offers, contacts, points }) {
    const eventsBefore = this.view?.log.length ?? 0;
    const { openings } = this;
    const step = /** @type {Step} */ (this.step);
    const { batch } = this.placer;
    const opponentMoves = view.log.slice(eventsBefore).filter(({ seat, place }) => seat !== 0 && place !== undefined);
    batch.run(() => {
      this.actions.push(action);
      this.view = view;
      this.contacts = contacts;
      this.withheld = opponentMoves.length;
      this.placing.putBack();
      batch.request("all");
    });
    playSound(action === "draw" ? "draw" : "lay");
    if (opponentMoves.length) {
      if (!prefersReducedMotion()) await new Promise((resolve) => setTimeout(resolve, OPPONENT_PAUSE));
      if (!this.isStillOpen(openings)) return "waiting";
      this.withheld = 0;
      for (const { shows, ...event } of opponentMoves)
        say(eventWords(this.seats.hidden ? event : { ...event, shows }, t("bot.snail")));
      playSound("lay");
    }
    if (verdict === "right") this.onRight(step, contacts, points);
    else this.onUnfinished(step, view, offers);
    return "placed";
  }

  /** @param {Step} step @param {View} view @param {string[]} offers */
  onUnfinished(step, view, offers) {
    const { batch } = this.placer;
    batch.run(() => {
      this.offer(offers);
      batch.afterRendering(() => frameTable(this, true));
      if (view.drawn) this.placer.pickUp(view.drawn);
      const key = view.drawn ? `learn.${step.name}_fits` : `learn.${step.name}_again`;
      this.giveFeedback("", () => t(key, { name: t("bot.snail") }));
      batch.request("all");
    });
    if (this.placer.byKeyboard && view.drawn) this.area.hand.focusTile(view.drawn);
    else if (this.placer.byKeyboard) this.bag.focus();
  }

  /** Show words that float up near the top of the table, where they don't hide a tile. @param {string} words */
  cheer(words) {
    const { x, y, width } = this.table.getBoundingClientRect();
    pop(words, new DOMRect(x, y + 56, width, 0));
  }

  /** @param {Step} step @param {import("../types.js").Contact[]} contacts @param {number[]} points */
  onRight(step, contacts, points) {
    this.over = true;
    this.done = [...new Set([...this.done, ...doneSteps(), step.name])]; // Steps may have been done in another tab.
    saveDoneSteps(this.done);
    this.giveFeedback("right", () => {
      const words = t(`learn.${step.name}_done`, { name: t("bot.snail"), sum: sumWords(points) });
      return step.offers.length > step.view.actions.length ? `${words} ${contactWords(contacts)}` : words;
    });
    playSound("win");
    this.show();
    frameTable(this, true);
    this.cheer(points.length ? sumWords(points) : t("learn.bravo"));
    if (this.view?.over) confetti();
    this.nextButton.focus({ preventScroll: true });
    this.nextButton.scrollIntoView({ block: "nearest" });
  }
}
