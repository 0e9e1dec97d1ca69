/** What a game in progress looks like on the home page. */

import { h } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { face } from "../page/icons.js";

/** @typedef {import("../types.js").Summary} Summary */

/** @param {Summary} game */
export function waitsForMe({ seats, seat }) {
  return Boolean(seats[seat]?.mine);
}

/** Against whom, and where it stands. @param {Summary} game @returns {Node[]} */
export function gameInProgress(game) {
  const names = game.seats.map((_, seat) => seatName(game.seats, seat));
  const others = game.seats.flatMap((seat, index) => (seat.mine ? [] : [{ ...seat, shown: names[index] ?? "" }]));
  const rules = t(game.preset ? `preset.${game.preset}` : "preset.custom");
  const against = others.length ? t("home.against", { name: listed(others.map(({ shown }) => shown)) }) : rules;
  const turn = waitsForMe(game) ? t("turn.yours") : t("games.turn", { name: names[game.seat] });
  return [
    h("span", { class: "faces" }, ...others.map(({ bot, shown }) => face({ bot, name: shown }))),
    h(
      "span",
      { class: "going-words" },
      h("strong", { t: "home.onward" }),
      " ",
      h("span", {}, against),
      " ",
      h("span", { class: "standing" }, `${turn} `, h("span", { class: "muted" }, t("games.tiles", { n: game.tiles }))),
    ),
  ];
}
