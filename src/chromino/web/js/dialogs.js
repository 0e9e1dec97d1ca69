/** Dialogs: how they open and close, settings, and help with its shortcuts. */

import { say } from "./announce.js";
import { ruleChoices } from "./api.js";
import { icon } from "./art.js";
import { h, setLabel } from "./dom.js";
import { LANGUAGES, currentLanguage, setLanguage, t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { choiceWords } from "./words.js";

/**
 * A dialog with a title and a button to close it; it is shown at once and gone when it closes.
 * @param {string} name for its looks @param {string} title a key @param {...(Node | string | null)} content
 */
export function openDialog(name, title, ...content) {
  const heading = h("h2", { t: title, id: `${name}-title` });
  const close = h("button", { class: "icon-button", type: "button", onclick: () => dialog.close() }, icon("close"));
  setLabel(close, "dialog.close");
  const dialog = h(
    "dialog",
    { class: `dialog ${name}`, "aria-labelledby": heading.id },
    h("header", {}, heading, close),
    h("div", { class: "dialog-body" }, ...content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A switch with its words.
 * @param {string} key of the catalog @param {boolean} on @param {(on: boolean) => void} set
 */
export function toggle(key, on, set) {
  const input = h("input", { type: "checkbox", role: "switch", checked: on });
  input.addEventListener("change", () => set(input.checked));
  return h("label", { class: "switch" }, h("span", { t: key }), input);
}

/** @param {string} key @param {string} value @param {[string, string][]} options value and key @param {(value: string) => void} set */
function choice(key, value, options, set) {
  const select = h(
    "select",
    {},
    ...options.map(([option, words]) => h("option", { value: option, selected: option === value, t: words })),
  );
  select.addEventListener("change", () => set(select.value));
  return h("label", { class: "choice" }, h("span", { t: key }), select);
}

/** Which language; in its own name. */
export function languageChoice() {
  const select = h("select", { class: "language", tLabel: "settings.language" });
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    select.append(h("option", { value: tag, lang: tag, selected: tag === currentLanguage() }, name));
  }
  select.addEventListener("change", async () => {
    try {
      await setLanguage(select.value);
      change({ language: select.value });
    } catch {
      say(t("problem.away")); // The server, which has the words, is away: all stays as it is.
    }
    for (const shown of document.querySelectorAll("select.language")) {
      /** @type {HTMLSelectElement} */ (shown).value = currentLanguage();
    }
  });
  return select;
}

/** @param {...(Node | null)} more what concerns the game that is open */
export function openSettings(...more) {
  openDialog(
    "settings",
    "settings.title",
    h("label", { class: "choice" }, h("span", { t: "settings.language" }), languageChoice()),
    choice(
      "settings.theme",
      settings.theme,
      [
        ["auto", "settings.theme_auto"],
        ["light", "settings.theme_light"],
        ["dark", "settings.theme_dark"],
      ],
      (theme) => change({ theme: /** @type {"auto" | "light" | "dark"} */ (theme) }),
    ),
    toggle("settings.textures", settings.textures, (textures) => change({ textures })),
    toggle("settings.sound", settings.sound, (sound) => change({ sound })),
    h("h3", { t: "settings.aids" }),
    toggle("settings.lit", settings.lit, (lit) => change({ lit })),
    toggle("settings.playable", settings.playable, (playable) => change({ playable })),
    h("h3", { t: "settings.play" }),
    toggle("settings.confirm", settings.confirm, (confirm) => change({ confirm })),
    toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => change({ shortcuts })),
    "Notification" in window ? toggle("settings.notify", settings.notify, setNotify) : null,
    ...more,
  );
}

/** Notifications need a word from the browser. @param {boolean} on */
async function setNotify(on) {
  const allowed = on && (await Notification.requestPermission()) === "granted";
  change({ notify: allowed });
  if (on && !allowed) say(t("settings.notify_refused"));
}

/** @type {[string, string][]} */
const SHORTCUTS = [
  ["←  →", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["Shift + ←  ↑  →  ↓", "keys.shift"],
  ["R", "keys.turn"],
  ["Esc", "keys.escape"],
  ["D", "keys.draw"],
  ["H", "keys.hint"],
  ["T", "keys.tracker"],
  ["F", "keys.fit"],
  ["+  −", "keys.zoom"],
  ["?", "keys.help"],
];

/** Whoever needs help is in the middle of something: it stays open, and more is shown beside it. @param {string} address @param {string} words a key */
function moreHelp(address, words) {
  if (address === location.pathname) return null; // One is there.
  return h("p", {}, h("a", { class: "button", href: address, target: "_blank", t: words }));
}

/** The choices of a game that are not the usual ones, each with a link to its rule. @param {import("./types.js").Rules} rules */
function unusualChoices(rules) {
  const list = h("ul", {});
  const section = h("section", { class: "help-choices", hidden: true }, h("h3", { t: "help.choices" }), list);
  const show = async () => {
    for (const { name, default: usual, rule, own_rules } of await ruleChoices()) {
      const value = name in rules ? /** @type {any} */ (rules)[name] : usual;
      if (value === usual) continue;
      const address = `/rules#${own_rules[String(value)] ?? rule}`;
      list.append(h("li", {}, h("a", { class: "button", href: address, target: "_blank" }, t("help.choice", { name: t(`rule.${name}`), value: choiceWords(name, value) }))));
      section.hidden = false;
    }
  };
  show().catch(() => {}); // Help that needs no server is there already.
  return section;
}

/** How to play by these rules, and the keys. @param {import("./types.js").Rules} [rules] none: the classic ones */
export function openHelp(rules) {
  const sentences = [
    rules?.joining === "ends" ? "help.place_ends" : "help.place",
    "help.draw",
    rules?.scoring ? "help.points" : "help.end",
    ...(rules?.chameleons === false ? [] : ["help.chameleon"]),
  ];
  openDialog(
    "help",
    "help.title",
    ...sentences.map((key) => h("p", { t: key })),
    rules ? unusualChoices(rules) : null,
    moreHelp("/learn", "help.learn"),
    moreHelp("/rules", "help.rules"),
    h(
      "section",
      { class: "help-keys" },
      h("h3", { t: "help.keys" }),
      h("dl", { class: "keys" }, ...SHORTCUTS.flatMap(([keys, words]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", { t: words })])),
      toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => change({ shortcuts })),
    ),
  );
}
