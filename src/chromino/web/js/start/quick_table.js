/** A table for friends in one tap, with three free seats and the rules of your last table. The host can change both. */

import { settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { gather } from "../server/dealing.js";

const FREE_SEAT = { kind: /** @type {const} */ ("free"), name: "" };

/** @param {{public?: boolean}} [options] public: is it in the lobby? @returns {Promise<string>} the gathering's id */
export async function openTable(options = {}) {
  const { name, face, table } = settings;
  const me = { kind: /** @type {const} */ ("me"), name: name || t("setup.player", { n: 1 }), face: face || null };
  return gather({
    chairs: [me, FREE_SEAT, FREE_SEAT, FREE_SEAT],
    first: null,
    rules: {},
    aids: true,
    pace: true,
    ...table,
    ...options,
  });
}
