/** The page of one game: what the server says is shown, and what a person does becomes an action. */

import { tellPath, tellRematch, nextSteps } from "./next_game.js";
import { clearAnnouncements, say, sayAtOnce } from "../browser/announce.js";
import { ApiError } from "../server/api.js";
import { Connection, Refused } from "../server/connection.js";
import { h, setAttribute, setText } from "../browser/dom.js";
import { dragTiles } from "../placing/tile_drag.js";
import { openEnding } from "./ending.js";
import { isOf, middleOf, parsePlacement, parseTable, turnOf } from "../table/geometry.js";
import { startRects, showEvents, isTurnNew, tellAbsence, tellTurn } from "./event_effects.js";
import { t } from "../language/i18n.js";
import { listenToKeys } from "./game_keys.js";
import { arrangeParts, makeParts } from "./game_layout.js";
import { showPhrase } from "./phrases.js";
import { Placing } from "../placing/placing.js";
import { rememberHash } from "../replay/seed_hashes.js";
import { settings } from "../browser/settings.js";
import { showBag, showCurtain, showTableWords, showTurn } from "./game_parts.js";
import { play } from "../browser/sound.js";
import { showStatus } from "./status.js";
import { openTracker } from "./tracker.js";
import { placeWords, refusalWords, seatName } from "../language/words.js";
import { topBar } from "../page/header.js";
import { icon } from "../page/icons.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Refusal} Refusal */

const HURRY = 10; // Seconds before the end of a turn that is limited, at which it is told.
const BLAMED = 6000; // Milliseconds that the reason of a refusal stands on the table.

export class GamePage {
  /** @type {State | null} */
  state = null;
  placing = new Placing();
  /** @type {number | null} On a device that goes round: whose hand is shown. */
  revealed = null;
  /** @type {{place: Placement, refusal: Refusal} | null} What was refused, shown on the table. */
  blame = null;
  /** @type {string | null} The key of what went wrong otherwise. */
  problem = null;
  /** @type {Placement | null} */
  hint = null;
  /** Is an action on its way? Until its state arrives nothing else is done. */
  sending = false;
  /** Was it told that the turn is nearly over? */
  hurried = false;
  /** Is the keyboard, or a screen reader, in use? Then the focus must always have somewhere to be. */
  byKey = false;
  /** When the state came, in milliseconds of this page. */
  came = 0;
  /** @type {Set<number>} Seats whose phrases are not heard. */
  muted = new Set();
  /** Ends with the page, and with it all that listens. */
  life = new AbortController();

  /** @param {HTMLElement} root @param {string} game @param {(path: string) => void} go to another page */
  constructor(root, game, go) {
    const { signal } = this.life;
    this.root = root;
    this.go = go;
    this.parts = makeParts(this);
    root.replaceChildren(arrangeParts(this, this.parts));
    this.parts.table.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
    this.parts.hand.addEventListener("pick", (event) => this.onPick(/** @type {CustomEvent} */ (event).detail));
    this.placing.addEventListener("change", () => this.draw());
    this.dropTile = dragTiles(this, signal);
    listenToKeys(this, signal);
    addEventListener("keydown", () => (this.byKey = true), { capture: true, signal });
    addEventListener("pointerdown", () => (this.byKey = false), { capture: true, signal });
    document.addEventListener("settings", () => this.show(), { signal });
    document.addEventListener("language", () => this.show(), { signal });
    const clock = setInterval(() => this.tick(), 1000);
    signal.addEventListener("abort", () => clearInterval(clock));
    this.connection = new Connection(game);
    this.connection.addEventListener("state", (event) => this.onState(/** @type {CustomEvent} */ (event).detail));
    this.connection.addEventListener("said", (event) => this.onSaid(/** @type {CustomEvent} */ (event).detail));
    this.connection.addEventListener("offline", (event) => this.onOffline(/** @type {CustomEvent} */ (event).detail));
    this.connection.addEventListener("online", () => (this.parts.banner.hidden = true));
    this.connection.addEventListener("gone", (event) => this.onGone(/** @type {CustomEvent} */ (event).detail));
  }

  /** Leave the page. */
  close() {
    this.life.abort();
    this.connection.close();
    clearAnnouncements();
    sayAtOnce("");
  }

  // What the server says.

