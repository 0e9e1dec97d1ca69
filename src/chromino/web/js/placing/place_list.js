/**
 * Placing by keyboard and screen reader: the legal places of the picked tile as a listbox, nearest first. Where places are
 * not lit, by choice or by the game's rules, arrow keys move the tile square by square instead.
 */

import { say } from "../browser/announce.js";
import { h, setAttribute } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { listbox } from "../browser/listbox.js";
import { middleWords, placeWords, tileWords } from "../language/words.js";

/** @typedef {import("../types.js").Placement} Placement */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PlaceList {
  /** @param {import("../types.js").Holder} page */
  constructor(page) {
    this.page = page;
    this.box = h("div", { class: "places", id: "places" });
    /** For moving freely: a place to have the focus. */
    this.free = h("button", { type: "button", class: "places-free", hidden: true });
    this.box.append((this.listing = h("div", { class: "spoken" })), this.free);
    /** @type {import("../browser/listbox.js").Listbox<Placement>} */
    this.list = listbox(this.listing, {
      key: (place) => place.text,
      make: () => h("div"),
      update: (option, place, index) => this.showOption(option, place, index),
      choose: (place) => page.put(place),
      move: (place) => {
        page.placing.hold(place);
        page.parts.table.reveal([place]);
      },
    });
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    this.free.addEventListener("click", () => page.placing.held && page.put(page.placing.held));
  }

  /** Go on with the keyboard after a tile was picked; to a given place, if there is one. @param {Placement} [wanted] */
  enter(wanted) {
    const { placing } = this.page;
    const places = this.shown();
    const place = places.find(({ text }) => text === wanted?.text) ?? places[0];
    if (place) {
      placing.hold(place);
      this.list.focus(places.indexOf(place));
    } else {
      placing.moveBy(0, 0);
      this.free.focus();
      say(t("places.free_help"));
    }
  }

  /** Go on where the tile is held. */
  focus() {
    const index = this.shown().findIndex(({ text }) => text === this.page.placing.held?.text);
    if (index >= 0) this.list.focus(index);
    else this.free.focus();
  }

  /** The places to go through. */
  shown() {
    const { page } = this;
    const { hint, placing } = page;
    if (!page.isMyTurn() || placing.pending) return [];
    return page.isLit() ? placing.places() : hint ? [hint] : [];
  }

  show() {
    const { placing } = this.page;
    const shown = this.shown();
    setAttribute(this.listing, "aria-label", placing.tile ? t("places.label", { tile: tileWords(placing.tile) }) : t("places.none"));
    this.listing.hidden = !shown.length;
    this.list.show(shown);
    this.free.hidden = placing.tile === null || placing.pending !== null;
    const where = placing.held ? placeWords(placing.held) : "";
    setAttribute(this.free, "aria-label", t("places.free", { where }));
  }

  /** @param {HTMLElement} option @param {Placement} place @param {number} index */
  showOption(option, place, index) {
    const { placing } = this.page;
    const words = t("places.option", { n: index + 1, all: placing.places().length, place: placeWords(place) });
    if (option.textContent !== words) option.textContent = words;
    setAttribute(option, "aria-selected", placing.held?.text === place.text ? "true" : "false");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = STEPS[event.key];
    const { placing } = this.page;
    const isFree = event.target === this.free;
    if (step && (event.shiftKey || isFree)) {
      placing.moveBy(...step);
      if (!isFree) this.free.focus();
      if (placing.held) {
        say(middleWords(placing.held));
        this.page.parts.table.reveal([placing.held]);
      }
      event.preventDefault();
    }
  }
}
