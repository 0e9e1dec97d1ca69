/** A table for friends in one tap. */

import { settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { gather } from "../server/dealing.js";

/** Open a table with two free seats, by the usual rules. @returns {Promise<string>} its id */
export async function openTable() {
  const me = { kind: "me", name: settings.name || t("setup.player", { n: 1 }), face: settings.face || null };
  const free = { kind: "free", name: "" };
  return gather(/** @type {any} */ ({ seats: [me, free, free], rules: {}, first: null, aids: true, pace: true }));
}
