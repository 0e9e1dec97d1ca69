/** Finds a spot for words on the table: near the squares they're about, without hiding them. */

/**
 * @typedef {{left: number, top: number, width: number, height: number}} Rect in pixels of the table
 */

/** Pixels between the words and the squares they're about. */
const GAP = 10;
/** Pixels between the words and the edge of the table. */
const EDGE = 8;
/** Pixels to keep free between two labels, because they rise. */
const RISE = 14;
/** How much worse it is to hide the squares the words are about than any others. */
const HIDING_PENALTY = 1000;

/**
 * The best spot for words of this size: it hides as little as possible, and is near the squares the words are about.
 * @param {{width: number, height: number}} words @param {{width: number, height: number}} table
 * @param {Rect[]} about squares that must stay visible @param {Rect[]} others squares to keep visible if possible
 * @returns {{left: number, top: number}}
 */
export function spotFor(words, table, about, others) {
  const bounds = boundsOf(about);
  const [x, y] = [bounds.left + bounds.width / 2, bounds.top + bounds.height / 2];
  const keepInside = (/** @type {number} */ start, /** @type {number} */ size, /** @type {number} */ room) =>
    Math.max(EDGE, Math.min(room - size - EDGE, start));
  const lefts = [x - words.width / 2, bounds.left - words.width - GAP, bounds.left + bounds.width + GAP, 0, Infinity];
  const tops = [bounds.top - words.height - GAP, bounds.top + bounds.height + GAP, y - words.height / 2, 0, Infinity];
  let best = { left: EDGE, top: EDGE };
  let lowestCost = Infinity;
  for (const top of tops) {
    for (const left of lefts) {
      const rect = {
        ...words,
        left: keepInside(left, words.width, table.width),
        top: keepInside(top, words.height, table.height),
      };
      const distance = Math.hypot(rect.left + words.width / 2 - x, rect.top + words.height / 2 - y);
      const cost = HIDING_PENALTY * hiddenArea(rect, about) + hiddenArea(rect, others) + distance;
      if (cost < lowestCost) [lowestCost, best] = [cost, { left: rect.left, top: rect.top }];
    }
  }
  return best;
}

/** How many pixels of other rectangles are hidden under this one. @param {Rect} over @param {Rect[]} rects */
export function hiddenArea(over, rects) {
  return rects.reduce((sum, { left, top, width, height }) => {
    const sharedWidth = Math.min(over.left + over.width, left + width) - Math.max(over.left, left);
    const sharedHeight = Math.min(over.top + over.height, top + height) - Math.max(over.top, top);
    return sum + Math.max(0, sharedWidth) * Math.max(0, sharedHeight);
  }, 0);
}

/** @param {Rect[]} rects */
function boundsOf(rects) {
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const right = Math.max(...rects.map((rect) => rect.left + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.top + rect.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * The top of a label that doesn't overlap others: where it's wanted, or just above the labels in its way.
 * @param {number} wanted @param {{left: number, width: number, height: number}} label @param {readonly Rect[]} taken
 */
export function freeTop(wanted, { left, width, height }, taken) {
  const inTheWay = taken
    .filter((other) => other.left < left + width && left < other.left + other.width)
    .sort((a, b) => b.top - a.top);
  let top = wanted;
  for (const other of inTheWay) {
    if (top < other.top + other.height + RISE && other.top < top + height) top = other.top - height - RISE;
  }
  return top;
}
