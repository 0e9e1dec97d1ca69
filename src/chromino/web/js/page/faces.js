/** Faces as flat shapes in a 32 × 32 box: a dozen for people to choose from, and one for each bot. */

/** @typedef {[color: string, path: string]} Shape */
/** @typedef {NonNullable<import("../types.js").Seat["face"]>} Face */

const INK = "#23212b";
const WHITE = "#fffcf4";

/** @param {number} x @param {number} y @param {number} r @param {number} [ry] */
const dot = (x, y, r, ry = r) => `M${x - r} ${y}a${r} ${ry} 0 1 0 ${2 * r} 0a${r} ${ry} 0 1 0 ${-2 * r} 0Z`;

/** @param {number} [y] @returns {Shape} */
const eyes = (y = 17.5) => [INK, dot(12, y, 1.35) + dot(20, y, 1.35)];
/** @type {Shape} */
const smile = [INK, "M12.2 21.2a4.6 4.6 0 0 0 7.6 0 .7.7 0 0 1 1.2.8 6.1 6.1 0 0 1-10 0 .7.7 0 0 1 1.2-.8Z"];
/** @param {string} skin @returns {Shape} */
const head = (skin) => [skin, dot(7, 17.5, 2.2) + dot(25, 17.5, 2.2) + dot(16, 17, 9.2, 10)];

const [PALE, TAN, OLIVE, DARK] = ["#f6d3b8", "#e3ac82", "#bd7f55", "#7e4f35"];
const [BLACK, BROWN, BLOND, RED, GRAY] = ["#2b2430", "#6b4026", "#c9964a", "#a9502b", "#b9b4ac"];

