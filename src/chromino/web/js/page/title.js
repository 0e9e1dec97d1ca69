/** The title of the page, in the browser's tab and history. */

import { t } from "../language/i18n.js";

/** Set the title, with the game's name after it. @param {string} key @param {Record<string, any>} [values] */
export function setTitle(key, values) {
  const name = t("title");
  const words = t(key, values);
  document.title = words === name ? name : `${words} – ${name}`;
}
