/** Chances as percentages. */

import { formatNumber } from "./i18n.js";

/** "63%". @param {number} fraction */
export function percent(fraction) {
  return formatNumber(fraction, { style: "percent" });
}

/** "+12%", "−8%". @param {number} fraction */
export function signedPercent(fraction) {
  return formatNumber(Math.round(fraction * 100) / 100, { style: "percent", signDisplay: "exceptZero" });
}
