/** Who's away, for how long, and who's playing for them. No elements, no clock: time is an argument. */

import { joinSentences, t } from "../language/i18n.js";
import { botName, seatName } from "../language/words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Seat} Seat */

/** An absence is announced after this many seconds, so that reloading the page doesn't count as one. */
const ANNOUNCE_AFTER = 10;

/** An absence in words, like "2 min"; empty during the first minute. @param {number} seconds */
function awayTime(seconds) {
  if (seconds < 60) return "";
  if (seconds < 3600) return t("time.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 86400) return t("time.hours", { n: Math.floor(seconds / 3600) });
  return t("time.days", { n: Math.floor(seconds / 86400) });
}

/** Is this another person who's away or has left for good? @param {Seat} who */
function isGone({ kind, mine, present, has_left }) {
  return kind === "person" && !mine && (has_left || !present);
}

/**
 * What to show at the seat of someone who's gone. `brief` is short, like "away" or "has left"; `full`, if there's room
 * for it, is like "away for 2 min · Fox is playing".
 * @param {State} state @param {number} seat @param {number} elapsed seconds since the state arrived
 * @returns {{brief: string, full: string, bot: string | null}}
 */
export function absenceOf({ seats, stand_in, view }, seat, elapsed) {
  const who = /** @type {Seat} */ (seats[seat]);
  if (view.over || !isGone(who)) return { brief: "", full: "", bot: null };
  const bot = botName(stand_in);
  if (who.has_left) return { brief: t("seats.has_left"), full: t("seats.left", { bot }), bot: stand_in };
  const time = awayTime((who.away_for ?? 0) + elapsed);
  const brief = t("seats.away");
  const awayWords = time ? t("seats.away_for", { time }) : brief;
  if (who.stand_in_in === null) return { brief, full: awayWords, bot: null };
  const secondsLeft = Math.ceil(who.stand_in_in - elapsed);
  const botWords = secondsLeft > 0 ? t("seats.stand_in_soon", { bot, n: secondsLeft }) : t("seats.stand_in", { bot });
  return { brief, full: `${awayWords} · ${botWords}`, bot: secondsLeft > 0 ? null : stand_in };
}

/**
 * A line in the log for each person who's gone: "Ada has been away for 2 min. Fox is playing for them."
 * @param {State} state @param {number} elapsed
 */
export function absenceLines(state, elapsed) {
  const { seats, stand_in, view } = state;
  if (view.over) return [];
  const bot = botName(stand_in);
  return seats.flatMap((who, seat) => {
    if (!isGone(who)) return [];
    const name = seatName(seats, seat);
    if (who.has_left) return [t("log.left", { name, bot })];
    const time = awayTime((who.away_for ?? 0) + elapsed);
    const away = time ? t("log.away_for", { name, time }) : t("log.away", { name });
    const hasStandIn = who.stand_in_in !== null && who.stand_in_in <= elapsed;
    return [joinSentences(hasStandIn ? [away, t("log.stands_in", { bot })] : [away])];
  });
}

/** Decides what to announce: that someone has left, has been away for a while, or is back. */
export class AbsenceNews {
  /** @type {Map<number, "away" | "left">} The absences noticed so far, by seat. */
  #known = new Map();
  #isFirst = true;

  /** What's new since the last call, in sentences. @param {State} state @param {number} elapsed @returns {string[]} */
  latest({ seats, stand_in, view }, elapsed) {
    /** @type {string[]} */
    const news = [];
    seats.forEach((who, seat) => {
      const before = this.#known.get(seat);
      const now = !isGone(who)
        ? undefined
        : who.has_left
          ? "left"
          : (who.away_for ?? 0) + elapsed >= ANNOUNCE_AFTER || before
            ? "away"
            : undefined;
      if (now === before) return;
      if (now) this.#known.set(seat, now);
      else this.#known.delete(seat);
      const name = seatName(seats, seat);
      if (now === "left") news.push(t("log.left", { name, bot: botName(stand_in) }));
      else news.push(t(now ? "log.away" : "log.back", { name }));
    });
    // When you arrive, the seats already show who's away.
    const isNews = !this.#isFirst && !view.over;
    this.#isFirst = false;
    return isNews ? news : [];
  }
}
