/** Dialogs, which all open and close alike. */

import { h } from "../browser/dom.js";
import { iconButton } from "./controls.js";

/**
 * A dialog with a title and a button to close it; it is shown at once and gone when it closes.
 * @param {string} name for its looks @param {string} title a key @param {...(Node | string | null)} content
 */
export function openDialog(name, title, ...content) {
  const heading = h("h2", { t: title, id: `${name}-title` });
  const close = iconButton("close", "dialog.close", () => dialog.close());
  const dialog = h(
    "dialog",
    { class: `dialog ${name}`, "aria-labelledby": heading.id },
    h("header", {}, heading, close),
    h("div", { class: "dialog-body" }, ...content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
