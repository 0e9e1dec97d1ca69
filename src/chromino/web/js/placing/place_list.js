/**
 * Places tiles by keyboard and screen reader: a listbox of the picked tile's legal places, nearest first. If places
 * aren't lit, arrow keys move the tile square by square instead.
 */

import { say } from "../browser/announce.js";
import { h, setAttribute } from "../browser/dom.js";
import { listbox } from "../browser/listbox.js";
import { t } from "../language/i18n.js";
import { middleWords, placeWords, tileWords } from "../language/words.js";

/** @typedef {import("../types.js").Placement} Placement */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PlaceList {
  /** @param {import("./tile_placer.js").TilePlacer} placer @param {import("../table/table.js").ChrominoTable} table */
  constructor(placer, table) {
    this.placer = placer;
    this.table = table;
    this.listing = h("div", { class: "spoken" });
    /** This has the focus while the tile is moved freely. */
    this.freeButton = h("button", { type: "button", class: "places-free", hidden: true });
    this.box = h("div", { class: "places", id: "places" }, this.listing, this.freeButton);
    /** @type {import("../browser/listbox.js").Listbox<Placement>} */
    this.list = listbox(this.listing, {
      key: (place) => place.text,
      make: () => h("div"),
      update: (option, place, index) => this.showOption(option, place, index),
      choose: (place) => placer.put(place),
      move: (place) => {
        placer.placing.hold(place);
        table.reveal([place]);
      },
    });
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    this.freeButton.addEventListener("click", () => placer.placing.held && placer.put(placer.placing.held));
  }

  /** Move the focus to a place for the picked tile: the wanted one, or the first. @param {Placement} [wanted] */
  enter(wanted) {
    const { placing } = this.placer;
    const places = this.placer.listedPlaces();
    const place = places.find(({ text }) => text === wanted?.text) ?? places[0];
    if (place) {
      placing.hold(place);
      this.list.focus(places.indexOf(place));
    } else {
      placing.moveBy(0, 0);
      this.freeButton.focus();
      say(t("places.free_help"));
    }
  }

  /** Move the focus to where the tile is held. */
  focus() {
    const index = this.placer.listedPlaces().findIndex(({ text }) => text === this.placer.placing.held?.text);
    if (index >= 0) this.list.focus(index);
    else this.freeButton.focus();
  }

  /** The index of the focused place, if there is one. */
  focused() {
    return this.listing.contains(document.activeElement) ? this.list.index() : undefined;
  }

  show() {
    const { placing } = this.placer;
    const shown = this.placer.listedPlaces();
    setAttribute(
      this.listing,
      "aria-label",
      placing.tile ? t("places.label", { tile: tileWords(placing.tile) }) : t("places.none"),
    );
    this.listing.hidden = !shown.length;
    this.list.show(shown);
    this.freeButton.hidden = placing.tile === null || placing.pending !== null;
    const words = placing.held ? t("places.free", { where: placeWords(placing.held) }) : t("places.not_held");
    setAttribute(this.freeButton, "aria-label", words);
  }

  /** @param {HTMLElement} option @param {Placement} place @param {number} index */
  showOption(option, place, index) {
    const { placing } = this.placer;
    const points = this.placer.pointsOf(place);
    const where = placeWords(place);
    const words = t("places.option", {
      n: index + 1,
      all: placing.places().length,
      place: points === null ? where : t("places.earns", { place: where, n: points }),
    });
    if (option.textContent !== words) option.textContent = words;
    setAttribute(option, "aria-selected", placing.held?.text === place.text ? "true" : "false");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = STEPS[event.key];
    const { placing } = this.placer;
    const isFree = event.target === this.freeButton;
    if (!step || !(event.shiftKey || isFree)) return;
    placing.moveBy(...step);
    if (!isFree) this.freeButton.focus();
    if (placing.held) {
      say(middleWords(placing.held));
      this.table.reveal([placing.held]);
    }
    event.preventDefault();
  }
}
