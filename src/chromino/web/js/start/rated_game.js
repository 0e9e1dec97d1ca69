/**
 * Which seats and rules a rated game needs. The server decides, but the page can tell you beforehand why a game
 * can't be rated.
 */

const MIN_TILES = 8; // In each hand. With fewer, luck decides.
export const MAX_RATED_TURN = 3600; // Seconds.

/**
 * Why can't this game be rated?
 * @param {readonly {kind: "me" | "here" | "bot" | "free", level: number}[]} seats
 * @param {{hand_size?: number}} rules
 * @returns {"device" | "players" | "hands" | null} null if it can be rated
 */
export function whyNotRated(seats, { hand_size = MIN_TILES }) {
  const here = seats.filter(({ kind }) => kind === "me" || kind === "here").length;
  if (here > 1) return "device";
  const friends = seats.filter(({ kind }) => kind === "free").length;
  // Bots of the same level count as one player.
  const bots = new Set(seats.flatMap(({ kind, level }) => (kind === "bot" ? [level] : []))).size;
  if (here + friends + bots < 2) return "players";
  return hand_size < MIN_TILES ? "hands" : null;
}
