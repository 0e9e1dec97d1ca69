/** The end of a game, as a sheet below the table: who won, the tiles that are left, and what to do next. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { keepSoloResult } from "../browser/solo_results.js";
import { playSound } from "../browser/sound.js";
import { closeOnBack } from "../dialogs/dialogs.js";
import { swipeAway } from "../dialogs/sheet.js";
import { quickPhrases } from "../game/phrases.js";
import { joinSentences, t } from "../language/i18n.js";
import { seatName, tileWords } from "../language/words.js";
import { iconButton } from "../page/controls.js";
import { seatFace } from "../page/icons.js";
import { confetti } from "../table/animation.js";
import { tilePicture } from "../table/tile_art.js";
import { endingWords, pointsWords, ranked, weWon } from "./ending_words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {{label: string, go: () => void, stays?: boolean}} Step something to do next; stays: keep the sheet open */

/**
 * Make the sheet, hidden at first. It isn't modal, so you can still move the table behind it and see phrases.
 * @param {State} state
 * @param {{best: Step, others: Step[], more: Step[]}} next
 * @param {((phrase: import("../game/phrases.js").Phrase) => void) | null} send sends a phrase; null if you can't
 */
export function makeEnding(state, { best, others, more }, send) {
  const { headline, sentences } = endingWords(state, resultsToBeat(state));
  const title = h("h2", { class: "ending-title", id: "ending-title" });
  setText(title, ...headline);
  const lines = sentences.map(([key, values]) => {
    const line = h("span");
    setText(line, key, values);
    return line;
  });
  const result = h("p", { class: "result", id: "result" }, ...lines.flatMap((line) => [line, " "]));
  if (state.rated) result.append(h("strong", { t: "end.rated" }));
  const moreBox = h("div", { class: "ending-more", id: "ending-more", hidden: true }, ...moreSteps(state, more));
  const moreButton = iconButton("more", "end.more", () => {
    moreBox.hidden = !moreBox.hidden;
    moreButton.setAttribute("aria-expanded", String(!moreBox.hidden));
  });
  moreButton.setAttribute("aria-expanded", "false");
  moreButton.setAttribute("aria-controls", moreBox.id);
  const sheet = h(
    "dialog",
    { class: "ending waiting", "aria-labelledby": title.id, "aria-describedby": result.id },
    h("i", { class: "sheet-handle", "aria-hidden": "true" }),
    iconButton("close", "dialog.close", () => sheet.close()),
    h(
      "div",
      { class: "ending-banner", "aria-hidden": "true" },
      ...state.view.winners.map((seat) => winner(state, seat)),
    ),
    title,
    result,
    leftoverTiles(state),
    h(
      "div",
      { class: "ending-steps" },
      stepButton(best, "button primary big"),
      h("div", { class: "ending-row" }, ...others.map((step) => stepButton(step)), moreButton),
      moreBox,
      send ? quickPhrases(send) : null,
    ),
  );

  /** @param {Step} step @param {string} [className] */
  function stepButton({ label, go, stays }, className = "button") {
    const button = h("button", { type: "button", class: className, t: label });
    button.addEventListener("click", () => {
      if (!stays) sheet.close();
      go();
    });
    return button;
  }

  /** @param {State} state @param {Step[]} steps */
  function moreSteps({ game }, steps) {
    const address = `/api/games/${game}/picture`;
    return [
      ...steps.map((step) => stepButton(step)),
      h("a", { class: "button", t: "end.picture", href: `${address}.png`, download: "chromino.png" }),
      h("a", { class: "button", t: "end.film", href: `${address}.gif`, download: "chromino.gif" }),
    ];
  }

  sheet.addEventListener("keydown", (event) => {
    if (event.key === "Escape") sheet.close(); // Browsers only do this for modal dialogs.
  });
  document.body.append(sheet);
  sheet.show();
  closeOnBack(sheet);
  swipeAway(sheet, () => sheet.close());
  return sheet;
}

/** Slide the sheet up, and announce the result. @param {HTMLDialogElement} sheet @param {State} state */
export function showEnding(sheet, state) {
  const { headline, sentences } = endingWords(state, resultsToBeat(state));
  sheet.classList.remove("waiting");
  /** @type {HTMLElement | null} */ (sheet.querySelector(".button.primary"))?.focus({ preventScroll: true });
  say(joinSentences([headline, ...sentences].map(([key, values]) => t(key, values))));
  playSound(weWon(state) ? "win" : "over");
  if (weWon(state)) confetti();
}

/** Store the result of a solo game, and return the earlier results to beat. @param {State} state */
function resultsToBeat(state) {
  return state.seats.length === 1 && !state.watching ? keepSoloResult(state) : null;
}

/** @param {State} state @param {number} seat */
function winner({ seats }, seat) {
  return h(
    "span",
    { class: "ending-winner" },
    h("span", { class: "final-face" }, seatFace(seats, seat)),
    h("span", {}, seatName(seats, seat)),
  );
}

/**
 * The tiles that are left. In games with scoring or with more than two players, each player has a line.
 * @param {State} state
 */
function leftoverTiles(state) {
  const { view, seats } = state;
  if (!view.rules.scoring && seats.length <= 2) {
    const hands = ranked(state).flatMap((seat) => view.hands[seat] ?? []);
    return h("p", { class: "final-hand" }, ...hands.map((tile, number) => finalTile(tile, number)));
  }
  const list = h("ol", { class: "final" }, ...ranked(state).map((seat) => rankingLine(state, seat)));
  return state.costs ? h("div", { class: "counted" }, h("p", { class: "muted", t: "end.earned" }), list) : list;
}

/** A player's line in the final ranking. @param {State} state @param {number} seat */
function rankingLine(state, seat) {
  const { view, seats, costs } = state;
  const hand = view.hands[seat] ?? [];
  const facts = view.rules.scoring ? pointsWords(state, seat) : t("seats.tiles", { n: hand.length });
  return h(
    "li",
    { class: view.winners.includes(seat) ? "winner" : "" },
    h("span", { class: "final-face" }, seatFace(seats, seat)),
    h("span", { class: "final-name" }, seatName(seats, seat)),
    h("span", { class: "final-hand" }, ...hand.map((tile, number) => finalTile(tile, number, costs?.[seat]?.[number]))),
    h("span", { class: "final-facts" }, facts),
  );
}

/**
 * A leftover tile. These tiles drop in one by one.
 * @param {string} tile @param {number} number its index in the hand @param {number} [cost] in points
 */
function finalTile(tile, number, cost) {
  const costText = cost ? `−${cost}` : "";
  const words = [tileWords(tile), costText].filter(Boolean).join(" ");
  const box = h(
    "span",
    { class: "final-tile", role: "img", "aria-label": words },
    tilePicture(tile),
    costText && h("span", { class: "final-cost" }, costText),
  );
  box.style.setProperty("--nth", String(Math.min(number, 12)));
  return box;
}
