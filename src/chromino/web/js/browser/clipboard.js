/**
 * Copies text, even on pages without HTTPS. Browsers don't offer their clipboard API there, and servers at home rarely
 * have a certificate.
 */

import { h } from "./dom.js";

/** @param {string} text @returns {Promise<boolean>} was it copied? */
export async function copyText(text) {
  if (navigator.clipboard) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return true;
  }
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = h("textarea", { class: "spoken", "aria-hidden": "true", tabindex: -1 });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}
