/** Shows the log: next to the table on wide screens, otherwise as a sheet over the table's lower half. */

import { h, setAttribute } from "../browser/dom.js";
import { swipeAway } from "../dialogs/sheet.js";
import { backStack } from "../page/back_stack.js";
import { iconButton } from "../page/controls.js";

/** The same media query as in sheets.css. */
const NARROW = "(max-width: 56rem), (orientation: landscape) and (max-height: 32rem)";

export class LogSheet {
  /** @type {(() => void) | null} What to call when the sheet closes; null if there's no open sheet. */
  #uncover = null;

  /** @param {import("./log.js").ChrominoLog} log @param {HTMLElement} toggle opens and closes the log */
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

  /** Does the log cover the table? */
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
    this.#updateToggle();
    this.log.scrollToEnd();
  }

  /** Close the log if it's an open sheet, and return whether it was. */
  close() {
    const uncover = this.#uncover;
    if (!uncover) return false;
    this.#uncover = null;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.classList.remove("open");
    this.#updateToggle();
    if (hadFocus) this.toggleButton.focus({ preventScroll: true });
    uncover();
    return true;
  }

  #updateToggle() {
    setAttribute(this.toggleButton, "aria-expanded", String(this.element.classList.contains("open")));
  }
}
