/** The elements of the game page. They're made and arranged here once; other modules update them in place. */

import { h } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { openGameHelp, openGamePhrases, openGameSettings, openLeaveDialog } from "./game_dialogs.js";
import "./log.js";
import { LogSheet } from "./log_sheet.js";
import { PlayedForMe } from "./played_for_me.js";
import "./seats.js";
import { iconButton } from "../page/controls.js";
import { icon } from "../page/icons.js";

/** @typedef {ReturnType<typeof makeParts>} Parts */

/**
 * @param {string} words a catalog key, or empty if the text is set later
 * @param {() => void} press @param {string} [className]
 */
function textButton(words, press, className = "button") {
  return h("button", { type: "button", class: className, onclick: press, ...(words ? { t: words } : {}) });
}

/** @param {import("./game_page.js").GamePage} page */
export function makeParts(page) {
  const { hand, places, table, floating } = page.area;
  const seats = /** @type {import("./seats.js").ChrominoSeats} */ (document.createElement("chromino-seats"));
  const log = /** @type {import("./log.js").ChrominoLog} */ (document.createElement("chromino-log"));
  const bagCount = h("span", { class: "bag-count" });
  const confirm = textButton("tool.confirm", () => void page.placer.confirm(), "button primary");
  const takeBack = textButton("tool.undo_placing", () => page.placer.takeBack());
  const curtainWords = h("p");
  const reveal = textButton("", () => page.play.liftCurtain(), "button primary");
  const logToggle = iconButton("list", "log.title", () => page.parts.logSheet.toggle());
  const result = textButton("end.show", () => void page.openEnding());
  result.hidden = true;
  return {
    table,
    hand,
    seats,
    log,
    places,
    /** The table in words, for screen readers. */
    tableWords: h("ol", { class: "spoken" }),
    title: h("h1", { class: "game-title" }),
    rated: h("span", { class: "muted", t: "game.rated", hidden: true }),
    banner: h("p", { class: "banner", role: "status", hidden: true, t: "connection.lost" }),
    status: h("p", { class: "status" }),
    bag: h(
      "button",
      { type: "button", class: "bag", onclick: () => void page.play.drawTile() },
      icon("draw"),
      bagCount,
    ),
    bagCount,
    rotate: iconButton("turn", "tool.turn", () => page.placer.rotate()),
    hint: iconButton("hint", "tool.hint", () => void page.play.askForHint()),
    undo: iconButton("undo", "tool.take_turn_back", () => void page.play.takeTurnBack()),
    tracker: iconButton("tiles", "tool.tracker", () => void page.openTracker()),
    confirm,
    confirming: h("div", { class: "confirming", hidden: true }, confirm, takeBack),
    curtainWords,
    reveal,
    curtain: h("div", { class: "curtain", hidden: true }, curtainWords, reveal),
    result,
    latecomerBox: h("div", {}),
    playedForMe: new PlayedForMe(),
    leave: iconButton("leave", "leave.button", () => openLeaveDialog(page)),
    phrases: iconButton("say", "phrase.title", () => openGamePhrases(page)),
    sound: iconButton("sound", "settings.sound", () => changeSettings({ sound: !settings.sound })),
    logToggle,
    logSheet: new LogSheet(log, logToggle),
    floating,
  };
}

/** @param {import("./game_page.js").GamePage} page @param {Parts} parts */
export function arrangeParts(page, parts) {
  const { table } = parts;
  const zoom = h(
    "div",
    { class: "zoom" },
    iconButton("plus", "tool.zoom_in", () => table.zoom(1.3)),
    iconButton("minus", "tool.zoom_out", () => table.zoom(1 / 1.3)),
  );
  const menu = h(
    "div",
    { class: "menu", id: "menu", popover: "auto" },
    iconButton("home", "nav.home", () => page.go("/")),
    parts.phrases,
    parts.sound,
    parts.logToggle,
    iconButton("settings", "settings.title", () => void openGameSettings(page)),
    iconButton("help", "help.title", () => void openGameHelp(page)),
  );
  menu.addEventListener("click", () => menu.matches(":popover-open") && menu.hidePopover());
  const opener = iconButton("menu", "nav.menu", () => {});
  opener.classList.add("menu-opener");
  opener.setAttribute("popovertarget", menu.id);
  return h(
    "main",
    { class: "game" },
    h("header", { class: "bar" }, parts.title, parts.rated, parts.leave, opener, menu),
    parts.banner,
    parts.playedForMe.element,
    parts.seats,
    h(
      "section",
      { class: "table-box" },
      table,
      parts.tableWords,
      parts.status,
      h("div", { class: "tools" }, parts.bag, parts.hint, parts.undo, parts.tracker),
      h(
        "div",
        { class: "tools of-view" },
        zoom,
        parts.rotate,
        iconButton("fit", "tool.fit", () => table.fit()),
      ),
      parts.confirming,
      parts.places.box,
    ),
    parts.logSheet.element,
    h(
      "section",
      { class: "tray" },
      h("p", { class: "spoken", id: "hand-help", t: "hand.help" }),
      parts.hand,
      parts.curtain,
      parts.result,
      parts.latecomerBox,
    ),
    parts.floating,
  );
}
