/** The game page: shows the state that `GamePlay` keeps, and passes on what people do. */

import { clearAnnouncements, say, sayAtOnce } from "../browser/announce.js";
import { h, setAttribute, setText } from "../browser/dom.js";
import { rotatesByKey, settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { store } from "../browser/storage.js";
import { makeEnding, showEnding } from "../ending/ending.js";
import { addHistory, announceRematch, nextSteps, showWhoAsks } from "../ending/next_game.js";
import { listed, t } from "../language/i18n.js";
import { placeWords, refusalWords, seatName } from "../language/words.js";
import { frame } from "../page/frame.js";
import { icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { setTitle } from "../page/title.js";
import { PlacingArea } from "../placing/placing_area.js";
import { rememberStart } from "../replay/seed_hashes.js";
import { latecomersOf, PLAYED_WITH_OTHERS } from "../server/api.js";
import { Connection } from "../server/connection.js";
import { parseTable } from "../table/geometry.js";
import { showTableWords } from "../table/table_words.js";
import { AbsenceNews, absenceLines } from "./absence.js";
import { showBag, showCurtain } from "./bag_and_curtain.js";
import { announceTurn, dealHand, isTurnNew, showEvents, startRects } from "./event_effects.js";
import { canLeave, openGameHelp, sayPhrase } from "./game_dialogs.js";
import { arrangeParts, makeParts } from "./game_layout.js";
import { eventsSince, GamePlay } from "./game_play.js";
import { lateNews, lateWords } from "./latecomer_words.js";
import { showPhrase } from "./phrases.js";
import { playedForMeWords } from "./played_for_me.js";
import { showStatus } from "./status.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Latecomers} Latecomers */
/** @typedef {import("./phrases.js").Phrase} Phrase */

/** How long the table shows why a tile was refused, in milliseconds. */
const REFUSAL_TIME = 6000;

export class GamePage extends Page {
  /** @type {Promise<import("./latecomer.js").LatecomerPanel> | null} */
  latecomerPanel = null;
  /** @type {GamePlay} */
  play = new GamePlay(this, settings);
  area = new PlacingArea(this.play);
  placer = this.area.placer;
  /** @type {Set<number>} Seats whose phrases aren't shown. */
  muted = new Set();
  news = new AbsenceNews();
  /** @type {Connection | null} */
  connection = null;
  /** The tiles on the table, and the text they were parsed from. */
  laid = { text: "", tiles: /** @type {import("../types.js").Placement[]} */ ([]) };

  /** @param {(path: string) => void} go @param {string} game */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.parts = makeParts(this);
    this.content = arrangeParts(this, this.parts);
  }

  /** @override */
  start() {
    const { table } = this.area;
    this.area.listen(this, {
      d: () => void this.play.drawTile(),
      h: () => void this.play.askForHint(),
      t: () => void this.openTracker(),
      u: () => void this.play.takeTurnBack(),
      f: () => table.fit(),
      "+": () => table.zoom(1.3),
      "-": () => table.zoom(1 / 1.3),
      "?": () => void openGameHelp(this),
    });
    this.listen(window, "keydown", (event) => this.onEscape(event), { capture: true });
    this.listen(document, "settings", () => this.show());
    this.every(1000, () => this.tick());
    this.connection = new Connection(this.game, this.signal);
    this.listen(this.connection, "state", ({ detail }) => this.onState(detail));
    this.listen(this.connection, "said", ({ detail }) => this.onSaid(detail));
    this.listen(this.connection, "offline", ({ detail }) => this.onOffline(detail));
    this.listen(this.connection, "online", () => (this.parts.banner.hidden = true));
    this.listen(this.connection, "gone", ({ detail }) => this.onGone(detail));
  }

  /** @override */
  close() {
    super.close();
    clearAnnouncements();
    sayAtOnce("");
  }

  get state() {
    return this.play.state;
  }

  /** @param {import("../server/connection.js").NewRequest} message */
  ask(message) {
    return /** @type {Connection} */ (this.connection).ask(message);
  }

  // Messages from the server.

  /** @param {State} state */
  onState(state) {
    const before = this.state;
    const origins = startRects(state, eventsSince(before, state), this.parts);
    const wasDropped = this.placer.placing.pending !== null;
    if (!state.view.over) rememberStart(state);
    const events = this.play.receive(state, performance.now() / 1000);
    const landed = showEvents(state, events, this.parts, origins, { hidesDraws: this.play.isShared(), wasDropped });
    for (const [key, values] of lateNews(before, state)) this.say(key, values);
    const played = before ? "" : playedForMeWords(state);
    if (played) say(played);
    announceTurn(state, isTurnNew(before, state));
    if (!before) dealHand(state, this.parts);
    if (state.view.over && !before) this.area.table.fit();
    if (state.view.over && before && !before.view.over) {
      if (this.hasOthers && !state.watching) store(PLAYED_WITH_OTHERS, Date.now());
      void landed.then(() => this.openEnding());
    } else if (before && state.next_game && !before.next_game) announceRematch(this);
  }

  /** @param {import("../types.js").Said} said */
  onSaid({ seat, phrase }) {
    if (!this.state || this.muted.has(seat)) return;
    const { seats, status } = this.parts;
    showPhrase(phrase, seatName(this.state.seats, seat), seats.rectOf(seat), this.content, status);
  }

  /**
   * Say why we're offline. The connection is retried automatically.
   * @param {string | null} code why the server refused us; null if the connection was lost
   */
  onOffline(code) {
    setText(this.parts.banner, code ? `problem.${code}` : "connection.lost");
    this.parts.banner.hidden = false;
  }

  /**
   * Show what latecomers can do. Most people never see this panel, so it's loaded on demand.
   * @param {Latecomers | null} late
   */
  async showLatecomers(late) {
    if (!late && !this.latecomerPanel) return;
    this.latecomerPanel ??= import("./latecomer.js").then(({ LatecomerPanel }) => {
      const panel = new LatecomerPanel(this.game, () => this.reconnect());
      this.parts.latecomerBox.replaceChildren(panel.element);
      return panel;
    });
    (await this.latecomerPanel).show(late);
  }

  /** Reconnect, because a spectator has taken a seat or joined the next game. */
  reconnect() {
    this.connection?.socket.restart();
  }

  /** We aren't allowed to watch this game, but latecomers may still be able to join it or the next one. */
  async onNotWatchable() {
    const late = await latecomersOf(this.game).catch(() => null);
    if (!late) return this.onGone("no-such-game");
    const { LatecomerPanel } = await import("./latecomer.js");
    const panel = new LatecomerPanel(this.game, (answer) =>
      answer.waiting.some(({ mine }) => mine) || answer.can_wait ? panel.show(answer) : location.reload(),
    );
    panel.show(late);
    setTitle(lateWords(late).title);
    this.content.replaceWith(frame(this.go, {}, h("h1", { t: "title" }), panel.element));
  }

  /** Say why the game can't be opened. @param {string} code */
  onGone(code) {
    this.close();
    if (code === "not-your-game") return void this.onNotWatchable();
    const home = h("a", { href: "/", class: "button primary", t: "nav.home" });
    const title = code === "no-such-game" ? "title.no_game" : "title.cannot_open";
    setTitle(title);
    this.content.replaceWith(
      frame(this.go, {}, h("h1", { t: title }), h("p", { t: `problem.${code}` }), h("p", {}, home)),
    );
  }

  // Rendering.

  /** @override */
  show() {
    if (!this.state) return;
    const { parts, play, state } = this;
    const { view } = state;
    parts.seats.show(state);
    parts.log.show(state, play.isShared());
    parts.rated.hidden = !state.rated;
    setText(parts.title, state.preset ? `preset.${state.preset}` : "preset.custom");
    this.showTitle(state);
    showBag(parts, play);
    showCurtain(parts, play);
    parts.sound.replaceChildren(icon(settings.sound ? "sound" : "mute"));
    setAttribute(parts.sound, "aria-pressed", settings.sound ? "true" : "false");
    parts.hint.hidden = !state.aids || state.watching || view.over;
    parts.undo.hidden = !state.can_take_back;
    parts.tracker.hidden = !state.aids;
    parts.result.hidden = !view.over;
    parts.rotate.hidden = state.watching || view.over;
    parts.leave.hidden = !canLeave(state);
    parts.playedForMe.show(state);
    parts.phrases.hidden = !this.hasOthers;
    void this.showLatecomers(state.watching && (!view.over || state.latecomers.can_wait) ? state.latecomers : null);
    this.tick();
    showTableWords(parts.tableWords, parseTable(view.table));
    this.showTiles();
  }

  /** Show in the title that it's your turn, or else who's playing. @param {State} state */
  showTitle({ view, seats }) {
    const others = seats.flatMap(({ mine }, seat) => (mine ? [] : [seatName(seats, seat)]));
    if (!view.over && view.seat === view.me && !seats[view.seat]?.has_left) setTitle("title.your_turn");
    else if (others.length) setTitle("title.game_with", { names: listed(others) });
    else setTitle("title.game");
  }

  /** Update what depends on the time: clocks and absences. */
  tick() {
    if (!this.state) return;
    const now = performance.now() / 1000;
    const elapsed = this.play.elapsed(now);
    this.parts.seats.tick(this.state, elapsed);
    this.parts.log.showAbsences(absenceLines(this.state, elapsed));
    for (const words of this.news.latest(this.state, elapsed)) say(words);
    this.play.warnAboutTime(now);
  }

  /** Show the table and the hand. */
  showTiles() {
    if (!this.state) return;
    const { area, parts, placer, play } = this;
    const { placing } = placer;
    const { view } = this.state;
    if (this.laid.text !== view.table) this.laid = { text: view.table, tiles: parseTable(view.table) };
    const laid = this.laid.tiles;
    area.show(
      { laid, last: view.log.some((event) => event.place) ? (laid[laid.length - 1] ?? null) : null },
      {
        tiles: play.myHand(),
        fits: play.showsPlayable() ? (tile) => placing.fits(tile) : null,
        drawn: view.seat === view.me ? view.drawn : null,
      },
    );
    showStatus(parts.status, play, rotatesByKey());
    setAttribute(parts.rotate, "aria-disabled", placing.tile ? null : "true");
    parts.confirming.hidden = !play.isConfirming();
    area.table.parentElement?.classList.toggle("holding", placing.tile !== null);
    this.keepFocus();
  }

  /** If a keyboard user's focused element is gone, focus the one they need next. */
  keepFocus() {
    const { parts, placer } = this;
    const active = document.activeElement;
    const isLost =
      !active || active === document.body || active === this.content.parentElement || !active.checkVisibility();
    if (!isLost || !placer.byKeyboard || document.querySelector("dialog[open]")) return;
    if (!parts.curtain.hidden) parts.reveal.focus();
    else if (!parts.confirming.hidden) parts.confirm.focus();
    else if (this.play.mustDraw()) parts.bag.focus();
    else if (!placer.placing.pending) parts.hand.focusTile(placer.placing.tile);
  }

  // Announcements and sounds.

  /** @param {string} key @param {Record<string, any>} [values] */
  say(key, values) {
    say(t(key, values));
  }

  /** @param {import("../types.js").Placement} place */
  sayHint(place) {
    say(t("hint.say", { place: placeWords(place) }));
  }

  /** @param {import("../types.js").Refusal} refusal */
  sayRefusal(refusal) {
    say(refusalWords(refusal));
    playSound("refuse");
    this.after(REFUSAL_TIME, () => this.placer.hideRefusal(refusal));
  }

  /** @param {import("../browser/wood.js").Sound} name */
  playSound(name) {
    playSound(name);
  }

  /** A tile was picked up: close the log, so it's out of the way. */
  tilePicked() {
    this.parts.logSheet.close();
  }

  hideSecrets() {
    this.area.cancelDrag();
    clearAnnouncements();
    /** @type {NodeListOf<HTMLDialogElement>} */
    const trackers = document.querySelectorAll(".dialog.tracker");
    for (const tracker of trackers) tracker.close();
  }

  // Dialogs and panels.

  async openTracker() {
    const mayOpen = () => !this.isClosed && this.state?.aids && !this.play.isHandHidden();
    // It may change while tiles are loading.
    const latestView = () => (mayOpen() ? (this.state?.view ?? null) : null);
    if (!latestView()) return;
    await import("./tracker.js")
      .then(({ openTracker }) => openTracker(latestView))
      .catch((error) => this.play.sayProblem(problemKey(error)));
  }

  /** Escape closes the log before anything else. @param {KeyboardEvent} event */
  onEscape(event) {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    if (this.parts.logSheet.close()) event.stopImmediatePropagation();
  }

  /** Zoom out so that the sheet doesn't cover the tiles, then show the sheet. */
  async openEnding() {
    const { state } = this;
    if (!state || this.isClosed || document.querySelector(".ending")) return;
    this.parts.logSheet.close();
    const canTalk = this.hasOthers && !state.watching;
    const send = canTalk ? (/** @type {Phrase} */ phrase) => sayPhrase(this, phrase) : null;
    const sheet = makeEnding(state, nextSteps(this, state), send);
    const zoomOut = () => {
      const isBeside = sheet.offsetLeft > innerWidth / 2;
      const { table } = this.area;
      return isBeside
        ? table.fitWithin(innerHeight, sheet.offsetLeft)
        : table.fitWithin(innerHeight - sheet.offsetHeight);
    };
    sheet.addEventListener("close", () => {
      if (!this.isClosed && !document.querySelector(".ending[open]")) void this.area.table.fitWithin(innerHeight);
    });
    await zoomOut();
    if (!sheet.open) return;
    showEnding(sheet, state);
    const deal = import("../ending/deal_check.js").then(({ addDealCheck }) => addDealCheck(state, sheet));
    await Promise.all([addHistory(state, sheet), deal, showWhoAsks(state, sheet)]);
    // The sheet may have grown.
    if (sheet.open) await zoomOut();
  }

  /** Are there players on other devices? */
  get hasOthers() {
    return this.state?.seats.some(({ kind, mine }) => kind === "person" && !mine) ?? false;
  }
}
