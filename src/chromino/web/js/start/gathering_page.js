/** A gathering, where people meet before a game: the link, the seats, and the host's choices. */

import { say } from "../browser/announce.js";
import { h, keyed, setLabel, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { openDialog } from "../dialogs/dialogs.js";
import { faceButton, myFace, setMyFace } from "../dialogs/face_picker.js";
import { openHelp } from "../dialogs/help_dialog.js";
import { joinSentences, listed, t } from "../language/i18n.js";
import { personName } from "../language/words.js";
import { facesOf } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { face, icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { setTitle } from "../page/title.js";
import { knowsPart, wasStopped } from "../replay/fair_deal.js";
import { ApiError, gatheringOf, step } from "../server/api.js";
import { Refused } from "../server/connection.js";
import { newCommitment, takePart } from "../server/dealing.js";
import { LiveSocket } from "../server/live_socket.js";
import { ChosenRules } from "./chosen_rules.js";
import { hasGuests, headingOf, hostName, waitingWords, wouldStartAlone } from "./gathering_words.js";
import { BOTS } from "./quick_game.js";
import { TableLink } from "./table_link.js";
import { TableOptions } from "./table_options.js";

/** @typedef {import("../types.js").Gathering} Gathering */
/** @typedef {import("../types.js").Sockets["/api/gatherings/{game}/watch"]["gets"]} Message */

/** Keys of texts that say how long a rematch waits for answers. */
const OFFERS = { minute: "join.offer_minute", day: "join.offer_day" };

export class GatheringPage extends Page {
  /** @type {Gathering | null} */
  state = null;
  /** @type {LiveSocket | null} */
  socket = null;
  /** @type {Promise<void>} This page's latest step in the deal. */
  dealing = Promise.resolve();
  /** The terms this page has already responded to. */
  answeredTerms = "";
  /** @type {string[]} The names of people who declined a rematch, or didn't answer in time. */
  decliners = [];
  /** Does the form ask for the host's name? Once shown, it stays, so that nothing moves while they're tapping. */
  asksName = false;
  /** Does the page say that the server refused the connection? */
  isRefused = false;

  /** @param {(path: string) => void} go @param {string} game */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.heading = h("h1", { t: "join.title", tabindex: -1 });
    this.rules = new ChosenRules();
    this.chairs = h("ol", { class: "chairs" });
    this.name = h("input", { name: "name", maxlength: 40, autocomplete: "nickname", value: settings.name });
    setLabel(this.name, "join.name");
    this.face = faceButton(() => this.faceInForm(), setMyFace);
    this.name.addEventListener("input", () => this.face.show());
    this.name.addEventListener("change", () => this.rename());
    this.sitButton = h("button", { type: "submit", class: "button primary", t: "join.sit" });
    this.sitForm = h(
      "form",
      { class: "sit", hidden: true },
      this.face.button,
      h("label", {}, h("span", { t: "join.name" }), this.name),
      this.sitButton,
    );
    this.sitForm.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.sitButton.hidden)
        this.name.blur(); // I already have a seat, so `rename` saves the name.
      else void this.sit();
    });
    this.startButton = h("button", {
      type: "button",
      class: "button big",
      t: "setup.start",
      onclick: () => this.startOrAsk(),
    });
    this.stopped = h("p", { class: "stopped-deal", role: "status", t: "join.stopped", hidden: true });
    this.againButton = h("button", {
      type: "button",
      class: "button primary big",
      t: "join.again",
      onclick: () => this.dealAgain(),
    });
    this.stopButton = h("button", {
      type: "button",
      class: "button",
      t: "join.stop",
      onclick: () => this.takeStep("stop"),
    });
    this.leaveButton = h("button", {
      type: "button",
      class: "button",
      t: "join.leave",
      onclick: () => this.leaveGathering(),
    });
    this.acceptButton = h("button", {
      type: "button",
      class: "button primary big",
      t: "join.accept",
      onclick: () => this.state && this.contribute(this.state, { hasAgreed: true }),
    });
    this.tableLink = new TableLink(game);
    this.people = h("div", {});
    /** @type {TableOptions | null} Only hosts have it. */
    this.options = null;
    this.optionsBox = h("details", { hidden: true }, h("summary", { t: "join.options" }));
    this.declined = h("p", { class: "declined" });
    this.waiting = h("p", { class: "muted" });
    this.problem = problemLine();
    this.content = frame(
      go,
      { main: "gathering", help: () => openHelp(this.state?.rules, this.state?.chairs.length) },
      this.heading,
      this.rules.lead,
      this.sitForm,
      this.tableLink.element,
      this.people,
      this.chairs,
      this.problem,
      this.stopped,
      this.declined,
      this.waiting,
      h(
        "div",
        { class: "buttons" },
        this.startButton,
        this.acceptButton,
        this.againButton,
        this.stopButton,
        this.leaveButton,
      ),
      this.optionsBox,
      this.rules.list,
    );
  }

  /** @override */
  start() {
    void this.load();
  }

  async load() {
    try {
      this.state = await gatheringOf(this.game);
    } catch (error) {
      if (!this.isClosed) this.onFailure(error);
      return;
    }
    this.show();
    void this.tableLink.load().catch((error) => showProblem(this.problem, error));
    this.contribute(this.state, { justOpened: true });
    if (this.state.host)
      void import("../people/people_list.js")
        .then((m) => m.mountPeople(this.people, this.go, this.game))
        .catch((error) => showProblem(this.problem, error));
    const listener = { receive: (/** @type {Message} */ message) => this.receive(message) };
    this.socket = new LiveSocket(`/api/gatherings/${this.game}/watch`, listener, this.signal);
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type === "begun") return this.onEnd(message.begun);
    if (message.type === "refused") {
      this.isRefused = true;
      return this.onFailure(new Refused(message));
    }
    this.socket?.resetFailures();
    if (this.isRefused) this.problem.hidden = true;
    this.isRefused = false;
    this.onState(message);
  }

  /** @param {unknown} error */
  onFailure(error) {
    // The game may have started. If not, its page says so.
    if (error instanceof ApiError && error.code === "no-such-gathering") this.onEnd(true);
    else showProblem(this.problem, error);
  }

  /** @param {boolean} hasStarted true if the game has started, false if everyone has left */
  onEnd(hasStarted) {
    this.close();
    // The table is gone, so no commitment is current: all that counts is whether I ever revealed a part.
    if (!hasStarted && this.state && wasStopped(this.game, { ...this.state.deal, mine: null })) {
      this.state = null; // All that's left is to show that a deal was stopped.
      setText(this.stopped, "join.stopped_gone");
      this.stopped.hidden = false;
      for (const button of [this.startButton, this.againButton, this.stopButton, this.leaveButton])
        button.hidden = true;
      return;
    }
    this.go(hasStarted ? `/game/${this.game}` : "/");
  }

  /**
   * Store the table's state, and return true. If a newer state has already arrived, return false.
   * @param {Gathering} state
   */
  storeState(state) {
    if (this.state && state.version < this.state.version) return false;
    this.state = state;
    return true;
  }

  /** @param {Gathering} state */
  onState(state) {
    const before = this.state;
    if (!this.storeState(state)) return;
    const newcomer = state.chairs.find(
      ({ kind, mine }, seat) => kind === "person" && !mine && before?.chairs[seat]?.kind === "free",
    );
    if (newcomer) say(t("join.came", { name: newcomer.name }));
    if (before?.offer) this.announceDecliners(before, state);
    this.show();
    this.contribute(state);
  }

  /** Announce who declined a rematch or didn't answer in time. @param {Gathering} before @param {Gathering} now */
  announceDecliners({ chairs }, now) {
    for (const [seat, { kind, mine, name }] of chairs.entries()) {
      if (kind !== "person" || mine || now.chairs[seat]?.kind !== "free" || this.decliners.includes(name)) continue;
      this.decliners.push(name);
      say(t("join.cannot", { name }));
    }
  }

  /**
   * Contribute to the deal. Calls run one at a time, in order. If the page has just been opened and the deal hasn't
   * begun, this replaces a commitment that this browser can't reveal, such as one that was made in another browser.
   * @param {Gathering} state
   * @param {{justOpened?: boolean, hasAgreed?: boolean}} [how] Has the page just been opened? Have I agreed to the
   *   rematch, or to another deal after one was stopped?
   */
  contribute({ game, version, deal, chairs, offer }, { justOpened = false, hasAgreed = false } = {}) {
    const me = chairs.find(({ mine }) => mine);
    if (!me || me.deal === "revealed") return;
    if (offer && me.deal === "waiting" && !hasAgreed) return; // Opening the page doesn't accept a rematch.
    const mine = myCommitment(deal);
    const isLost = !deal.begun && justOpened && !knowsPart(game, mine);
    // As if I hadn't committed yet, so that `takePart` commits me to a new part.
    const terms = isLost ? { ...deal, mine: 0, commitments: [""] } : deal;
    const key = JSON.stringify(terms);
    this.dealing = this.dealing
      .then(async () => {
        if (this.isClosed || version < (this.state?.version ?? 0)) return; // A newer state has arrived.
        if (this.answeredTerms === key && !hasAgreed) return; // The page has already responded.
        this.answeredTerms = key;
        await takePart(game, terms, hasAgreed, (table) => this.storeState(table));
      })
      .catch((error) => {
        this.answeredTerms = "";
        showProblem(this.problem, error);
      });
  }

  /** @override */
  show() {
    const { state } = this;
    if (!state || this.isClosed) return;
    const seated = state.chairs.some(({ mine }) => mine);
    const free = state.chairs.filter(({ kind }) => kind === "free").length;
    setText(this.heading, ...headingOf(state));
    if (seated) setTitle(...headingOf(state));
    else setTitle("join.guest");
    void this.rules.show(state).catch((error) => showProblem(this.problem, error));
    const { begun } = state.deal;
    this.asksName ||= state.host && !settings.name; // The table was opened without asking for a name.
    this.sitForm.hidden = begun || !(seated ? this.asksName : free);
    this.sitButton.hidden = seated;
    this.face.show();
    this.tableLink.element.hidden = !seated || !free || begun;
    this.people.hidden = this.tableLink.element.hidden;
    // Hosts see the invitation first, and guests see who's there.
    const previous = seated && !state.host ? this.waiting : this.sitForm;
    if (previous.nextElementSibling !== this.tableLink.element) previous.after(this.tableLink.element);
    this.tableLink.show();
    this.showOptions(state);
    const isStopped = wasStopped(this.game, state.deal);
    this.stopped.hidden = !isStopped;
    this.againButton.hidden = !isStopped || !needsPart(state);
    this.startButton.hidden = !state.host || begun || !this.againButton.hidden;
    this.startButton.classList.toggle("primary", hasGuests(state.chairs) || !free);
    this.stopButton.hidden = !state.host || !begun;
    this.leaveButton.hidden = !seated;
    const isOffered = state.offer !== null && needsPart(state);
    this.acceptButton.hidden = !isOffered;
    setText(this.leaveButton, isOffered ? "join.decline" : "join.leave");
    if (isOffered) setText(this.heading, "join.rematch", { name: hostName(state.chairs) });
    if (begun) this.showDealing(state);
    else setText(this.waiting, ...waitingWords(state));
    this.declined.textContent = joinSentences(this.decliners.map((name) => t("join.cannot", { name })));
    const faces = facesOf(state.chairs);
    keyed(
      this.chairs,
      state.chairs.map((chair, seat) => ({ ...chair, seat, face: faces[seat] ?? null })),
      ({ seat }) => String(seat),
      () => h("li", { class: "chair" }),
      (item, chair) => this.showChair(item, chair),
    );
  }

  /** @param {Gathering} state */
  showOptions(state) {
    const isOpen = state.host && !state.deal.begun;
    this.optionsBox.hidden = !isOpen;
    if (!isOpen) return;
    if (!this.options) {
      const failed = (/** @type {unknown} */ error) => showProblem(this.problem, error);
      const arrange = async (/** @type {import("../types.js").Arrange} */ choices) => {
        if (!(await this.takeStep("arrange", choices))) this.show(); // Show the previous choices again.
      };
      this.options = new TableOptions((choices) => void arrange(choices), failed);
      this.optionsBox.append(this.options.element);
    }
    this.options.show(state);
  }

  /** Show who's holding up the deal. @param {Gathering} state */
  showDealing({ game, deal, chairs, offer }) {
    const isComplete = deal.commitments.every(Boolean);
    const missing = chairs.filter(({ deal: stage }) => (isComplete ? stage === "committed" : stage === "waiting"));
    const mine = myCommitment(deal);
    const isLost = missing.some((chair) => chair.mine) && isComplete && !knowsPart(game, mine);
    const names = listed([...new Set(missing.map(({ name }) => name))]);
    const words = offer && !isComplete ? OFFERS[offer] : "join.dealing";
    setText(this.waiting, isLost ? "join.lost_part" : words, { names });
  }

  /** @param {HTMLElement} item @param {import("../types.js").Chair & {seat: number}} chair */
  showChair(item, { kind, name: plainName, mine, host, level, program, seat, deal, face: personFace }) {
    const name = personName(plainName, program);
    const bot = level ? (BOTS[level - 1] ?? null) : null;
    const hasNoPart = kind === "person" && deal === null; // For example, a program that doesn't know about joint deals.
    const key = JSON.stringify([
      kind,
      name,
      personFace,
      mine,
      host,
      level,
      hasNoPart,
      this.state?.host,
      document.documentElement.lang,
    ]);
    if (item.dataset.shown === key) return;
    item.dataset.shown = key;
    item.classList.toggle("free", kind === "free");
    const words = kind === "free" ? t("join.free") : bot ? t("setup.bot", { name: t(`bot.${bot}`), n: level }) : name;
    const facts = [mine && t("join.you"), host && t("join.host"), hasNoPart && !mine && t("join.no_part")]
      .filter(Boolean)
      .join(t("words.between"));
    const buttons = [];
    if (this.state?.host && !mine && kind !== "free") {
      const remove = h(
        "button",
        { type: "button", class: "icon-button", onclick: () => this.takeStep("remove", { seat }) },
        icon("close"),
      );
      setLabel(remove, "join.remove", { name: words });
      buttons.push(remove);
    }
    if (this.state?.host && kind === "free") {
      const fill = () => this.takeStep("fill", { seat, ...chosenBot() });
      buttons.push(h("button", { type: "button", class: "button", t: "join.fill", onclick: fill }));
    }
    const hadFocus = item.contains(document.activeElement);
    item.replaceChildren(
      h("span", { class: "chair-face" }, kind === "free" ? icon("plus") : face({ bot, name, personFace })),
      h("span", { class: "chair-name" }, words),
      h("span", { class: "muted" }, facts),
      ...buttons,
    );
    if (hadFocus) (buttons[0] ?? this.heading).focus();
  }

  /** My face in the form: the one at my seat, until I've typed a name. */
  faceInForm() {
    const chairs = this.name.value ? [] : (this.state?.chairs ?? []);
    const seat = chairs.findIndex(({ mine }) => mine);
    return (!settings.face && facesOf(chairs)[seat]) || myFace(this.name.value);
  }

  /** People with a seat don't have to save their name: typing it in is enough. */
  rename() {
    const isSeated = this.state?.chairs.some(({ mine }) => mine);
    if (isSeated && this.name.value.trim() !== settings.name) void this.sit();
  }

  async sit() {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    changeSettings({ name });
    const commitment = newCommitment(this.game);
    const wasStanding = !this.state?.chairs.some(({ mine }) => mine);
    if ((await this.takeStep("sit", { name, commitment, face: settings.face || null })) && wasStanding) {
      this.socket?.restart(); // So that the server notices my seat.
      this.heading.focus(); // The form is gone, and the focus with it.
    }
    this.show();
  }

  /** Agree to another deal after one was stopped. If I'm the host, also begin it. */
  async dealAgain() {
    if (!this.state) return;
    const { host, deal } = this.state;
    this.contribute(this.state, { hasAgreed: true });
    await this.dealing;
    if (host && !deal.begun) await this.takeStep("begin");
  }

  /** Start with everyone who's here. If the host is alone, ask what to do about the free seats. */
  startOrAsk() {
    if (!this.state) return;
    if (!wouldStartAlone(this.state.chairs)) return void this.beginGame();
    const fill = async () => {
      dialog.close();
      await this.fillAndBegin();
    };
    const wait = h("button", {
      type: "button",
      class: "button primary",
      t: "join.keep_waiting",
      onclick: () => dialog.close(),
    });
    const dialog = openDialog(
      "start-alone",
      "join.alone",
      h("p", { t: "join.alone_about" }),
      h(
        "div",
        { class: "buttons" },
        wait,
        h("button", { type: "button", class: "button", t: "join.fill_all", onclick: () => void fill() }),
      ),
    );
    wait.focus();
  }

  /** Give all free seats to bots, and start. */
  async fillAndBegin() {
    for (const [seat, { kind }] of (this.state?.chairs ?? []).entries())
      if (kind === "free" && !(await this.takeStep("fill", { seat, ...chosenBot() }))) return;
    await this.beginGame();
  }

  async beginGame() {
    await this.dealing; // Otherwise the game might be dealt without my part.
    await this.takeStep("begin");
  }

  async leaveGathering() {
    if (!(await this.takeStep("leave"))) return;
    this.close();
    this.go("/");
  }

  /**
   * Ask the server to do something at this table, such as "sit", "begin" or "leave".
   * @template {import("../server/api.js").Step} Name
   * @param {Name} name
   * @param {import("../types.js").Calls[`POST /api/gatherings/{game}/${Name}`]["body"]} [body]
   * @returns {Promise<boolean>} whether it worked; if not, the page says why
   */
  async takeStep(name, body) {
    try {
      const answer = await step(this.game, name, body);
      this.problem.hidden = true;
      if (answer && "type" in answer) this.onState(answer);
      return true;
    } catch (error) {
      // I've already left, but the first answer got lost.
      if (name === "leave" && error instanceof ApiError && error.code === "not-your-game") return true;
      showProblem(this.problem, error);
      return false;
    }
  }
}

/** My commitment; empty if there's none. @param {Gathering["deal"]} deal */
function myCommitment({ mine, commitments }) {
  return mine === null ? "" : (commitments[mine] ?? "");
}

/** Is the table waiting for a new commitment from me? @param {Gathering} state */
function needsPart({ deal }) {
  return deal.mine !== null && !myCommitment(deal);
}

/** The level and name of the bot I last chose. */
function chosenBot() {
  return { level: settings.level, name: t(`bot.${BOTS[settings.level - 1]}`) };
}
