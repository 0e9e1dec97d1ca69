/** A game in one click, and the bots by level. */

import { settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";

/** The bots by level, easiest first. */
export const BOTS = ["snail", "hedgehog", "fox", "owl", "dragon"];

/** A game against one bot, by default at the level chosen last. @returns {import("../types.js").NewGame} */
export function quickGame(level = settings.level) {
  const bot = BOTS[level - 1] ?? "snail";
  return {
    seats: [
      { kind: "me", name: settings.name || t("setup.player", { n: 1 }), face: settings.face || null },
      { kind: "bot", name: t(`bot.${bot}`), level },
    ],
    rules: {},
    first: null,
    aids: true,
    pace: true,
  };
}
