/** Your account: move it to another device, keep it safe with a recovery code, sign out other devices, or erase it. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { changeSettings, forgetEverything } from "../browser/settings.js";
import { openDialog } from "../dialogs/dialogs.js";
import { dated, t } from "../language/i18n.js";
import { ApiError, claimCode, eraseMe, makeCode, myAccount, signOutOthers } from "../server/api.js";
import { showNewRecoveryCode } from "./recovery.js";

export function accountSection() {
  const status = h("p", { role: "status", class: "feedback" });
  const code = h("output", { class: "code" });
  const codeField = h("input", {
    name: "code",
    maxlength: 80,
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "characters",
  });

  /** Run a task. If it fails, show why. @param {() => Promise<void>} task */
  async function attempt(task) {
    try {
      await task();
    } catch (error) {
      setText(status, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    }
  }

  const showNewCode = () =>
    attempt(async () => {
      code.textContent = await makeCode();
      setText(status, "me.code_about");
      say(`${t("me.code_about")} ${code.textContent}`);
    });
  const form = h(
    "form",
    { class: "sit" },
    h("label", {}, h("span", { t: "me.enter" }), codeField),
    h("button", { type: "submit", class: "button", t: "me.claim" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(async () => {
      await claimCode(codeField.value);
      changeSettings({ face: (await myAccount()).face ?? "" });
      location.reload();
    });
  });
  const recoveryTitle = h("h3", { t: "me.recovery" });
  const recoveryNote = h("p", { class: "muted", t: "me.recovery_about" });
  const recoveryButton = h("button", { type: "button", class: "button", t: "me.recovery_make" });
  let hasCode = false;
  const makeRecoveryCode = () =>
    attempt(async () => {
      await showNewRecoveryCode();
      await loadAccount();
    });
  recoveryButton.addEventListener("click", () => {
    if (!hasCode) return void makeRecoveryCode();
    const confirmButton = h("button", { type: "button", class: "button primary", t: "me.recovery_again" });
    const about = h("p", { t: "me.recovery_replace" });
    const dialog = openDialog("confirming", "me.recovery", about, h("div", { class: "buttons" }, confirmButton));
    confirmButton.addEventListener("click", () => {
      dialog.close();
      void makeRecoveryCode();
    });
  });
  const devices = h("p", { class: "muted" });
  const signOutButton = h("button", { type: "button", class: "button", t: "me.sign_out", hidden: true });
  const signOutNote = h("p", { class: "muted", t: "me.sign_out_about", hidden: true });
  signOutButton.addEventListener("click", () =>
    attempt(async () => {
      const hadCode = hasCode;
      showAccount(await signOutOthers());
      setText(status, hadCode ? "me.signed_out_code" : "me.signed_out");
    }),
  );

  /** @param {import("../types.js").Account} account */
  function showAccount({ devices: count, recovery_made: made }) {
    hasCode = made !== null;
    for (const element of [recoveryTitle, recoveryNote, recoveryButton]) element.hidden = count === 0;
    setText(recoveryButton, made ? "me.recovery_again" : "me.recovery_make");
    if (made) setText(recoveryNote, "me.recovery_made", { date: dated(made) });
    else setText(recoveryNote, "me.recovery_about");
    devices.hidden = count === 0;
    setText(devices, "me.devices", { n: count });
    signOutButton.hidden = count < 2;
    signOutNote.hidden = signOutButton.hidden || !hasCode;
  }

  const loadAccount = () => attempt(async () => showAccount(await myAccount()));
  void loadAccount();
  const askToErase = () => {
    const confirmButton = h("button", { type: "button", class: "button primary", t: "me.erase_sure" });
    const dialog = openDialog(
      "confirming",
      "me.erase",
      h("p", { t: "me.erase_about" }),
      h("div", { class: "buttons" }, confirmButton),
    );
    confirmButton.addEventListener("click", () => {
      dialog.close();
      void attempt(async () => {
        await eraseMe();
        forgetEverything();
        location.assign("/"); // A full page load also clears what's in memory.
      });
    });
  };
  return h(
    "section",
    { class: "myself" },
    h("h2", { t: "me.title" }),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button", t: "me.make", onclick: showNewCode }),
      code,
    ),
    form,
    recoveryTitle,
    recoveryNote,
    recoveryButton,
    devices,
    signOutButton,
    signOutNote,
    status,
    h("button", { type: "button", class: "button", t: "me.erase", onclick: askToErase }),
  );
}
