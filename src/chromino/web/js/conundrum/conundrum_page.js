/** One conundrum: put each tile wherever it fits, and find all places. */

import { say } from "../browser/announce.js";
import { ApiError, conundrumHint, conundrumOf, judge, lookAt, missing } from "../server/api.js";
import { TileBench } from "../placing/placing_page.js";
import { copyText } from "../browser/clipboard.js";
import { toggle } from "../page/controls.js";
import { h, lessMotion, setText } from "../browser/dom.js";
import { isOf, parsePlacement, parseTable } from "../table/geometry.js";
import { listed, t } from "../language/i18n.js";
import { change, settings } from "../browser/settings.js";
import { saveSolved } from "./solved_conundrums.js";
import { play } from "../browser/sound.js";
import { durationWords, placeWords, refusalWords, tileWords } from "../language/words.js";
import { topBar } from "../page/header.js";

/** @typedef {import("../types.js").Placement} Placement */

const SHOWN_EACH = 700; // Milliseconds, when all is shown.

export class ConundrumPage extends TileBench {
  /** @type {import("../types.js").Conundrum | null} */
  state = null;
  /** @type {Placement[]} */
  found = [];
  /** @type {{x: number, y: number, width: number, height: number} | null} */
  area = null;
  /** @type {{key: string, values?: Record<string, any>}} What the line under the table says. */
  told = { key: "status.pick" };
  step = 0;
  began = performance.now();

