/** Make your own conundrum: build a table, choose the tiles to ask for, and send the link. */

import { say } from "./announce.js";
import { ApiError, judge, lookAt, tilesByKind } from "./api.js";
import { icon, tilePicture } from "./art.js";
import { toggle } from "./dialogs.js";
import { h, setAttribute, setLabel, setText } from "./dom.js";
import { dragTiles } from "./drag_tile.js";
import { isOf, middleOf, parseTable } from "./geometry.js";
import { topBar } from "./home.js";
import { t } from "./i18n.js";
import { Places } from "./places.js";
import { Placing } from "./placing.js";
import { refusalWords, tileWords } from "./words.js";
import "./hand.js";
import "./table.js";

/** @typedef {import("./types.js").Placement} Placement */

const KEPT = "chromino-making"; // Nothing is lost by a reload.

export class MakingPage {
  placing = new Placing();
  /** @type {string[]} The placements, in the order laid. */
  laid = [];
  /** @type {string[]} */
  asked = [];
  /** @type {string[]} */
  tiles = [];
  free = false;
  /** @type {{place: Placement, refusal: import("./types.js").Refusal} | null} */
  blame = null;
  /** @type {Placement | null} */
  hint = null;
  sending = false;
  life = new AbortController();

  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    const { signal } = this.life;
    this.table = /** @type {import("./table.js").ChrominoTable} */ (document.createElement("chromino-table"));
    this.hand = /** @type {import("./hand.js").ChrominoHand} */ (document.createElement("chromino-hand"));
    this.parts = { table: this.table, hand: this.hand, floating: h("div", { class: "floating", "aria-hidden": "true", hidden: true }) };
    this.places = new Places(this);
    this.status = h("p", { class: "status", role: "status" });
    this.choice = h("ul", { class: "tracked-tiles" });
    this.numbers = h("p", { role: "status" });
    this.link = h("input", { readonly: true, name: "link", tLabel: "making.link" });
    this.link.addEventListener("focus", () => this.link.select());
    const turn = h("button", { type: "button", class: "icon-button", onclick: () => this.placing.turnTile() }, icon("turn"));
    setLabel(turn, "tool.turn");
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "conundrum.make"),
        h(
          "main",
          { class: "conundrum" },
          h("h1", { t: "conundrum.make" }),
          h("div", { class: "table-box" }, this.table, this.places.box),
          this.status,
          h("div", { class: "conundrum-hand all-tiles" }, this.hand, turn),
          h(
            "div",
            { class: "buttons" },
            h("button", { type: "button", class: "button", t: "making.back", onclick: () => this.back() }),
            h("button", { type: "button", class: "button", t: "making.clear", onclick: () => this.clear() }),
          ),
          toggle("making.free", this.free, (free) => (this.free = free)),
          h("h2", { t: "making.ask" }),
          this.choice,
          this.numbers,
          h("div", { class: "link" }, this.link),
          this.parts.floating,
        ),
      ),
    );
    this.table.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
    this.hand.addEventListener("pick", (event) => this.onPick(/** @type {CustomEvent} */ (event).detail));
    this.placing.addEventListener("change", () => this.draw());
    dragTiles(this, signal);
    addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("language", () => this.show(), { signal });
    void this.load();
  }

  close() {
    this.life.abort();
  }

  isLit() {
    return false;
  }

  isMyTurn() {
    return true;
  }

  isOver() {
    return false;
  }

  async load() {
    try {
      this.tiles = Object.values(await tilesByKind(true)).flat();
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
      this.laid = kept.laid ?? [];
      this.asked = kept.asked ?? [];
    } catch (error) {
      this.fail(error);
    }
    setText(this.status, this.laid.length ? "making.pick" : "making.first");
    this.show();
    await this.count();
  }

  /** @param {unknown} error */
  fail(error) {
    setText(this.status, `problem.${error instanceof ApiError ? error.code : "failed"}`);
  }

  /** Tiles that are neither on the table nor asked for. */
  left() {
    const used = parseTable(this.laid.join(" "));
    return this.tiles.filter((tile) => !used.some((place) => isOf(place, tile)));
  }

  show() {
    const left = this.left();
    this.choice.replaceChildren(
      ...left.map((tile) => {
        const on = this.asked.includes(tile);
        const button = h("button", { type: "button", class: "ask-tile", "aria-pressed": on ? "true" : "false" }, tilePicture(tile));
        setAttribute(button, "aria-label", t("making.ask_for", { tile: tileWords(tile) }));
        button.addEventListener("click", () => this.ask(tile));
        return h("li", {}, button);
      }),
    );
    this.draw();
  }

  draw() {
    const { placing } = this;
    this.table.show({
      laid: parseTable(this.laid.join(" ")),
      held: placing.held,
      pending: null,
      blame: this.blame && { ...this.blame, words: refusalWords(this.blame.refusal) },
    });
    this.hand.show({
      tiles: this.left().filter((tile) => !this.asked.includes(tile)),
      picked: placing.tile,
      turned: placing.turn >= 2,
      fits: null,
      drawn: null,
    });
    this.places.show();
  }

  /** @param {{tile: string, byKey: boolean}} picked */
  onPick({ tile, byKey }) {
    if (this.placing.tile === tile && !byKey) this.placing.turnTile();
    else this.pickUp(tile);
    if (byKey) this.places.enter();
  }

  /** @param {string} tile */
  pickUp(tile) {
    this.blame = null;
    if (this.placing.tile !== tile) this.placing.pick(tile, false);
    if (!this.laid.length) void this.put(this.placing.placeNear([[1.5, 0.5]], false));
  }

  /** @param {import("./types.js").Square} point */
  onTap(point) {
    this.blame = null;
    if (this.placing.tile === null) this.draw();
    else void this.put(this.placing.placeTapped(point, false));
  }

  /** @param {Placement} place */
  async put(place) {
    const { tile } = this.placing;
    if (tile === null || this.sending) return;
    this.sending = true;
    try {
      const refusal = this.laid.length ? (await judge(`${this.laid.join(" ")} ? ${tile}`, place.text, [])).refusal : null;
      if (refusal && (!this.free || refusal.reason === "overlap" || refusal.reason === "too-far")) {
        this.blame = { place, refusal };
        this.status.textContent = refusalWords(refusal);
      } else this.lay(place);
    } catch (error) {
      this.fail(error);
    } finally {
      this.sending = false;
      this.draw();
    }
  }

  /** @param {Placement} place */
  lay(place) {
    this.laid.push(place.text);
    this.placing.putBack();
    this.placing.from = middleOf(place);
    setText(this.status, "making.pick");
    this.changed();
  }

  back() {
    this.laid.pop();
    this.changed();
  }

  clear() {
    this.laid = [];
    this.asked = [];
    setText(this.status, "making.first");
    this.changed();
  }

  /** @param {string} tile */
  ask(tile) {
    this.asked = this.asked.includes(tile) ? this.asked.filter((other) => other !== tile) : [...this.asked, tile].slice(-4);
    this.changed();
    /** @type {HTMLElement | undefined} */ (this.choice.querySelectorAll("button")[this.left().indexOf(tile)])?.focus();
  }

  changed() {
    const left = this.left();
    this.asked = this.asked.filter((tile) => left.includes(tile));
    try {
      localStorage.setItem(KEPT, JSON.stringify({ laid: this.laid, asked: this.asked }));
    } catch {
      // A browser that keeps nothing still makes conundrums.
    }
    this.show();
    void this.count();
  }

  /** The numbers of places, and the link. */
  async count() {
    const ready = this.laid.length > 0 && this.asked.length > 0;
    this.link.hidden = !ready;
    this.numbers.textContent = ready ? "" : t("making.need");
    if (!ready) return;
    const text = `${this.laid.join(" ")} ? ${this.asked.join(" ")}`;
    try {
      const { asked, grade } = await lookAt(text);
      const counts = asked.map(({ tile, count }) => t("making.count", { tile: tileWords(tile), n: count }));
      this.numbers.textContent = [...counts, t("conundrum.grade", { n: grade })].join(" · ");
      this.link.value = `${location.origin}/conundrum?t=${encodeURIComponent(text)}`;
      say(this.numbers.textContent);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const { tile } = this.placing;
    if (event.key === "Escape" && this.placing.putBack()) this.hand.focusTile(tile);
    else if (event.key.toLowerCase() === "r" && !(/** @type {Element} */ (event.target).closest("input"))) this.placing.turnTile();
  }
}