  /** @param {State} state */
  onState(state) {
    const before = this.state;
    const events = before ? state.view.log.slice(before.view.log.length) : [];
    const wasDropped = this.placing.pending !== null;
    const from = startRects(state, events, this.parts);
    this.state = state;
    this.came = performance.now();
    if (!state.view.over) rememberHash(state);
    if (!before || events.length) this.startAnew();
    if (this.isHidden()) this.clearSecrets();
    this.show();
    showEvents(state, events, this.parts, from, { secret: this.isShared(), wasDropped });
    tellAbsence(before, state);
    tellTurn(state, isTurnNew(before, state));
    this.pickDrawn(events);
    if (state.view.over && !before) this.parts.table.fit();
    if (state.view.over && before && !before.view.over) this.openEnding();
    else if (before && state.next_game && !before.next_game) tellRematch(this);
  }

  /** @param {{seat: number, phrase: string}} said */
  onSaid({ seat, phrase }) {
    if (!this.state || this.muted.has(seat)) return;
    showPhrase(phrase, seatName(this.state.seats, seat), this.parts.seats.rectOf(seat));
  }

  /** It is tried again and again; what the person can do about it is told. @param {string | null} code why the server refuses us */
  onOffline(code) {
    setText(this.parts.banner, code ? `problem.${code}` : "connection.lost");
    this.parts.banner.hidden = false;
  }

  /** The game has gone on: nothing is in the fingers, nothing is wrong. */
  startAnew() {
    const { view } = /** @type {State} */ (this.state);
    const last = parseTable(view.table).pop();
    this.blame = this.problem = this.hint = null;
    this.sending = false;
    this.placing.offer(this.isHidden() ? [] : view.actions, this.myHand(), last ? middleOf(last) : [1, 0]);
  }

  /** The device goes to the next player: nothing of the last one stays on it. */
  clearSecrets() {
    this.dropTile();
    clearAnnouncements();
    for (const dialog of document.querySelectorAll(".dialog.tracker")) /** @type {HTMLDialogElement} */ (dialog).close();
  }

  /** A tile just drawn that fits is in the fingers at once: nothing else may be placed. @param {import("../types.js").Event[]} events */
  pickDrawn(events) {
    const drawn = this.state?.view.drawn;
    if (!drawn || this.isHidden() || !events.some((event) => "draw" in event) || !this.placing.fits(drawn)) return;
    this.pickUp(drawn);
    if (this.byKey) this.parts.hand.focusTile(drawn);
  }

  /** There is no way back to this game. @param {string} code */
  onGone(code) {
    this.close();
    const main = h("main", {}, h("h1", { t: "title" }), h("p", { t: `problem.${code}` }));
    main.append(h("p", {}, h("a", { href: "/", class: "button primary", t: "nav.home" })));
    this.root.replaceChildren(h("div", { class: "page" }, topBar(this.go, "title"), main));
  }

  // What is known.

  /** My tiles, or none behind the curtain. */
  myHand() {
    const view = this.state?.view;
    return view && view.me !== null && !this.isHidden() ? (view.hands[view.me] ?? []) : [];
  }

  /** Do several people play on this device, with hands that the others may not see? */
  isShared() {
    if (!this.state) return false;
    const { seats, view } = this.state;
    return seats.filter(({ mine }) => mine).length > 1 && !view.rules.open_hands && !view.over;
  }

  /** Is the hand behind the curtain? */
  isHidden() {
    const view = this.state?.view;
    return this.isShared() && (this.revealed !== view?.me || view?.seat !== view?.me);
  }

  isOver() {
    return this.state?.view.over ?? false;
  }

  isMyTurn() {
    const view = this.state?.view;
    return Boolean(view && !view.over && view.seat === view.me && !this.isHidden());
  }

  mustDraw() {
    return this.isMyTurn() && this.state?.view.actions[0] === "draw";
  }

  /** Are legal places lit? By my choice, and the game's. */
  isLit() {
    return settings.lit && (this.state?.aids ?? false);
  }

  /** Is it shown which tiles can be placed? */
  showsPlayable() {
    return settings.playable && (this.state?.aids ?? false) && this.isMyTurn();
  }

  // What is shown.

