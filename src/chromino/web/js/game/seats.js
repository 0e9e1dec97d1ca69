/** `<chromino-seats>`: the players. Bars and a number show the tiles left; with scoring, the number is the score. */

import { h, keyed, setAttribute, setText } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { botName, clockWords, seatName, tileWords } from "../language/words.js";
import { face, seatFace } from "../page/icons.js";
import { tilePicture } from "../table/tile_art.js";
import { absenceOf } from "./absence.js";
import { HURRY_SECONDS } from "./game_play.js";
import { nextGameNames } from "./latecomer_words.js";

/** @typedef {import("../types.js").State} State */

/** The most bars to show, however many tiles there are. */
const MAX_BARS = 12;

export class ChrominoSeats extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.list = h("ol", { class: "seats" });
    this.next = h("p", { class: "seats-next muted", hidden: true });
    this.append(this.list, this.next);
  }

  /** @param {State} state */
  show(state) {
    const { seats, view } = state;
    const list = /** @type {HTMLElement} */ (this.list);
    setAttribute(list, "aria-label", t("seats.label"));
    setAttribute(list, "data-count", seats.length);
    keyed(
      list,
      seats.map((_, index) => index),
      (index) => `${index} ${seats[index]?.bot ?? ""}`, // A person may take over from a bot.
      (index) => makeSeat(seats, index),
      (item, index) => showSeat(item, state, index),
    );
    this.#showNext(state.latecomers);
    const current = list.children[view.seat];
    if (list.scrollWidth > list.clientWidth && current instanceof HTMLElement) {
      list.scrollTo({ left: current.offsetLeft - list.clientWidth / 2 + current.offsetWidth / 2 });
    }
  }

  /** Show who's joining the next game. @param {import("../types.js").Latecomers} latecomers */
  #showNext(latecomers) {
    const next = /** @type {HTMLElement} */ (this.next);
    next.hidden = !latecomers.waiting.length;
    if (latecomers.waiting.length) setText(next, "late.next", { names: listed(nextGameNames(latecomers)) });
  }

  /**
   * Update the turn's clock, and the time until a bot stands in for someone who's away.
   * @param {State} state @param {number} elapsed seconds since the state arrived
   */
  tick(state, elapsed) {
    const { seats, view, turn_left } = state;
    seats.forEach((who, seat) => {
      const item = /** @type {HTMLElement | undefined} */ (this.list?.children[seat]);
      if (!item) return;
      const secondsLeft =
        view.seat === seat && !who.has_left && !view.over && turn_left !== null ? turn_left - elapsed : null;
      write(item, ".seat-clock", secondsLeft === null ? "" : clockWords(Math.max(0, secondsLeft)));
      showAbsence(item, absenceOf(state, seat, elapsed));
      item.classList.toggle("hurry", secondsLeft !== null && secondsLeft <= HURRY_SECONDS);
    });
  }

  /** Where a seat is on the screen: its face or, if that's hidden, its tile count or score. @param {number} seat */
  rectOf(seat) {
    const item = this.list?.children[seat];
    const faceRect = item?.querySelector(".seat-face")?.getBoundingClientRect();
    return faceRect?.width ? faceRect : (item?.querySelector(".seat-count")?.getBoundingClientRect() ?? null);
  }
}

customElements.define("chromino-seats", ChrominoSeats);

/** @param {readonly import("../types.js").Seat[]} seats @param {number} seat */
function makeSeat(seats, seat) {
  return h(
    "li",
    { class: "seat" },
    h("span", { class: "seat-face" }, seatFace(seats, seat)),
    h("span", { class: "seat-name" }),
    h("span", { class: "seat-bars", "aria-hidden": "true" }),
    h("span", { class: "seat-count", "aria-hidden": "true" }),
    h("span", { class: "seat-tiles spoken" }),
    h("span", { class: "seat-points spoken" }),
    h("span", { class: "seat-open" }),
    h("span", { class: "seat-clock" }),
    h("span", { class: "seat-away" }),
    h("span", { class: "seat-away-brief", "aria-hidden": "true" }),
    h("span", { class: "seat-stand-in", "aria-hidden": "true" }),
    h("span", { class: "seat-turn spoken" }),
  );
}

/** @param {HTMLElement} item @param {State} state @param {number} seat */
function showSeat(item, { seats, view }, seat) {
  const who = /** @type {import("../types.js").Seat} */ (seats[seat]);
  const tilesLeft = view.hand_sizes[seat] ?? 0;
  const isTurn = !view.over && view.seat === seat;
  item.classList.toggle("turn", isTurn);
  item.classList.toggle("mine", who.mine);
  item.classList.toggle("winner", view.winners.includes(seat));
  setAttribute(item, "aria-current", isTurn ? "true" : null);
  const name = seatName(seats, seat);
  write(item, ".seat-name", name);
  // Long names shrink before short ones.
  item.style.setProperty("--shrink", String(Math.max(1, name.length - 8) ** 4));
  const points = view.rules.scoring ? (view.scores[seat] ?? 0) : null;
  write(item, ".seat-count", String(points ?? tilesLeft));
  item.style.setProperty("--tiles", String(Math.min(tilesLeft, MAX_BARS)));
  write(item, ".seat-tiles", t("seats.tiles", { n: tilesLeft }));
  write(item, ".seat-points", points === null ? "" : t("seats.points", { n: points }));
  write(item, ".seat-turn", isTurn ? t(who.bot ? "seats.thinks" : "seats.turn") : "");
  item.classList.toggle("away", !who.present || who.has_left);
  showOpenTiles(item, view.over || seat === view.me ? [] : (view.hands[seat] ?? []));
}

/**
 * Show that someone's gone and which bot is playing for them, or clear that.
 * @param {HTMLElement} item @param {ReturnType<typeof absenceOf>} absence
 */
function showAbsence(item, { brief, full, bot }) {
  write(item, ".seat-away", full);
  write(item, ".seat-away-brief", brief);
  const box = /** @type {HTMLElement} */ (item.querySelector(".seat-stand-in"));
  if ((box.dataset.bot ?? "") === (bot ?? "")) return;
  box.dataset.bot = bot ?? "";
  box.replaceChildren(...(bot ? [face({ bot, name: botName(bot) })] : []));
}

/**
 * Show the tiles that everyone can see: a player's last tile (rule 5.1), or a whole open hand.
 * @param {HTMLElement} item
 * @param {string[]} tiles
 */
function showOpenTiles(item, tiles) {
  const open = /** @type {HTMLElement} */ (item.querySelector(".seat-open"));
  const key = tiles.join(" ");
  if (open.dataset.tiles !== key) {
    open.dataset.tiles = key;
    open.replaceChildren(...tiles.map((tile) => tilePicture(tile)));
  }
  const words = listed(tiles.map(tileWords));
  setAttribute(open, "role", tiles.length ? "img" : null);
  setAttribute(
    open,
    "aria-label",
    tiles.length ? t(tiles.length > 1 ? "seats.hand" : "seats.last_tile", { tile: words }) : null,
  );
}

/** @param {HTMLElement} item @param {string} selector @param {string} text */
function write(item, selector, text) {
  const part = item.querySelector(selector);
  if (part && part.textContent !== text) part.textContent = text;
}
