/** Which bot to play next, in a sentence. */

import { t } from "../language/i18n.js";

/** "You've beaten Fox in 6 of your last 10 games. Try Owl next!" @param {import("../types.js").BotLadder} ladder */
export function ladderWords({ rungs, next }) {
  const rung = rungs.find(({ level }) => level === next);
  const previous = rungs.find(({ level }) => level === next - 1);
  const bot = t(`bot.${rung?.bot ?? "snail"}`);
  if (rung?.mastered) return t("path.top", { bot, n: rung.played, won: rung.won });
  if (rung?.played && !rung.won) return t("path.none_yet", { bot });
  if (rung?.played) return t("path.stay", { bot, n: rung.played, won: rung.won });
  if (previous?.mastered)
    return t("path.up", { bot: t(`bot.${previous.bot}`), n: previous.played, won: previous.won, next: bot });
  return t("path.begin", { bot });
}