  show() {
    if (!this.state) return;
    const { state, parts } = this;
    const { view } = state;
    if (this.isHidden()) this.revealed = null;
    parts.seats.show(state);
    parts.log.show(state, this.isShared());
    setText(parts.title, state.preset ? `preset.${state.preset}` : "preset.custom");
    document.title = t(!view.over && view.seat === view.me ? "title.your_turn" : "title");
    showBag(this);
    showCurtain(this);
    parts.sound.replaceChildren(icon(settings.sound ? "sound" : "mute"));
    setAttribute(parts.sound, "aria-pressed", settings.sound ? "true" : "false");
    parts.hint.hidden = parts.tracker.hidden = !state.aids;
    parts.result.hidden = !view.over;
    parts.hand.hidden ||= state.watching;
    parts.turn.hidden = state.watching;
    parts.hint.hidden ||= state.watching;
    parts.talk.hidden = !state.seats.some(({ kind, mine }) => kind === "person" && !mine);
    this.tick();
    showTableWords(parts.laid, view);
    this.draw();
  }

  /** What runs by the second. */
  tick() {
    if (!this.state) return;
    const elapsed = (performance.now() - this.came) / 1000;
    this.parts.seats.tick(this.state, elapsed);
    const left = this.state.turn_left === null ? Infinity : this.state.turn_left - elapsed;
    if (this.isMyTurn() && left <= HURRY && !this.hurried) say(t("turn.hurry", { n: HURRY }));
    this.hurried = left <= HURRY;
  }

  /** Table and hand as they are in this moment. */
  draw() {
    if (!this.state) return;
    const { blame, parts, placing } = this;
    const { view } = this.state;
    const laid = parseTable(view.table);
    parts.table.show({
      laid,
      last: view.log.some((event) => event.place) ? (laid[laid.length - 1] ?? null) : null,
      lit: this.litPlaces(),
      held: placing.held,
      pending: placing.pending,
      blame: blame && { ...blame, words: refusalWords(blame.refusal) },
    });
    parts.hand.show({
      tiles: this.myHand(),
      picked: placing.tile,
      turned: placing.turn >= 2,
      fits: this.showsPlayable() ? (tile) => placing.fits(tile) : null,
      drawn: view.seat === view.me ? view.drawn : null,
    });
    parts.places.show();
    showStatus(parts.status, this);
    showTurn(parts, placing);
    parts.confirming.hidden = !placing.pending || !settings.confirm || this.sending;
    parts.table.parentElement?.classList.toggle("holding", placing.tile !== null);
    this.keepFocus();
  }

  litPlaces() {
    const { hint, placing } = this;
    if (placing.pending || this.isHidden()) return [];
    if (hint) return [{ place: hint, faint: false }];
    if (!this.isLit()) return [];
    return placing.places().map((place) => ({ place, faint: !placing.isTurnedFor(place) }));
  }

  /** If what had the focus is gone, it goes to what is to be done next. */
  keepFocus() {
    const { parts, placing, root } = this;
    const active = document.activeElement;
    const lost = !active || active === document.body || active === root || !active.checkVisibility();
    if (!lost || !this.byKey || document.querySelector("dialog[open]")) return;
    if (!parts.curtain.hidden) parts.reveal.focus();
    else if (!parts.confirming.hidden) parts.confirm.focus();
    else if (this.mustDraw()) parts.bag.focus();
    else if (!placing.pending) parts.hand.focusTile(placing.tile);
  }

  // What a person does.

  /** A tile picked by key goes on to its places; one picked by hand stays where it is, and turns when picked again. */
  onPick(/** @type {{tile: string, byKey: boolean}} */ { tile, byKey }) {
    if (this.sending) return;
    this.byKey = byKey;
    if (this.placing.tile === tile && !this.placing.pending && !byKey) this.placing.turnTile();
    else this.pickUp(tile);
    if (byKey && this.isMyTurn()) this.parts.places.enter();
  }

  /** @param {string} tile */
  pickUp(tile) {
    this.blame = this.problem = this.hint = null;
    if (this.placing.tile !== tile || this.placing.pending) this.placing.pick(tile, this.isLit());
    if (this.isLit()) this.parts.table.reveal(this.placing.places());
  }

