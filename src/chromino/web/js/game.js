/** The page of one game: puts table, hand, seats and log together, and turns what a person does into actions. */

import { startGame } from "./api.js";
import { say } from "./announce.js";
import { icon, tilePicture } from "./art.js";
import { Connection, Refused } from "./connection.js";
import { openHelp, openSettings, toggle } from "./dialogs.js";
import { h, setAttribute, setLabel, setText } from "./dom.js";
import { dragging } from "./drag.js";
import { openEnding, weWon } from "./ending.js";
import { middleOf, parsePlacement, parseTable, placementAt } from "./geometry.js";
import { departures, happened, tellTurn } from "./happened.js";
import { t } from "./i18n.js";
import { Keys } from "./keys.js";
import { Places } from "./places.js";
import { Placing } from "./placing.js";
import { change, settings } from "./settings.js";
import { play } from "./sound.js";
import { openTracker } from "./tracker.js";
import { eventWords, placeWords, refusalWords, seatName } from "./words.js";
import "./hand.js";
import "./log.js";
import "./seats.js";
import "./table.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Placement} Placement */

/** @param {string} name of the icon @param {string} label a key @param {() => void} press */
function iconButton(name, label, press) {
  const button = h("button", { type: "button", class: "icon-button", onclick: press }, icon(name));
  setLabel(button, label);
  return button;
}

export class GamePage {
  /** @type {State | null} */
  state = null;
  /** @type {number | null} On a device that goes round: whose hand is shown. */
  revealed = null;
  /** @type {{place: Placement, refusal: import("./types.js").Refusal, words: string} | null} */
  blame = null;
  /** @type {string | null} A hint: the text of a placement. */
  hint = null;
  placing = new Placing();
  /** Is the keyboard in use? Then the focus must have somewhere to go. */
  byKey = false;

  /** @param {HTMLElement} root @param {string} game @param {(path: string) => void} go to another page */
  constructor(root, game, go) {
    this.root = root;
    this.go = go;
    this.build();
    this.connection = new Connection(game);
    this.connection.addEventListener("state", (event) => this.onState(/** @type {CustomEvent} */ (event).detail));
    this.connection.addEventListener("offline", () => this.showOnline(false));
    this.connection.addEventListener("online", () => this.showOnline(true));
    this.connection.addEventListener("gone", (event) => this.onGone(/** @type {CustomEvent} */ (event).detail));
    this.placing.addEventListener("change", () => this.draw());
    this.onChange = () => this.state && this.show();
    document.addEventListener("settings", this.onChange);
    document.addEventListener("language", this.onChange);
    this.keys = new Keys(this);
  }

  /** Leave the page. */
  close() {
    this.connection.close();
    this.keys.close();
    document.removeEventListener("settings", this.onChange);
    document.removeEventListener("language", this.onChange);
    document.title = t("title");
  }

