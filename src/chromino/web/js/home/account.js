/** Your account: move it to another device, keep it safe with a recovery code, sign out other devices, or erase it. */

import { h, setText } from "../browser/dom.js";
import { changeSettings, forgetEverything } from "../browser/settings.js";
import { openDialog } from "../dialogs/dialogs.js";
import { dated } from "../language/i18n.js";
import { problemKey } from "../page/problem.js";
import { claimCode, eraseMe, makeCode, myAccount, signOutOthers } from "../server/api.js";
import { showNewRecoveryCode } from "./recovery.js";

export function accountSection() {
  const status = h("p", { role: "status" });
  const linkCode = h("output", { class: "code" });
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
      setText(status, problemKey(error));
    }
  }

  const showNewLinkCode = () =>
    attempt(async () => {
      linkCode.textContent = await makeCode();
      setText(status, "me.code_about");
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
  let hasRecoveryCode = false;
  const makeRecoveryCode = () =>
    attempt(async () => {
      await showNewRecoveryCode();
      await loadAccount();
    });
  recoveryButton.addEventListener("click", () => {
    if (!hasRecoveryCode) return void makeRecoveryCode();
    confirm("me.recovery", "me.recovery_replace", "me.recovery_again", makeRecoveryCode);
  });
  const devices = h("p", { class: "muted" });
  const signOutButton = h("button", { type: "button", class: "button", t: "me.sign_out", hidden: true });
  const signOutNote = h("p", { class: "muted", t: "me.sign_out_about", hidden: true });
  signOutButton.addEventListener("click", () =>
    attempt(async () => {
      const hadRecoveryCode = hasRecoveryCode;
      showAccount(await signOutOthers());
      setText(status, hadRecoveryCode ? "me.signed_out_code" : "me.signed_out");
    }),
  );

  /** @param {import("../types.js").Account} account */
  function showAccount({ devices: count, recovery_made: made }) {
    hasRecoveryCode = made !== null;
    for (const element of [recoveryTitle, recoveryNote, recoveryButton]) element.hidden = count === 0;
    setText(recoveryButton, made ? "me.recovery_again" : "me.recovery_make");
    if (made) setText(recoveryNote, "me.recovery_made", { date: dated(made) });
    else setText(recoveryNote, "me.recovery_about");
    devices.hidden = count === 0;
    setText(devices, "me.devices", { n: count });
    signOutButton.hidden = count < 2;
    signOutNote.hidden = signOutButton.hidden || !hasRecoveryCode;
  }

  const loadAccount = () => attempt(async () => showAccount(await myAccount()));
  const erase = () =>
    attempt(async () => {
      await eraseMe();
      forgetEverything();
      location.assign("/"); // A full page load also clears what's in memory.
    });
  const askToErase = () => confirm("me.erase", "me.erase_about", "me.erase_sure", erase);
  void loadAccount();
  return h(
    "section",
    { class: "myself" },
    h("h2", { t: "me.title" }),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button", t: "me.make", onclick: showNewLinkCode }),
      linkCode,
    ),
    form,
    status,
    recoveryTitle,
    recoveryNote,
    recoveryButton,
    devices,
    signOutButton,
    signOutNote,
    h("button", { type: "button", class: "button", t: "me.erase", onclick: askToErase }),
  );
}

/**
 * Ask before doing something that can't be undone.
 * @param {string} title @param {string} about @param {string} label of the button @param {() => Promise<void>} action
 */
function confirm(title, about, label, action) {
  const button = h("button", { type: "button", class: "button primary", t: label });
  const dialog = openDialog("confirm-dialog", title, h("p", { t: about }), h("div", { class: "buttons" }, button));
  button.addEventListener("click", () => {
    dialog.close();
    void action();
  });
}
