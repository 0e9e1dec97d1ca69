/** A gathering, where people meet before a game: the link, who sits where, and what the host decides. */

import { say } from "../browser/announce.js";
import { copyText } from "../browser/clipboard.js";
import { h, keyed, setAttribute, setLabel, setText } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { listed, t } from "../language/i18n.js";
import { personName } from "../language/words.js";
import { faceButton, lookLike, myFace } from "../page/face_picker.js";
import { facesOf } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { openHelp } from "../page/help_dialog.js";
import { face, icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { setTitle } from "../page/title.js";
import { knowsPart, wasStopped } from "../replay/fair_deal.js";
import { ApiError, gatheringOf, invitationTo, step } from "../server/api.js";
import { Refused } from "../server/connection.js";
import { newCommitment, takePart } from "../server/dealing.js";
import { LiveSocket } from "../server/live_socket.js";
import { ChosenRules } from "./chosen_rules.js";
import { BOTS } from "./quick_game.js";

/** @typedef {import("../types.js").Gathering} Gathering */

/** Who can open the link, if it isn't everyone. */
const REACHES = { device: "join.reach_device", network: "join.reach_network" };
/** How long a rematch waits for answers. */
const OFFERS = { minute: "join.offer_minute", day: "join.offer_day" };

export class GatheringPage extends Page {
  /** @type {Gathering | null} */
  state = null;
  /** @type {LiveSocket | null} */
  socket = null;
  /** @type {Promise<void>} What this page does for the deal now. */
  taking = Promise.resolve();
  /** The terms for which this page did all it could. */
  given = "";
  /** Does the page show that the server refused the connection? */
  isRefused = false;

  /** @param {(path: string) => void} go @param {string} game */
  constructor(go, game) {
    super(go);
    this.game = game;
    this.heading = h("h1", { t: "join.title" });
    this.rules = new ChosenRules();
    this.chairs = h("ol", { class: "chairs" });
    this.name = h("input", { name: "name", maxlength: 40, autocomplete: "nickname", value: settings.name });
    setLabel(this.name, "join.name");
    this.face = faceButton(() => myFace(this.name.value), lookLike);
    this.name.addEventListener("input", () => this.face.show());
    this.sitForm = h(
      "form",
      { class: "sit", hidden: true },
      this.face.button,
      h("label", {}, h("span", { t: "join.name" }), this.name),
      h("button", { type: "submit", class: "button primary", t: "join.sit" }),
    );
    this.sitForm.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.sit();
    });
    this.begin = h("button", {
      type: "button",
      class: "button primary big",
      t: "setup.start",
      onclick: () => this.beginGame(),
    });
    this.stopped = h("p", { class: "stopped-deal", role: "status", t: "join.stopped", hidden: true });
    this.again = h("button", {
      type: "button",
      class: "button primary big",
      t: "join.again",
      onclick: () => this.dealAgain(),
    });
    this.stop = h("button", { type: "button", class: "button", t: "join.stop", onclick: () => this.take("stop") });
    this.leave = h("button", {
      type: "button",
      class: "button",
      t: "join.leave",
      onclick: () => this.leaveGathering(),
    });
    this.accept = h("button", {
      type: "button",
      class: "button primary big",
      t: "join.accept",
      onclick: () => this.state && this.takePart(this.state, false, true),
    });
    this.link = h("input", { readonly: true, name: "link", tLabel: "join.link" });
    this.reach = h("p", { class: "muted", hidden: true });
    this.waiting = h("p", { class: "muted" });
    this.problem = problemLine();
    this.told = h("p", { role: "status", class: "muted" });
    this.qr = h("img", { class: "qr", src: `/api/gatherings/${game}/link.svg`, width: 180, height: 180 });
    this.people = h("div", {});
    this.content = frame(
      go,
      { main: "gathering", help: () => openHelp(this.state?.rules, this.state?.chairs.length) },
      this.heading,
      this.rules.lead,
      this.sitForm,
      this.chairs,
      this.problem,
      this.stopped,
      this.waiting,
      h("div", { class: "buttons" }, this.begin, this.accept, this.again, this.stop, this.leave),
      this.rules.list,
      this.invitation(),
      this.people,
    );
  }

  /** @override */
  start() {
    void this.load();
  }

  /** The link to send, and its QR code. */
  invitation() {
    this.link.addEventListener("focus", () => this.link.select());
    const copy = h("button", { type: "button", class: "button", t: "join.copy", onclick: () => this.copy() });
    return h(
      "section",
      { class: "invitation" },
      h("h2", { t: "join.invite" }),
      h("div", { class: "link" }, this.link, copy),
      this.told,
      this.reach,
      this.qr,
    );
  }

  async copy() {
    const url = this.link.value;
    const copied = await copyText(url);
    if (copied) setText(this.told, "join.copied");
    else this.link.select(); // Ready to copy by hand.
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url }).catch(() => {});
  }

  /** The link that friends can open; if not everyone can, say so. */
  async showLink() {
    const { url, reach } = await invitationTo(this.game);
    this.link.value = url;
    this.reach.hidden = reach === "anywhere";
    if (reach !== "anywhere") setText(this.reach, REACHES[reach]);
  }

  async load() {
    try {
      this.state = await gatheringOf(this.game);
    } catch (error) {
      if (!this.isClosed) this.failToWatch(error);
      return;
    }
    this.show();
    void this.showLink().catch((error) => showProblem(this.problem, error));
    this.takePart(this.state, true);
    if (this.state.host) void import("./people_list.js").then((m) => m.mountPeople(this.people, this.go, this.game));
    const listener = { receive: (/** @type {any} */ message) => this.receive(message) };
    this.socket = new LiveSocket(`/api/gatherings/${this.game}/watch`, listener, this.signal);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "begun") return this.onEnd(message.begun);
    if (message.type === "refused") {
      this.isRefused = true;
      return this.failToWatch(new Refused(message));
    }
    this.socket?.resetTries();
    if (this.isRefused) this.problem.hidden = true;
    this.isRefused = false;
    this.onState(message);
  }

  /** @param {unknown} error */
  failToWatch(error) {
    // The game may have begun: its page knows.
    if (error instanceof ApiError && error.code === "no-such-gathering") this.onEnd(true);
    else showProblem(this.problem, error);
  }

  /** @param {boolean} begun has the game begun, or is everybody gone? */
  onEnd(begun) {
    this.close();
    if (!begun && this.state && wasStopped(this.game, { ...this.state.deal, mine: null })) {
      this.state = null; // There's nothing left to do here, but to know that a deal was given up.
      this.stopped.hidden = false;
      for (const button of [this.begin, this.again, this.stop, this.leave]) button.hidden = true;
      return;
    }
    this.go(begun ? `/game/${this.game}` : "/");
  }

  /** @param {Gathering} state */
  onState(state) {
    const before = this.state;
    if (before && state.version < before.version) return; // An answer that a later message has overtaken.
    this.state = state;
    const came = state.chairs.find(
      ({ kind, mine }, seat) => kind === "person" && !mine && before?.chairs[seat]?.kind === "free",
    );
    if (came) say(t("join.came", { name: came.name }));
    this.show();
    this.takePart(state);
  }

  /**
   * Give my part of the deal, one step after another. A table that doesn't wait yet gets a new commitment if this
   * browser has just come and can't reveal what was committed to: it sat down elsewhere, or knew nothing of it.
   * @param {Gathering} state @param {boolean} [isNew] @param {boolean} [isAgreed] to another deal, if one was stopped
   */
  takePart({ game, deal, chairs, offer }, isNew = false, isAgreed = false) {
    const me = chairs.find(({ mine }) => mine);
    if (!me || me.deal === "revealed") return;
    if (offer && me.deal === "waiting" && !isAgreed) return; // Nobody accepts a rematch by just looking.
    const mine = deal.mine === null ? "" : (deal.commitments[deal.mine] ?? "");
    const isLost = !deal.begun && isNew && !knowsPart(game, mine);
    const terms = isLost ? { ...deal, mine: 0, commitments: [""] } : deal;
    const key = JSON.stringify(terms);
    this.taking = this.taking
      .then(async () => {
        if (this.isClosed || (this.given === key && !isAgreed)) return; // A later message told the same.
        this.given = key;
        await takePart(game, terms, isAgreed);
      })
      .catch((error) => {
        this.given = "";
        showProblem(this.problem, error);
      });
  }

  /** @override */
  show() {
    const { state } = this;
    if (!state) return;
    const seated = state.chairs.some(({ mine }) => mine);
    const free = state.chairs.filter(({ kind }) => kind === "free").length;
    setText(this.heading, seated ? "join.title" : "join.guest");
    setTitle(seated ? "join.title" : "join.guest");
    void this.rules.show(state).catch((error) => showProblem(this.problem, error));
    const { begun } = state.deal;
    this.sitForm.hidden = seated || !free || begun;
    const isStopped = wasStopped(this.game, state.deal);
    this.stopped.hidden = !isStopped;
    this.again.hidden = !isStopped || !needsPart(state);
    this.begin.hidden = !state.host || begun || !this.again.hidden;
    this.stop.hidden = !state.host || !begun;
    this.leave.hidden = !seated;
    const isOffered = state.offer !== null && needsPart(state);
    this.accept.hidden = !isOffered;
    setText(this.leave, isOffered ? "join.decline" : "join.leave");
    if (isOffered) setText(this.heading, "join.rematch", { name: state.chairs.find(({ host }) => host)?.name ?? "" });
    if (begun) this.showDealing(state);
    else setText(this.waiting, !seated && !free ? "join.full" : free ? "join.waiting" : "join.complete", { n: free });
    setAttribute(this.qr, "alt", t("join.qr"));
    const faces = facesOf(state.chairs);
    keyed(
      this.chairs,
      state.chairs.map((chair, seat) => ({ ...chair, seat, face: faces[seat] ?? null })),
      ({ seat }) => String(seat),
      () => h("li", { class: "chair" }),
      (item, chair) => this.showChair(item, chair),
    );
  }

  /** Who holds up the deal? @param {Gathering} state */
  showDealing({ game, deal, chairs, offer }) {
    const isComplete = deal.commitments.every(Boolean);
    const missing = chairs.filter(({ deal: far }) => (isComplete ? far === "committed" : far === "waiting"));
    const mine = deal.mine === null ? "" : (deal.commitments[deal.mine] ?? "");
    const isLost = missing.some((chair) => chair.mine) && isComplete && !knowsPart(game, mine);
    const names = listed([...new Set(missing.map(({ name }) => name))]);
    const words = offer && !isComplete ? OFFERS[offer] : "join.dealing";
    setText(this.waiting, isLost ? "join.lost_part" : words, { names });
  }

  /** @param {HTMLElement} item @param {import("../types.js").Chair & {seat: number}} chair */
  showChair(item, { kind, name: plain, mine, host, level, program, seat, deal, face: looks }) {
    const name = personName(plain, program);
    const bot = level ? (BOTS[level - 1] ?? null) : null;
    const isOut = kind === "person" && deal === null; // With a program that knows nothing of joint deals.
    const key = JSON.stringify([
      kind,
      name,
      looks,
      mine,
      host,
      level,
      isOut,
      this.state?.host,
      document.documentElement.lang,
    ]);
    if (item.dataset.shown === key) return;
    item.dataset.shown = key;
    item.classList.toggle("free", kind === "free");
    const words = kind === "free" ? t("join.free") : bot ? t("setup.bot", { name: t(`bot.${bot}`), n: level }) : name;
    const facts = [host && t("join.host"), mine && t("join.you"), isOut && !mine && t("join.no_part")]
      .filter(Boolean)
      .join(", ");
    const buttons = [];
    if (this.state?.host && !mine && kind !== "free") {
      const remove = h(
        "button",
        { type: "button", class: "icon-button", onclick: () => this.take("remove", { seat }) },
        icon("close"),
      );
      setLabel(remove, "join.remove", { name: words });
      buttons.push(remove);
    }
    if (this.state?.host && kind === "free") {
      const fill = () => this.take("fill", { seat, level: settings.level, name: t(`bot.${BOTS[settings.level - 1]}`) });
      buttons.push(h("button", { type: "button", class: "button", t: "join.fill", onclick: fill }));
    }
    item.replaceChildren(
      h("span", { class: "chair-face" }, kind === "free" ? icon("plus") : face({ bot, name, looks })),
      h("span", { class: "chair-name" }, words),
      h("span", { class: "muted" }, facts),
      ...buttons,
    );
  }

  async sit() {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    change({ name });
    const commitment = newCommitment(this.game);
    if (await this.take("sit", { name, commitment, face: settings.face || null })) this.socket?.restart(); // Reconnect as the person who sits there now.
  }

  /** Everyone who gave a part of a deal that was stopped agrees to another one; the host begins it. */
  async dealAgain() {
    if (!this.state) return;
    const { host, deal } = this.state;
    this.takePart(this.state, false, true);
    await this.taking;
    if (host && !deal.begun) await this.take("begin");
  }

  async beginGame() {
    await this.taking; // Else I might give no part.
    await this.take("begin");
  }

  async leaveGathering() {
    if (!(await this.take("leave"))) return;
    this.close();
    this.go("/");
  }

  /**
   * @param {string} name
   * @param {object} [what]
   * @returns {Promise<boolean>} was the step taken? If not, it is told why.
   */
  async take(name, what) {
    try {
      const answer = await step(this.game, name, what);
      this.problem.hidden = true;
      if (answer?.type === "gathering") this.onState(answer);
      return true;
    } catch (error) {
      // If the answer got lost the first time, they have left already.
      if (name === "leave" && error instanceof ApiError && error.code === "not-your-game") return true;
      showProblem(this.problem, error);
      return false;
    }
  }
}

/** Does the table wait for a new commitment of mine? @param {Gathering} state */
function needsPart({ deal }) {
  return deal.mine !== null && !deal.commitments[deal.mine];
}
