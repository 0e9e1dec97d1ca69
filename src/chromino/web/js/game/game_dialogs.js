/** The game page's dialogs, for help, phrases, settings and leaving. Few people need them, so most are loaded later. */

import { h } from "../browser/dom.js";
import { openDialog } from "../dialogs/dialogs.js";
import { toggle } from "../page/controls.js";
import { openPhrases } from "./phrases.js";

/** @typedef {import("./game_page.js").GamePage} GamePage */

/**
 * Send the server a request other than an action. If it's refused, show why.
 * @param {GamePage} page
 * @param {import("../server/connection.js").NewRequest} message
 */
async function ask(page, message) {
  await page.ask(message).catch((error) => page.play.sayProblem(`problem.${error.code}`));
}

/** @param {GamePage} page @param {import("./phrases.js").Phrase} phrase */
export function sayPhrase(page, phrase) {
  void ask(page, { type: "say", phrase });
}

/** @param {GamePage} page */
export function openGamePhrases(page) {
  if (page.state) openPhrases(page.state, page.muted, (phrase) => sayPhrase(page, phrase));
}

/** Explain the rules of this game. @param {GamePage} page */
export async function openGameHelp({ state }) {
  const { openHelp } = await import("../dialogs/help_dialog.js");
  openHelp(state?.view.rules, state?.seats.length);
}

/** @param {GamePage} page */
export async function openGameSettings(page) {
  const { state } = page;
  const isPlaying = state && !state.watching && !state.view.over;
  const { openSettings } = await import("../dialogs/settings_dialog.js");
  openSettings(
    isPlaying ? toggle("settings.pace", state.pace, (pace) => void ask(page, { type: "pace", pace })) : null,
    state ? h("p", { class: "muted" }, h("span", { t: "settings.hash" }), " ", h("code", {}, state.seed_hash)) : null,
    state ? h("p", { class: "muted", t: `deal.${state.deal}` }) : null,
  );
}

/** Can I leave? Only if I'm still playing. @param {import("../types.js").State} state */
export function canLeave({ watching, view, seats }) {
  return !watching && !view.over && seats.some(({ mine, has_left }) => mine && !has_left);
}

/** Ask for confirmation, then leave the game. @param {GamePage} page */
export function openLeaveDialog(page) {
  const confirm = h("button", { type: "button", class: "button primary", t: "leave.sure" });
  const { rated = false, seats = [] } = page.state ?? {};
  const isShared = seats.filter(({ mine, has_left }) => mine && !has_left).length > 1;
  const dialog = openDialog(
    "leaving",
    "leave.button",
    h("p", { t: rated ? "leave.about_rated" : isShared ? "leave.about_shared" : "leave.about" }),
    h("div", { class: "buttons" }, confirm),
  );
  confirm.addEventListener("click", async () => {
    dialog.close();
    await ask(page, { type: "leave" });
    page.go("/");
  });
}