  build() {
    this.table = /** @type {import("./table.js").ChrominoTable} */ (document.createElement("chromino-table"));
    this.hand = /** @type {import("./hand.js").ChrominoHand} */ (document.createElement("chromino-hand"));
    this.seats = /** @type {import("./seats.js").ChrominoSeats} */ (document.createElement("chromino-seats"));
    this.log = /** @type {import("./log.js").ChrominoLog} */ (document.createElement("chromino-log"));
    this.places = new Places(this);
    this.banner = h("p", { class: "banner", role: "status", hidden: true, t: "connection.lost" });
    this.status = h("p", { class: "status", "aria-hidden": "true" });
    this.bagCount = h("span", { class: "bag-count" });
    this.bag = h("button", { type: "button", class: "bag", onclick: () => this.drawTile() }, icon("draw"), this.bagCount);
    this.turnPicture = h("span", { class: "turn-picture" });
    this.turnButton = h("button", { type: "button", class: "tool turn-tool", onclick: () => this.placing.turnTile() });
    setLabel(this.turnButton, "tool.turn");
    this.turnButton.append(this.turnPicture, icon("turn"));
    this.hintButton = iconButton("hint", "tool.hint", () => this.askHint());
    this.trackerButton = iconButton("tiles", "tool.tracker", () => this.openTracker());
    this.confirmButton = h("button", { type: "button", class: "button primary", t: "tool.confirm", onclick: () => this.confirm() });
    this.takeBackButton = h("button", { type: "button", class: "button", t: "tool.take_back", onclick: () => this.placing.takeBack() });
    this.confirming = h("div", { class: "confirming", hidden: true }, this.confirmButton, this.takeBackButton);
    this.reveal = h("button", { type: "button", class: "button primary", onclick: () => this.lift() });
    this.curtainWords = h("p");
    this.curtain = h("div", { class: "curtain", hidden: true }, this.curtainWords, this.reveal);
    this.soundButton = iconButton("sound", "settings.sound", () => change({ sound: !settings.sound }));
    this.logButton = iconButton("list", "log.title", () => this.toggleLog());
    this.title = h("h1", { class: "game-title" });
    const zoom = h(
      "div",
      { class: "zoom" },
      iconButton("plus", "tool.zoom_in", () => this.table?.zoom(1.3)),
      iconButton("minus", "tool.zoom_out", () => this.table?.zoom(1 / 1.3)),
      iconButton("fit", "tool.fit", () => this.table?.fit()),
    );
    this.tableBox = h("section", { class: "table-box" }, this.table, zoom, this.places.box, this.confirming);
    this.side = h("section", { class: "side" }, this.log);
    this.root.replaceChildren(
      h(
        "main",
        { class: "game" },
        h(
          "header",
          { class: "bar" },
          iconButton("home", "nav.home", () => this.go("/")),
          this.title,
          this.soundButton,
          this.logButton,
          iconButton("settings", "settings.title", () => this.openSettings()),
          iconButton("help", "help.title", openHelp),
        ),
        this.banner,
        this.seats,
        this.tableBox,
        this.side,
        h(
          "section",
          { class: "tray" },
          h("p", { class: "spoken", id: "hand-help", t: "hand.help" }),
          this.status,
          h("div", { class: "tools" }, this.bag, this.turnButton, this.hintButton, this.trackerButton),
          this.hand,
          this.curtain,
        ),
      ),
    );
    this.table.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
    this.hand.addEventListener("pick", (event) => this.onPick(/** @type {CustomEvent} */ (event).detail));
    this.dragTile();
  }

  // What the server says.

  /** @param {State} state */
  onState(state) {
    const before = this.state;
    const same = before?.game === state.game;
    const events = same ? state.view.log.slice(before.view.log.length) : [];
    const places = this.screen();
    const pending = this.placing.pending;
    const from = departures(state, events, places, null);
    this.state = state;
    const secret = this.isShared();
    if (events.length) {
      this.blame = null;
      this.hint = null;
    }
    if (!before || events.length) {
      const tiles = parseTable(state.view.table);
      const last = tiles[tiles.length - 1];
      this.placing.offer(this.isHidden() ? [] : state.view.actions, this.myHand(), last ? middleOf(last) : [1, 0]);
    }
    this.show();
    happened(state, events, places, from, { secret, dropped: pending !== null });
    const turnBefore = before && !before.view.over ? `${before.view.seat} ${before.turns}` : "";
    tellTurn(state, !same || turnBefore !== `${state.view.seat} ${state.turns}`);
    this.pickDrawn(events);
    if (state.view.over && !before?.view.over) this.openEnding(!before);
  }

  /** A tile just drawn that fits is in the fingers at once: nothing else may be placed. @param {import("./types.js").Event[]} events */
  pickDrawn(events) {
    const drawn = this.state?.view.drawn;
    if (drawn && events.some((event) => "draw" in event) && this.placing.fits(drawn)) {
      this.placing.pick(drawn, this.isLit());
      if (this.isLit()) this.table?.reveal(this.placing.places());
      this.hand?.focusTile(drawn);
    }
  }

  /** @param {boolean} online */
  showOnline(online) {
    if (this.banner) this.banner.hidden = online;
  }

  /** @param {string} code */
  onGone(code) {
    const words = h("p", { t: `problem.${code}` });
    this.root.replaceChildren(
      h(
        "div",
        { class: "page" },
        h("main", {}, h("h1", { t: "title" }), words, h("p", {}, h("a", { href: "/", class: "button", t: "nav.home" }))),
      ),
    );
  }

  // What is shown.

  /** My tiles, or none behind the curtain. */
  myHand() {
    const view = this.state?.view;
    return view && view.me !== null ? (view.hands[view.me] ?? []) : [];
  }

  /** Do several people play on this device, with hands that the others may not see? */
  isShared() {
    if (!this.state) return false;
    const { seats, view } = this.state;
    return seats.filter(({ mine }) => mine).length > 1 && !view.rules.open_hands && !view.over;
  }

  /** Is the hand behind the curtain? */
  isHidden() {
    return this.isShared() && this.revealed !== this.state?.view.me;
  }

