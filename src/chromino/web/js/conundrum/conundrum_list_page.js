/** Conundrums to choose from: one of each grade for every day. */

import { mySolved } from "../server/api.js";
import { h } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { dayOf, streak, sendUnsent } from "./solved_conundrums.js";
import { durationWords } from "../language/words.js";
import { topBar } from "../page/header.js";
import { linkCard } from "../page/links.js";

const FIRST = "2026-01-01";

export class ConundrumListPage {
  life = new AbortController();
  /** @type {Record<string, number>} */
  times = {};

  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.go = go;
    this.today = dayOf();
    this.day = this.today;
    this.grades = h("ol", { class: "game-list" });
    this.row = h("p", { class: "lead" });
    const picker = h("input", { type: "date", min: FIRST, max: this.today, value: this.today });
    picker.addEventListener("change", () => {
      if (!picker.value) return;
      this.day = picker.value;
      this.show();
    });
    root.replaceChildren(
      h(
        "div",
        { class: "page" },
        topBar(go, "conundrum.title"),
        h(
          "main",
          {},
          h("h1", { t: "conundrum.title" }),
          h("p", { t: "conundrum.about" }),
          this.row,
          h("label", { class: "choice" }, h("span", { t: "conundrum.day" }), picker),
          this.grades,
          h(
            "nav",
            { class: "ways", tLabel: "home.ways" },
            linkCard("/conundrums/make", "conundrum.make", "conundrum.make_about", go),
            linkCard("/conundrums/print", "conundrum.print", "conundrum.print_about", go),
          ),
        ),
      ),
    );
    document.addEventListener("language", () => this.show(), { signal: this.life.signal });
    this.show();
    const told = sendUnsent().catch(() => {}); // Next time, then.
    void told.then(mySolved).then(
      (times) => {
        this.times = times;
        this.show();
      },
      () => {}, // The list is there without times, too.
    );
  }

  close() {
    this.life.abort();
  }

  show() {
    const days = streak(this.times, this.today);
    this.row.textContent = days ? t("conundrum.streak", { n: days }) : "";
    this.grades.replaceChildren(...[1, 2, 3, 4, 5].map((grade) => h("li", {}, this.line(grade))));
  }

  /** @param {number} grade */
  line(grade) {
    const path = `/conundrum/${this.day}/${grade}`;
    const time = this.times[`${this.day}/${grade}`] ?? null;
    const link = h(
      "a",
      { href: path },
      h("strong", {}, t("conundrum.grade", { n: grade })),
      h("span", {}, t(`conundrum.grade_${grade}`)),
      h("span", { class: "standing" }, time === null ? "" : t("conundrum.solved_in", { time: durationWords(time) })),
    );
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.go(path);
    });
    return link;
  }
}
