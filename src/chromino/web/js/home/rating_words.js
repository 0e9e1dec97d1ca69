/** Words for the leaderboards. Nothing here touches the DOM. */

import { t } from "../language/i18n.js";

/** The notes next to a player's name, such as a bot's level. @param {import("../types.js").RatedPlayer} player */
export function playerNotes({ kind, level, name, mine }) {
  const notes = [
    kind === "bot" ? t("ratings.bot", { n: level }) : kind === "program" ? t("ratings.program") : "",
    mine ? t(name === null ? "ratings.only_you" : "join.you") : "",
  ];
  return notes.filter(Boolean).join(t("words.between"));
}
