/** Solved conundrums: sending them to the server, which stores your times, and counting days in a row. */

import { readStored, store } from "../browser/storage.js";
import { ApiError, sendSolved } from "../server/api.js";

/** Where solved conundrums are stored until they've been sent, since the server may be down or the page may close. */
const KEY = "chromino.solved";

/** @typedef {{day: string, grade: number, seconds: number, found: string[]}} Solved */

/** Store a solved conundrum, then send it to the server. @param {Solved} solved */
export async function saveSolved(solved) {
  const list = [...unsent(), solved];
  store(KEY, list);
  await sendUnsent(list);
}

/** Send the solved conundrums that the server doesn't have yet. */
export async function sendUnsent(list = unsent()) {
  for (const solved of list) {
    try {
      await sendSolved(solved);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "bad-conundrum") throw error; // Keep it and try again later.
    }
    store(
      KEY,
      unsent().filter((other) => other.day !== solved.day || other.grade !== solved.grade),
    );
  }
}

/** @returns {Solved[]} */
function unsent() {
  return readStored(KEY) ?? [];
}

/**
 * How many days in a row, up to today or yesterday, have at least one solved conundrum.
 * @param {Record<string, number>} times seconds by "day/grade"
 * @param {string} today
 */
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

/** The date in UTC, such as 2026-01-31. @param {Date} [time] */
export function dayOf(time = new Date()) {
  return time.toISOString().slice(0, 10);
}

/** @param {string} day */
export function dayBefore(day) {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000));
}
