/** The home page: a game in one click, a game in progress, invitations, other ways to play, and links to the rest. */

import { h, setAttribute, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { addStyle } from "../browser/style.js";
import { t } from "../language/i18n.js";
import { FACES, PEOPLE } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { drawnFace, face, icon } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { myAccount, myGames, myPeople } from "../server/api.js";
import { startGame } from "../server/dealing.js";
import { BOTS, quickGame } from "../start/quick_game.js";
import { tilePicture } from "../table/tile_art.js";
import { heroTable } from "./hero_table.js";
import { showNewRecoveryCode } from "./recovery.js";

/** After this many finished games, we offer a recovery code. */
const GAMES_BEFORE_OFFER = 3;

/** @type {[path: string, title: string][]} The links that the bar shows on wide screens. */
const BAR_LINKS = [
  ["/learn", "home.learn"],
  ["/conundrums", "conundrum.title"],
  ["/games", "games.title"],
];

/**
 * The links below the cards. On wide screens, the bar shows some of them instead.
 * @type {[path: string, title: string, className?: string][]}
 */
const LINKS = [
  ["/new", "home.choose"],
  ...BAR_LINKS.map(([path, title]) => /** @type {[string, string, string]} */ ([path, title, "in-bar"])),
  ["/lobby", "lobby.title"],
  ["/ratings", "ratings.title"],
  ["/rules", "rules.title"],
  ["/practice", "practice.title"],
  ["/about", "about.title"],
];

export class HomePage extends Page {
  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.problem = problemLine();
    this.playButton = h("button", {
      type: "button",
      class: "button primary big",
      t: "home.play",
      onclick: () => this.playNow(),
    });
    this.about = h("p", { class: "rival-about", id: "rival-about" });
    this.botSelect = h("select", { tLabel: "home.level", "aria-describedby": "rival-about" });
    this.botSelect.addEventListener("change", () => {
      changeSettings({ level: Number(this.botSelect.value) });
      this.show();
    });
    this.botLabel = h("label", { class: "rival" }, this.botSelect);
    /** @type {import("../types.js").Summary | null} A game in progress, if there is one. */
    this.unfinishedGame = null;
    /** @type {typeof import("./game_line.js") | null} */
    this.gameLines = null;
    this.unfinishedBox = h("div", { class: "unfinished", hidden: true });
    this.invitationsBox = h("div", {});
    this.peopleBox = h("div", {});
    /** @type {{show: () => void, set: (items: any) => void}[]} The lists of invitations and people. */
    this.lists = [];
    this.lastAnswer = "";
    this.offer = h(
      "p",
      { class: "offer", hidden: true },
      h("span", { t: "me.offer" }),
      h("button", { type: "button", class: "button", t: "me.recovery_make", onclick: () => this.makeRecoveryCode() }),
      h("button", { type: "button", class: "button", t: "me.not_now", onclick: () => this.declineRecoveryCode() }),
    );
    this.newcomer = h("p", { class: "newcomer", hidden: true }, linkTo(go, "/learn", { t: "home.newcomer" }));
    const words = h(
      "div",
      { class: "hero-words" },
      h("h1", { t: "home.headline" }),
      h("p", { class: "lead", t: "home.lead" }),
      h("div", { class: "hero-start" }, this.playButton, this.botLabel),
      this.about,
      this.problem,
      this.newcomer,
    );
    this.content = frame(
      go,
      { className: "home", homeLinks: BAR_LINKS },
      this.invitationsBox,
      this.unfinishedBox,
      h("div", { class: "hero" }, words, heroTable()),
      this.offer,
      h(
        "nav",
        { class: "ways-to-play", tLabel: "home.ways" },
        h("ul", { class: "cards" }, ...this.cards()),
        this.peopleBox,
        h(
          "ul",
          { class: "quiet" },
          ...LINKS.map(([path, title, className]) => h("li", { class: className }, linkTo(go, path, { t: title }))),
        ),
      ),
    );
  }

  /** The other ways to play, with pictures. */
  cards() {
    const friends = h(
      "button",
      { type: "button", class: "card", onclick: () => this.openTable(friends) },
      h("strong", { t: "home.friends" }),
      h("span", { t: "home.friends_about" }),
      h("span", { class: "card-picture faces" }, ...FACES.slice(0, 3).map((face) => drawnFace(PEOPLE[face]))),
    );
    /** @type {[path: string, title: string, about: string, picture: Node][]} */
    const cards = [
      [
        "/play",
        "seek.title",
        "seek.card",
        h("span", { class: "card-picture faces" }, drawnFace(PEOPLE.glasses), drawnFace(PEOPLE.redhead)),
      ],
      ["/conundrums", "home.today", "conundrum.about", h("span", { class: "card-picture" }, tilePicture("BGR"))],
      [
        "/new?together",
        "home.together",
        "home.together_about",
        h("span", { class: "card-picture" }, icon("device"), icon("turn")),
      ],
    ];
    const links = cards.map(([path, title, about, picture]) =>
      linkTo(this.go, path, { class: "card" }, h("strong", { t: title }), h("span", { t: about }), picture),
    );
    return [friends, ...links].map((card) => h("li", {}, card));
  }

  /** Open a table for friends, with a link to share. @param {HTMLElement} button */
  async openTable(button) {
    setAttribute(button, "aria-busy", "true");
    try {
      const { openTable } = await import("../start/quick_table.js");
      this.go(`/join/${await openTable()}`);
    } catch (error) {
      showProblem(this.problem, error);
    } finally {
      setAttribute(button, "aria-busy", null);
    }
  }

  /** @override */
  start() {
    this.show();
    void this.findGame().catch(() => {}); // If this fails, the rest of the page still works.
    this.listen(document, "visibilitychange", () => {
      if (!document.hidden && this.lists.length) void this.loadPeople().catch(() => {});
    });
  }

  /** @override */
  show() {
    const bot = BOTS[settings.level - 1] ?? "snail";
    this.botSelect.replaceChildren(
      ...BOTS.map((name, index) =>
        h("option", { value: index + 1, selected: name === bot }, t("home.against", { name: t(`bot.${name}`) })),
      ),
    );
    this.botLabel.replaceChildren(face({ bot, name: bot }), this.botSelect);
    setText(this.about, `bot.${bot}_about`);
    this.showUnfinishedGame();
    for (const list of this.lists) list.show();
  }

  async playNow() {
    setAttribute(this.playButton, "aria-busy", "true");
    try {
      this.go(`/game/${await startGame(quickGame())}`);
    } catch (error) {
      showProblem(this.problem, error);
    } finally {
      setAttribute(this.playButton, "aria-busy", null);
    }
  }

  /**
   * Offer a recovery code to someone who would lose their games without one, until they've answered.
   * @param {number} played
   */
  async offerRecoveryCode(played) {
    if (settings.recoveryOffered || played < GAMES_BEFORE_OFFER) return;
    const account = await myAccount().catch(() => null);
    this.offer.hidden = account === null || account.recovery_made !== null;
  }

  async makeRecoveryCode() {
    try {
      await showNewRecoveryCode();
      this.offer.hidden = true;
    } catch (error) {
      showProblem(this.problem, error);
    }
  }

  declineRecoveryCode() {
    changeSettings({ recoveryOffered: true });
    this.offer.hidden = true;
    this.playButton.focus();
  }

  /** Find a game in progress, preferably one in which it's my turn. */
  async findGame() {
    const { games, wins } = await myGames().catch(() => ({ games: [], wins: [] }));
    void this.offerRecoveryCode(wins.reduce((sum, { played }) => sum + played, 0));
    this.newcomer.hidden = games.length > 0;
    if (games.length) void this.loadPeople().catch(() => {});
    const running = games.filter((game) => !game.over);
    if (running.length) this.gameLines = await import("./game_line.js"); // Newcomers don't need this module.
    const mine = running.filter((game) => this.gameLines?.isPlaying(game));
    this.unfinishedGame = mine.find((game) => this.gameLines?.waitsForMe(game)) ?? mine[0] ?? null;
    this.showUnfinishedGame();
  }

  /** Load my invitations and the people I've played with. */
  async loadPeople() {
    const answer = await myPeople();
    const { invitations, people } = answer;
    if (JSON.stringify(answer) === this.lastAnswer) return; // Rendering the lists again would lose the focus.
    this.lastAnswer = JSON.stringify(answer);
    if (!this.lists.length) {
      if (!invitations.length && !people.length) return;
      const [{ InvitationList }, { PeopleList }] = await Promise.all([
        import("../people/invitation_list.js"),
        import("../people/people_list.js"),
        addStyle("/css/pages/people.css"),
      ]);
      const [invitationList, peopleList] = [new InvitationList(this.go), new PeopleList(this.go, null)];
      this.invitationsBox.replaceChildren(invitationList.element);
      this.peopleBox.replaceChildren(peopleList.element);
      this.lists = [invitationList, peopleList];
    }
    this.lists[0]?.set(invitations);
    this.lists[1]?.set(people);
  }

  showUnfinishedGame() {
    const { unfinishedGame } = this;
    this.unfinishedBox.hidden = !unfinishedGame;
    if (!unfinishedGame) return;
    this.unfinishedBox.replaceChildren(
      linkTo(
        this.go,
        `/game/${unfinishedGame.game}`,
        { class: "card unfinished-card" },
        ...(this.gameLines?.gameInProgressContent(unfinishedGame) ?? []),
      ),
    );
  }
}
