/** Loads stylesheets that only some pages need. */

import { h } from "./dom.js";

/** @param {string} href @returns {Promise<void>} resolves when the stylesheet has loaded; rejects if that fails */
export async function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = h("link", { rel: "stylesheet", href });
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
    document.head.append(link);
  });
}