  show() {
    const state = /** @type {State} */ (this.state);
    const { view } = state;
    if (this.isShared() && view.seat !== view.me) this.revealed = null;
    this.seats?.show(state);
    this.log?.show(state, this.isShared());
    setText(/** @type {HTMLElement} */ (this.title), state.preset ? `preset.${state.preset}` : "preset.custom");
    this.showBag(view);
    this.showCurtain(state);
    const soundButton = /** @type {HTMLElement} */ (this.soundButton);
    soundButton.replaceChildren(icon(settings.sound ? "sound" : "mute"));
    setAttribute(soundButton, "aria-pressed", settings.sound ? "true" : "false");
    /** @type {HTMLElement} */ (this.hintButton).hidden = !state.aids;
    /** @type {HTMLElement} */ (this.trackerButton).hidden = !state.aids;
    this.draw();
  }

  /** @param {import("./types.js").View} view */
  showBag(view) {
    const bag = /** @type {HTMLButtonElement} */ (this.bag);
    const must = this.mustDraw();
    bag.classList.toggle("pulses", must);
    setAttribute(bag, "aria-disabled", must ? null : "true");
    setLabel(bag, must ? "bag.draw" : "bag.label", { n: view.bag_count });
    /** @type {HTMLElement} */ (this.bagCount).textContent = String(view.bag_count);
  }

  /** @param {State} state */
  showCurtain({ view, seats }) {
    const hidden = this.isHidden();
    /** @type {HTMLElement} */ (this.curtain).hidden = !hidden;
    /** @type {HTMLElement} */ (this.hand).hidden = hidden;
    if (!hidden || view.me === null) return;
    const name = seatName(seats, view.me);
    const now = view.seat === view.me;
    setText(/** @type {HTMLElement} */ (this.curtainWords), now ? "curtain.pass_to" : "curtain.next", { name });
    const reveal = /** @type {HTMLButtonElement} */ (this.reveal);
    reveal.hidden = !now;
    setText(reveal, "curtain.show", { name });
  }

  /** Table and hand as they are in this moment. */
  draw() {
    if (!this.state) return;
    const { view } = this.state;
    const { placing } = this;
    const lit = this.isLit() && placing.tile !== null && !placing.pending && !this.isHidden();
    const laid = parseTable(view.table);
    const hint = this.hint && !placing.tile ? [{ place: parsePlacement(this.hint), faint: false }] : [];
    this.table?.show({
      laid,
      last: view.log.some((event) => event.place) ? (laid[laid.length - 1] ?? null) : null,
      lit: lit ? placing.places().map((place) => ({ place, faint: !placing.isTurnedFor(place) })) : hint,
      held: placing.held,
      pending: placing.pending,
      blame: this.blame,
    });
    const myTurn = this.isMyTurn();
    this.hand?.show({
      tiles: this.isHidden() ? [] : this.myHand(),
      picked: placing.tile,
      fits: this.state.aids && settings.playable && myTurn ? (tile) => placing.fits(tile) : null,
      drawn: view.seat === view.me ? view.drawn : null,
    });
    this.places?.show();
    this.showStatus();
    this.showTurn();
    const pending = placing.pending !== null && settings.confirm && !this.sending;
    /** @type {HTMLElement} */ (this.confirming).hidden = !pending;
  }

  /** How the tile in the fingers is turned. */
  showTurn() {
    const { tile, turn } = this.placing;
    const button = /** @type {HTMLButtonElement} */ (this.turnButton);
    setAttribute(button, "aria-disabled", tile ? null : "true");
    const placement = tile ? placementAt(tile, turn, [0, 0]) : null;
    const key = placement ? `${placement.colors}${placement.down}` : "";
    const picture = /** @type {HTMLElement} */ (this.turnPicture);
    if (picture.dataset.shown === key) return;
    picture.dataset.shown = key;
    picture.replaceChildren(...(placement ? [tilePicture(placement.colors, placement.down)] : []));
  }

  /** One line above the hand: what to do now. */
  showStatus() {
    const { view, seats } = /** @type {State} */ (this.state);
    const status = /** @type {HTMLElement} */ (this.status);
    status.classList.toggle("yours", this.isMyTurn());
    if (view.over) setText(status, "status.over");
    else if (view.seat !== view.me) {
      const name = seatName(seats, view.seat);
      setText(status, seats[view.seat]?.bot ? "status.thinks" : "status.waits", { name });
    } else if (this.isHidden()) setText(status, "status.waits", { name: seatName(seats, view.seat) });
    else if (view.actions[0] === "draw") setText(status, view.draws ? "turn.must_draw_again" : "turn.must_draw");
    else if (view.actions[0] === "pass") setText(status, "turn.must_pass");
    else if (this.placing.pending) setText(status, settings.confirm ? "status.confirm" : "status.placing");
    else if (this.placing.tile) setText(status, "status.put");
    else if (view.drawn) setText(status, "status.drawn");
    else setText(status, "status.pick");
  }

