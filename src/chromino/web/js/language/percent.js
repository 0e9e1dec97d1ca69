/** Chances in percent. */

import { currentLanguage } from "./i18n.js";

/** "63%". @param {number} part */
export function percent(part) {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent" }).format(part);
}

/** "+12%", "−8%". @param {number} part */
export function signedPercent(part) {
  const rounded = Math.round(part * 100) / 100;
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", signDisplay: "exceptZero" }).format(rounded);
}
