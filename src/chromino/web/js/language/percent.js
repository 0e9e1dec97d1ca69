/** Chances as percentages. */

import { currentLanguage } from "./i18n.js";

/** "63%". @param {number} fraction */
export function percent(fraction) {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent" }).format(fraction);
}

/** "+12%", "−8%". @param {number} fraction */
export function signedPercent(fraction) {
  const rounded = Math.round(fraction * 100) / 100;
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", signDisplay: "exceptZero" }).format(rounded);
}