  /** @param {import("../types.js").Square} point */
  onTap(point) {
    this.blame = this.problem = null;
    const { hint, placing } = this;
    if (placing.tile === null) this.draw();
    else if (!this.sending) this.put(placing.placeTapped(point, this.isLit() || hint !== null));
  }

  /** Put the tile down here; at once for good, unless it is to be confirmed. @param {Placement} place */
  put(place) {
    if (this.sending) return;
    if (!this.isMyTurn()) {
      this.placing.hold(null);
      this.refuse("problem.not-your-turn");
      return;
    }
    this.blame = this.problem = null;
    this.placing.putDown(place);
    // What does not fit needs no confirmation: the server says why, and nothing happens.
    if (!settings.confirm || !this.placing.legal.some(({ text }) => text === place.text)) void this.confirm();
    else say(t("status.confirm"));
  }

  async confirm() {
    const place = this.placing.pending;
    if (!place || this.sending) return;
    const error = await this.act(place.text);
    if (!error) return;
    this.placing.takeBack(this.byKey ? place : null);
    if (this.byKey) this.parts.places.focus();
    if (error.refusal) this.showBlame(place, error.refusal);
    else this.refuse(`problem.${error.code}`);
  }

  /** What was put down is in the fingers again. */
  takeBack() {
    if (!this.sending) this.placing.takeBack();
  }

  /** @param {Placement} place @param {Refusal} refusal */
  showBlame(place, refusal) {
    const blame = { place, refusal };
    this.blame = blame;
    say(refusalWords(refusal));
    play("refused");
    this.draw();
    setTimeout(() => {
      if (this.blame !== blame) return;
      this.blame = null;
      this.draw();
    }, BLAMED);
  }

  /** Say what cannot be. @param {string} key */
  refuse(key) {
    this.problem = key;
    say(t(key));
    play("refused");
    this.draw();
  }

  async drawTile() {
    if (this.sending) return;
    if (!this.mustDraw()) {
      if (this.isMyTurn()) this.refuse("refusal.must-place");
      return;
    }
    const error = await this.act("draw");
    if (error) this.refuse(`problem.${error.code}`);
  }

  /** Do it; nothing, or why it was not done. @param {string} action @returns {Promise<Refused | null>} */
  async act(action) {
    const { version, view } = /** @type {State} */ (this.state);
    this.sending = true;
    this.draw();
    try {
      await this.connection.ask({ type: "act", version, seat: view.me, action });
      return null; // What follows comes with the next state.
    } catch (error) {
      this.sending = false;
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  async askHint() {
    if (this.sending || !this.state) return;
    if (!this.isMyTurn()) return this.refuse("problem.not-your-turn");
    const { version } = this.state;
    try {
      const answer = await this.connection.ask({ type: "hint", version });
      if (this.state.version === version && this.isMyTurn()) this.showHint(parsePlacement(answer.placement));
    } catch (error) {
      if (error instanceof ApiError) this.refuse(`problem.${error.code}`);
    }
  }

  /** The tile is in the fingers, and its good place is lit. @param {Placement} place */
  showHint(place) {
    const tile = this.myHand().find((mine) => isOf(place, mine));
    if (!tile) return;
    this.placing.pick(tile, false);
    this.placing.turnTile(turnOf(place, tile));
    this.hint = place;
    say(t("hint.say", { place: placeWords(place) }));
    this.draw();
    this.parts.table.reveal([place]);
    if (this.byKey) this.parts.places.enter(place);
  }

  async openTracker() {
    const { state } = this;
    if (!state?.aids || this.isHidden()) return;
    const still = () => this.state === state && !this.life.signal.aborted;
    await openTracker(state.view, still).catch((error) => this.refuse(`problem.${error.code ?? "failed"}`));
  }

  toggleLog() {
    this.root.firstElementChild?.classList.toggle("log-toggled");
    setAttribute(this.parts.logToggle, "aria-expanded", this.parts.log.checkVisibility() ? "true" : "false");
    this.parts.log.scrollToEnd();
  }

  /** Lift the curtain for the one whose turn it is. */
  lift() {
    const view = this.state?.view;
    if (!view || view.me === null) return;
    this.revealed = view.me;
    this.startAnew();
    this.show();
    this.parts.hand.focusTile();
  }

  openEnding() {
    if (this.state) void tellPath(this.state, openEnding(this.state, nextSteps(this, this.state)));
  }
}
