/** A banner that shows a rematch waiting for my answer, on whatever page I'm on. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { readStored } from "../browser/storage.js";
import { t } from "../language/i18n.js";
import { myOffers, PLAYED_WITH_OTHERS } from "../server/api.js";
import { acceptRematch, declineRematch } from "../server/dealing.js";
import { OfferWatch } from "../server/offer_watch.js";

/** @typedef {import("../types.js").RematchOffer} Offer */

/** How often to check whether it's time to ask the server, in milliseconds. */
const TICK = 5000;

export class RematchBanner {
  /** @type {Offer | null} */
  #offer = null;
  #announced = "";
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
    document.addEventListener("page", () => this.#check(true));
    document.addEventListener("visibilitychange", () => this.#check(true));
    setInterval(() => this.#check(false), TICK);
    this.#check(true);
  }

  /** @param {boolean} isNew has the page just opened or come into view? */
  #check(isNew) {
    this.#show();
    const isSeen = document.visibilityState === "visible";
    const playedAt = Number(readStored(PLAYED_WITH_OTHERS)) || -Infinity;
    if (this.#watch.isDue(Date.now(), { isSeen, isNew, playedAt })) void this.#ask();
  }

  async #ask() {
    // Without a connection, the page has bigger problems to report.
    const offers = await myOffers().catch(() => null);
    if (!offers) return;
    const [offer = null] = offers;
    this.#offer = offer;
    if (offer) setTimeout(() => this.#offer === offer && this.#setOffer(null), offer.left * 1000);
    this.#show();
  }

  /** Show the banner, except where the rematch is already shown: at its table, and at the end of a game. */
  #show() {
    const offer = this.#offer;
    const isHidden = !offer || location.pathname === `/join/${offer.game}` || document.querySelector(".ending[open]");
    this.#element.hidden = Boolean(isHidden);
    if (!offer || isHidden) return;
    setText(this.#words, "end.rematch_by", { name: offer.by });
    if (this.#announced !== offer.game) say(t("end.rematch_by", { name: offer.by }));
    this.#announced = offer.game;
  }

  /** @param {Offer | null} offer */
  #setOffer(offer) {
    this.#offer = offer;
    this.#show();
  }

  async #accept() {
    const offer = this.#offer;
    if (!offer) return;
    this.#setOffer(null);
    await acceptRematch(offer.game).then(this.go, () => this.#setOffer(offer));
  }

  async #decline() {
    const offer = this.#offer;
    if (!offer) return;
    this.#setOffer(null);
    await declineRematch(offer.game).then(
      () => say(t("end.declined")),
      () => this.#setOffer(offer),
    );
  }
}
