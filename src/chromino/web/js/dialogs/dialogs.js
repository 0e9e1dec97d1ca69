/** How dialogs open and close. */

import { h } from "../browser/dom.js";
import { backStack } from "../page/back_stack.js";
import { iconButton } from "../page/controls.js";

/**
 * Open a dialog with a title and a close button. It's removed when it closes.
 * @param {string} name its CSS class @param {string} title a catalog key @param {...(Node | string | null)} content
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
  document.body.append(dialog);
  dialog.showModal();
  closeOnBack(dialog);
  return dialog;
}

/** Let Back close a dialog that has just opened, and remove it when it has closed. @param {HTMLDialogElement} dialog */
export function closeOnBack(dialog) {
  const uncover = backStack.cover({ close: () => dialog.close(), isOpen: () => dialog.open });
  dialog.addEventListener("close", () => {
    uncover();
    dialog.remove();
  });
}
