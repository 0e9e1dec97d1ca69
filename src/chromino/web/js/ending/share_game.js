/** Shares a finished game, as a picture and a link: with the device's share sheet, or through the clipboard. */

import { say } from "../browser/announce.js";
import { copyText } from "../browser/clipboard.js";
import { h } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { botName, personName } from "../language/words.js";
import { linkToGame } from "../server/api.js";

/** @typedef {import("../types.js").State} State */

/** @param {State} state */
export async function shareGame(state) {
  const address = `/api/games/${state.game}/picture.png`;
  const picture = fetch(address).then((answer) => answer.blob());
  const text = resultText(state);
  const messageKey = await (canShareFiles() ? share(picture, text) : copy(picture, text)).catch(() =>
    saveFile(address),
  );
  if (messageKey) showMessage(messageKey);
}

/** Who won, in words, with a link if other devices can open it. @param {State} state */
async function resultText(state) {
  const { url, reach } = await linkToGame(state.game);
  return reach === "device" ? wonWords(state) : `${wonWords(state)}\n${url}`;
}

/** Who won, in words for others to read: with my name instead of "you". @param {State} state */
export function wonWords({ seats, view }) {
  const names = view.winners.flatMap((seat) => {
    const who = seats[seat];
    return who ? [who.bot ? botName(who.bot) : personName(who.name, who.program)] : [];
  });
  const key = names.length > 1 ? "end.win_together" : names.length ? "end.wins" : "end.nobody";
  return t("words.labeled", { name: t("title"), value: t(key, { names: listed(names) }) });
}

/** Can this device share files? Only phones and tablets count: desktops don't have a share sheet, or hide it. */
function canShareFiles() {
  const file = new File([], "chromino.png", { type: "image/png" });
  return matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file], text: "" });
}

/**
 * Open the share sheet. Returns null instead of a message key, because there's nothing to add.
 * @param {Promise<Blob>} picture @param {Promise<string>} text @returns {Promise<string | null>}
 */
async function share(picture, text) {
  const file = new File([await picture], "chromino.png", { type: "image/png" });
  // The link is in the text, because many apps drop a `url` that comes with a file.
  await navigator.share({ files: [file], title: t("title"), text: await text }).catch((error) => {
    if (error.name !== "AbortError") throw error; // Aborting means that someone changed their mind.
  });
  return null;
}

/**
 * Copy the picture and the text: which one you get depends on where you paste.
 * @param {Promise<Blob>} picture @param {Promise<string>} text
 */
async function copy(picture, text) {
  const textBlob = text.then((words) => new Blob([words], { type: "text/plain" }));
  const hasLink = async () => (await text).includes("\n");
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture, "text/plain": textBlob })]);
    return (await hasLink()) ? "end.copied_both" : "end.copied";
  } catch (error) {
    // Without HTTPS, pages can only copy text.
    if ((await hasLink()) && (await copyText(await text))) return "join.copied";
    throw error;
  }
}

/** Save the picture as a file, if it can't be shared or copied. @param {string} address */
function saveFile(address) {
  h("a", { href: address, download: "chromino.png" }).click();
  return null;
}

/** @param {string} key */
function showMessage(key) {
  say(t(key));
  const shown = h("p", { class: "ending-message", t: key });
  document.querySelector(".ending-row")?.after(shown);
  setTimeout(() => shown.remove(), 4000);
}
