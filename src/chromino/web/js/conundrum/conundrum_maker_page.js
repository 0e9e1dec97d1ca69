/** Make your own conundrum: build a table, choose the tiles to ask for, and send the link. */

import { h, setAttribute, setPlainText, setText } from "../browser/dom.js";
import { readStored, store } from "../browser/storage.js";
import { t } from "../language/i18n.js";
import { refusalWords, tileWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { PlacingArea } from "../placing/placing_area.js";
import { judge, readConundrum, tilesByKind } from "../server/api.js";
import { isPlacementOf, middleOf, parseTable } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */

/** Where an unfinished conundrum is stored, so that a reload doesn't lose it. */
const KEY = "chromino-making";

/** The most tiles to ask for. Choosing another one drops the oldest. */
const MAX_ASKED = 4;

export class ConundrumMakerPage extends Page {
  area = new PlacingArea(this);
  placer = this.area.placer;
  /** @type {string[]} The placements on the table, in the order they were made. */
  laid = [];
  /** @type {string[]} The tiles that the conundrum asks for. */
  asked = [];
  /** @type {string[]} All tiles in the box. */
  tiles = [];
  /** Can tiles go anywhere except on other tiles or too far from them? */
  allowsAnything = false;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.status = h("p", { class: "status", role: "status" });
    this.tileChoices = h("ul", { class: "tracked-tiles" });
    this.facts = h("p", { role: "status" });
    this.link = h("input", { readonly: true, name: "link", tLabel: "making.link" });
    this.link.addEventListener("focus", () => this.link.select());
    const tray = this.area.tray();
    tray.classList.add("all-tiles");
    this.content = frame(
      go,
      { main: "conundrum" },
      h("h1", { t: "conundrum.make_title" }),
      this.area.board(),
      this.status,
      tray,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "button", t: "making.back", onclick: () => this.removeLast() }),
        h("button", { type: "button", class: "button", t: "making.clear", onclick: () => this.clear() }),
      ),
      toggle("making.free", this.allowsAnything, (on) => (this.allowsAnything = on)),
      h("h2", { t: "making.ask" }),
      this.tileChoices,
      this.facts,
      this.link,
      this.area.floating,
    );
  }

  /** @override */
  start() {
    this.area.listen(this);
    void this.load();
  }

  async load() {
    this.restore();
    setText(this.status, this.laid.length ? "making.pick" : "making.first");
    try {
      this.tiles = Object.values(await tilesByKind(true)).flat();
    } catch (error) {
      this.showProblem(error);
    }
    this.show();
    await this.showFacts();
  }

  /** Load the unfinished conundrum, if there is one. */
  restore() {
    const saved = readStored(KEY);
    this.laid = saved?.laid ?? [];
    this.asked = saved?.asked ?? [];
  }

  /** @param {unknown} error */
  showProblem(error) {
    setText(this.status, problemKey(error));
  }

  /** The tiles that aren't on the table. */
  unusedTiles() {
    const used = parseTable(this.laid.join(" "));
    return this.tiles.filter((tile) => !used.some((place) => isPlacementOf(place, tile)));
  }

  /** @override */
  show() {
    const unused = this.unusedTiles();
    this.tileChoices.replaceChildren(
      ...unused.map((tile) => {
        const isAsked = this.asked.includes(tile);
        const button = h(
          "button",
          { type: "button", class: "ask-tile", "aria-pressed": isAsked ? "true" : "false" },
          tilePicture(tile),
        );
        setAttribute(button, "aria-label", t("making.ask_for", { tile: tileWords(tile) }));
        button.addEventListener("click", () => this.toggleAsked(tile));
        return h("li", {}, button);
      }),
    );
    this.showTiles();
  }

  showTiles() {
    const tiles = this.unusedTiles().filter((tile) => !this.asked.includes(tile));
    this.area.show({ laid: parseTable(this.laid.join(" ")) }, { tiles, fits: null, drawn: null });
  }

  showsPlaces() {
    return false;
  }

  canPlace() {
    return true;
  }

  /** Put the first tile in the middle of the empty table. */
  onPick() {
    const { placing } = this.placer;
    if (!this.laid.length) this.placer.put(placing.placeNear([[1.5, 0.5]], false));
  }

  /** @param {Placement} place @returns {Promise<import("../placing/tile_placer.js").Outcome>} */
  async submit(place) {
    const { tile } = this.placer.placing;
    try {
      const refusal = this.laid.length
        ? (await judge(`${this.laid.join(" ")} ? ${tile}`, place.text, [])).refusal
        : null;
      if (refusal && (!this.allowsAnything || refusal.reason === "overlap" || refusal.reason === "too-far")) {
        setPlainText(this.status, refusalWords(refusal));
        return refusal;
      }
    } catch (error) {
      this.showProblem(error);
      return "kept";
    }
    this.lay(place);
    return "placed";
  }

  /** @param {Placement} place */
  lay(place) {
    const { batch, placing } = this.placer;
    batch.run(() => {
      this.laid.push(place.text);
      placing.putBack();
      placing.lastMiddle = middleOf(place);
      setText(this.status, "making.pick");
      this.changed();
    });
  }

  removeLast() {
    this.laid.pop();
    setText(this.status, this.laid.length ? "making.pick" : "making.first");
    this.changed();
  }

  clear() {
    this.laid = [];
    this.asked = [];
    setText(this.status, "making.first");
    this.changed();
  }

  /** @param {string} tile */
  toggleAsked(tile) {
    this.asked = this.asked.includes(tile)
      ? this.asked.filter((other) => other !== tile)
      : [...this.asked, tile].slice(-MAX_ASKED);
    this.changed();
    /** @type {HTMLElement | undefined} */ (
      this.tileChoices.querySelectorAll("button")[this.unusedTiles().indexOf(tile)]
    )?.focus();
  }

  changed() {
    const unused = this.unusedTiles();
    this.asked = this.asked.filter((tile) => unused.includes(tile));
    store(KEY, { laid: this.laid, asked: this.asked });
    this.placer.batch.request("all");
    void this.showFacts();
  }

  text() {
    return `${this.laid.join(" ")} ? ${this.asked.join(" ")}`;
  }

  /** Show in how many places each tile fits, the grade, and the link. */
  async showFacts() {
    const isReady = this.laid.length > 0 && this.asked.length > 0;
    this.link.hidden = true;
    this.facts.textContent = isReady ? "" : t("making.need");
    if (!isReady) return;
    const text = this.text();
    try {
      const { asked, grade } = await readConundrum(text);
      if (text !== this.text()) return; // It has changed since, and another answer is on its way.
      const counts = asked.map(({ tile, count }) => t("making.count", { tile: tileWords(tile), n: count }));
      this.facts.textContent = [...counts, t("conundrum.grade", { n: grade })].join(" · ");
      this.link.value = `${location.origin}/conundrum?t=${encodeURIComponent(text)}`;
      this.link.hidden = false;
    } catch (error) {
      this.showProblem(error);
    }
  }
}
