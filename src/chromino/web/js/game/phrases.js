/** Quick phrases instead of free chat: everyone reads them in their own language, and can mute others. */

import { say } from "../browser/announce.js";
import { h, setLabel } from "../browser/dom.js";
import { openDialog } from "../dialogs/dialogs.js";
import { t } from "../language/i18n.js";
import { seatName } from "../language/words.js";
import { toggle } from "../page/controls.js";

/** @typedef {import("../types.js").Said["phrase"]} Phrase */

/** All phrases, each with an emoji. @type {Record<Phrase, string>} */
const PHRASES = {
  hello: "👋",
  "good-luck": "🍀",
  "your-turn": "👉",
  "well-played": "👏",
  "oh-no": "😱",
  thanks: "🙏",
  sorry: "😅",
  moment: "⏳",
  "one-more": "🔁",
  bye: "🚪",
  laugh: "😄",
  heart: "❤️",
};

// Milliseconds.
const BUBBLE_TIME = 4000;

/**
 * Open the dialog with phrases to say and people to mute.
 * @param {import("../types.js").State} state @param {Set<number>} muted @param {(phrase: Phrase) => void} send
 */
export function openPhrases({ seats, watching }, muted, send) {
  const phrases = /** @type {[Phrase, string][]} */ (Object.entries(PHRASES));
  const buttons = phrases.map(([phrase, emoji]) => {
    const button = h("button", { type: "button", class: "button" }, h("span", { "aria-hidden": "true" }, `${emoji} `));
    button.append(h("span", { t: `phrase.${phrase}` }));
    button.addEventListener("click", () => {
      dialog.close();
      send(phrase);
    });
    return button;
  });
  const others = seats.map((_, seat) => seat).filter((seat) => seats[seat]?.kind === "person" && !seats[seat]?.mine);
  const switches = others.map((seat) => {
    const label = toggle("phrase.mute", muted.has(seat), (on) => (on ? muted.add(seat) : muted.delete(seat)));
    label.firstElementChild?.append(` ${seatName(seats, seat)}`);
    return label;
  });
  const dialog = openDialog(
    "phrases",
    "phrase.title",
    watching ? null : h("div", { class: "buttons" }, ...buttons),
    ...switches,
  );
}

/** Phrases for the end of a game. @type {Phrase[]} */
const PARTING_PHRASES = ["well-played", "thanks", "laugh", "heart"];

/** The phrases for the end of a game, as emoji buttons. @param {(phrase: Phrase) => void} send */
export function quickPhrases(send) {
  const buttons = PARTING_PHRASES.map((phrase) => {
    const button = h("button", { type: "button", class: "icon-button" });
    setLabel(button, `phrase.${phrase}`);
    button.append(PHRASES[phrase]);
    button.addEventListener("click", () => send(phrase));
    return button;
  });
  return h("div", { class: "quick-phrases" }, ...buttons);
}

/**
 * Show what someone said in a bubble at their seat, and announce it.
 * @param {Phrase} phrase
 * @param {string} name
 * @param {DOMRect | null} rect of the seat
 * @param {HTMLElement} page the bubble's parent, so it goes when the page goes
 * @param {HTMLElement} status what the bubble mustn't cover
 */
export function showPhrase(phrase, name, rect, page, status) {
  const words = t(`phrase.${phrase}`);
  say(t("phrase.says", { name, words }));
  if (!rect) return;
  const bubble = h("div", { class: "bubble", "aria-hidden": "true" }, `${PHRASES[phrase]} ${words}`);
  page.append(bubble);
  bubble.style.left = `${Math.min(rect.left, innerWidth - bubble.offsetWidth - 8)}px`;
  bubble.style.top = `${Math.max(rect.bottom, status.getBoundingClientRect().bottom) + 8}px`;
  setTimeout(() => bubble.remove(), BUBBLE_TIME);
}
