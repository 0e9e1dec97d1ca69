/** Make your own conundrum: build a table, choose the tiles to ask for, and send the link. */

import { say } from "../browser/announce.js";
import { ApiError, judge, lookAt, tilesByKind } from "../server/api.js";
import { tilePicture } from "../table/tile_art.js";
import { TileBench } from "../placing/placing_page.js";
import { toggle } from "../page/controls.js";
import { h, setAttribute, setText } from "../browser/dom.js";
import { isOf, middleOf, parseTable } from "../table/geometry.js";
import { t } from "../language/i18n.js";
import { refusalWords, tileWords } from "../language/words.js";
import { topBar } from "../page/header.js";

/** @typedef {import("../types.js").Placement} Placement */

const KEPT = "chromino-making"; // Nothing is lost by a reload.

export class ConundrumMakerPage extends TileBench {
  /** @type {string[]} The placements, in the order laid. */
  laid = [];
  /** @type {string[]} */
  asked = [];
  /** @type {string[]} */
  tiles = [];
  free = false;

  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    super();
    this.status = h("p", { class: "status", role: "status" });
    this.choice = h("ul", { class: "tracked-tiles" });
    this.numbers = h("p", { role: "status" });
    this.link = h("input", { readonly: true, name: "link", tLabel: "making.link" });
    this.link.addEventListener("focus", () => this.link.select());
    const tray = this.tray();
    tray.classList.add("all-tiles");
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "conundrum.make"),
        h(
          "main",
          { class: "conundrum" },
          h("h1", { t: "conundrum.make" }),
          this.board(),
          this.status,
          tray,
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
    this.listen();
    document.addEventListener("language", () => this.show(), { signal: this.life.signal });
    void this.load();
  }

  async load() {
    this.restore();
    setText(this.status, this.laid.length ? "making.pick" : "making.first");
    try {
      this.tiles = Object.values(await tilesByKind(true)).flat();
    } catch (error) {
      this.fail(error);
    }
    this.show();
    await this.count();
  }

  /** What was made before. */
  restore() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
      this.laid = kept.laid ?? [];
      this.asked = kept.asked ?? [];
    } catch {
      // Without storage, or with something else in it, one begins anew.
    }
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

  /** The first tile of all lies where tables begin. @param {string} tile */
  pickUp(tile) {
    super.pickUp(tile);
    if (!this.laid.length) void this.put(this.placing.placeNear([[1.5, 0.5]], false));
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
}
