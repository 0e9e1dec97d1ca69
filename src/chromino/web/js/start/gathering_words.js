/** What a table's page says and asks. It depends only on the table's state. */

import { whyNotRated } from "./rated_game.js";

/** @typedef {import("../types.js").Gathering} Gathering */
/** @typedef {import("../types.js").Chair} Chair */

const MAX_SEATS = 8;

/** @param {Pick<Chair, "host" | "name">[]} chairs */
export function hostName(chairs) {
  return chairs.find(({ host }) => host)?.name ?? "";
}

/** Has anybody else sat down? @param {Pick<Chair, "kind" | "mine">[]} chairs */
export function hasGuests(chairs) {
  return chairs.some(({ kind, mine }) => kind === "person" && !mine);
}

/** Would the host start alone, with free seats and no bots? @param {Pick<Chair, "kind" | "mine">[]} chairs */
export function wouldStartAlone(chairs) {
  return chairs.every(({ kind, mine }) => kind === "free" || mine) && chairs.some(({ kind }) => kind === "free");
}

/**
 * Anyone can find a public table in the lobby, so there, nobody may have invited you.
 * @param {Pick<Gathering, "chairs" | "host" | "offer" | "public">} table
 * @returns {[key: string, values: Record<string, any>]}
 */
export function headingOf({ chairs, host, offer, public: isPublic }) {
  const isSeated = chairs.some(({ mine }) => mine);
  if (host) return [offer ? "join.rematch_host" : "join.title", {}];
  return [isSeated || isPublic ? "join.at_table" : "join.invites", { name: hostName(chairs) }];
}

/**
 * What everyone is waiting for.
 * @param {Pick<Gathering, "chairs" | "host">} table @returns {[key: string, values: Record<string, any>]}
 */
export function waitingWords({ chairs, host }) {
  const isSeated = chairs.some(({ mine }) => mine);
  const n = chairs.filter(({ kind }) => kind === "free").length;
  if (!isSeated && !n) return ["join.full", {}];
  if (isSeated && !host) return ["join.waiting_host", { name: hostName(chairs) }];
  return [n ? "join.waiting" : "join.complete", { n }];
}

/** The numbers of seats to choose from, and whether everyone would fit. @param {Pick<Gathering, "chairs">} table */
export function seatChoices({ chairs }) {
  const taken = chairs.filter(({ kind }) => kind !== "free").length;
  return Array.from({ length: MAX_SEATS - 1 }, (_, index) => ({ n: index + 2, fits: index + 2 >= taken }));
}

/**
 * Why can't the game at this table be rated? Guests who sat down at an unrated table haven't agreed to a rated game.
 * @param {Pick<Gathering, "chairs" | "rated">} table @param {{hand_size?: number}} rules
 */
export function whyTableNotRated({ chairs, rated }, rules) {
  if (hasGuests(chairs) && !rated) return "joined";
  const seats = chairs.map(({ kind, mine, level }) => {
    const guest = kind === "person" ? "free" : kind; // Guests have their own devices.
    return { kind: mine ? /** @type {const} */ ("me") : guest, level: level ?? 0 };
  });
  return whyNotRated(seats, rules);
}
