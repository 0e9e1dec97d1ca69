/** The settings dialog. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { play } from "../browser/sound.js";
import { t } from "../language/i18n.js";
import { choice, slider, toggle } from "../page/controls.js";
import { languageChoice } from "../page/language_choice.js";
import { canNotify, renew, turnOff, turnOn } from "../server/notifications.js";
import { openDialog } from "./dialogs.js";
import { facePicker, myFace, setMyFace } from "./face_picker.js";

/** @param {...(Node | null)} more settings of the current game */
export function openSettings(...more) {
  openDialog(
    "settings",
    "settings.title",
    h("h3", { t: "settings.you" }),
    myName(),
    facePicker(myFace(), setMyFace),
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
    choice(
      "settings.squares",
      settings.squares,
      [
        ["vivid", "settings.squares_vivid"],
        ["plain", "settings.squares_plain"],
        ["distinct", "settings.squares_distinct"],
      ],
      (squares) => change({ squares: /** @type {"vivid" | "plain" | "distinct"} */ (squares) }),
    ),
    toggle("settings.sound", settings.sound, (sound) => change({ sound })),
    slider("settings.volume", settings.volume, setVolume),
    h("h3", { t: "settings.aids" }),
    toggle("settings.lit", settings.lit, (lit) => change({ lit })),
    toggle("settings.playable", settings.playable, (playable) => change({ playable })),
    h("h3", { t: "settings.play" }),
    choice(
      "settings.ask",
      settings.ask,
      [
        ["never", "settings.ask_never"],
        ["touch", "settings.ask_touch"],
        ["always", "settings.ask_always"],
      ],
      (ask) => change({ ask: /** @type {"never" | "touch" | "always"} */ (ask) }),
    ),
    toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => change({ shortcuts })),
    ...notificationSettings(),
    ...more,
  );
}

/** The name that others see. Games in progress keep the old one. */
function myName() {
  const input = h("input", { maxlength: 40, autocomplete: "nickname", value: settings.name });
  input.addEventListener("change", () => change({ name: input.value.trim() }));
  return h("label", { class: "choice" }, h("span", { t: "join.name" }), input);
}

/** @type {[keyof typeof import("../server/notifications.js").QUIET, string][]} */
const QUIET_HOURS = [
  ["none", "settings.quiet_none"],
  ["21-8", "settings.quiet_long"],
  ["22-7", "settings.quiet_night"],
  ["23-9", "settings.quiet_late"],
];

/** Notifications and quiet hours, or why notifications aren't available. */
function notificationSettings() {
  if (!isSecureContext) return [h("p", { class: "muted", t: "settings.insecure" })];
  if (!canNotify) return [];
  const quiet = choice("settings.quiet", settings.quiet, QUIET_HOURS, (chosen) => {
    change({ quiet: /** @type {typeof settings.quiet} */ (chosen) });
    void renew();
  });
  quiet.hidden = !settings.notify;
  const set = async (/** @type {boolean} */ on) => {
    if (!on) await turnOff();
    else if (!(await turnOn())) say(t("settings.notify_refused"));
    quiet.hidden = !settings.notify;
  };
  return [toggle("settings.notify", settings.notify, set), quiet];
}

/** Change the volume, and play a sound at that volume. @param {number} volume */
function setVolume(volume) {
  change({ volume });
  play("lay");
}
