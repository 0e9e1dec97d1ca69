/** Your account: move it to another device with a code, or erase it. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { forget } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { openDialog } from "../page/dialogs.js";
import { ApiError, claimCode, eraseMe, makeCode } from "../server/api.js";

export function accountSection() {
  const told = h("p", { role: "status", class: "told" });
  const code = h("output", { class: "code" });
  const field = h("input", {
    name: "code",
    maxlength: 40,
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "characters",
  });

  /** Run something, and show why it failed. @param {() => Promise<void>} work */
  async function tried(work) {
    try {
      await work();
    } catch (error) {
      setText(told, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    }
  }

  const make = () =>
    tried(async () => {
      code.textContent = await makeCode();
      setText(told, "me.code_about");
      say(`${t("me.code_about")} ${code.textContent}`);
    });
  const form = h(
    "form",
    { class: "sit" },
    h("label", {}, h("span", { t: "me.enter" }), field),
    h("button", { type: "submit", class: "button", t: "me.claim" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void tried(async () => {
      await claimCode(field.value);
      location.reload();
    });
  });
  const erase = () => {
    const sure = h("button", { type: "button", class: "button primary", t: "me.erase_sure" });
    const dialog = openDialog(
      "erasing",
      "me.erase",
      h("p", { t: "me.erase_about" }),
      h("div", { class: "buttons" }, sure),
    );
    sure.addEventListener("click", () => {
      dialog.close();
      void tried(async () => {
        await eraseMe();
        forget();
        location.assign("/"); // A fresh load: nothing is left in memory.
      });
    });
  };
  return h(
    "section",
    { class: "myself" },
    h("h2", { t: "me.title" }),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", t: "me.make", onclick: make }), code),
    form,
    told,
    h("button", { type: "button", class: "button", t: "me.erase", onclick: erase }),
  );
}
