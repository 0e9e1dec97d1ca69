/** The dropdown with the languages, in the header and in the settings. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { changeSettings } from "../browser/settings.js";
import { currentLanguage, LANGUAGES, setLanguage, t } from "../language/i18n.js";

/** The languages, each under its own name. */
export function languageChoice() {
  const select = h("select", { class: "language", tLabel: "settings.language" });
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    select.append(h("option", { value: tag, lang: tag, selected: tag === currentLanguage() }, name));
  }
  select.addEventListener("change", async () => {
    try {
      await setLanguage(select.value);
      changeSettings({ language: select.value });
    } catch {
      // The catalogs are on the server, which can't be reached.
      say(t("problem.away"));
    }
    for (const shown of document.querySelectorAll("select.language")) {
      /** @type {HTMLSelectElement} */ (shown).value = currentLanguage();
    }
  });
  return select;
}
