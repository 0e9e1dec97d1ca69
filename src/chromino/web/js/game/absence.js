/** Who's away, how long they've been away, and who plays for them. It has no elements and no clock: time is an argument. */

import { t } from "../language/i18n.js";
import { botName, seatName } from "../language/words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Seat} Seat */

const SAID_AFTER = 10; // Seconds: reloading a page isn't worth an announcement.

/** "2 min"; nothing in the first minute. @param {number} seconds */
function awayTime(seconds) {
  if (seconds < 60) return "";
  if (seconds < 3600) return t("time.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 86400) return t("time.hours", { n: Math.floor(seconds / 3600) });
  return t("time.days", { n: Math.floor(seconds / 86400) });
}

/** Is this person gone, for now or for good? @param {Seat} who */
function isGone({ kind, mine, present, has_left }) {
  return kind === "person" && !mine && (has_left || !present);
}

/**
 * What a seat says: "offline", or with more room "offline 2 min · Fox is playing". Nothing if they're here. And which bot
 * plays for them now, if one does.
 * @param {State} state @param {number} seat @param {number} elapsed seconds since the state came
 * @returns {{brief: string, full: string, bot: string | null}}
 */
export function absenceOf({ seats, stand_in, view }, seat, elapsed) {
  const who = /** @type {Seat} */ (seats[seat]);
  if (view.over || !isGone(who)) return { brief: "", full: "", bot: null };
  const bot = botName(stand_in);
  if (who.has_left) return { brief: t("seats.gone"), full: t("seats.left", { bot }), bot: stand_in };
  const time = awayTime((who.away_for ?? 0) + elapsed);
  const brief = t("seats.away");
  const since = time ? t("seats.away_since", { time }) : brief;
  if (who.stand_in_in === null) return { brief, full: since, bot: null };
  const left = Math.ceil(who.stand_in_in - elapsed);
  const then = left > 0 ? t("seats.stand_in_in", { bot, n: left }) : t("seats.stand_in", { bot });
  return { brief, full: `${since} · ${then}`, bot: left > 0 ? null : stand_in };
}

/**
 * A sentence for everyone who's gone, for the log: "Ada has been away for 2 min. Fox is playing for them."
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
    const away = time ? t("log.away_since", { name, time }) : t("log.away", { name });
    const isPlayed = who.stand_in_in !== null && who.stand_in_in <= elapsed;
    return [isPlayed ? `${away} ${t("log.stands_in", { bot })}` : away];
  });
}

/** What to announce: that someone left, has been away for a while, or is back after that. */
export class AbsenceNews {
  /** @type {Map<number, "away" | "left">} Seats whose absence is known. */
  #known = new Map();
  #isFirst = true;

  /** @param {State} state @param {number} elapsed @returns {string[]} sentences */
  since({ seats, stand_in, view }, elapsed) {
    /** @type {string[]} */
    const news = [];
    seats.forEach((who, seat) => {
      const was = this.#known.get(seat);
      const is = !isGone(who)
        ? undefined
        : who.has_left
          ? "left"
          : (who.away_for ?? 0) + elapsed >= SAID_AFTER || was
            ? "away"
            : undefined;
      if (is === was) return;
      if (is) this.#known.set(seat, is);
      else this.#known.delete(seat);
      const name = seatName(seats, seat);
      if (is === "left") news.push(t("log.left", { name, bot: botName(stand_in) }));
      else news.push(t(is ? "log.away" : "log.back", { name }));
    });
    const isNews = !this.#isFirst && !view.over; // When you arrive, the seats already show it.
    this.#isFirst = false;
    return isNews ? news : [];
  }
}
