/**
 * The lesson: short steps, each a position of a real game in which the learner makes the move. What is right, the server
 * says; here are the words, the table to try it on, and which steps are done.
 */

import { clearAnnouncements, say } from "../browser/announce.js";
import { ApiError, tryLesson } from "../server/api.js";
import { TileBench } from "../placing/placing_page.js";
import { h, lessMotion, setText } from "../browser/dom.js";
import { confetti, pop } from "../table/animation.js";
import { isOf, middleOf, parsePlacement, parseTable } from "../table/geometry.js";
import { t } from "../language/i18n.js";
import { contactWords, frameTable, makeEnding, showBag, showSteps, stateOf } from "./lesson_parts.js";
import { saveDoneSteps, doneSteps } from "./lesson_progress.js";
import { showTableWords } from "../game/game_parts.js";
import { settings } from "../browser/settings.js";
import { play } from "../browser/sound.js";
import { eventWords, refusalWords, sumWords } from "../language/words.js";
import "../game/seats.js";
import { topBar } from "../page/header.js";
import { face, icon } from "../page/icons.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").View} View */
/** @typedef {{name: string, extra: boolean, view: View, offers: string[]}} Step */
/**
 * @typedef {object} Tried
 * @property {"right" | "go-on" | "other" | "refused"} verdict
 * @property {View} view
 * @property {string[]} offers
 * @property {import("../types.js").Refusal | null} refusal
 * @property {import("../types.js").Contact[]} contacts
 * @property {number[]} points
 */

const END = "end"; // What comes after the last step.
const MOMENT = 900; // Milliseconds after which the other player's tile is placed.
const WITH_SEATS = ["last", "round", "scoring"]; // Where it matters who has what.
const KIND = ["clash", "overlap", "too-few-contacts", "not-by-an-end", "touches-more"]; // Reasons with a word of their own.

export class LessonPage extends TileBench {
  /** @type {Step | null} None at the end. */
  step = null;
  /** @type {View | null} */
  view = null;
  /** @type {string[]} All that was done in this step. */
  actions = [];
  /** @type {string[]} */
  done = doneSteps();
  /** @type {import("../types.js").Contact[]} What holds the tile that was placed. */
  joined = [];
  /** Tiles on the table that are not shown yet: the other player takes a moment. */
  withheld = 0;
  /** @type {{looks: string, words: () => string} | null} What became of the last try. */
  told = null;
  /** How often a step was opened: what was asked before is of no interest then. */
  opened = 0;
  byKey = false;

