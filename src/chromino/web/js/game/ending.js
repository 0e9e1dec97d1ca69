/** The dialog at the end of a game: winners, points, remaining hands, and what to do next. */

import { h } from "../browser/dom.js";
import { play } from "../browser/sound.js";
import { listed, t } from "../language/i18n.js";
import { seatName, tileWords } from "../language/words.js";
import { openDialog } from "../page/dialogs.js";
import { confetti } from "../table/animation.js";
import { tilePicture } from "../table/tile_art.js";

/** @typedef {import("../types.js").State} State */

/** Did somebody on this device win? @param {State} state */
export function weWon({ view, seats }) {
  return view.winners.some((seat) => seats[seat]?.mine);
}

/** The result in one or two sentences. @param {State} state */
function resultWords({ view, seats, turns }) {
  const names = view.winners.map((seat) => seatName(seats, seat));
  const sentences = [];
  if (!view.hand_sizes.includes(0)) sentences.push(t("end.blocked"));
  if (names.length === 1 && seats[view.winners[0] ?? 0]?.mine && seats.filter(({ mine }) => mine).length === 1) {
    sentences.push(t("end.you"));
  } else sentences.push(winnerWords(names));
  if (seats.length === 1) sentences.push(t("end.turns", { n: turns }));
  return sentences.join(" ");
}

/** @param {readonly string[]} names of the winners */
export function winnerWords(names) {
  if (!names.length) return t("end.nobody");
  return t(names.length > 1 ? "end.win_together" : "end.wins", { names: listed(names) });
}

/**
 * @param {State} state
 * @param {{label: string, go: () => void}[]} next what to do then, the best first
 */
export function openEnding(state, next) {
  const { view, seats } = state;
  const ranks = seats.map((_, seat) => seat).sort((a, b) => rank(state, b) - rank(state, a));
  const result = h("p", { class: "result", id: "result" }, resultWords(state));
  if (state.rated) result.append(" ", h("strong", { t: "game.rated" }));
  const table = h(
    "ol",
    { class: "final" },
    ...ranks.map((seat) => {
      const hand = view.hands[seat] ?? [];
      const tiles = hand.map((tile) => h("span", { role: "img", "aria-label": tileWords(tile) }, tilePicture(tile)));
      const facts = view.rules.scoring
        ? t("seats.points", { n: view.scores[seat] })
        : t("seats.tiles", { n: hand.length });
      return h(
        "li",
        { class: view.winners.includes(seat) ? "winner" : "" },
        h("span", { class: "final-name" }, seatName(seats, seat)),
        h("span", { class: "final-facts" }, facts),
        h("span", { class: "final-hand" }, ...tiles),
      );
    }),
  );
  const buttons = next.map(({ label, go }, number) => {
    const button = h("button", { type: "button", class: number ? "button" : "button primary", t: label });
    button.addEventListener("click", () => {
      dialog.close();
      go();
    });
    return button;
  });
  const pictures = h(
    "div",
    { class: "buttons" },
    h("a", {
      class: "button",
      t: "end.picture",
      href: `/api/games/${state.game}/picture.png`,
      download: "chromino.png",
    }),
    h("a", { class: "button", t: "end.film", href: `/api/games/${state.game}/picture.gif`, download: "chromino.gif" }),
  );
  const dialog = openDialog("ending", "end.title", result, table, h("div", { class: "buttons" }, ...buttons), pictures);
  dialog.setAttribute("aria-describedby", result.id);
  buttons[0]?.focus();
  play(weWon(state) ? "win" : "over");
  if (weWon(state)) confetti();
  return dialog;
}

/** Higher is better. @param {State} state @param {number} seat */
function rank({ view }, seat) {
  const won = view.winners.includes(seat) ? 1e6 : 0;
  return won + (view.rules.scoring ? (view.scores[seat] ?? 0) : -(view.hand_sizes[seat] ?? 0));
}