/** @type {Record<Face, Shape[]>} In the order in which they're offered. */
export const PEOPLE = {
  bob: [
    [BROWN, "M16 4C8.5 4 5 9 5 16.5c0 4.5.6 8 2 10.5h18c1.4-2.5 2-6 2-10.5C27 9 23.5 4 16 4Z"],
    head(PALE),
    [BROWN, "M7 16c.3-6.5 3.5-10 9-10s8.7 3.5 9 10c-3.5-.8-6.5-2.5-9-5-2.5 2.5-5.5 4.2-9 5Z"],
    eyes(),
    smile,
  ],
  short: [
    head(DARK),
    [
      BLACK,
      "M6.3 16.5C5.5 9 9.5 4.8 16 4.8s10.5 4.2 9.7 11.7c-1.2-1.2-1.9-3-2.3-5-4.8 1-10 .6-14-1.7-.7 2.1-1.8 3.9-3.1 6.7Z",
    ],
    eyes(),
    smile,
  ],
  curls: [
    [
      BLACK,
      dot(9, 9.5, 4) +
        dot(14, 6.8, 4.2) +
        dot(19.5, 7, 4.2) +
        dot(24, 10.2, 3.8) +
        dot(6.8, 14, 3) +
        dot(25.5, 14.5, 2.8) +
        dot(16, 12, 9),
    ],
    head(OLIVE),
    [BLACK, dot(10, 9.8, 3.4) + dot(14.5, 8.2, 3.4) + dot(19.5, 8.6, 3.2) + dot(23, 11, 2.6)],
    eyes(),
    smile,
  ],
  spikes: [
    head(TAN),
    [
      BLACK,
      "M6.3 15 5 9.5l4 1L9 5.5l4 2.5 2.5-4.5L18 8l4.5-3-.2 5.2 4.7-1L25.7 15c-2.7-3.3-6-4.6-9.7-4.6S9 11.7 6.3 15Z",
    ],
    eyes(),
    smile,
  ],
  long: [
    [BLOND, "M16 4C9 4 5 8.8 5 16v12h5.5V14.5c4.5-.2 8-2 10-4.7.8 1.9 1 3.2 1 4.7V28H27V16C27 8.8 23 4 16 4Z"],
    head(PALE),
    [BLOND, "M6.8 15C7.5 9 10.8 6 16 6s8.5 3 9.2 9c-3-.5-5-1.8-6.2-4.2-2.7 2.7-7 4.2-12.2 4.2Z"],
    eyes(),
    smile,
  ],
  beard: [
    head(PALE),
    [
      GRAY,
      "M6.3 15.5C6 10 8.5 6.5 10 6.2c-1.5 2-1.8 4-2 5.8-.6 1-1 2.2-1.7 3.5ZM25.7 15.5C26 10 23.5 6.5 22 6.2c1.5 2 1.8 4 2 5.8.6 1 1 2.2 1.7 3.5ZM7.2 19c1 8 5 10.5 8.8 10.5s7.8-2.5 8.8-10.5c-2 1.5-3 .2-4.8-.3-2.5-.7-3 .6-4 .6s-1.5-1.3-4-.6c-1.8.5-2.8 1.8-4.8.3Z",
    ],
    eyes(15.5),
    [WHITE, "M12.5 22.3h7a3.5 3.5 0 0 1-7 0Z"],
  ],
  scarf: [
    ["#42615f", "M16 3C8.5 3 4.8 8.5 4.8 16.5c0 5 1.2 9.5 3.7 13h15c2.5-3.5 3.7-8 3.7-13C27.2 8.5 23.5 3 16 3Z"],
    [TAN, dot(16, 18, 8, 9)],
    eyes(17.8),
    smile,
  ],
  bun: [
    head(OLIVE),
    [
      BLACK,
      `${dot(16, 4.6, 3.6)}M6.5 15.5C6.5 9.8 10.3 6.2 16 6.2s9.5 3.6 9.5 9.3c-3-3.3-6-4.8-9.5-4.8s-6.5 1.5-9.5 4.8Z`,
    ],
    eyes(),
    smile,
  ],
  redhead: [
    head(PALE),
    [
      RED,
      "M6.2 16.5C5 8.5 9.5 4.3 16.5 4.3c6.5 0 10.3 4.2 9.3 12-.9-2.3-2-3.9-3.4-5-4.7.8-9.4-.4-12-2.6-.6 3.2-2 5.9-4.2 7.8Z",
    ],
    eyes(),
    ["#d98f72", dot(9.5, 20.5, 1.5, 1.1) + dot(22.5, 20.5, 1.5, 1.1)],
    smile,
  ],
  braids: [
    [
      BLACK,
      "M16 4.5c-6 0-9.8 4-9.8 10.5 3-.8 6.5-2.6 8.8-6.2h2c2.3 3.6 5.8 5.4 8.8 6.2 0-6.5-3.8-10.5-9.8-10.5Z" +
        dot(5.8, 19.5, 2.4) +
        dot(5.2, 24, 2.1) +
        dot(26.2, 19.5, 2.4) +
        dot(26.8, 24, 2.1),
    ],
    head(DARK),
    [BLACK, "M16 6.5c-5.5 0-9 3-9.6 8.5 4-.7 7.3-2.7 9.6-6 2.3 3.3 5.6 5.3 9.6 6-.6-5.5-4.1-8.5-9.6-8.5Z"],
    eyes(),
    smile,
  ],
  cap: [
    head(TAN),
    ["#7d5a46", "M6 14.5C6 8 10 4 16 4s10 4 10 10.5l.3.5H31l-1 2H6.3Z"],
    eyes(19),
    [INK, "M12.8 23a4 4 0 0 0 6.4 0 .6.6 0 0 1 1 .7 5.2 5.2 0 0 1-8.4 0 .6.6 0 0 1 1-.7Z"],
  ],
  glasses: [
    head(PALE),
    [
      GRAY,
      "M6.2 16C5.5 8.5 9.8 4.6 16 4.6S26.5 8.5 25.8 16c-1-2-2-3.5-3-4.5-1.5-1.5-2.5-2-3-3-2.5 2.5-7.5 4-11 3.5-.9 1-1.8 2.3-2.6 4Z",
    ],
    eyes(),
    [
      INK,
      "M7.3 17.5a4.2 4.2 0 0 1 8.2-1.2h1a4.2 4.2 0 1 1 0 2.4h-1a4.2 4.2 0 0 1-8.2-1.2Zm1.2 0a3 3 0 1 0 6 0 3 3 0 0 0-6 0Zm9 0a3 3 0 1 0 6 0 3 3 0 0 0-6 0Z",
    ],
    smile,
  ],
};

