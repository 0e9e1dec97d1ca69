/** Sharing a picture of a finished game, with the device's own dialog or through the clipboard. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { t } from "../language/i18n.js";

/** @param {import("../types.js").State} state */
export async function shareGame({ game }) {
  const address = `/api/games/${game}/picture.png`;
  const picture = fetch(address).then((answer) => answer.blob());
  const told = await (canShareFiles() ? share(picture) : copy(picture)).catch(() => keep(address));
  if (told) tell(told);
}

/** Phones and tablets have a dialog of their own for it, which desktops lack or hide. */
function canShareFiles() {
  const file = new File([], "chromino.png", { type: "image/png" });
  return matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] });
}

/** @param {Promise<Blob>} picture @returns {Promise<string | null>} what to say about it */
async function share(picture) {
  const file = new File([await picture], "chromino.png", { type: "image/png" });
  await navigator.share({ files: [file], title: t("title") }).catch((error) => {
    if (error.name !== "AbortError") throw error; // They have changed their mind.
  });
  return null;
}

/** @param {Promise<Blob>} picture @returns {Promise<string | null>} */
async function copy(picture) {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  return "end.copied";
}

/** If neither works, as on pages without a certificate, save a file. @param {string} address */
function keep(address) {
  h("a", { href: address, download: "chromino.png" }).click();
  return null;
}

/** @param {string} key */
function tell(key) {
  say(t(key));
  const shown = h("p", { class: "ending-told", t: key });
  document.querySelector(".ending-row")?.after(shown);
  setTimeout(() => shown.remove(), 4000);
}
