/** The settings dialog. */

import { h } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { choice, slider, toggle } from "../page/controls.js";
import { languageChoice } from "../page/language_choice.js";
import { canNotify, renewSubscription, turnOffNotifications, turnOnNotifications } from "../server/notifications.js";
import { openDialog } from "./dialogs.js";
import { facePicker, myFace, setMyFace } from "./face_picker.js";

/** @param {...(Node | null)} more settings of the current game */
export function openSettings(...more) {
  openDialog(
    "settings",
    "settings.title",
    h("h3", { t: "settings.you" }),
    ...myNameAndFace(),
    h("label", { class: "choice" }, h("span", { t: "settings.language" }), languageChoice()),
    choice(
      "settings.theme",
      settings.theme,
      [
        ["auto", "settings.theme_auto"],
        ["light", "settings.theme_light"],
        ["dark", "settings.theme_dark"],
      ],
      (theme) => changeSettings({ theme: /** @type {"auto" | "light" | "dark"} */ (theme) }),
    ),
    choice(
      "settings.squares",
      settings.squares,
      [
        ["vivid", "settings.squares_vivid"],
        ["plain", "settings.squares_plain"],
        ["distinct", "settings.squares_distinct"],
      ],
      (squares) => changeSettings({ squares: /** @type {"vivid" | "plain" | "distinct"} */ (squares) }),
    ),
    toggle("settings.sound", settings.sound, (sound) => changeSettings({ sound })),
    slider("settings.volume", settings.volume, setVolume),
    h("h3", { t: "settings.aids" }),
    toggle("settings.lit", settings.lit, (lit) => changeSettings({ lit })),
    toggle("settings.playable", settings.playable, (playable) => changeSettings({ playable })),
    h("h3", { t: "settings.play" }),
    choice(
      "settings.ask",
      settings.ask,
      [
        ["never", "settings.ask_never"],
        ["touch", "settings.ask_touch"],
        ["always", "settings.ask_always"],
      ],
      (ask) => changeSettings({ ask: /** @type {"never" | "touch" | "always"} */ (ask) }),
    ),
    toggle("settings.shortcuts", settings.shortcuts, (shortcuts) => changeSettings({ shortcuts })),
    ...notificationSettings(),
    ...more,
  );
}

/** The name and face that others see. Games in progress keep the old name. */
function myNameAndFace() {
  const input = h("input", { maxlength: 40, autocomplete: "nickname", value: settings.name });
  const faces = facePicker(myFace(), setMyFace);
  input.addEventListener("input", () => {
    const shown = /** @type {HTMLInputElement | null} */ (faces.querySelector(`[value="${myFace(input.value)}"]`));
    if (shown) shown.checked = true;
  });
  input.addEventListener("change", () => changeSettings({ name: input.value.trim() }));
  return [h("label", { class: "choice" }, h("span", { t: "join.name" }), input), faces];
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
    changeSettings({ quiet: /** @type {typeof settings.quiet} */ (chosen) });
    void renewSubscription();
  });
  quiet.hidden = !settings.notify;
  const refused = h("p", { class: "problem", role: "alert", t: "settings.notify_refused", hidden: true });
  const notify = toggle("settings.notify", settings.notify, async (on) => {
    if (on) refused.hidden = await turnOnNotifications();
    else await turnOffNotifications();
    quiet.hidden = !settings.notify;
    /** @type {HTMLInputElement} */ (notify.querySelector("input")).checked = settings.notify;
  });
  return [notify, refused, quiet];
}

/** Change the volume, and play a sound at that volume. @param {number} volume */
function setVolume(volume) {
  changeSettings({ volume });
  playSound("lay");
}
