/** The link to a table, to pass on with the device's share sheet, the clipboard, or a QR code. */

import { copyText } from "../browser/clipboard.js";
import { h, setAttribute, setText } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { tableLinkOf } from "../server/api.js";

/** Who can open the link, if it isn't everyone. */
const REACH_KEYS = { device: "join.reach_device", network: "join.reach_network" };

/** Is there a share sheet? Browsers offer it only on secure pages, and desktops lack it or hide it. */
export const canShare = () => "share" in navigator && matchMedia("(pointer: coarse)").matches;

export class TableLink {
  #link = h("input", { readonly: true, name: "link", tLabel: "join.link" });
  #reach = h("p", { class: "muted", hidden: true });
  #status = h("p", { role: "status", class: "muted" });

  /** @param {string} game */
  constructor(game) {
    this.game = game;
    this.#link.addEventListener("focus", () => this.#link.select());
    this.qr = h("img", { class: "qr", width: 160, height: 160 });
    const buttonClass = (/** @type {boolean} */ isFirst) => (isFirst ? "button primary big" : "button");
    this.shareButton = h("button", {
      type: "button",
      class: buttonClass(true),
      t: "join.share",
      hidden: !canShare(),
      disabled: true, // There's no link to send yet.
      onclick: () => this.#share(),
    });
    this.copyButton = h("button", {
      type: "button",
      class: buttonClass(!canShare()),
      t: "join.copy",
      disabled: true,
      onclick: () => this.#copy(),
    });
    this.element = h(
      "section",
      { class: "invitation", tLabel: "join.invite" },
      h(
        "div",
        { class: "invitation-ways" },
        h("div", { class: "buttons" }, this.shareButton, this.copyButton),
        this.#link,
        this.#status,
        this.#reach,
        h("p", { class: "muted", t: "join.insecure", hidden: isSecureContext }),
      ),
      this.qr,
    );
  }

  /** Load the link for friends. If it doesn't work everywhere, say so. */
  async load() {
    const { url, reach } = await tableLinkOf(this.game);
    this.#link.value = url;
    for (const button of [this.shareButton, this.copyButton]) button.disabled = false;
    this.show();
    this.#reach.hidden = reach === "anywhere";
    if (reach !== "anywhere") setText(this.#reach, REACH_KEYS[reach]);
  }

  show() {
    setAttribute(this.qr, "alt", t("join.qr"));
    // A table without a free seat soon becomes a game, which has no QR code.
    if (this.#link.value && !this.element.hidden) setAttribute(this.qr, "src", `/api/gatherings/${this.game}/link.svg`);
  }

  async #share() {
    const shared = await navigator.share({ url: this.#link.value, text: t("join.share_text") }).then(
      () => true,
      (error) => error.name === "AbortError", // They changed their mind.
    );
    if (!shared) await this.#copy();
  }

  async #copy() {
    if (await copyText(this.#link.value)) setText(this.#status, "join.copied");
    else this.#link.select(); // Ready to copy by hand.
  }
}
