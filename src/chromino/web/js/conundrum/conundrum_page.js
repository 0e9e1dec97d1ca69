/** One conundrum: find every place where each tile fits. */

import { say } from "../browser/announce.js";
import { copyText } from "../browser/clipboard.js";
import { h, prefersReducedMotion, setPlainText, setText } from "../browser/dom.js";
import { changeSettings, rotatesByKey, settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { putKey } from "../game/status.js";
import { listed, t } from "../language/i18n.js";
import { durationWords, placeWords, refusalWords, tileWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { PlacingArea } from "../placing/placing_area.js";
import { conundrumHint, conundrumOf, judge, missingPlaces, readConundrum } from "../server/api.js";
import { confetti } from "../table/animation.js";
import { isPlacementOf, parsePlacement, parseTable } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";
import { saveSolved } from "./solved_conundrums.js";

/** @typedef {import("../types.js").Placement} Placement */

const GRADES = 5;
const REVEAL_PAUSE = 700; // Milliseconds between revealed places after someone gives up.

export class ConundrumPage extends Page {
  area = new PlacingArea(this);
  placer = this.area.placer;
  /** @type {import("../types.js").Conundrum | null} */
  state = null;
  /** @type {Placement[]} */
  found = [];
  /** @type {Placement[]} Places that were revealed after someone gave up. */
  missed = [];
  /** @type {Placement | null} The only one of them to show on the table, since some may be in the same place. */
  shownMissed = null;
  /** @type {{x: number, y: number, width: number, height: number} | null} The area that the last hint points to. */
  hintArea = null;
  /**
   * What the line under the table says: a catalog key, and a function for its values in the current language.
   * @type {{key: string, values?: () => Record<string, any>}}
   */
  message = { key: "conundrum.pick" };
  /** How many hints have been given for the next place: 0 to 3. */
  step = 0;
  /** How many hints have been given in all. */
  hints = 0;
  over = false;
  startedAt = performance.now();
  seconds = 0;

  /** @param {(path: string) => void} go @param {{day: string, grade: number} | {text: string}} source */
  constructor(go, source) {
    super(go);
    this.source = source;
    this.counts = h("ul", { class: "asked" });
    this.status = h("p", { class: "status", role: "status" });
    this.timer = h("p", { class: "timer" });
    this.gradeReasons = h("p", { class: "muted" });
    this.hintButton = h("button", {
      type: "button",
      class: "button",
      t: "conundrum.hint",
      disabled: true,
      onclick: () => void this.askForHint(),
    });
    this.giveUpButton = h("button", {
      type: "button",
      class: "button",
      t: "conundrum.give_up",
      disabled: true,
      onclick: () => void this.giveUp(),
    });
    this.shareButton = h("button", {
      type: "button",
      class: "button primary",
      t: "conundrum.share",
      hidden: true,
      onclick: () => void this.shareResult(),
    });
    this.missedList = h("ul", { class: "missed-places" });
    this.listLink = linkTo(go, "/conundrums", { class: "button", t: "conundrum.title", hidden: true });
    const next = "day" in source && source.grade < GRADES ? `/conundrum/${source.day}/${source.grade + 1}` : null;
    this.nextLink = next && linkTo(go, next, { class: "button", t: "conundrum.next_level", hidden: true });
    const board = this.area.board();
    const tray = this.area.tray();
    const more = h(
      "div",
      { class: "solving-more" },
      this.missedList,
      this.timer,
      toggle("conundrum.find_one", settings.findOne, (findOne) => {
        changeSettings({ findOne });
        this.finishIfDone();
      }),
      toggle("conundrum.timer", settings.timer, (timer) => changeSettings({ timer })),
      this.gradeReasons,
    );
    /** What's only there if there is a conundrum. */
    this.parts = [this.counts, board, tray, more];
    this.content = frame(
      go,
      { main: "conundrum solving" },
      h("h1", { t: "conundrum.one" }),
      this.counts,
      this.status,
      board,
      tray,
      h(
        "div",
        { class: "buttons" },
        this.hintButton,
        this.giveUpButton,
        this.shareButton,
        this.nextLink,
        this.listLink,
      ),
      more,
      this.area.floating,
    );
  }

  /** @override */
  start() {
    this.area.listen(this);
    this.listen(document, "settings", () => this.show());
    this.every(1000, () => this.tick());
    void this.load();
  }

  async load() {
    const { source } = this;
    try {
      this.state = "text" in source ? await readConundrum(source.text) : await conundrumOf(source.day, source.grade);
    } catch (error) {
      this.fail(error);
      for (const part of [...this.parts, this.hintButton, this.giveUpButton]) part.hidden = true;
      this.listLink.hidden = false;
      this.content.querySelector("main")?.classList.remove("solving");
      return;
    }
    this.hintButton.disabled = this.giveUpButton.disabled = false;
    this.startedAt = performance.now();
    this.show();
    this.area.table.fit();
    if (this.state.asked.every(({ count }) => !count)) this.end("conundrum.nothing");
  }

  /** @param {unknown} error */
  fail(error) {
    const key = problemKey(error);
    this.message = { key };
    setText(this.status, key); // Without a conundrum, `show` does nothing.
  }

  /** @override */
  show() {
    const { state } = this;
    if (!state) return;
    this.counts.replaceChildren(...state.asked.map(({ tile, count }) => this.progress(tile, this.placesNeeded(count))));
    const reasons = Object.entries(state.reasons).slice(0, 3);
    this.gradeReasons.textContent = t("conundrum.why", {
      grade: t("conundrum.grade", { n: state.grade }),
      reasons: listed(reasons.map(([reason, n]) => t(`reason.${reason}`, { n }))),
    });
    this.tick();
    this.showTiles();
  }

  /** An item that shows how many of a tile's places have been found. @param {string} tile @param {number} all */
  progress(tile, all) {
    const n = this.placesFound(tile).length;
    return h(
      "li",
      { class: n >= all ? "done" : null },
      tilePicture(tile),
      h("span", { "aria-hidden": "true" }, `${n} / ${all}`),
      h("span", { class: "spoken" }, t("conundrum.count", { tile: tileWords(tile), n, all })),
    );
  }

  showTiles() {
    const { state } = this;
    if (!state) return;
    const unfinished = this.over ? [] : state.asked.filter((asked) => !this.isComplete(asked));
    this.area.show(
      {
        laid: parseTable(state.table),
        found: [...this.found, ...(this.shownMissed ? [this.shownMissed] : this.missed)],
        area: this.hintArea,
      },
      { tiles: unfinished.map(({ tile }) => tile), fits: null, drawn: null },
    );
    const { refused } = this.placer;
    if (refused) setPlainText(this.status, refusalWords(refused.refusal));
    else setText(this.status, this.message.key, this.message.values?.());
  }

  tick() {
    if (!this.over) this.seconds = (performance.now() - this.startedAt) / 1000;
    this.timer.hidden = !settings.timer;
    this.timer.textContent = durationWords(this.seconds);
  }

  /** @param {string} tile */
  placesFound(tile) {
    return this.found.filter((place) => isPlacementOf(place, tile));
  }

  /** Have enough of a tile's places been found? @param {import("../types.js").AskedTile} asked */
  isComplete({ tile, count }) {
    return this.placesFound(tile).length >= this.placesNeeded(count);
  }

  /** How many of a tile's places have to be found: all, or just one if you've chosen that. @param {number} count */
  placesNeeded(count) {
    return settings.findOne ? Math.min(1, count) : count;
  }

  /** Legal places are never lit: finding them is the task. */
  showsPlaces() {
    return false;
  }

  canPlace() {
    return this.state !== null && !this.over;
  }

  onPick() {
    this.message = { key: putKey(rotatesByKey()) };
  }

  /** @param {Placement} place @returns {Promise<import("../placing/tile_placer.js").Outcome>} */
  async submit(place) {
    const { conundrum } = /** @type {import("../types.js").Conundrum} */ (this.state);
    try {
      const { verdict, refusal } = await judge(
        conundrum,
        place.text,
        this.found.map(({ text }) => text),
      );
      if (refusal) playSound("refuse");
      else if (verdict === "right") this.onRight(place);
      else this.setMessage(`conundrum.${verdict}`);
      return refusal ?? (verdict === "right" ? "placed" : "kept");
    } catch (error) {
      this.fail(error);
      return "kept";
    }
  }

  /** @param {Placement} place */
  onRight(place) {
    this.placer.batch.run(() => {
      this.found.push(place);
      this.hintArea = null;
      this.step = 0;
      this.setMessage("conundrum.right");
      if (this.state?.asked.some((asked) => isPlacementOf(place, asked.tile) && this.isComplete(asked)))
        this.placer.placing.putBack(); // This tile has left the hand.
      this.finishIfDone();
      this.placer.batch.request("all");
    });
    playSound("lay");
  }

  /** End the conundrum if enough places have been found. Switching to one place per tile can also end it. */
  finishIfDone() {
    if (!this.over && this.state?.asked.every((asked) => this.isComplete(asked))) this.win();
  }

  /** @param {string} key @param {() => Record<string, any>} [values] in the current language */
  setMessage(key, values) {
    this.message = { key, values };
    this.placer.refused = null;
    this.placer.batch.request("tiles");
  }

  win() {
    this.end("conundrum.solved_in", () => ({ time: durationWords(this.seconds) }));
    playSound("win");
    confetti();
    if (!("day" in this.source)) return;
    this.shareButton.hidden = false;
    if (settings.findOne) return;
    const found = this.found.map(({ text }) => text);
    saveSolved({ ...this.source, seconds: Math.round(this.seconds), found }).catch((error) => this.fail(error));
  }

  /** End the conundrum and say why. @param {string} key of the message @param {() => Record<string, any>} [values] */
  end(key, values) {
    this.over = true;
    this.hintArea = null;
    this.placer.placing.putBack();
    this.hintButton.hidden = this.giveUpButton.hidden = true;
    this.listLink.hidden = false;
    if (this.nextLink) this.nextLink.hidden = false;
    this.setMessage(key, values);
  }

  async askForHint() {
    if (!this.state || this.over) return;
    const step = /** @type {1 | 2 | 3} */ (Math.min(3, this.step + 1));
    try {
      const area = await conundrumHint(
        this.state.conundrum,
        this.found.map(({ text }) => text),
        step,
      );
      this.step = step;
      this.hints += 1;
      this.hintArea = area;
      this.setMessage(`conundrum.hint_${step}`, () => ({ tile: tileWords(area.tile) }));
      this.area.table.fit();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Reveal the missing places one after another. */
  async giveUp() {
    if (!this.state) return;
    try {
      const places = await missingPlaces(
        this.state.conundrum,
        this.found.map(({ text }) => text),
      );
      if (this.over) return; // It was solved or given up in the meantime.
      this.end("conundrum.given_up");
      for (const text of places) {
        if (this.isClosed) return;
        const place = parsePlacement(text);
        this.missed.push(place);
        this.missedList.append(this.missedItem(place));
        say(placeWords(place));
        this.show();
        if (!prefersReducedMotion()) await new Promise((resolve) => setTimeout(resolve, REVEAL_PAUSE));
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** A missed place in the list: pressing it shows only this one on the table. @param {Placement} place */
  missedItem(place) {
    const words = h("span", { class: "spoken" }, placeWords(place));
    const button = h("button", { type: "button", "aria-pressed": "false" }, tilePicture(place.colors), words);
    button.addEventListener("click", () => {
      this.shownMissed = this.shownMissed === place ? null : place;
      for (const other of this.missedList.querySelectorAll("button"))
        other.setAttribute("aria-pressed", String(other === button && this.shownMissed !== null));
      this.showTiles();
    });
    return h("li", {}, button);
  }

  /** Copy the result, without spoilers. */
  async shareResult() {
    if (!("day" in this.source) || !this.state) return;
    const squares = this.state.asked.map(({ tile }) => "🟩".repeat(this.placesFound(tile).length)).join(" ");
    const text = [
      `Chromino ${this.source.day} · ${t("conundrum.grade", { n: this.source.grade })}`,
      `${squares} ${durationWords(this.seconds)}${"💡".repeat(Math.min(9, this.hints))}`,
    ].join("\n");
    if (await copyText(text)) this.setMessage("conundrum.shared");
  }
}
