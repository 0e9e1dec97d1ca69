/** The tracker: all tiles of the game by kind, and where each one is. */

import { h, setText } from "../browser/dom.js";
import { openDialog } from "../dialogs/dialogs.js";
import { t } from "../language/i18n.js";
import { tileWords } from "../language/words.js";
import { tilesByKind } from "../server/api.js";
import { parseTable, reversed } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";

/** @param {() => import("../types.js").View | null} latestView null if the tracker may not be open now */
export async function openTracker(latestView) {
  const kinds = Object.entries(await tilesByKind(latestView()?.rules.chameleons ?? true));
  const view = latestView(); // Something may have happened while the tiles were loading.
  if (!view) return;
  const onTable = bothWays(parseTable(view.table).map(({ colors }) => colors));
  const mine = bothWays(view.me === null ? [] : (view.hands[view.me] ?? []));
  const open = bothWays(view.hands.flatMap((hand, seat) => (seat === view.me ? [] : (hand ?? []))));
  /** @param {string} tile */
  const where = (tile) => {
    if (onTable.has(tile)) return "table";
    if (mine.has(tile)) return "mine";
    return open.has(tile) ? "open" : "unseen";
  };
  const unseen = kinds.flatMap(([, tiles]) => tiles).filter((tile) => where(tile) === "unseen").length;
  const summary = h("p");
  setText(summary, "tracker.summary", { n: unseen, bag: view.bag_count });
  openDialog(
    "tracker",
    "tracker.title",
    summary,
    h(
      "p",
      { class: "legend" },
      ...["unseen", "mine", "open", "table"].map((place) =>
        h(
          "span",
          { class: `tracked ${place}` },
          h("i", { "aria-hidden": "true" }),
          h("span", { t: `tracker.${place}` }),
        ),
      ),
    ),
    colorTable(kinds, (tile) => where(tile) === "unseen"),
    ...kinds.flatMap(([kind, tiles]) => [
      h("h3", { t: `tracker.${kind}` }),
      h(
        "ul",
        { class: "tracked-tiles" },
        ...tiles.map((tile) =>
          h(
            "li",
            { class: `tracked ${where(tile)}` },
            h(
              "span",
              {
                role: "img",
                "aria-label": t("words.labeled", { name: tileWords(tile), value: t(`tracker.${where(tile)}`) }),
              },
              tilePicture(tile),
            ),
          ),
        ),
      ),
    ]),
  );
}

/**
 * How many classic tiles of each kind have each color, and how many of those are still unseen (rule 1.3).
 * @param {[string, string[]][]} kinds @param {(tile: string) => boolean} isUnseen
 */
function colorTable(kinds, isUnseen) {
  const columns = kinds.filter(([kind]) => kind !== "chameleon");
  const rows = [..."RGBYP"].map((color) => {
    const byKind = columns.map(([, tiles]) => tiles.filter((tile) => tile.includes(color)));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, t(`color.${color}`)),
      ...[...byKind, byKind.flat()].map((group) => h("td", {}, `${group.filter(isUnseen).length}/${group.length}`)),
    );
  });
  return h(
    "div",
    { class: "by-color-box", tabindex: 0, role: "region", "aria-labelledby": "by-color" },
    h(
      "table",
      { class: "by-color" },
      h("caption", { id: "by-color", t: "tracker.by_color" }),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          ...columns.map(([kind, [example = ""]]) =>
            h(
              "th",
              { scope: "col" },
              h("span", { role: "img", "aria-label": t(`tracker.${kind}`) }, tilePicture(example)),
            ),
          ),
          h("th", { scope: "col", t: "tracker.all" }),
        ),
      ),
      h("tbody", {}, ...rows),
    ),
  );
}

/** The tiles in both directions, because a tile and its reverse are the same tile. @param {string[]} tiles */
function bothWays(tiles) {
  return new Set([...tiles, ...tiles.map(reversed)]);
}
