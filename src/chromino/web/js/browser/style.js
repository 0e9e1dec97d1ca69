/** Stylesheets that only some pages need, fetched with them. */

import { h } from "./dom.js";

/** @param {string} href @returns {Promise<void>} resolves when it's loaded; rejects if it can't be */
export async function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = h("link", { rel: "stylesheet", href });
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
    document.head.append(link);
  });
}
