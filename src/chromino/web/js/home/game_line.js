/** What a game looks like on the home page and in "My games". */

import { h } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { seatFace } from "../page/icons.js";

/** @typedef {import("../types.js").Summary} Summary */

/** @param {Summary} game */
export function waitsForMe({ seats, seat }) {
  return Boolean(seats[seat]?.mine);
}

/** Whose turn it is. @param {Summary} game */
export function turnWords(game) {
  return waitsForMe(game) ? t("turn.yours") : t("games.turn", { name: seatName(game.seats, game.seat) });
}

/** All but me; those who play on this device, too. @param {readonly import("../types.js").Seat[]} seats */
function opponents(seats) {
  const me = seats.findIndex(({ mine }) => mine);
  return [...seats.keys()].filter((seat) => seat !== me);
}

/** The faces of my opponents. @param {Summary} game */
export function opponentFaces({ seats }) {
  return h("span", { class: "faces" }, ...opponents(seats).map((seat) => seatFace(seats, seat)));
}

/** Against whom, and where it stands. @param {Summary} game @returns {Node[]} */
export function gameInProgress(game) {
  const { seats, preset, tiles } = game;
  const others = opponents(seats).map((seat) => seatName(seats, seat));
  const against = others.length
    ? t("home.against", { name: listed(others) })
    : t(preset ? `preset.${preset}` : "preset.custom");
  return [
    opponentFaces(game),
    h(
      "span",
      { class: "going-words" },
      h("strong", { t: "home.onward" }),
      " ",
      h("span", {}, against),
      " ",
      h("span", {}, `${turnWords(game)} `, h("span", { class: "muted" }, t("games.tiles", { n: tiles }))),
    ),
  ];
}
