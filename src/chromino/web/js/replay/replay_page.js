/** The replay of a finished game: step by step, with all hands, and a check of the deal. */

import { say } from "../browser/announce.js";
import { h, keyed, setAttribute, setLabel, setText } from "../browser/dom.js";
import { showDealCheck } from "../ending/deal_check.js";
import { winnerWords } from "../ending/ending_words.js";
import { joinSentences, t } from "../language/i18n.js";
import { eventWords, isYou, placeWords, seatName, tileWords } from "../language/words.js";
import { ApiError, checkRecord, gameOf, recordOf } from "../server/api.js";
import { tilePicture } from "../table/tile_art.js";
import { savePicture } from "./picture_download.js";
import { positionAfter, readRecord, verifiedSeedHash } from "./record.js";
import { publishedHash } from "./seed_hashes.js";
import "../table/table.js";
import { iconButton } from "../page/controls.js";
import { facesOf } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { face, icon } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey, problemLine } from "../page/problem.js";

const PACE = 1200; // Milliseconds per step.

export class ReplayPage extends Page {
  /** @type {import("./record.js").Record | null} */
  record = null;
  /** @type {import("./record.js").Outcome | null} */
  outcome = null;
  /** @type {import("../types.js").Placement[]} The final table. With it in view, the camera doesn't have to move. */
  finalTiles = [];
  /** The text of the record. */
  text = "";
  /** @type {import("../types.js").State | null} The final state, if the game is from this server. */
  state = null;
  move = 0;
  /** @type {(() => void) | null} Stops the playback; null if nothing is playing. */
  stopPlaying = null;

