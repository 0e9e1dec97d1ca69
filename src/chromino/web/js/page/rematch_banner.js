/** A rematch waiting for my answer, shown on whatever page I'm on. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { readStored } from "../browser/storage.js";
import { t } from "../language/i18n.js";
import { myOffers, PLAYED_WITH_OTHERS } from "../server/api.js";
import { acceptRematch, declineRematch } from "../server/dealing.js";
import { OfferWatch } from "../server/offer_watch.js";

/** @typedef {import("../types.js").RematchOffer} Offer */

const TICK = 5000; // Milliseconds between checks whether it's time to ask.

export class RematchBanner {
  /** @type {Offer | null} */
  #offer = null;
  #said = "";
  #watch = new OfferWatch();
  #words = h("p", { id: "rematch-words" });
  #element = h(
    "section",
    { class: "rematch-banner", "aria-labelledby": "rematch-words", hidden: true },
    this.#words,
    h("button", { type: "button", class: "button primary", t: "join.accept", onclick: () => this.#accept() }),
    h("button", { type: "button", class: "button", t: "join.decline", onclick: () => this.#decline() }),
  );

  /** @param {(path: string) => void} go */
  constructor(go) {
    this.go = go;
    document.body.append(this.#element);
    document.addEventListener("page", () => this.#look(true));
    document.addEventListener("visibilitychange", () => this.#look(true));
    setInterval(() => this.#look(false), TICK);
    this.#look(true);
  }

  /** @param {boolean} isNew */
  #look(isNew) {
    this.#show();
    const isSeen = document.visibilityState === "visible";
    const playedAt = Number(readStored(PLAYED_WITH_OTHERS)) || -Infinity;
    if (this.#watch.isDue(Date.now(), { isSeen, isNew, playedAt })) void this.#ask();
  }

  async #ask() {
    const offers = await myOffers().catch(() => null); // Without a connection, the page has bigger problems to report.
    if (!offers) return;
    const [offer = null] = offers;
    this.#offer = offer;
    if (offer) setTimeout(() => this.#offer === offer && this.#take(null), offer.left * 1000);
    this.#show();
  }

  /** The table's page and the end of a game already show it. */
  #show() {
    const offer = this.#offer;
    const isShownElsewhere =
      !offer || location.pathname === `/join/${offer.game}` || document.querySelector(".ending[open]");
    this.#element.hidden = Boolean(isShownElsewhere);
    if (!offer || isShownElsewhere) return;
    setText(this.#words, "end.rematch_by", { name: offer.by });
    if (this.#said !== offer.game) say(t("end.rematch_by", { name: offer.by }));
    this.#said = offer.game;
  }

  /** @param {Offer | null} offer */
  #take(offer) {
    this.#offer = offer;
    this.#show();
  }

  async #accept() {
    const offer = this.#offer;
    if (!offer) return;
    this.#take(null);
    await acceptRematch(offer.game).then(this.go, () => this.#take(offer));
  }

  async #decline() {
    const offer = this.#offer;
    if (!offer) return;
    this.#take(null);
    await declineRematch(offer.game).then(
      () => say(t("end.declined")),
      () => this.#take(offer),
    );
  }
}
