/** Settings, stored in this browser. Some are also attributes of the page, for its stylesheets. */

import { clearStored, readStored, store } from "./storage.js";

const KEY = "chromino";

const DEFAULTS = {
  /** @type {string | null} */
  language: null,
  /** @type {"auto" | "light" | "dark"} */
  theme: "auto",
  /** @type {"vivid" | "plain" | "distinct"} How squares are drawn. */
  squares: "vivid",
  /** @type {"never" | "touch" | "always"} When placements must be confirmed before they're sent. */
  ask: "never",
  /** Aid: light up legal places. */
  lit: true,
  /** Aid: show which of my tiles can be placed. */
  playable: true,
  sound: true,
  /** The volume of sounds, from 0 to 1. */
  volume: 0.7,
  shortcuts: true,
  /** Show the time a conundrum takes. */
  timer: true,
  /** For beginners: finding one place for each tile solves a conundrum. */
  findOne: false,
  /** Notify me that it's my turn when I can't see the page. */
  notify: false,
  /** The address at which this browser gets push notifications; empty if it doesn't get any. */
  push: "",
  /** @type {"none" | "21-8" | "22-7" | "23-9"} Hours without notifications. */
  quiet: "none",
  /** The level of the bot that "Play" on the home page starts a game against. */
  level: 1,
  name: "",
  /** @type {import("../page/faces.js").Face | ""} If it's empty, the face depends on the name. */
  face: "",
  /** What I last chose in "Find an opponent". */
  seekRules: "classic",
  seekRated: false,
  /** Has this person already created or declined a recovery code? */
  recoveryOffered: false,
  /** @type {import("../types.js").LastSetup | null} What was chosen when a game was last set up. */
  setup: null,
  /** @type {import("../types.js").LastTable | null} What was chosen at the last table for friends. */
  table: null,
};

/** @typedef {typeof DEFAULTS} Settings */

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...stored() };

addEventListener("storage", ({ key }) => {
  if (key === null) Object.assign(settings, DEFAULTS); // Another tab erased everything.
});

/** @returns {Partial<Settings>} */
function stored() {
  const saved = readStored(KEY);
  return saved && typeof saved === "object" ? migrated(saved) : {};
}

/**
 * Convert settings from earlier versions, which had switches for textures and for confirming placements.
 * @param {Partial<Settings> & {textures?: boolean, confirm?: boolean}} saved @returns {Partial<Settings>}
 */
function migrated({ textures, confirm, ...others }) {
  return { ...(textures === false ? { squares: "plain" } : {}), ...(confirm ? { ask: "always" } : {}), ...others };
}

/**
 * Change settings, and fire "settings" on the document.
 * @param {Partial<Settings>} changes
 */
export function changeSettings(changes) {
  Object.assign(settings, stored(), changes); // Another tab may have changed other settings.
  store(KEY, settings);
  applySettings();
  document.dispatchEvent(new Event("settings"));
}

/** Can this person rotate a tile by pressing R? */
export function rotatesByKey() {
  return settings.shortcuts && matchMedia("(hover: hover)").matches;
}

/** Erase everything stored in this browser, and keep later changes from writing it back. */
export function forgetEverything() {
  clearStored();
  Object.assign(settings, DEFAULTS);
}

/** Apply the settings that change how the page looks. */
export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.squares = settings.squares;
}
