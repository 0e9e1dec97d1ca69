/** People you've played with: invite, hide or forget them. Hosts also see the list on their table's page. */

import { say } from "../browser/announce.js";
import { h, setLabel, setText } from "../browser/dom.js";
import { addStyle } from "../browser/style.js";
import { openDialog } from "../dialogs/dialogs.js";
import { t } from "../language/i18n.js";
import { iconButton } from "../page/controls.js";
import { faceByName } from "../page/faces.js";
import { face } from "../page/icons.js";
import { problemLine, showProblem } from "../page/problem.js";
import { forgetPerson, hidePerson, invite, myPeople, step } from "../server/api.js";
import { openTable } from "../start/quick_table.js";
import { daysAgoWords } from "./people_words.js";

/** @typedef {import("../types.js").KnownPerson} KnownPerson */

/** What to say about an invitation, by its answer. */
const ANSWERS = { waiting: "people.waiting", declined: "people.declined" };
const MAX_SHOWN = 3; // On the home page, until you ask to see everyone.

/**
 * Add the list to a table's page, for its host. It's hidden if the host hasn't played with anyone yet.
 * @param {HTMLElement} place @param {(path: string) => void} go @param {string} table
 */
export async function mountPeople(place, go, table) {
  const list = new PeopleList(go, table);
  const [{ people }] = await Promise.all([myPeople(table), addStyle("/css/pages/people.css")]);
  list.set(people);
  place.append(list.element);
}

export class PeopleList {
  /** @type {KnownPerson[]} */
  people = [];
  showsAll = false;

  /** @param {(path: string) => void} go @param {string | null} table if null, inviting someone opens one */
  constructor(go, table) {
    this.go = go;
    this.table = table;
    this.heading = h("h2", { t: "people.title", tabindex: -1 });
    this.list = h("ul", { class: "person-list" });
    this.allButton = h("button", {
      type: "button",
      class: "button",
      onclick: () => {
        this.showsAll = true;
        this.show();
        this.heading.focus();
      },
    });
    this.hiddenTitle = h("summary");
    this.hiddenList = h("ul", { class: "person-list" });
    this.hiddenBox = h("details", { class: "hidden-people" }, this.hiddenTitle, this.hiddenList);
    this.problem = problemLine();
    this.element = h(
      "section",
      { class: "people" },
      this.heading,
      this.problem,
      this.list,
      this.allButton,
      this.hiddenBox,
    );
  }

  /** @param {KnownPerson[]} people */
  set(people) {
    this.people = people;
    this.show();
  }

  show() {
    const visible = this.people.filter(({ hidden }) => !hidden);
    const hidden = this.people.filter((person) => person.hidden);
    const shown = this.table || this.showsAll ? visible : visible.slice(0, MAX_SHOWN);
    this.element.hidden = !this.people.length;
    this.list.replaceChildren(...shown.map((person) => this.line(person)));
    this.allButton.hidden = shown.length === visible.length;
    setText(this.allButton, "people.all", { n: visible.length });
    this.hiddenBox.hidden = !hidden.length || (!this.table && !this.showsAll && visible.length > 0);
    setText(this.hiddenTitle, "people.hidden", { n: hidden.length });
    this.hiddenList.replaceChildren(...hidden.map((person) => this.hiddenLine(person)));
  }

  /** @param {KnownPerson} person */
  line(person) {
    const { name, invited } = person;
    const button = h("button", {
      type: "button",
      class: "button",
      t: "people.invite",
      onclick: () => this.invite(person, button),
    });
    setLabel(button, "people.invite_name", { name });
    const answer = invited && h("span", { class: "muted", t: ANSWERS[invited] });
    const more = iconButton("more", "people.more", () => this.ask(person));
    setLabel(more, "people.more_name", { name });
    return h("li", { class: "known-person" }, ...this.faceAndName(person), answer || button, more);
  }

  /** @param {KnownPerson} person */
  hiddenLine(person) {
    const unhideButton = h("button", { type: "button", class: "button", t: "people.unhide" });
    unhideButton.addEventListener("click", () =>
      this.change(unhideButton, () => hidePerson(person, false), "people.shown", person),
    );
    setLabel(unhideButton, "people.unhide_name", { name: person.name });
    return h("li", { class: "known-person" }, ...this.faceAndName(person), unhideButton);
  }

  /** @param {KnownPerson} person @returns {Node[]} */
  faceAndName({ name, face: chosenFace, played }) {
    return [
      face({ bot: null, name, personFace: chosenFace ?? faceByName(name) }),
      h("span", { class: "person-words" }, h("strong", {}, name), h("span", { class: "muted" }, daysAgoWords(played))),
    ];
  }

  /** @param {KnownPerson} person @param {HTMLButtonElement} button */
  async invite(person, button) {
    button.disabled = true;
    let table = this.table ?? "";
    try {
      table ||= await openTable();
      await invite(table, person);
      say(t("people.invited", { name: person.name }));
      if (!this.table) return this.go(`/join/${table}`);
      person.invited = "waiting";
      this.problem.hidden = true;
      this.show();
      this.heading.focus();
    } catch (error) {
      // Nobody was invited, so nobody needs the table.
      if (table && !this.table) void step(table, "leave").catch(() => {});
      button.disabled = false;
      showProblem(this.problem, error);
    }
  }

  /** Ask whether to hide or forget someone. @param {KnownPerson} person */
  ask(person) {
    const { name } = person;
    /** @param {string} key @param {string} about @param {() => Promise<void>} work @param {string} done */
    const choice = (key, about, work, done) => {
      const button = h("button", { type: "button", class: "button" });
      button.addEventListener("click", async () => {
        await this.change(button, work, done, person);
        dialog.close();
        this.heading.focus();
      });
      setText(button, key, { name });
      return h("div", { class: "person-choice" }, button, h("p", { class: "muted", t: about }));
    };
    const dialog = openDialog(
      "person-dialog",
      "people.more",
      choice("people.hide", "people.hide_about", () => hidePerson(person, true), "people.hid"),
      choice("people.forget", "people.forget_about", () => forgetPerson(person), "people.forgot"),
    );
  }

  /**
   * Run a change, announce it, and load the list again.
   * @param {HTMLButtonElement} button @param {() => Promise<void>} work
   * @param {string} done key of what to say afterward @param {KnownPerson} person
   */
  async change(button, work, done, { name }) {
    button.disabled = true;
    try {
      await work();
      say(t(done, { name }));
      this.set((await myPeople(this.table ?? undefined)).people);
      this.problem.hidden = true;
    } catch (error) {
      button.disabled = false;
      showProblem(this.problem, error);
    }
  }
}
