/** Setting up a game: seats and rules. The server says which choices go together. */

import { h, setAttribute, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { frame } from "../page/frame.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { gather, startGame } from "../server/dealing.js";
import { GameOptions, labeled } from "./game_options.js";
import { whyNotRated } from "./rated_game.js";
import { SeatPills } from "./seat_pills.js";

export class SetupPage extends Page {
  /** The seat that goes first, or -1 for a random one. */
  first = -1;
  pills = new SeatPills(() => this.onSeatsChanged());
  firstSelect = h("select", {});
  problem = problemLine();
  startButton = h("button", { type: "submit", class: "button primary big", t: "setup.start" });

  /** @param {(path: string) => void} go @param {string} mode "together" for two people on one device, or empty */
  constructor(go, mode) {
    super(go);
    const last = settings.setup;
    if (mode) {
      this.pills.add("me", settings.name);
      this.pills.add("here");
    } else if (last)
      for (const { kind, name, level, face } of last.seats) this.pills.add(kind, name, level ?? 1, face ?? null);
    else {
      this.pills.add("me", settings.name);
      this.pills.add("bot");
    }
    this.firstSelect.addEventListener("change", () => {
      this.first = Number(this.firstSelect.value);
      this.options.show();
    });
    const chosen = {
      rules: { ...(mode ? {} : last?.rules) },
      aids: last?.aids ?? true,
      pace: last?.pace ?? true,
      turn_limit: null,
      rated: false,
    };
    this.options = new GameOptions(chosen, {
      players: () => this.pills.seats.length,
      whyNotRated: (rules) => whyNotRated(this.pills.seats, rules),
      hasLimit: () => false, // With friends, the host sets the limit at the table.
      facts: () => [this.firstWords()],
      changed: () => this.showProblem(),
      failed: (error) => showProblem(this.problem, error),
      choices: [labeled("setup.first", this.firstSelect)],
      switches: [],
    });
    const form = h(
      "form",
      { class: "setup" },
      h("section", {}, h("h2", { t: "setup.seats" }), this.pills.element),
      this.options.rules,
      this.options.more,
      h("div", { class: "setup-start" }, this.startButton, this.problem),
    );
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.create();
    });
    this.content = frame(go, { main: "set-up" }, h("h1", { t: "setup.title" }), form);
  }

  /** @override */
  start() {
    this.show();
    void this.check();
  }

  /** @override */
  show() {
    this.pills.show();
    this.firstSelect.replaceChildren(
      h("option", { value: -1, selected: this.first < 0 }, t("setup.first_chance")),
      ...this.pills.labels.map((name, index) => h("option", { value: index, selected: index === this.first }, name)),
    );
    setText(this.startButton, this.pills.hasFriends ? "setup.invite" : "setup.start");
    this.options.show();
  }

  /** Who goes first, if you've chosen someone. */
  firstWords() {
    const seat = this.pills.seats[this.first];
    if (!seat) return false;
    return seat.kind === "me" ? t("setup.you_begin") : t("setup.begins", { name: this.pills.names[this.first] ?? "" });
  }

  onSeatsChanged() {
    if (this.first >= this.pills.seats.length) this.first = -1;
    void this.check();
    this.show();
  }

  async check() {
    await this.options.check();
    this.showProblem();
  }

  showProblem() {
    const why = this.options.options?.why ?? null;
    this.problem.hidden = !why;
    if (why) setText(this.problem, `why.${why}`);
    setAttribute(this.startButton, "disabled", why !== null);
  }

  async create() {
    const { chosenFaces, seats, names, hasFriends } = this.pills;
    const first = this.first < 0 ? null : this.first;
    const options = { ...this.options.result, first };
    const players = seats.map(({ kind, level }, index) => ({
      kind,
      name: names[index] ?? "",
      ...(kind === "bot" ? { level } : {}),
      ...(chosenFaces[index] ? { face: chosenFaces[index] } : {}),
    }));
    setAttribute(this.startButton, "aria-busy", "true");
    try {
      const taken = /** @type {import("../types.js").SeatChoice[]} */ (players); // Without friends, no seat is free.
      const game = await (hasFriends
        ? gather({ chairs: players, ...options })
        : startGame({ seats: taken, ...options }));
      const { rules, aids, pace } = this.options.chosen;
      const savedSeats = seats.map(({ kind, name, level, face }) => ({ kind, name, level, face }));
      const name = seats.find(({ kind }) => kind === "me")?.name.trim() ?? settings.name;
      changeSettings({ setup: { seats: savedSeats, rules, first, aids, pace }, name });
      this.go(`/${hasFriends ? "join" : "game"}/${game}`);
    } catch (error) {
      showProblem(this.problem, error);
    } finally {
      setAttribute(this.startButton, "aria-busy", null);
    }
  }
}
