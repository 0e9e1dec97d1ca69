/** Conundrums that were solved in this browser: times, and days in a row. */

const KEY = "chromino-solved";

/** @returns {Record<string, number>} seconds by "day/grade" */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} day @param {number} grade */
export function timeOf(day, grade) {
  return stored()[`${day}/${grade}`] ?? null;
}

/** @param {string} day @param {number} grade @param {number} seconds */
export function remember(day, grade, seconds) {
  const all = stored();
  const name = `${day}/${grade}`;
  if (name in all) return; // The first time counts.
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [name]: Math.round(seconds) }));
  } catch {
    // A browser that keeps nothing has no streaks.
  }
}

/** How many days in a row, up to today or yesterday, had at least one solved. @param {string} today */
export function streak(today) {
  const days = new Set(Object.keys(stored()).map((name) => name.split("/")[0]));
  let day = days.has(today) ? today : dayBefore(today);
  let count = 0;
  while (days.has(day)) {
    count += 1;
    day = dayBefore(day);
  }
  return count;
}

/** The day in UTC. @param {Date} [now] */
export function dayOf(now = new Date()) {
  return now.toISOString().slice(0, 10);
}

/** @param {string} day */
export function dayBefore(day) {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000));
}