/** @type {Record<string, Shape[]>} By the bot's name. */
export const BOTS = {
  snail: [
    ["#d8b98a", "M3 25.5h20.5a5 5 0 0 0 5-5V14a2.6 2.6 0 0 0-5.2 0v3.5a3 3 0 0 1-3 3H9a6 6 0 0 0-6 5Z"],
    ["#8a5a3c", dot(13, 15, 8.5)],
    ["#b98a5e", "M13 9a6 6 0 1 1-6 6h2a4 4 0 1 0 4-4 2.5 2.5 0 1 0 2.5 2.5h-1.8A4.3 4.3 0 1 1 13 9Z"],
    ["#d8b98a", `M24.3 12.5 23 7.5l1.3-.3 1.3 5ZM27 12.3 28 7l1.3.3-1 5.2Z${dot(23.5, 7, 1.3)}${dot(28.7, 6.8, 1.3)}`],
    [INK, dot(25.2, 14.8, 0.9) + dot(27.6, 14.8, 0.7)],
  ],
  hedgehog: [
    [
      "#6b4a36",
      "M27 22.5 29.5 20l-3-1.2 2-2.8-3.2-.6 1.2-3.2-3.3.3.3-3.4-3.1 1.2-.7-3.3-2.5 2.2L15.5 6l-1.8 2.9-2.9-1.8-.6 3.4-3.3-.6.8 3.3L4 14l2 3-3 1.5L5.5 21 4 24h22Z",
    ],
    ["#e8cfae", "M16 12.5c-5.5 0-9 3.8-9 8.8 0 4 3.5 6.2 9 6.2s9-2.2 9-6.2c0-5-3.5-8.8-9-8.8Z"],
    [INK, dot(12.3, 19, 1.3) + dot(19.7, 19, 1.3) + dot(16, 22.5, 1.9, 1.5)],
    [INK, "M13.2 25a4 4 0 0 0 5.6 0l.7.7a5 5 0 0 1-7 0Z"],
  ],
  fox: [
    [
      "#c8622f",
      "M4 3.5c3.5.8 6 2.5 7.8 4.7a14 14 0 0 1 8.4 0C22 6 24.5 4.3 28 3.5c1.2 4.8.8 9-.8 12.5l1.3 3.5C26 24 21.5 27 16 29 10.5 27 6 24 3.5 19.5L4.8 16C3.2 12.5 2.8 8.3 4 3.5Z",
    ],
    [
      "#f7ead8",
      "M3.5 19.5c4.5-1 8 .2 10 3.5l2.5 6C10.5 27 6 24 3.5 19.5ZM28.5 19.5c-4.5-1-8 .2-10 3.5L16 29c5.5-2 10-5 12.5-9.5Z",
    ],
    [
      "#7a3415",
      "M6 6.5c1.5.5 2.8 1.5 3.8 3-1 .6-2 1.5-2.8 2.5-.9-1.8-1.2-3.6-1-5.5ZM26 6.5c-1.5.5-2.8 1.5-3.8 3 1 .6 2 1.5 2.8 2.5.9-1.8 1.2-3.6 1-5.5Z",
    ],
    [INK, `${dot(11, 17, 1.4) + dot(21, 17, 1.4)}M13.5 25.5h5L16 29Z`],
  ],
  owl: [
    [
      "#7d6248",
      "M5 3.5c3 .2 5.5 1 7.5 2.5h7c2-1.5 4.5-2.3 7.5-2.5-.6 2.5-.6 4.5 0 6.5v8c0 7-4.5 11.5-11 11.5S5 25 5 18v-8c.6-2 .6-4 0-6.5Z",
    ],
    ["#e9d9bd", dot(11, 14, 5.2) + dot(21, 14, 5.2)],
    [INK, dot(11.5, 14, 2.4) + dot(20.5, 14, 2.4)],
    [WHITE, dot(12.3, 13.2, 0.8) + dot(21.3, 13.2, 0.8)],
    ["#d9a441", "M16 16.5l2.2 3.3L16 22.5l-2.2-2.7Z"],
    ["#a98a69", "M10 23.5l2-1.5 2 1.5 2-1.5 2 1.5 2-1.5 2 1.5c-.8 2.8-3 4.5-6 4.5s-5.2-1.7-6-4.5Z"],
  ],
  dragon: [
    [
      "#5f7a63",
      "M7 3c1 3.5 2.5 5.5 4.5 6.7a12 12 0 0 1 9 0C22.5 8.5 24 6.5 25 3c2 3.5 2.5 6.8 1.5 10 1 2.3 1 5 0 7.5-1 2.3-3 3.8-4 6-.8 1.8-3 3-6.5 3s-5.7-1.2-6.5-3c-1-2.2-3-3.7-4-6-1-2.5-1-5.2 0-7.5C4.5 9.8 5 6.5 7 3Z",
    ],
    [
      "#e7d9b4",
      "M7 3c1 3.5 2.5 5.5 4.5 6.7-1.8.8-3.3 1.9-4.4 3.3C5.5 9.8 5.5 6.3 7 3ZM25 3c-1 3.5-2.5 5.5-4.5 6.7 1.8.8 3.3 1.9 4.4 3.3 1.6-3.2 1.6-6.7.1-10Z",
    ],
    ["#86a387", "M10 23.5c0-2.5 2.7-4 6-4s6 1.5 6 4-2.5 4.5-6 4.5-6-2-6-4.5Z"],
    ["#f2c84b", dot(11, 16, 2.4, 2) + dot(21, 16, 2.4, 2)],
    [
      INK,
      dot(11.2, 16, 0.8, 1.8) +
        dot(20.8, 16, 0.8, 1.8) +
        dot(13.8, 22.5, 0.8) +
        dot(18.2, 22.5, 0.8) +
        "M12.5 25.2a6 6 0 0 0 7 0l.6.9a7.2 7.2 0 0 1-8.2 0Z",
    ],
  ],
};

/** @type {Face[]} */
export const FACES = /** @type {Face[]} */ (Object.keys(PEOPLE));

/**
 * The face of each seat: the one its person chose, or one based on their name, if possible a different one for
 * each seat. Bots, programs and free seats have none.
 * @param {readonly {
 *   name: string, face?: Face | null, bot?: string | null, level?: number | null, program?: boolean, kind?: string
 * }[]} seats
 * @returns {(Face | null)[]}
 */
export function facesOf(seats) {
  /** @type {Set<Face>} */
  const taken = new Set();
  return seats.map(({ name, face, bot, level, program, kind }) => {
    if (bot || level || program || kind === "free") return null;
    const shown = face && face in PEOPLE ? face : faceByName(name, taken);
    taken.add(shown);
    return shown;
  });
}

/**
 * A face based on a name. If possible, it isn't taken yet.
 * @param {string} name @param {ReadonlySet<Face>} [taken] @returns {Face}
 */
export function faceByName(name, taken = new Set()) {
  const start = [...name.trim()].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % FACES.length;
  const order = [...FACES.slice(start), ...FACES.slice(0, start)];
  return /** @type {Face} */ (order.find((face) => !taken.has(face)) ?? order[0]);
}