  /** @param {HTMLElement} root @param {(path: string) => void} go @param {Step[]} steps */
  constructor(root, go, steps) {
    super();
    const { signal } = this.life;
    this.go = go;
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
    this.status = h("p", { class: "told" });
    this.bagCount = h("span", { class: "bag-count" });
    this.bag = h("button", { type: "button", class: "bag", onclick: () => void this.act("draw") }, icon("draw"), this.bagCount);
    this.next = h("button", { type: "button", class: "button primary big", t: "learn.next", onclick: () => this.goOn() });
    this.again = h("button", { type: "button", class: "button", t: "learn.again", onclick: () => this.open(this.step) });
    this.after = h("div", { class: "buttons" }, this.next, this.again);
    this.below = this.tray();
    this.below.prepend(this.bag);
    this.lesson = h("div", { class: "lesson" }, this.seats, this.board(), this.laid, this.status, this.below, this.after);
    this.ending = makeEnding(this);
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "learn.title"),
        h(
          "main",
          { class: "learn" },
          h("h1", { class: "spoken", t: "learn.title" }),
          h("p", { class: "spoken", id: "hand-help", t: "hand.help" }),
          this.bar,
          this.teacher,
          this.lesson,
          this.ending,
          this.parts.floating,
        ),
      ),
    );
    this.listen();
    const watched = new ResizeObserver(() => frameTable(this, false));
    watched.observe(this.table);
    signal.addEventListener("abort", () => watched.disconnect());
    addEventListener("keydown", (event) => this.onAnyKey(event), { capture: true, signal });
    addEventListener("pointerdown", () => (this.byKey = false), { capture: true, signal });
    addEventListener("hashchange", () => this.openAddressed(), { signal });
    document.addEventListener("language", () => this.show(), { signal });
    document.addEventListener("settings", () => this.show(), { signal });
    this.openAddressed();
  }

  close() {
    super.close();
    clearAnnouncements();
  }

  // Which step.

  /** The steps that belong to the lesson itself. */
  main() {
    return this.steps.filter(({ extra }) => !extra);
  }

  /** The step that the address names, else the first that is not done. */
  openAddressed() {
    const named = location.hash.slice(1);
    const next = this.main().find(({ name }) => !this.done.includes(name)) ?? null;
    if (named && named === (this.step?.name ?? END) && this.view) return;
    this.open(named === END ? null : (this.steps.find(({ name }) => name === named) ?? next));
  }

  /** @param {Step | null} step none: the end */
  open(step) {
    this.opened += 1;
    this.step = step;
    this.view = step?.view ?? null;
    this.actions = [];
    this.joined = [];
    this.blame = this.told = null;
    this.over = this.sending = false;
    this.withheld = 0;
    this.placing.putBack();
    this.offer(step?.offers ?? []);
    history.replaceState(null, "", `#${step?.name ?? END}`);
    this.show();
    frameTable(this, false);
  }

  goOn() {
    const { step } = this;
    const main = this.main();
    const index = step && !step.extra ? main.indexOf(step) : main.length;
    this.open(main[index + 1] ?? null);
    this.teacher.focus();
    scrollTo(0, 0);
    if (!this.step) confetti();
  }

  restart() {
    this.done = [];
    saveDoneSteps(this.done);
    this.open(this.main()[0] ?? null);
    this.teacher.focus();
  }

  /** @param {string[]} offers */
  offer(offers) {
    const hand = this.view?.hands[0] ?? [];
    const last = parseTable(this.view?.table ?? "").pop();
    this.placing.offer(offers, hand, last ? middleOf(last) : [1, 0]);
  }

  // What is shown.

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
    showTableWords(this.laid, { ...view, table: this.laidNow().map(({ text }) => text).join(" ") });
    this.below.hidden = this.over;
    this.after.hidden = !this.over;
    this.draw();
  }

  /** What lies on the table in this moment. */
  laidNow() {
    const laid = parseTable(this.view?.table ?? "");
    return laid.slice(0, laid.length - this.withheld);
  }

  draw() {
    const { blame, placing, view } = this;
    if (!view) return;
    const laid = this.laidNow();
    const places = this.over || this.sending ? [] : placing.places().filter(({ text }) => text !== blame?.place.text);
    this.table.show({
      laid,
      last: this.actions.length ? (laid[laid.length - 1] ?? null) : null,
      lit: places.map((place) => ({ place, faint: !placing.isTurnedFor(place) })),
      held: placing.held,
      pending: placing.pending,
      joined: this.joined,
      blame: blame && { ...blame, words: refusalWords(blame.refusal) },
    });
    this.hand.show({
      tiles: view.hands[0] ?? [],
      picked: placing.tile,
      turned: placing.turn >= 2,
      fits: this.sending ? null : (tile) => view.actions.some((action) => action.includes("@") && isOf(parsePlacement(action), tile)),
      drawn: view.drawn,
    });
    this.places.show();
    showBag(this, view);
    this.status.className = `told ${this.told?.looks ?? ""}`;
    const words = this.told ? this.told.words() : this.hintWords(view);
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  /** What to do now. @param {View} view */
  hintWords(view) {
    if (view.actions[0] === "draw") return t("learn.draw");
    return t(this.placing.tile === null ? "learn.pick" : "learn.put");
  }

  /** @param {string} looks @param {() => string} words */
  tell(looks, words) {
    this.told = { looks, words };
    say(words());
  }

  // What a person does. All places that may be meant are lit.

  isLit() {
    return true;
  }

  /** @param {string} tile */
  pickUp(tile) {
    this.blame = null;
    if (this.told?.looks !== "right") this.told = null;
    if (this.placing.tile !== tile) this.placing.pick(tile, true);
    this.table.reveal(this.placing.places());
  }

  /** @param {{tile: string, byKey: boolean}} picked */
  onPick(picked) {
    if (this.sending) return;
    this.byKey = picked.byKey;
    super.onPick(picked);
  }

  /** @param {import("../types.js").Square} point */
  onTap(point) {
    if (this.over || this.sending) return;
    this.blame = null;
    if (this.placing.tile === null) this.draw();
    else void this.put(this.placing.placeTapped(point, true));
  }

  /** @param {KeyboardEvent} event */
  onAnyKey(event) {
    this.byKey = true;
    const { target, key } = event;
    const busy = event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]");
    if (busy || !settings.shortcuts || /** @type {Element} */ (target).closest("input, select")) return;
    if (key.toLowerCase() === "d" && !this.bag.hidden && !this.below.hidden) void this.act("draw");
  }

  /** @param {Placement} place */
  async put(place) {
    if (this.over || this.sending) return;
    this.placing.putDown(place);
    await this.act(place.text);
  }

  /** Let the server judge an action. @param {string} action */
  async act(action) {
    const { opened, step } = this;
    if (!step || this.over || this.sending) return;
    this.sending = true;
    this.blame = this.told = null;
    this.draw();
    try {
      const tried = await tryLesson(step.name, [...this.actions, action]);
      if (this.isStill(opened)) await this.onTried(action, tried);
    } catch (error) {
      if (!this.isStill(opened)) return;
      const key = `problem.${error instanceof ApiError ? error.code : "failed"}`;
      this.placing.takeBack();
      this.tell("wrong", () => t(key));
    } finally {
      if (this.isStill(opened)) {
        this.sending = false;
        this.show();
      }
    }
  }

  /** Is it the same step as then, not opened anew? @param {number} opened */
  isStill(opened) {
    return this.opened === opened && !this.life.signal.aborted;
  }

  /** @param {string} action @param {Tried} tried */
  async onTried(action, tried) {
    const { pending } = this.placing;
    if (tried.verdict === "refused" && tried.refusal) this.onRefused(pending, tried.refusal);
    else if (tried.verdict === "other") this.onOther(tried);
    else await this.onLegal(action, tried);
  }

  /** @param {Placement | null} place @param {import("../types.js").Refusal} refusal */
  onRefused(place, refusal) {
    this.takeBack(place);
    if (place) this.blame = { place, refusal };
    const { reason } = refusal;
    say(refusalWords(refusal));
    const words = () => (KIND.includes(reason) ? t(`learn.why_${reason}`) : t("learn.why_other", { why: refusalWords(refusal) }));
    this.tell("wrong", () => (this.view?.actions[0] === "draw" ? t("learn.draw") : words()));
    play("refused");
  }

  /** Legal, but something else is asked for. @param {Tried} tried */
  onOther({ points }) {
    const { step } = this;
    this.takeBack(this.placing.pending);
    this.tell("wrong", () => t(`learn.${step?.name}_other`, { sum: sumWords(points) }));
    if (points.length) this.cheer(sumWords(points));
    play("refused");
  }

  /** The tile is in the fingers again; by key, where it was. @param {Placement | null} place */
  takeBack(place) {
    this.placing.takeBack(this.byKey ? place : null);
    if (this.byKey && place) this.places.focus();
  }

  /** @param {string} action @param {Tried} tried */
  async onLegal(action, { verdict, view, offers, contacts, points }) {
    const before = this.view?.log.length ?? 0;
    const { opened } = this;
    const step = /** @type {Step} */ (this.step);
    const others = view.log.slice(before).filter(({ seat, place }) => seat !== 0 && place !== undefined);
    this.actions.push(action);
    this.view = view;
    this.joined = contacts;
    this.withheld = others.length;
    this.placing.putBack();
    play(action === "draw" ? "draw" : "place");
    this.show();
    if (others.length) {
      if (!lessMotion()) await new Promise((resolve) => setTimeout(resolve, MOMENT));
      if (!this.isStill(opened)) return;
      this.withheld = 0;
      for (const { shows, ...event } of others) say(eventWords(this.seats.hidden ? event : { ...event, shows }, t("bot.snail")));
      play("place");
    }
    if (verdict === "right") this.onRight(step, contacts, points);
    else this.onGoingOn(step, view, offers);
  }

  /** @param {Step} step @param {View} view @param {string[]} offers */
  onGoingOn(step, view, offers) {
    this.sending = false;
    this.offer(offers);
    frameTable(this, true);
    if (view.drawn) this.pickUp(view.drawn);
    const key = view.drawn ? `learn.${step.name}_fits` : `learn.${step.name}_again`;
    this.tell("", () => t(key, { name: t("bot.snail") }));
    this.show();
    if (this.byKey && view.drawn) this.hand.focusTile(view.drawn);
    else if (this.byKey) this.bag.focus();
  }

  /** A word that rises over the table, not to hide a tile. @param {string} words */
  cheer(words) {
    const { x, y, width } = this.table.getBoundingClientRect();
    pop(words, new DOMRect(x, y + 56, width, 0));
  }

  /** @param {Step} step @param {import("../types.js").Contact[]} contacts @param {number[]} points */
  onRight(step, contacts, points) {
    this.over = true;
    if (!this.done.includes(step.name)) saveDoneSteps((this.done = [...new Set([...this.done, ...doneSteps(), step.name])]));
    this.tell("right", () => {
      const words = t(`learn.${step.name}_done`, { name: t("bot.snail"), sum: sumWords(points) });
      return step.offers.length > step.view.actions.length ? `${words} ${contactWords(contacts)}` : words;
    });
    play("win");
    this.show();
    frameTable(this, true);
    this.cheer(points.length ? sumWords(points) : t("learn.bravo"));
    if (this.view?.over) confetti();
    this.next.focus({ preventScroll: true });
    this.next.scrollIntoView({ block: "nearest" });
  }

}
