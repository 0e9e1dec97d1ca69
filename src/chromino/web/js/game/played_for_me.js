/** Shows the tiles a bot played for me while I was away or too slow, until I play again or close the notice. */

import { h, setText } from "../browser/dom.js";
import { readStored, store } from "../browser/storage.js";
import { listed, t } from "../language/i18n.js";
import { botName, tileWords } from "../language/words.js";
import { iconButton } from "../page/controls.js";
import { parsePlacement } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";

/** @typedef {import("../types.js").State} State */

/** Stores which notice was closed last, so that reloading doesn't reopen it. */
const KEY = "chromino.played-for-me";

/** The tiles a bot played for me. @param {State} state */
function tilesOf({ view, played_for_me }) {
  return played_for_me.flatMap((number) => {
    const place = view.log[number]?.place;
    return place ? [parsePlacement(place).colors] : [];
  });
}

/** The notice for screen readers; empty if nothing was played for me. @param {State} state */
export function playedForMeWords(state) {
  const tiles = tilesOf(state);
  if (!tiles.length) return "";
  return t("log.played_for_you", { bot: botName(state.stand_in), tiles: listed(tiles.map(tileWords)) });
}

export class PlayedForMe {
  words = h("p");
  tiles = h("p", { class: "played-tiles" });
  element = h(
    "section",
    { class: "played-for-me", hidden: true },
    this.words,
    this.tiles,
    iconButton("close", "dialog.close", () => this.close()),
  );
  #shown = "";

  /** @param {State} state */
  show(state) {
    const tiles = tilesOf(state);
    const key = `${state.game} ${state.played_for_me.join(" ")}`;
    this.element.hidden = !tiles.length || readStored(KEY) === key;
    if (this.element.hidden) return;
    setText(this.words, "log.stood_in_for_you", { bot: botName(state.stand_in) });
    const shown = key + document.documentElement.lang;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.tiles.replaceChildren(
      ...tiles.map((tile) => h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile))),
    );
    this.tiles.dataset.key = key;
  }

  close() {
    store(KEY, this.tiles.dataset.key);
    this.element.hidden = true;
  }
}
