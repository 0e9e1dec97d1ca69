/** Where the log is: next to the table on wide screens, otherwise a sheet over its lower half. */

import { h, setAttribute } from "../browser/dom.js";
import { iconButton } from "../page/controls.js";
import { backStack } from "../page/going_back.js";
import { swipeAway } from "../page/sheet.js";

/** The same as in small_screens.css. */
const NARROW = "(max-width: 56rem), (orientation: landscape) and (max-height: 32rem)";

export class LogSheet {
  /** @type {(() => void) | null} What to call when the sheet closes; null: it isn't a sheet. */
  #uncover = null;

  /** @param {import("./log.js").ChrominoLog} log @param {HTMLElement} toggle the button that opens and closes it */
  constructor(log, toggle) {
    this.log = log;
    this.toggleButton = toggle;
    const close = iconButton("close", "dialog.close", () => this.close());
    close.classList.add("sheet-close");
    this.element = h(
      "section",
      { class: "side" },
      h("i", { class: "sheet-handle", "aria-hidden": "true" }),
      log,
      close,
    );
    swipeAway(this.element, () => this.close());
  }

  /** Does it cover the table? */
  get isSheet() {
    return this.#uncover !== null;
  }

  toggle() {
    if (this.close()) return;
    const isOpen = this.element.classList.toggle("open");
    if (isOpen && matchMedia(NARROW).matches) {
      this.#uncover = backStack.cover({ close: () => this.close(), isOpen: () => this.isSheet });
      this.log.list?.focus({ preventScroll: true });
    }
    this.#tell();
    this.log.scrollToEnd();
  }

  /** Close it if it's a sheet; says whether it was. */
  close() {
    const uncover = this.#uncover;
    if (!uncover) return false;
    this.#uncover = null;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.classList.remove("open");
    this.#tell();
    if (hadFocus) this.toggleButton.focus({ preventScroll: true });
    uncover();
    return true;
  }

  #tell() {
    setAttribute(this.toggleButton, "aria-expanded", String(this.element.classList.contains("open")));
  }
}
