/** Languages: catalogs, plurals, and switching between them. */

/** @type {Record<string, string>} */
export const LANGUAGES = {
  en: "English",
  fr: "Français",
  es: "Español",
  ca: "Català",
  "zh-Hant": "繁體中文",
};

/** @type {Record<string, string | Record<string, string>>} */
let catalog = {};
let language = "en";
let plurals = new Intl.PluralRules("en");
/** @type {Set<string>} The loaded parts of the catalogs that only some pages need. */
const parts = new Set();

export function currentLanguage() {
  return language;
}

/**
 * The language to start with: the one chosen before, or the first of the browser's languages that we have.
 * @param {string | null} chosen @param {readonly string[]} wanted @returns {string}
 */
export function bestLanguage(chosen, wanted) {
  if (chosen && chosen in LANGUAGES) return chosen;
  for (const tag of wanted) {
    const [base = ""] = tag.toLowerCase().split("-");
    if (base === "zh") return "zh-Hant";
    if (base in LANGUAGES) return base;
  }
  return "en";
}

/** Switch the language, and fire "language" on the document. @param {string} tag */
export async function setLanguage(tag) {
  const loaded = await Promise.all([tag, ...[...parts].map((part) => `${part}.${tag}`)].map(read));
  catalog = Object.assign({}, ...loaded);
  language = tag;
  plurals = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
  document.dispatchEvent(new Event("language"));
}

/** @param {string} name of a catalog file */
async function read(name) {
  const answer = await fetch(`/lang/${name}.json`);
  if (!answer.ok) throw new Error(`can't load the catalog ${name}`);
  return answer.json();
}

/** Load a part of the catalogs, in the current language and in each one chosen later. @param {string} part */
export async function addPart(part) {
  if (parts.has(part)) return;
  const tag = language;
  const texts = await read(`${part}.${tag}`);
  if (tag !== language) return addPart(part); // The language changed meanwhile.
  Object.assign(catalog, texts);
  parts.add(part);
}

/**
 * Text from the catalog with its values filled in; `n` picks the plural.
 * @param {string} key @param {Record<string, any>} [values] @returns {string}
 */
export function t(key, values = {}) {
  const entry = catalog[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : (entry[plurals.select(values.n)] ?? entry.other ?? key);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** "A, B, and C" in the current language. @param {readonly string[]} items */
export function listed(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items);
}

/** Sentences one after another. Chinese has no spaces between them. @param {readonly string[]} sentences */
export function joinSentences(sentences) {
  return sentences.join(t("words.between_sentences"));
}

/**
 * A number as written in the current language, with a real minus sign.
 * @param {number} value @param {Intl.NumberFormatOptions} options
 */
export function formatNumber(value, options) {
  return new Intl.NumberFormat(language, options).format(value).replace("-", "−");
}

/** A date and time as written in the current language, in the reader's country if it's theirs. @param {string} iso */
export function dated(iso) {
  const local = navigator.languages.find((tag) => tag.split("-")[0] === language);
  return new Intl.DateTimeFormat(local ?? language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}
