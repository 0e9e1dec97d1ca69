/** Practice: try your costly choices again, and see which bot to play next. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { changeSettings, rotatesByKey, settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { putKey } from "../game/status.js";
import { t } from "../language/i18n.js";
import { percent } from "../language/percent.js";
import { placeWords } from "../language/words.js";
import { frame } from "../page/frame.js";
import { face } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { PlacingArea } from "../placing/placing_area.js";
import { myLadder, myPractice } from "../server/api.js";
import { startGame } from "../server/dealing.js";
import { quickGame } from "../start/quick_game.js";
import { lastMiddle, parsePlacement, parseTable } from "../table/geometry.js";
import { ladderWords } from "./bot_ladder.js";
import { comparedTile } from "./compared_tile.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").PracticePosition} PracticePosition */

const MIN_STANDARD_ERRORS = 2; // Smaller differences may be chance.
const MIN_DIFFERENCE = 0.01; // One percentage point. Smaller differences don't matter.

export class PracticePage extends Page {
  area = new PlacingArea(this);
  placer = this.area.placer;
  placing = this.placer.placing;
  /** @type {PracticePosition[]} */
  tasks = [];
  /** @type {Set<string>} The keys of the tasks that are done. */
  done = new Set();
  /** @type {PracticePosition | null} */
  task = null;
  /** @type {Placement | null} Where the tile was placed this time. */
  answer = null;
  /** Was the last try against the rules? */
  isRefused = false;
  /** How many games the server has yet to review. */
  waiting = 0;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.ladderSection = h("section", { class: "ladder" });
    this.status = h("p", { class: "status", role: "status", t: "practice.thinking" });
    this.nextButton = h("button", {
      type: "button",
      class: "button primary",
      t: "practice.next",
      hidden: true,
      onclick: () => this.openNext(),
    });
    this.reviewLink = linkTo(go, "/", { class: "button", t: "practice.look", hidden: true });
    this.comparison = h("div", { class: "compared", "aria-hidden": "true" });
    this.tiles = this.area.tray();
    this.position = h("div", { class: "practice", hidden: true }, this.area.board(), this.comparison, this.tiles);
    this.content = frame(
      go,
      { main: "practicing" },
      h("h1", { t: "practice.title" }),
      h("h2", { t: "practice.again" }),
      this.status,
      this.position,
      h("div", { class: "buttons" }, this.nextButton, this.reviewLink),
      this.ladderSection,
      this.area.floating,
    );
  }

  /** @override */
  start() {
    this.area.listen(this);
    this.listen(document, "settings", () => this.showTiles());
    void this.loadLadder();
    void this.load();
  }

  async loadLadder() {
    this.ladder = await myLadder().catch(() => null);
    this.showLadder();
  }

  /** Load the tasks, and show the first as soon as there is one. The server reviews one game after another. */
  async load() {
    try {
      do {
        const { positions: tasks, waiting } = await myPractice();
        if (this.isClosed) return;
        const isNew = waiting !== this.waiting || keysOf(tasks) !== keysOf(this.tasks);
        this.tasks = tasks;
        this.waiting = isNew ? waiting : 0; // Don't wait for games that can't be reviewed.
        if (!this.task) this.openNext();
      } while (this.waiting);
    } catch (error) {
      setText(this.status, problemKey(error));
    }
  }

  /** Open the next task. The costliest choices come first. */
  openNext() {
    const next = this.tasks.find((task) => !this.done.has(keyOf(task)));
    this.answer = null;
    this.isRefused = false;
    this.task = next ?? null;
    this.placer.batch.run(() => {
      if (next) {
        const { view } = next;
        this.placer.offer(view.actions, view.hands[view.me ?? 0] ?? [], lastMiddle(view.table));
        this.placer.batch.afterRendering(() => this.area.table.fit());
      }
      this.placer.batch.request("all");
    });
  }

  /** @override */
  show() {
    this.showLadder();
    const { task } = this;
    this.position.hidden = !task;
    this.nextButton.hidden = !this.answer;
    this.reviewLink.hidden = !this.answer;
    this.comparison.hidden = !this.answer;
    this.tiles.hidden = Boolean(this.answer);
    if (task) this.reviewLink.href = `/review/${task.game}#${task.version + 1}`;
    this.showTiles();
  }

  showLadder() {
    const { ladder } = this;
    if (!ladder) return;
    const rungs = ladder.rungs.map(({ bot, played, won, level }) =>
      h(
        "li",
        { class: level === ladder.next ? "rung next" : "rung", "aria-current": level === ladder.next ? "step" : null },
        face({ bot, name: bot }),
        h("strong", {}, t(`bot.${bot}`)),
        h("span", {}, played ? t("path.rung", { n: played, won }) : t("path.not_yet")),
      ),
    );
    const bot = ladder.rungs.find(({ level }) => level === ladder.next)?.bot ?? "snail";
    const button = h(
      "button",
      { type: "button", class: "button primary", onclick: () => void this.playNext(ladder.next) },
      t("path.play", { bot: t(`bot.${bot}`) }),
    );
    this.ladderSection.replaceChildren(
      h("h2", { t: "path.title" }),
      h("p", {}, ladderWords(ladder)),
      h("ol", { class: "rungs" }, ...rungs),
      button,
    );
  }

  /** @param {number} level */
  async playNext(level) {
    changeSettings({ level });
    try {
      this.go(`/game/${await startGame(quickGame())}`);
    } catch (error) {
      setText(this.status, problemKey(error));
    }
  }

  showTiles() {
    const { task, placing, answer } = this;
    this.showStatus();
    if (!task) return;
    const { view } = task;
    const [best] = task.values;
    const marked = [];
    if (answer) {
      if (task.played !== answer.text) marked.push({ place: parsePlacement(task.played), name: "before" });
      if (best && !this.isAsGood(answer.text)) marked.push({ place: parsePlacement(best.placement), name: "better" });
      marked.push({ place: answer, name: "played" });
    }
    this.comparison.replaceChildren(...(answer ? this.comparedTiles(task, answer) : []));
    this.area.show(
      { laid: parseTable(view.table), marked },
      {
        tiles: answer ? [] : (view.hands[view.me ?? 0] ?? []),
        fits: settings.playable ? (tile) => placing.fits(tile) : null,
        drawn: view.drawn,
      },
    );
  }

  /**
   * The tiles that are marked on the table, with their signs. Two of them may have the same place.
   * @param {PracticePosition} task @param {Placement} answer
   */
  comparedTiles({ played, values: [best] }, answer) {
    const compared = [comparedTile("●", answer.text, this.chance(answer.text), "practice.now")];
    if (played !== answer.text) compared.push(comparedTile("○", played, this.chance(played), "practice.before"));
    if (best && !this.isAsGood(answer.text))
      compared.push(comparedTile("★", best.placement, this.chance(best.placement), "practice.best"));
    return compared;
  }

  showStatus() {
    const { answer, task } = this;
    if (!task) {
      setText(
        this.status,
        this.waiting ? "practice.thinking" : this.tasks.length ? "practice.all_done" : "practice.none",
      );
      return;
    }
    if (!answer)
      return setText(
        this.status,
        this.isRefused ? "practice.not_there" : this.placing.tile ? putKey(rotatesByKey()) : "practice.pick",
      );
    const mine = this.chance(answer.text);
    const before = this.chance(task.played);
    const best = percent(task.values[0]?.value ?? 0);
    setText(this.status, this.isAsGood(answer.text) ? "practice.good" : "practice.better", { mine, before, best });
  }

  /** The chance of winning with a placement, in words. @param {string} text of the placement */
  chance(text) {
    return percent(this.task?.values.find(({ placement }) => placement === text)?.value ?? 0);
  }

  /** Is a placement as good as the best one, as far as we can tell? @param {string} text */
  isAsGood(text) {
    const values = this.task?.values ?? [];
    const [best] = values;
    const answer = values.find(({ placement }) => placement === text);
    if (!best || !answer) return false;
    return (
      best.value - answer.value <= Math.max(MIN_DIFFERENCE, MIN_STANDARD_ERRORS * Math.hypot(best.error, answer.error))
    );
  }

  showsPlaces() {
    return settings.lit;
  }

  canPlace() {
    return this.task !== null && !this.answer;
  }

  onPick() {
    this.isRefused = false;
  }

  /** @param {Placement} place @returns {Promise<import("../placing/tile_placer.js").Outcome>} */
  async submit(place) {
    const task = /** @type {PracticePosition} */ (this.task);
    this.isRefused = !task.view.actions.includes(place.text);
    if (this.isRefused) {
      playSound("refuse");
      return "kept";
    }
    const { batch } = this.placer;
    const isGood = this.isAsGood(place.text);
    batch.run(() => {
      this.answer = place;
      this.done.add(keyOf(task));
      this.placing.putBack();
      batch.request("all");
      batch.afterRendering(() => this.nextButton.focus());
    });
    playSound(isGood ? "win" : "lay");
    const [best] = task.values;
    if (best && !isGood) say(t("practice.best_is", { place: placeWords(parsePlacement(best.placement)) }));
    return "placed";
  }
}

/** @param {PracticePosition} task */
function keyOf({ game, version }) {
  return `${game} ${version}`;
}

/** @param {PracticePosition[]} tasks */
function keysOf(tasks) {
  return tasks.map(keyOf).join();
}
