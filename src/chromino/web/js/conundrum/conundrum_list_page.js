/** Conundrums to choose from: one of each grade for every day. */

import { h } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { durationWords } from "../language/words.js";
import { frame } from "../page/frame.js";
import { linkCard, linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { mySolvingTimes } from "../server/api.js";
import { dayOf, sendUnsent, streak } from "./solved_conundrums.js";

const FIRST_DAY = "2026-01-01";

export class ConundrumListPage extends Page {
  /** @type {Record<string, number>} */
  times = {};

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.today = dayOf();
    this.day = this.today;
    this.grades = h("ol", { class: "game-list" });
    this.streakLine = h("p", { class: "lead" });
    const picker = h("input", { type: "date", min: FIRST_DAY, max: this.today, value: this.today });
    picker.addEventListener("change", () => {
      if (!picker.value) return;
      this.day = picker.value;
      this.show();
    });
    this.content = frame(
      go,
      {},
      h("h1", { t: "conundrum.title" }),
      h("p", { class: "lead", t: "conundrum.about" }),
      this.streakLine,
      h("label", { class: "choice" }, h("span", { t: "conundrum.day" }), picker),
      this.grades,
      h(
        "nav",
        { class: "ways", tLabel: "home.ways" },
        linkCard(go, "/conundrums/make", "conundrum.make", "conundrum.make_about"),
        linkCard(go, "/conundrums/print", "conundrum.print", "conundrum.print_about"),
      ),
    );
  }

  /** @override */
  start() {
    this.show();
    void this.load();
  }

  async load() {
    await sendUnsent().catch(() => {}); // Unsent results will be sent next time.
    this.times = await mySolvingTimes().catch(() => ({})); // The list also works without times.
    this.show();
  }

  /** @override */
  show() {
    const days = streak(this.times, this.today);
    this.streakLine.textContent = days ? t("conundrum.streak", { n: days }) : "";
    this.grades.replaceChildren(...[1, 2, 3, 4, 5].map((grade) => h("li", {}, this.line(grade))));
  }

  /** @param {number} grade */
  line(grade) {
    const path = `/conundrum/${this.day}/${grade}`;
    const time = this.times[`${this.day}/${grade}`] ?? null;
    return linkTo(
      this.go,
      path,
      {},
      h("strong", {}, t("conundrum.grade", { n: grade })),
      h("span", {}, t(`conundrum.grade_${grade}`)),
      h("span", { class: "standing" }, time === null ? "" : t("conundrum.solved_in", { time: durationWords(time) })),
    );
  }
}
