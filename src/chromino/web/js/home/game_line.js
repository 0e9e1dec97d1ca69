/** How a game is shown on the home page, in the lobby, and in "My games". */

import { h } from "../browser/dom.js";
import { winnerWords } from "../ending/ending_words.js";
import { dated, listed, t } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { seatFace } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { thumbnail } from "../table/thumbnail.js";

/** @typedef {import("../types.js").Summary} Summary */

/** Am I in this game, and haven't I left for good? @param {Summary} game */
export function isPlaying({ seats }) {
  return seats.some(({ mine, has_left }) => mine && !has_left);
}

/** @param {Summary} game */
export function waitsForMe({ seats, seat }) {
  return Boolean(seats[seat]?.mine && !seats[seat].has_left);
}

/** A label that says whose turn it is. My own turn stands out. @param {Summary} game */
function turnLabel(game) {
  if (waitsForMe(game)) return h("span", { class: "mark", t: "games.your_turn" });
  return h("span", { class: "standing" }, t("games.turn", { name: seatName(game.seats, game.seat) }));
}

/** All seats but mine, including others on this device. @param {readonly import("../types.js").Seat[]} seats */
function opponents(seats) {
  const me = seats.findIndex(({ mine }) => mine);
  return [...seats.keys()].filter((seat) => seat !== me);
}

/** The faces of my opponents. @param {Summary} game */
function opponentFaces({ seats }) {
  return h("span", { class: "faces" }, ...opponents(seats).map((seat) => seatFace(seats, seat)));
}

/** A small picture of the table. Older games don't have one. @param {Summary} game */
function tableThumbnail({ table }) {
  return table ? thumbnail(table) : null;
}

/**
 * A game in a list: its table, its players, and how it's going.
 * @param {(path: string) => void} go @param {Summary} game
 */
export function gameLine(go, game) {
  const { seats, winners, over, preset, rated, tiles, updated } = game;
  const names = seats.map((_, seat) => seatName(seats, seat));
  const words = over ? winnerWords(seats, winners) : null;
  const facts = [
    t(preset ? `preset.${preset}` : "preset.custom"),
    ...(rated ? [t("game.rated")] : []),
    t("games.tiles", { n: tiles }),
  ];
  return linkTo(
    go,
    over ? `/replay/${game.game}` : `/game/${game.game}`,
    {},
    tableThumbnail(game),
    h("strong", {}, listed(names)),
    h("span", {}, facts.join(" · ")),
    h("time", { datetime: updated }, dated(updated)),
    h(
      "span",
      { class: "game-foot" },
      words === null ? turnLabel(game) : h("span", { class: "standing" }, words),
      opponentFaces(game), // Not before the words, which may be about me.
    ),
  );
}

/** Who I'm playing against, and how it's going. @param {Summary} game @returns {(Node | null)[]} */
export function gameInProgressContent(game) {
  const { seats, preset, tiles } = game;
  const others = opponents(seats).map((seat) => seatName(seats, seat));
  const against = others.length
    ? t("home.against", { name: listed(others) })
    : t(preset ? `preset.${preset}` : "preset.custom");
  return [
    opponentFaces(game),
    h(
      "span",
      { class: "unfinished-words" },
      h("strong", { t: "home.onward" }),
      " ",
      h("span", {}, against),
      " ",
      h("span", {}, turnLabel(game), " ", h("span", { class: "muted" }, t("games.tiles", { n: tiles }))),
    ),
    tableThumbnail(game),
  ];
}