  /** @param {HTMLElement} root @param {{day: string, grade: number} | {text: string}} which @param {(path: string) => void} go */
  constructor(root, which, go) {
    super();
    const { signal } = this.life;
    this.which = which;
    this.counts = h("ul", { class: "asked" });
    this.status = h("p", { class: "status", role: "status" });
    this.timer = h("p", { class: "timer" });
    this.why = h("p", { class: "muted" });
    this.hintButton = h("button", { type: "button", class: "button", t: "conundrum.hint", onclick: () => void this.askHint() });
    this.upButton = h("button", { type: "button", class: "button", t: "conundrum.give_up", onclick: () => void this.giveUp() });
    this.share = h("button", { type: "button", class: "button primary", t: "conundrum.share", hidden: true, onclick: () => void this.shareResult() });
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "conundrum.title"),
        h(
          "main",
          { class: "conundrum" },
          h("h1", { t: "conundrum.title" }),
          this.counts,
          this.board(),
          this.status,
          this.tray(),
          h("div", { class: "buttons" }, this.hintButton, this.upButton, this.share),
          this.timer,
          toggle("conundrum.find_one", settings.findOne, (findOne) => {
            change({ findOne });
            this.finishIfAll();
          }),
          toggle("conundrum.timer", settings.timer, (timer) => change({ timer })),
          this.why,
          this.parts.floating,
        ),
      ),
    );
    this.listen();
    document.addEventListener("language", () => this.show(), { signal });
    document.addEventListener("settings", () => this.show(), { signal });
    const clock = setInterval(() => this.tick(), 1000);
    signal.addEventListener("abort", () => clearInterval(clock));
    void this.load();
  }

  async load() {
    const { which } = this;
    try {
      this.state = "text" in which ? await lookAt(which.text) : await conundrumOf(which.day, which.grade);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.began = performance.now();
    const tiles = this.state.asked.map(({ tile }) => tile);
    this.placing.offer([], tiles, [1, 0]);
    this.show();
    this.table.fit();
    if (this.state.asked.every(({ count }) => !count)) this.end("conundrum.nothing");
  }

  /** @param {unknown} error */
  fail(error) {
    const key = `problem.${error instanceof ApiError ? error.code : "failed"}`;
    this.told = { key };
    setText(this.status, key); // Also if there is no conundrum to draw.
  }

  show() {
    const { state } = this;
    if (!state) return;
    this.counts.replaceChildren(
      ...state.asked.map(({ tile, count }) =>
        h("li", {}, t("conundrum.count", { tile: tileWords(tile), n: this.foundOf(tile).length, all: this.wanted(count) })),
      ),
    );
    const reasons = Object.entries(state.reasons).slice(0, 3);
    this.why.textContent = t("conundrum.why", {
      grade: t("conundrum.grade", { n: state.grade }),
      reasons: listed(reasons.map(([reason, n]) => t(`reason.${reason}`, { n }))),
    });
    this.tick();
    this.draw();
  }

  draw() {
    const { placing, state } = this;
    if (!state) return;
    this.table.show({
      laid: parseTable(state.table),
      found: this.found,
      area: this.area,
      held: placing.held,
      pending: placing.pending,
      blame: this.blame && { ...this.blame, words: refusalWords(this.blame.refusal) },
    });
    this.hand.show({
      tiles: this.over ? [] : state.asked.filter(({ tile, count }) => this.foundOf(tile).length < this.wanted(count)).map(({ tile }) => tile),
      picked: placing.tile,
      turned: placing.turn >= 2,
      fits: null,
      drawn: null,
    });
    this.places.show();
    const { key, values } = this.told;
    if (!this.blame) setText(this.status, key, values);
    else {
      delete this.status.dataset.t; // It is told anew, in whichever language.
      this.status.textContent = refusalWords(this.blame.refusal);
    }
  }

  tick() {
    if (!this.over) this.seconds = (performance.now() - this.began) / 1000;
    this.timer.hidden = !settings.timer;
    this.timer.textContent = durationWords(this.seconds ?? 0);
  }

  /** @param {string} tile */
  foundOf(tile) {
    return this.found.filter((place) => isOf(place, tile));
  }

  /** How many places of a tile are to be found: all, or one for beginners. @param {number} count */
  wanted(count) {
    return settings.findOne ? Math.min(1, count) : count;
  }

  /** @param {string} tile */
  pickUp(tile) {
    super.pickUp(tile);
    this.tell("conundrum.put");
  }

  /** @param {Placement} place */
  async put(place) {
    const { state } = this;
    if (!state || this.sending || this.over) return;
    this.sending = true;
    try {
      const { verdict, refusal } = await judge(state.conundrum, place.text, this.found.map(({ text }) => text));
      if (verdict === "right") this.onRight(place);
      else if (refusal) this.onWrong(place, refusal);
      else this.tell(`conundrum.${verdict}`);
    } catch (error) {
      this.fail(error);
    } finally {
      this.sending = false;
      this.draw();
    }
  }

  /** @param {Placement} place */
  onRight(place) {
    this.found.push(place);
    this.area = null;
    this.step = 0;
    this.placing.hold(null);
    play("place");
    this.tell("conundrum.right");
    this.show();
    this.finishIfAll();
  }

  /** All found? That may also come by asking for less. */
  finishIfAll() {
    const { over, state } = this;
    if (!over && state?.asked.every(({ tile, count }) => this.foundOf(tile).length >= this.wanted(count))) this.win();
  }

  /** @param {Placement} place @param {import("../types.js").Refusal} refusal */
  onWrong(place, refusal) {
    this.blame = { place, refusal };
    play("refused");
  }

  /** @param {string} key @param {Record<string, any>} [values] */
  tell(key, values) {
    this.told = { key, values };
    this.blame = null;
    this.draw();
  }

  win() {
    this.end("conundrum.solved_in", { time: durationWords(this.seconds ?? 0) });
    play("win");
    if (!("day" in this.which)) return;
    this.share.hidden = false;
    if (settings.findOne) return;
    const found = this.found.map(({ text }) => text);
    saveSolved({ ...this.which, seconds: Math.round(this.seconds ?? 0), found }).catch((error) => this.fail(error));
  }

  /** Nothing is left to be placed. @param {string} key of why @param {Record<string, any>} [values] */
  end(key, values) {
    this.over = true;
    this.placing.putBack();
    this.hintButton.hidden = this.upButton.hidden = true;
    this.tell(key, values);
  }

  async askHint() {
    if (!this.state || this.over) return;
    this.step = Math.min(3, this.step + 1);
    try {
      const area = await conundrumHint(this.state.conundrum, this.found.map(({ text }) => text), this.step);
      this.hints = (this.hints ?? 0) + 1;
      this.area = area;
      this.tell(`conundrum.hint_${this.step}`, { tile: tileWords(area.tile) });
      this.draw();
      this.table.fit(); // Its margin has room for what is meant.
    } catch (error) {
      this.fail(error);
    }
  }

  /** All that is missing, one after another. */
  async giveUp() {
    if (!this.state) return;
    try {
      const places = await missing(this.state.conundrum, this.found.map(({ text }) => text));
      this.end("conundrum.given_up");
      for (const text of places) {
        if (this.life.signal.aborted) return;
        const place = parsePlacement(text);
        this.found.push(place);
        say(placeWords(place));
        this.show();
        if (!lessMotion()) await new Promise((resolve) => setTimeout(resolve, SHOWN_EACH));
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** A result that gives nothing away. */
  async shareResult() {
    if (!("day" in this.which) || !this.state) return;
    const squares = this.state.asked.map(({ count }) => "🟩".repeat(count)).join(" ");
    const text = [
      `Chromino ${this.which.day} · ${t("conundrum.grade", { n: this.which.grade })}`,
      `${squares} ${durationWords(this.seconds ?? 0)}${"💡".repeat(Math.min(9, this.hints ?? 0))}`,
    ].join("\n");
    if (await copyText(text)) this.tell("conundrum.shared");
  }
}
