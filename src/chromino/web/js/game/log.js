/**
 * `<chromino-log>`: the game's events, oldest first. Each one has a picture of its tile, a short text, and a full
 * sentence for screen readers.
 */

import { h, keyed, setAttribute } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { logWords, placeWords } from "../language/words.js";
import { parsePlacement, parseTable } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";

/** @typedef {import("../types.js").State} State */

/** A log scrolled to within this many pixels of its end stays at its end when lines are added. */
const NEAR_END = 40;

export class ChrominoLog extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.list = h("ol", { class: "log", tabindex: 0 });
    this.away = h("ul", { class: "log-away" });
    this.append(h("h2", { t: "log.title" }), this.list, this.away);
  }

  /** @param {State} state @param {boolean} hidesDraws can others see this screen? */
  show(state, hidesDraws) {
    const { view } = state;
    const list = /** @type {HTMLElement} */ (this.list);
    setAttribute(list, "aria-label", t("log.title"));
    const [start] = parseTable(view.table);
    const lines = [
      {
        key: "start",
        tile: start?.colors,
        brief: t("log.starts"),
        full: start ? t("event.starts", { place: placeWords(start) }) : "",
      },
      ...view.log.map((event, number) => ({
        // After a turn is taken back, another tile may get the same number.
        key: `${number} ${event.place ?? ""}`,
        tile: event.place ? parsePlacement(event.place).colors : undefined,
        brief: logWords(state, number, { hidesDraws, brief: true }),
        full: logWords(state, number, { hidesDraws }),
      })),
    ];
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    keyed(
      list,
      lines,
      ({ key }) => key,
      ({ tile }) =>
        h(
          "li",
          {},
          tile ? tilePicture(tile) : null,
          h("span", { "aria-hidden": "true" }),
          h("span", { class: "spoken" }),
        ),
      (item, { brief, full }) => {
        const [visible, spoken] = [...item.children].slice(-2);
        if (visible && visible.textContent !== brief) visible.textContent = brief;
        if (spoken && spoken.textContent !== full) spoken.textContent = full;
      },
    );
    if (isAtEnd) this.scrollToEnd();
  }

  /** Show who's away now. Absences aren't part of the game, so the log doesn't keep them. @param {string[]} lines */
  showAbsences(lines) {
    const list = /** @type {HTMLElement} */ (this.away);
    keyed(
      list,
      lines.map((words, number) => ({ words, number })),
      ({ number }) => String(number),
      () => h("li"),
      (item, { words }) => {
        if (item.textContent !== words) item.textContent = words;
      },
    );
  }

  scrollToEnd() {
    if (this.list) this.list.scrollTop = this.list.scrollHeight;
  }
}

customElements.define("chromino-log", ChrominoLog);
