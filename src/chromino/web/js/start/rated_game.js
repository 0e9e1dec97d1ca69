/** Which seats and rules a rated game needs. The server decides; this tells people before they try. */

const LEAST_TILES = 8; // In each hand: with fewer, luck decides.
export const LONGEST_RATED_TURN = 3600; // Seconds.

/**
 * Why can't this game be rated?
 * @param {readonly {kind: "me" | "here" | "bot" | "free", level: number}[]} seats
 * @param {{hand_size?: number}} rules
 * @returns {"device" | "players" | "hands" | null} null if it can
 */
export function whyNotRated(seats, { hand_size = LEAST_TILES }) {
  const here = seats.filter(({ kind }) => kind === "me" || kind === "here").length;
  if (here > 1) return "device";
  const friends = seats.filter(({ kind }) => kind === "free").length;
  const bots = new Set(seats.flatMap(({ kind, level }) => (kind === "bot" ? [level] : []))).size; // Each bot counts once.
  if (here + friends + bots < 2) return "players";
  return hand_size < LEAST_TILES ? "hands" : null;
}
