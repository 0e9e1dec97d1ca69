/** Conundrums that were solved: how many days in a row. Times are kept by the server, for each identity. */

/** How many days in a row, up to today or yesterday, had at least one solved. @param {Record<string, number>} times by "day/grade" @param {string} today */
export function streak(times, today) {
  const days = new Set(Object.keys(times).map((name) => name.split("/")[0]));
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
