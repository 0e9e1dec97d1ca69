/** `<chromino-log>`: what happened, in words, the latest last. */

import { tilePicture } from "./art.js";
import { h, keyed, setAttribute } from "./dom.js";
import { parsePlacement, parseTable } from "./geometry.js";
import { t } from "./i18n.js";
import { eventWords, placeWords, seatName } from "./words.js";

/** @typedef {import("./types.js").State} State */

export class ChrominoLog extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.list = h("ol", { class: "log", tabindex: 0 });
    this.append(h("h2", { t: "log.title" }), this.list);
  }

  /** @param {State} state @param {boolean} secret do others look at this screen? */
  show({ view, seats }, secret) {
    const list = /** @type {HTMLElement} */ (this.list);
    setAttribute(list, "aria-label", t("log.title"));
    const [start] = parseTable(view.table);
    const lines = [
      { key: "start", tile: start?.colors, words: start ? t("event.starts", { place: placeWords(start) }) : "" },
      ...view.log.map((event, number) => ({
        key: String(number),
        tile: event.place ? parsePlacement(event.place).colors : undefined,
        words: eventWords(event, seatName(seats, event.seat), { secret }),
      })),
    ];
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    keyed(
      list,
      lines,
      ({ key }) => key,
      ({ tile }) => h("li", {}, tile ? tilePicture(tile) : null, h("span")),
      (item, { words }) => {
        const text = /** @type {Element} */ (item.lastElementChild);
        if (text.textContent !== words) text.textContent = words;
      },
    );
    if (atEnd) list.scrollTop = list.scrollHeight;
  }
}

customElements.define("chromino-log", ChrominoLog);
