/** The title of the page, in the browser's tab and history. */

import { t } from "../language/i18n.js";

/** Set the title, followed by the app's name. @param {string} key @param {Record<string, any>} [values] */
export function setTitle(key, values) {
  const name = t("title");
  const words = t(key, values);
  document.title = words === name ? name : `${words} – ${name}`;
}
