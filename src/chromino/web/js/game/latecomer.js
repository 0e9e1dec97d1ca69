/** The panel for people who arrive after the deal: they can take over a bot's seat, join the next game, or watch. */

import { h, keyed, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { faceButton, myFace, setMyFace } from "../dialogs/face_picker.js";
import { t } from "../language/i18n.js";
import { face } from "../page/icons.js";
import { problemLine, showProblem } from "../page/problem.js";
import { stopWaiting, takeSeat, waitForRematch } from "../server/api.js";
import { lateWords } from "./latecomer_words.js";

/** @typedef {import("../types.js").Latecomers} Latecomers */

export class LatecomerPanel {
  /** @type {Latecomers | null} */
  #shown = null;
  #isDismissed = false;
  #title = h("h2", { class: "late-title" });
  #about = h("p", { class: "muted" });
  #name = h("input", { name: "name", maxlength: 40, autocomplete: "nickname", value: settings.name });
  #seats = h("div", { class: "late-seats" });
  #problem = problemLine();

  /**
   * @param {string} game
   * @param {(answer: Latecomers) => void} done called with the server's answer when a request has succeeded
   */
  constructor(game, done) {
    this.game = game;
    this.done = done;
    const faces = faceButton(() => myFace(this.#name.value), setMyFace);
    this.#name.addEventListener("input", () => faces.show());
    this.who = h("div", { class: "sit" }, faces.button, h("label", {}, h("span", { t: "join.name" }), this.#name));
    const wait = () => this.#askByName((me) => waitForRematch(game, me));
    const stop = () => this.#ask(() => stopWaiting(game));
    this.join = h("button", { type: "button", class: "button", t: "late.join", onclick: wait });
    this.stop = h("button", { type: "button", class: "button", t: "late.stop", onclick: stop });
    this.watch = h("button", { type: "button", class: "button", t: "late.watch", onclick: () => this.#dismiss() });
    this.element = h(
      "section",
      { class: "late", hidden: true, tLabel: "late.label" },
      this.#title,
      this.#about,
      this.who,
      this.#seats,
      h("div", { class: "buttons" }, this.join, this.stop, this.watch),
      this.#problem,
    );
  }

  /** @param {Latecomers | null} late null for players */
  show(late) {
    this.#shown = late;
    this.element.hidden = !late || this.#isDismissed;
    if (!late || this.element.hidden) return;
    const { title, about, isOpen, isWaiting } = lateWords(late);
    setText(this.#title, title);
    setText(this.#about, about);
    this.who.hidden = !isOpen;
    this.join.hidden = !late.can_wait || isWaiting;
    this.stop.hidden = !isWaiting;
    this.watch.hidden = !late.watch;
    setText(this.watch, isWaiting || late.over ? "dialog.close" : "late.watch");
    keyed(
      this.#seats,
      late.seats,
      ({ seat, bot }) => `${seat} ${bot}`,
      ({ seat, bot, name }) => {
        const take = () => this.#askByName((me) => takeSeat(this.game, { ...me, seat }));
        return h(
          "button",
          { type: "button", class: "button primary late-seat", onclick: take },
          face({ bot, name }),
          h("span", {}),
        );
      },
      (button, { bot }) => {
        const words = /** @type {HTMLElement} */ (button.querySelector("span"));
        setText(words, "late.take", { name: t(`bot.${bot}`) });
      },
    );
  }

  #dismiss() {
    this.#isDismissed = true;
    this.element.hidden = true;
  }

  /** @param {(me: import("../types.js").Wait) => Promise<Latecomers>} request one that needs a name */
  async #askByName(request) {
    const name = this.#name.value.trim();
    if (!name) return this.#name.focus();
    changeSettings({ name });
    await this.#ask(() => request({ name, face: settings.face || null }));
  }

  /** @param {() => Promise<Latecomers>} request */
  async #ask(request) {
    try {
      const answer = await request();
      this.#problem.hidden = true;
      this.done(answer);
    } catch (error) {
      showProblem(this.#problem, error);
      if (this.#shown) this.show(this.#shown);
    }
  }
}
