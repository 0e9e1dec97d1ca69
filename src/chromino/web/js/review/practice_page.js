/** Practice: choices of one's own that cost much, to be made again; and the way up from bot to bot. */

import { say } from "../browser/announce.js";
import { ApiError, myPath, myPractice, startGame } from "../server/api.js";
import { TileBench } from "../placing/placing_page.js";
import { h, setText } from "../browser/dom.js";
import { middleOf, parsePlacement, parseTable } from "../table/geometry.js";
import { t } from "../language/i18n.js";
import { pathWords } from "./bot_ladder.js";
import { percent } from "../language/percent.js";
import { change, settings } from "../browser/settings.js";
import { play } from "../browser/sound.js";
import { placeWords } from "../language/words.js";
import { topBar } from "../page/header.js";
import { face } from "../page/icons.js";
import { quickGame } from "../start/quick_game.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Lesson} Lesson */

const SURE = 2; // Standard errors from which on a difference is told.
const LEAST = 0.01;

export class PracticePage extends TileBench {
  /** @type {Lesson[]} */
  lessons = [];
  /** @type {Set<string>} Those that were done. */
  done = new Set();
  /** @type {Lesson | null} */
  lesson = null;
  /** @type {Placement | null} What was placed now. */
  answer = null;
  wrong = false;
  waiting = 0;

  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    super();
    const { signal } = this.life;
    this.go = go;
    this.path = h("section", { class: "path" });
    this.status = h("p", { class: "status", role: "status", t: "practice.thinking" });
    this.next = h("button", { type: "button", class: "button primary", t: "practice.next", hidden: true, onclick: () => this.open() });
    this.look = h("a", { class: "button", t: "practice.look", hidden: true });
    this.look.addEventListener("click", (event) => {
      event.preventDefault();
      go(this.look.getAttribute("href") ?? "/");
    });
    this.legend = h("p", { class: "marks-legend", t: "practice.marks" });
    this.tiles = this.tray();
    this.bench = h("div", { class: "conundrum practice", hidden: true }, this.board(), this.legend, this.tiles);
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "practice.title"),
        h(
          "main",
          { class: "conundrum" },
          h("h1", { t: "practice.title" }),
          h("h2", { t: "practice.again" }),
          this.status,
          this.bench,
          h("div", { class: "buttons" }, this.next, this.look),
          this.path,
          this.parts.floating,
        ),
      ),
    );
    this.listen();
    document.addEventListener("language", () => this.show(), { signal });
    document.addEventListener("settings", () => this.draw(), { signal });
    void this.loadPath();
    void this.load();
  }

  async loadPath() {
    this.climb = await myPath().catch(() => null);
    this.showPath();
  }

  /** One game after another is looked at; the first lesson is there as soon as one was. */
  async load() {
    try {
      do {
        const { lessons, waiting } = await myPractice();
        if (this.life.signal.aborted) return;
        const isNew = waiting !== this.waiting || keysOf(lessons) !== keysOf(this.lessons);
        this.lessons = lessons;
        this.waiting = isNew ? waiting : 0; // Games that cannot be looked at are not waited for.
        if (!this.lesson) this.open();
      } while (this.waiting);
    } catch (error) {
      setText(this.status, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    }
  }

  /** The next lesson, the most expensive first. */
  open() {
    const next = this.lessons.find((lesson) => !this.done.has(keyOf(lesson)));
    this.answer = null;
    this.wrong = false;
    this.over = !next;
    this.lesson = next ?? null;
    if (next) {
      const { view } = next;
      const last = parseTable(view.table).pop();
      this.placing.offer(view.actions, view.hands[view.me ?? 0] ?? [], last ? middleOf(last) : [1, 0]);
    }
    this.show();
    if (next) this.table.fit();
  }

  show() {
    this.showPath();
    const { lesson } = this;
    this.bench.hidden = !lesson;
    this.next.hidden = !this.answer;
    this.look.hidden = !this.answer;
    this.legend.hidden = !this.answer;
    this.tiles.hidden = Boolean(this.answer);
    if (lesson) this.look.href = `/review/${lesson.game}#${lesson.version + 1}`;
    this.draw();
  }

  showPath() {
    const { climb } = this;
    if (!climb) return;
    const rungs = climb.rungs.map(({ bot, played, won, level }) =>
      h(
        "li",
        { class: level === climb.next ? "rung next" : "rung", "aria-current": level === climb.next ? "step" : null },
        face({ bot, name: bot }),
        h("strong", {}, t(`bot.${bot}`)),
        h("span", {}, played ? t("path.rung", { n: played, won }) : t("path.not_yet")),
      ),
    );
    const bot = climb.rungs.find(({ level }) => level === climb.next)?.bot ?? "snail";
    const button = h("button", { type: "button", class: "button primary", onclick: () => void this.playNext(climb.next) }, t("path.play", { bot: t(`bot.${bot}`) }));
    this.path.replaceChildren(h("h2", { t: "path.title" }), h("p", {}, pathWords(climb)), h("ol", { class: "rungs" }, ...rungs), button);
  }

  /** @param {number} level */
  async playNext(level) {
    change({ level });
    try {
      this.go(`/game/${await startGame(quickGame())}`);
    } catch (error) {
      setText(this.status, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    }
  }

  draw() {
    const { lesson, placing, answer } = this;
    this.showStatus();
    if (!lesson) return;
    const { view } = lesson;
    const [best] = lesson.values;
    const marked = [];
    if (answer) {
      if (lesson.played !== answer.text) marked.push({ place: parsePlacement(lesson.played), name: "before" });
      if (best && !this.isAsGood(answer.text)) marked.push({ place: parsePlacement(best.placement), name: "better" });
      marked.push({ place: answer, name: "played" });
    }
    this.table.show({
      laid: parseTable(view.table),
      last: null,
      lit: !answer && this.isLit() ? placing.places().map((place) => ({ place, faint: !placing.isTurnedFor(place) })) : [],
      held: placing.held,
      pending: null,
      marked,
    });
    this.hand.show({
      tiles: answer ? [] : (view.hands[view.me ?? 0] ?? []),
      picked: placing.tile,
      turned: placing.turn >= 2,
      fits: settings.playable ? (tile) => placing.fits(tile) : null,
      drawn: view.drawn,
    });
    this.places.show();
  }

  showStatus() {
    const { answer, lesson } = this;
    if (!lesson) {
      setText(this.status, this.waiting ? "practice.thinking" : this.lessons.length ? "practice.all_done" : "practice.none");
      return;
    }
    if (!answer) return setText(this.status, this.wrong ? "practice.not_there" : this.placing.tile ? "practice.put" : "practice.pick");
    const mine = percent(this.valueOf(answer.text));
    const before = percent(this.valueOf(lesson.played));
    const best = percent(lesson.values[0]?.value ?? 0);
    setText(this.status, this.isAsGood(answer.text) ? "practice.good" : "practice.better", { mine, before, best });
  }

  /** @param {string} text of a placement */
  valueOf(text) {
    return this.lesson?.values.find(({ placement }) => placement === text)?.value ?? 0;
  }

  /** Is a placement as good as the best, as far as we know? @param {string} text */
  isAsGood(text) {
    const values = this.lesson?.values ?? [];
    const [best] = values;
    const found = values.find(({ placement }) => placement === text);
    if (!best || !found) return false;
    return best.value - found.value <= Math.max(LEAST, SURE * Math.hypot(best.error, found.error));
  }

  isLit() {
    return settings.lit;
  }

  isMyTurn() {
    return this.lesson !== null && !this.answer;
  }

  /** @param {string} tile */
  pickUp(tile) {
    this.wrong = false;
    super.pickUp(tile);
  }

  /** @param {Placement} place */
  put(place) {
    const { lesson } = this;
    if (!lesson || this.answer) return;
    this.wrong = !lesson.view.actions.includes(place.text);
    if (this.wrong) {
      play("refused");
      return this.draw();
    }
    this.answer = place;
    this.done.add(keyOf(lesson));
    this.placing.putBack();
    play(this.isAsGood(place.text) ? "win" : "place");
    this.show();
    const [best] = lesson.values;
    if (best && !this.isAsGood(place.text)) say(t("practice.best_is", { place: placeWords(parsePlacement(best.placement)) }));
    this.next.focus();
  }
}

/** @param {Lesson} lesson */
function keyOf({ game, version }) {
  return `${game} ${version}`;
}

/** @param {Lesson[]} lessons */
function keysOf(lessons) {
  return lessons.map(keyOf).join();
}
