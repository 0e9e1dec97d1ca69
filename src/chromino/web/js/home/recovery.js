/** Makes a recovery code, and shows it once, so that you can print or copy it. */

import { say } from "../browser/announce.js";
import { copyText } from "../browser/clipboard.js";
import { h, setText } from "../browser/dom.js";
import { changeSettings } from "../browser/settings.js";
import { openDialog } from "../dialogs/dialogs.js";
import { t } from "../language/i18n.js";
import { makeRecoveryCode } from "../server/api.js";

/** Make a recovery code and show it in a dialog. It replaces the previous code. */
export async function showNewRecoveryCode() {
  const code = await makeRecoveryCode();
  changeSettings({ recoveryOffered: true });
  const output = h("output", { class: "code", tLabel: "me.recovery" }, code);
  const about = h("p", {});
  setText(about, "me.recovery_once", { site: location.host });
  const status = h("p", { role: "status" });
  const copy = async () => {
    if (await copyText(code)) setText(status, "me.copied");
  };
  openDialog(
    "recovery",
    "me.recovery",
    about,
    output,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button primary", t: "me.print", onclick: () => print() }),
      h("button", { type: "button", class: "button", t: "me.copy", onclick: () => void copy() }),
    ),
    status,
  );
  say(t("words.labeled", { name: t("me.recovery"), value: code }));
}