  /** @param {(path: string) => void} go @param {string | null} game null if the record comes from a file */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.table = /** @type {import("../table/table.js").ChrominoTable} */ (document.createElement("chromino-table"));
    this.words = h("p", { class: "status", "aria-live": "polite" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, tLabel: "replay.slider" });
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.hands = h("ol", { class: "final" });
    this.problem = problemLine();
    this.playButton = iconButton("play", "replay.play", () => this.togglePlaying());
    this.playButton.classList.add("play");
    this.fairLine = h("p", { role: "status" });
    this.verdictLine = h("p", { class: "deal-check", hidden: true });
    this.seedText = h("code");
    this.reviewLink = linkTo(go, `/review/${game}`, { class: "button", t: "end.review", hidden: !game });
    this.fileInput = h("input", { type: "file", accept: ".jsonl,application/jsonl,text/plain", class: "spoken" });
    this.fileInput.addEventListener("change", () => void this.openFile(this.fileInput.files?.[0]));
    const board = h(
      "div",
      { class: "board-side" },
      h("div", { class: "table-box" }, this.table),
      this.words,
      h(
        "div",
        { class: "controls" },
        iconButton("first", "replay.first", () => this.goTo(0)),
        iconButton("back", "replay.back", () => this.goTo(this.move - 1)),
        this.playButton,
        iconButton("next", "replay.next", () => this.goTo(this.move + 1)),
        iconButton("last", "replay.last", () => this.goTo(Infinity)),
        this.slider,
      ),
    );
    const facts = h("div", { class: "facts-side" }, this.hands, this.extras());
    this.viewer = h("div", { class: "viewer", hidden: true }, board, facts);
    this.content = frame(
      go,
      { main: "replay" },
      h("h1", { t: "replay.title" }),
      this.problem,
      this.viewer,
      h(
        "label",
        { class: "drop" },
        this.fileInput,
        icon("open"),
        h("strong", { t: "replay.file" }),
        h("span", { class: "muted" }, h("span", { t: "replay.drop" }), " ", h("span", { t: "replay.file_about" })),
        h("span", { class: "button", "aria-hidden": "true", t: "replay.choose" }),
      ),
    );
  }

  /** @override */
  start() {
    this.listen(window, "keydown", (event) => this.onKey(event));
    this.listen(window, "hashchange", () => this.goTo(moveOf(location.hash)));
    this.listen(window, "dragover", (event) => this.onDrag(event));
    this.listen(window, "dragleave", () => this.content.classList.remove("dropping"));
    this.listen(window, "drop", (event) => this.onDrop(event));
    if (this.game) void this.loadGame(this.game);
  }

  /** Load a game from this server, with its state: a record doesn't say who has which face. @param {string} game */
  async loadGame(game) {
    const state = gameOf(game).catch(() => null);
    try {
      const text = await recordOf(game);
      this.state = await state;
      await this.load(text, game);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The downloads, and the check of the deal. */
  extras() {
    const check = h("button", { type: "button", class: "button", t: "replay.check", onclick: () => this.check() });
    this.downloadLink = h("a", { class: "button", t: "replay.download", download: "chromino.jsonl" });
    const pictures = [
      this.saveButton("svg", "SVG", "replay.svg"),
      this.saveButton("png", "PNG", "replay.png"),
      this.saveButton("gif", "GIF", "replay.gif"),
      this.saveButton("animated", "SVG ▶", "replay.animated"),
    ];
    return h(
      "section",
      { class: "extras" },
      h("div", { class: "buttons" }, this.reviewLink, this.downloadLink, ...pictures, check),
      h("p", { class: "muted" }, h("span", { t: "replay.seed" }), " ", this.seedText),
      this.fairLine,
      this.verdictLine,
    );
  }

  /** @param {File} [file] */
  async openFile(file) {
    if (!file) return;
    this.state = null;
    this.hands.replaceChildren();
    await this.load(await file.text(), null);
  }

  /** @param {DragEvent} event */
  onDrag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault(); // Otherwise the browser would open the file instead of this page.
    this.content.classList.add("dropping");
  }

  /** @param {DragEvent} event */
  onDrop(event) {
    this.content.classList.remove("dropping");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void this.openFile(event.dataTransfer.files[0]);
  }

  /**
   * Check a record, and show it from the start or from the move in the address.
   * @param {string} text of the record @param {string | null} game its id, if it was played on this server
   */
  async load(text, game) {
    try {
      this.outcome = await checkRecord(text);
    } catch (error) {
      return this.fail(error);
    }
    if (game !== this.game) history.replaceState(null, "", "/replay"); // The address no longer matches the game.
    this.game = game;
    this.reviewLink.hidden = !game;
    this.record = readRecord(text);
    this.text = text;
    this.problem.hidden = true;
    this.viewer.hidden = false;
    const url = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    setAttribute(/** @type {HTMLElement} */ (this.downloadLink), "href", url);
    this.seedText.textContent = this.record.start.seed ?? "–";
    this.fairLine.textContent = "";
    this.showVerdict();
    this.slider.max = String(this.record.events.length);
    this.finalTiles = positionAfter(this.record, Infinity).laid;
    this.table.follows = true;
    this.table.restingCamera = null; // Forget where the camera was in the previous game.
    this.goTo(moveOf(location.hash));
  }

  /** @param {unknown} error */
  fail(error) {
    this.problem.hidden = false;
    const isBroken = error instanceof ApiError && error.code === "bad-record";
    setText(this.problem, isBroken ? "replay.broken" : problemKey(error));
  }

  /** @param {number} move how many events have happened */
  goTo(move) {
    if (!this.record) return;
    this.move = Math.max(0, Math.min(move, this.record.events.length));
    if (this.move === this.record.events.length) this.pause();
    history.replaceState(null, "", `#${this.move}`);
    this.show();
  }

  /** @override */
  show() {
    const { record, outcome, move } = this;
    if (!record || !outcome) return;
    const position = positionAfter(record, move);
    const event = record.events[move - 1];
    this.slider.value = String(move);
    setAttribute(this.slider, "aria-valuetext", t("replay.of", { n: move, all: record.events.length }));
    const last = event?.place ? (position.laid[position.laid.length - 1] ?? null) : null;
    this.table.show({ laid: position.laid, last, ahead: this.finalTiles });
    const [start] = position.laid;
    const parts = start && !event ? [t("event.starts", { place: placeWords(start) })] : [];
    if (event) parts.push(eventWords(event, isYou(this.seats, event.seat) ? null : this.nameOf(event.seat)));
    if (outcome.over && move === record.events.length) parts.push(winnerWords(this.seats, outcome.winners));
    this.words.textContent = joinSentences(parts);
    keyed(
      this.hands,
      record.players.map((_, seat) => seat),
      String,
      (seat) =>
        h(
          "li",
          {},
          h("span", { class: "final-face" }, this.face(this.nameOf(seat), seat)),
          h("span", { class: "final-name" }),
          h("span", { class: "final-facts" }),
          h("span", { class: "final-hand" }),
        ),
      (item, seat) => showHand(item, this.nameOf(seat), position, seat, record.rules.scoring !== null),
    );
  }

  /** The players. A record has only their names. @returns {readonly import("../language/words.js").Named[]} */
  get seats() {
    return this.state?.seats ?? this.record?.players.map((name) => ({ name, bot: null, mine: false })) ?? [];
  }

  /** A player's name, with a badge for programs, as in the game. @param {number} seat */
  nameOf(seat) {
    return this.seats[seat] ? seatName(this.seats, seat) : "";
  }

  /** @param {string} name @param {number} seat */
  face(name, seat) {
    return face({ bot: this.seats[seat]?.bot ?? null, name, personFace: facesOf(this.seats)[seat] });
  }

  togglePlaying() {
    if (this.stopPlaying) return this.pause();
    if (this.move === this.record?.events.length) this.goTo(0);
    this.stopPlaying = this.every(PACE, () => this.goTo(this.move + 1));
    this.playButton.replaceChildren(icon("pause"));
    setLabel(this.playButton, "replay.pause");
  }

  pause() {
    this.stopPlaying?.();
    this.stopPlaying = null;
    this.playButton.replaceChildren(icon("play"));
    setLabel(this.playButton, "replay.play");
  }

  /** Say how the tiles were dealt. If this browser contributed, run the same check as at the end of a game. */
  showVerdict() {
    this.verdictLine.hidden = true;
    if (this.game && this.record) showDealCheck(this.verdictLine, this.game, this.record, this.state);
  }

  /** Shuffle again in this browser, and compare the result with the record. */
  check() {
    if (!this.record) return;
    const hash = verifiedSeedHash(this.record);
    const published = this.game && publishedHash(this.game);
    const isFair = hash !== null && (published === null || published === hash);
    const hasSeed = this.record.start.seed !== null;
    setText(this.fairLine, isFair ? "replay.fair" : hasSeed ? "replay.unfair" : "replay.no_seed", { hash: hash ?? "" });
    this.showVerdict();
    say(this.fairLine.textContent ?? "");
  }

  /**
   * A button that saves a picture.
   * @param {import("./picture_download.js").PictureFormat} format
   * @param {string} name
   * @param {string} label
   */
  saveButton(format, name, label) {
    const button = h("button", { type: "button", class: "button" }, name);
    setLabel(button, label);
    button.addEventListener("click", async () => {
      if (button.hasAttribute("aria-busy")) return;
      button.setAttribute("aria-busy", "true");
      await savePicture(this.text, format, this.move).then(
        () => (this.problem.hidden = true),
        (error) => this.fail(error),
      );
      button.removeAttribute("aria-busy");
    });
    return button;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (
      document.querySelector("dialog[open]") ||
      /** @type {Element} */ (event.target).closest("input, select, button")
    )
      return;
    if (event.key === "ArrowLeft") this.goTo(this.move - 1);
    else if (event.key === "ArrowRight") this.goTo(this.move + 1);
    else if (event.key === "Home") this.goTo(0);
    else if (event.key === "End") this.goTo(Infinity);
    else if (event.key === " ") this.togglePlaying();
    else return;
    event.preventDefault();
  }
}

/** The move that the address names, or 0. @param {string} hash */
function moveOf(hash) {
  return /^#\d+$/.test(hash) ? Number(hash.slice(1)) : 0;
}

/**
 * @param {HTMLElement} item
 * @param {string} player
 * @param {import("./record.js").Position} position
 * @param {number} seat
 * @param {boolean} scoring
 */
function showHand(item, player, position, seat, scoring) {
  const [, name, facts, hand] = /** @type {[Element, Element, Element, HTMLElement]} */ (
    /** @type {unknown} */ ([...item.children])
  );
  const tiles = position.hands[seat] ?? [];
  name.textContent = player;
  facts.textContent = scoring
    ? t("seats.points", { n: position.earned[seat] ?? 0 })
    : t("seats.tiles", { n: tiles.length });
  const key = tiles.join(" ") + document.documentElement.lang;
  if (hand.dataset.shown === key) return;
  hand.dataset.shown = key;
  hand.replaceChildren(
    ...tiles.map((tile) => h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile))),
  );
}
