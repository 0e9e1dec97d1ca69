/** People who've invited me to their table: accept or decline. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { limitWords } from "../language/words.js";
import { faceByName } from "../page/faces.js";
import { face } from "../page/icons.js";
import { problemLine, showProblem } from "../page/problem.js";
import { ApiError, step } from "../server/api.js";
import { newCommitment } from "../server/dealing.js";

/** @typedef {import("../types.js").TableInvitation} TableInvitation */

const TOO_LATE = ["seats-taken", "no-such-gathering"]; // The table's page says more.

export class InvitationList {
  /** @type {TableInvitation[]} */
  invitations = [];

  /** @param {(path: string) => void} go */
  constructor(go) {
    this.go = go;
    this.problem = problemLine();
    this.list = h("ul", { class: "person-list" });
    this.element = h("section", { class: "people invited", tLabel: "people.invitations" }, this.list, this.problem);
  }

  /** @param {TableInvitation[]} invitations */
  set(invitations) {
    const known = new Set(this.invitations.map(({ game }) => game));
    for (const { game, name } of invitations) if (!known.has(game)) say(t("people.invites", { name }));
    this.invitations = invitations;
    this.show();
  }

  show() {
    this.element.hidden = !this.invitations.length;
    this.list.replaceChildren(...this.invitations.map((invitation) => this.line(invitation)));
  }

  /** @param {TableInvitation} invitation */
  line(invitation) {
    const { name, face: chosenFace, preset, turn_limit, rated } = invitation;
    const facts = [t(preset ? `preset.${preset}` : "preset.custom")];
    if (rated) facts.push(t("game.rated"));
    if (turn_limit) facts.push(limitWords(turn_limit));
    const title = h("strong");
    setText(title, "people.invites", { name });
    const accept = h("button", { type: "button", class: "button primary", t: "join.accept" });
    accept.addEventListener("click", () => this.accept(invitation, accept));
    const decline = h("button", { type: "button", class: "button", t: "join.decline" });
    decline.addEventListener("click", () => this.decline(invitation, decline));
    return h(
      "li",
      { class: "known-person" },
      face({ bot: null, name, personFace: chosenFace ?? faceByName(name) }),
      h("span", { class: "person-words" }, title, h("span", { class: "muted" }, facts.join(" · "))),
      accept,
      decline,
    );
  }

  /** Sit down right away if I have a name. @param {TableInvitation} invitation @param {HTMLButtonElement} button */
  async accept({ game }, button) {
    button.disabled = true;
    const { name } = settings;
    try {
      if (name) await step(game, "sit", { name, commitment: newCommitment(game), face: settings.face || null });
    } catch (error) {
      if (!(error instanceof ApiError && TOO_LATE.includes(error.code))) {
        button.disabled = false;
        return showProblem(this.problem, error);
      }
    }
    this.go(`/join/${game}`);
  }

  /** @param {TableInvitation} invitation @param {HTMLButtonElement} button */
  async decline({ game, name }, button) {
    button.disabled = true;
    try {
      await step(game, "decline");
      say(t("people.you_declined", { name }));
      this.set(this.invitations.filter((other) => other.game !== game));
      /** @type {HTMLElement | null} */ (this.list.querySelector(".button") ?? document.querySelector("#app"))?.focus();
    } catch (error) {
      button.disabled = false;
      showProblem(this.problem, error);
    }
  }
}
