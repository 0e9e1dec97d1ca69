/** Leaderboards: the ratings of people and bots for each family of rules. */

import { h, s, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { choice, toggle } from "../page/controls.js";
import { faceByName } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { face } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { leaderboard, setListedName } from "../server/api.js";
import { playerNotes } from "./rating_words.js";

/** @typedef {import("../types.js").Leaderboard} Leaderboard */
/** @typedef {import("../types.js").RatedPlayer} RatedPlayer */

const FAMILIES = ["classic", "junior", "expert", "points"];

export class RatingsPage extends Page {
  /** @type {Leaderboard | null} */
  board = null;
  /** The latest request to list or unlist me. The next one waits for it. */
  pending = Promise.resolve();

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.family = FAMILIES.find((family) => location.hash === `#${family}`) ?? "classic";
    this.kind = "people";
    this.list = h("div", { class: "games", "aria-busy": "true" });
    this.listedToggle = toggle("ratings.show_me", false, () => this.updateListing());
    this.listedInput = /** @type {HTMLInputElement} */ (this.listedToggle.querySelector("input"));
    this.name = h("input", { maxlength: 40, autocomplete: "nickname", value: settings.name });
    this.name.addEventListener("change", () => this.listedInput.checked && this.updateListing());
    this.status = h("p", { role: "status" });
    this.newcomer = h("p", { t: "ratings.newcomer", hidden: true });
    this.listing = h(
      "div",
      { class: "listing", hidden: true },
      this.listedToggle,
      h("label", { class: "choice" }, h("span", { t: "ratings.name" }), this.name),
      this.status,
    );
    this.content = frame(
      go,
      { main: "ratings" },
      h("h1", { t: "ratings.title" }),
      h(
        "fieldset",
        { class: "families" },
        h("legend", { t: "setup.rules" }),
        ...FAMILIES.map((family) => this.choice(family)),
      ),
      choice(
        "ratings.board",
        this.kind,
        [
          ["people", "ratings.people"],
          ["bots", "ratings.bots"],
        ],
        (kind) => {
          this.kind = kind;
          void this.load();
        },
      ),
      this.list,
      this.listing,
      this.newcomer,
      h(
        "section",
        { class: "explained" },
        h("h2", { t: "ratings.about" }),
        h("p", { t: "ratings.about_rating" }),
        h("p", { t: "ratings.about_uncertainty" }),
        h("p", { t: "ratings.about_order" }),
        h("p", { t: "ratings.about_counts" }),
      ),
    );
  }

  /** @override */
  start() {
    void this.load();
  }

  /** @param {string} family */
  choice(family) {
    const input = h("input", { type: "radio", name: "family", value: family, checked: family === this.family });
    input.addEventListener("change", () => {
      this.family = family;
      history.replaceState(null, "", `#${family}`);
      void this.load();
    });
    return h("label", { class: "family" }, input, h("span", { t: `family.${family}` }));
  }

  async load() {
    const { family } = this;
    this.list.setAttribute("aria-busy", "true");
    try {
      const { kind } = this;
      const board = await leaderboard(family, kind);
      if (family !== this.family || kind !== this.kind) return; // Another board has been chosen since.
      this.board = board;
      this.show();
    } catch (error) {
      this.list.replaceChildren(h("p", { class: "problem", role: "alert", t: problemKey(error) }));
    }
    this.list.removeAttribute("aria-busy");
  }

  /** @override */
  show() {
    if (!this.board) return;
    const { family, players, known, listed_as } = this.board;
    const parts = [];
    if (players.length) parts.push(boardTable(family, players));
    else parts.push(h("p", { t: "ratings.none" }), this.playLink());
    if (this.kind === "people" && players.length && !players.some(({ mine }) => mine))
      parts.push(h("p", { t: "ratings.not_yet" }), this.playLink());
    this.list.replaceChildren(...parts);
    this.listing.hidden = !known;
    this.newcomer.hidden = known;
    this.listedInput.checked = listed_as !== null;
    if (listed_as !== null && document.activeElement !== this.name) this.name.value = listed_as;
  }

  playLink() {
    return linkTo(this.go, "/new", { class: "button", t: "home.choose" });
  }

  /** List me under the name in the field, or take me off the leaderboards. */
  updateListing() {
    const name = this.listedInput.checked ? this.name.value.trim() : null;
    this.pending = this.pending.then(async () => {
      try {
        await setListedName(name);
        if (name) changeSettings({ name });
        setText(this.status, name === null ? "ratings.unlisted" : "ratings.listed");
        await this.load();
      } catch (error) {
        setText(this.status, problemKey(error));
        this.listedInput.checked = (this.board?.listed_as ?? null) !== null;
        this.name.focus();
      }
    });
  }
}

/** @param {string} family @param {RatedPlayer[]} players */
function boardTable(family, players) {
  const low = Math.min(...players.map(({ rating, uncertainty }) => rating - uncertainty));
  const high = Math.max(...players.map(({ rating, uncertainty }) => rating + uncertainty));
  const headings = ["ratings.player", "ratings.rating", "ratings.games"].map((key) =>
    h("th", { scope: "col", t: key }),
  );
  // Only screen readers need this heading: everyone else can see what the numbers are.
  const placeHeading = h("th", { scope: "col" }, h("span", { class: "spoken", t: "ratings.place" }));
  return h(
    "table",
    { class: "board" },
    h("caption", {}, t("ratings.caption", { family: t(`family.${family}`) })),
    h("thead", {}, h("tr", {}, placeHeading, ...headings)),
    h("tbody", {}, ...players.map((player) => boardRow(player, low, high))),
  );
}

/**
 * One player's row. The bars of all rows share a scale, from `low` to `high`.
 * @param {RatedPlayer} player @param {number} low @param {number} high
 */
function boardRow(player, low, high) {
  const { place, kind, rating, uncertainty, games, mine } = player;
  const isBot = kind === "bot";
  const name = isBot ? t(`bot.${player.name}`) : (player.name ?? t("setup.me"));
  const personFace = kind === "person" ? (player.face ?? faceByName(name)) : null;
  return h(
    "tr",
    { class: mine ? "mine" : null },
    h("td", { class: "place" }, String(place)),
    h(
      "th",
      { scope: "row" },
      h(
        "div",
        { class: "rated" },
        face({ bot: isBot ? player.name : null, name, personFace }),
        h("span", {}, h("bdi", {}, name), " ", h("small", {}, playerNotes(player))),
      ),
    ),
    h("td", { class: "rating" }, h("span", {}, `${rating} ± ${uncertainty}`), bar(rating, uncertainty, low, high)),
    h("td", { class: "count" }, String(games)),
  );
}

/**
 * A bar that shows how certain a rating is.
 * @param {number} rating
 * @param {number} uncertainty
 * @param {number} low
 * @param {number} high
 */
function bar(rating, uncertainty, low, high) {
  /** @param {number} value */
  const toPercent = (value) => (100 * (value - low)) / (high - low);
  const from = toPercent(rating - uncertainty);
  return s(
    "svg",
    { class: "interval", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "span", x: from, y: 2, width: toPercent(rating + uncertainty) - from, height: 4 }),
    s("rect", { class: "middle", x: toPercent(rating) - 1, y: 0, width: 2, height: 8 }),
  );
}
