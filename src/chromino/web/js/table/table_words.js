/** The table as a list of words, for screen readers. */

import { h, keyed, setAttribute } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { placeWords } from "../language/words.js";

/** Show the tiles on the table in words. @param {HTMLElement} list @param {import("../types.js").Placement[]} laid */
export function showTableWords(list, laid) {
  setAttribute(list, "aria-label", t("table.label", { n: laid.length }));
  keyed(
    list,
    laid,
    ({ text }) => text,
    () => h("li"),
    (item, placement) => {
      item.textContent = placeWords(placement);
    },
  );
}