  /** Are legal places lit? By my choice, and the game's. */
  isLit() {
    return settings.lit && (this.state?.aids ?? false);
  }

  isMyTurn() {
    const view = this.state?.view;
    return Boolean(view && !view.over && view.seat === view.me && !this.isHidden());
  }

  mustDraw() {
    return this.isMyTurn() && this.state?.view.actions[0] === "draw";
  }

  // What a person does.

  /** A tile picked by key goes on to its places; one picked by hand stays where it is, and turns when picked again. */
  onPick(/** @type {{tile: string, byKey: boolean}} */ { tile, byKey }) {
    this.blame = null;
    this.hint = null;
    if (this.placing.tile !== tile) this.placing.pick(tile, this.isLit());
    else if (!byKey) this.placing.turnTile();
    if (this.isLit()) this.table?.reveal(this.placing.places());
    if (byKey && this.isMyTurn()) this.places?.enter();
  }

  /** @param {import("./types.js").Square} point */
  onTap(point) {
    if (this.blame) {
      this.blame = null;
      this.draw();
    }
    if (this.placing.tile !== null) this.put(this.placing.placeTapped(point, this.isLit()));
  }

  /** Put the tile down here; at once for good, unless it is to be confirmed. @param {Placement} place */
  put(place) {
    if (!this.isMyTurn()) return this.refuse(t("problem.not-your-turn"));
    this.blame = null;
    const legal = this.placing.legal.some(({ text }) => text === place.text);
    this.byKey = this.places?.box.contains(document.activeElement) ?? false;
    this.placing.putDown(place);
    // What does not fit needs no confirmation: the server says why, and nothing happens.
    if (!settings.confirm || !legal) this.confirm();
    else say(t("status.confirm"));
  }

  async confirm() {
    const place = this.placing.pending;
    if (!place || !this.state || this.sending) return;
    this.sending = true;
    try {
      await this.act(place.text);
      if (this.byKey) this.hand?.focusTile();
    } catch (error) {
      this.placing.takeBack();
      if (this.byKey) this.hand?.focusTile(this.placing.tile);
      if (!(error instanceof Refused)) throw error;
      if (error.refusal) this.showBlame(place, error.refusal);
      else this.refuse(error.words);
    } finally {
      this.sending = false;
      this.draw();
    }
  }

  /** @param {Placement} place @param {import("./types.js").Refusal} refusal */
  showBlame(place, refusal) {
    const words = refusalWords(refusal);
    this.blame = { place, refusal, words };
    this.refuse(words);
  }

  /** @param {string} words */
  refuse(words) {
    say(words);
    play("refused");
    const status = /** @type {HTMLElement} */ (this.status);
    delete status.dataset.t;
    status.textContent = words;
  }

  async drawTile() {
    if (!this.mustDraw()) return;
    await this.act("draw").catch((error) => this.refuse(error.words));
  }

  /** @param {string} action */
  act(action) {
    const { version, view } = /** @type {State} */ (this.state);
    return this.connection.ask({ type: "act", version, seat: view.me, action });
  }

  async askHint() {
    if (!this.isMyTurn() || !this.state) return this.refuse(t("problem.not-your-turn"));
    try {
      const { placement } = await this.connection.ask({ type: "hint", version: this.state.version });
      this.placing.putBack();
      this.hint = placement;
      say(t("hint.say", { place: placeWords(parsePlacement(placement)) }));
      this.table?.reveal([parsePlacement(placement)]);
      this.draw();
    } catch (error) {
      if (error instanceof Refused) this.refuse(error.words);
    }
  }

  openTracker() {
    if (this.state?.aids && !this.isHidden()) openTracker(this.state.view).catch((error) => this.refuse(error.words));
  }

  openSettings() {
    const pace = this.state?.pace ?? true;
    const set = (/** @type {boolean} */ on) => void this.connection.ask({ type: "pace", pace: on });
    openSettings(toggle("settings.pace", pace, set));
  }

  toggleLog() {
    this.root.firstElementChild?.classList.toggle("log-toggled");
  }

