/** Words on the leaderboards. It has no elements. */

import { t } from "../language/i18n.js";

/** What's noted next to a player's name. @param {import("../types.js").RatedPlayer} player */
export function playerNotes({ kind, level, name, mine }) {
  const notes = [
    kind === "bot" ? t("ratings.bot", { n: level }) : kind === "program" ? t("ratings.program") : "",
    mine ? t(name === null ? "ratings.only_you" : "join.you") : "",
  ];
  return notes.filter(Boolean).join(t("words.between"));
}
