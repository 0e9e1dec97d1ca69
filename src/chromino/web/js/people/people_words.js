/** Words about people you've played with. */

import { currentLanguage } from "../language/i18n.js";

/** @type {[unit: Intl.RelativeTimeFormatUnit, days: number][]} */
const UNITS = [
  ["year", 365],
  ["month", 30],
  ["week", 7],
  ["day", 1],
];

/** "today", "yesterday", "3 weeks ago", by this device's calendar. @param {string} iso @param {Date} [now] */
export function daysAgoWords(iso, now = new Date()) {
  const days = Math.max(0, Math.round((midnight(now) - midnight(new Date(iso))) / 86400000));
  const [unit, size] = UNITS.find(([, size]) => days >= size) ?? ["day", 1];
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  return words.format(-Math.floor(days / size), /** @type {Intl.RelativeTimeFormatUnit} */ (unit));
}

/** @param {Date} date */
function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