  /** Lift the curtain for the one whose turn it is. */
  lift() {
    const view = this.state?.view;
    if (!view || view.me === null) return;
    this.revealed = view.me;
    const last = parseTable(view.table).pop();
    this.placing.offer(view.actions, this.myHand(), last ? middleOf(last) : [1, 0]);
    this.show();
    this.hand?.focusTile();
    const lastEvent = view.log[view.log.length - 1];
    if (lastEvent) say(eventWords(lastEvent, seatName(this.state?.seats ?? [], lastEvent.seat), { secret: true }));
  }

  /** @param {boolean} old was it over when the page was opened? */
  openEnding(old) {
    const state = /** @type {State} */ (this.state);
    if (old) return this.table?.fit(); // The table is there to be looked at; the list says who won.
    /** @type {{label: string, go: () => void}[]} */
    const next = [{ label: "end.again", go: () => void this.again(0) }];
    const level = this.onlyBotLevel();
    if (level && level < 5 && weWon(state)) next.push({ label: "end.stronger", go: () => void this.again(1) });
    next.push({ label: "end.look", go: () => {} }, { label: "nav.home", go: () => this.go("/") });
    say(t("status.over"));
    openEnding(state, next);
  }

  /** The level of the bots, if it is one person against bots of one level. */
  onlyBotLevel() {
    const { seats } = /** @type {State} */ (this.state);
    const levels = new Set(seats.map(({ level }) => level).filter((level) => level !== null));
    return seats.filter(({ mine }) => mine).length === 1 && levels.size === 1 ? [...levels][0] : null;
  }

  /** The same seats and rules again; the next player begins. @param {number} stronger levels to add */
  async again(stronger) {
    const { seats, view, aids, pace } = /** @type {State} */ (this.state);
    let me = true;
    const chosen = seats.map((seat) => {
      if (seat.bot) return { kind: /** @type {const} */ ("bot"), name: seat.name, level: Math.min(5, (seat.level ?? 1) + stronger) };
      const kind = /** @type {"me" | "here"} */ (me ? "me" : "here");
      me = false;
      return { kind, name: seat.name };
    });
    const level = chosen.find((seat) => seat.kind === "bot")?.level;
    if (stronger && level) change({ level });
    try {
      const first = (view.first + 1) % seats.length;
      this.go(`/game/${await startGame({ seats: chosen, rules: view.rules, first, aids, pace })}`);
    } catch (error) {
      this.refuse(/** @type {import("./api.js").ApiError} */ (error).words);
    }
  }

  // Dragging.

  dragTile() {
    const hand = /** @type {import("./hand.js").ChrominoHand} */ (this.hand);
    const table = /** @type {import("./table.js").ChrominoTable} */ (this.table);
    const floating = h("div", { class: "floating", "aria-hidden": "true", hidden: true });
    this.root.firstElementChild?.append(floating);
    /** @param {number} x @param {number} y */
    const over = (x, y) => {
      const box = table.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    };
    let touch = false;
    addEventListener("pointerdown", (event) => (touch = event.pointerType === "touch"), true);
    // A finger hides what is under it: the tile is held a little above.
    const lift = () => (touch ? 56 : 0);
    let at = { x: 0, y: 0 };
    const move = () => {
      const { tile, turn } = this.placing;
      if (tile === null) return;
      const { x, y } = at;
      const inside = over(x, y - lift());
      floating.hidden = inside;
      if (inside) {
        this.placing.held = this.placing.placeNear(table.pointAt(x, y - lift()), this.isLit());
        this.draw();
      } else {
        if (this.placing.held) {
          this.placing.held = null;
          this.draw();
        }
        const { colors, down } = placementAt(tile, turn, [0, 0]);
        floating.replaceChildren(tilePicture(colors, down));
        floating.style.transform = `translate(${x}px, ${y - lift()}px) translate(-50%, -50%)`;
      }
    };
    dragging(hand, {
      start: (option) => {
        const tile = option.dataset.tile;
        if (!tile) return false;
        this.blame = null;
        this.hint = null;
        if (this.placing.tile !== tile) this.placing.pick(tile, this.isLit());
        if (this.isLit()) table.reveal(this.placing.places());
        return true;
      },
      move: (x, y) => {
        at = { x, y };
        move();
      },
      turn: (quarters) => {
        this.placing.turnTile(quarters);
        move();
      },
      drop: () => {
        floating.hidden = true;
        const place = this.placing.held;
        if (place) this.put(place);
        else this.placing.putBack();
      },
      cancel: () => {
        floating.hidden = true;
        this.placing.putBack();
      },
    });
  }

  /** @returns {import("./happened.js").Places} */
  screen() {
    const { table, hand, seats, bag } = this;
    return /** @type {import("./happened.js").Places} */ ({ table, hand, seats, bag });
  }
}
