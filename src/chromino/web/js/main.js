/** Starts the app: settings, language, and which page each address opens. */

import { prepareAnnouncements } from "./browser/announce.js";
import { retranslate } from "./browser/dom.js";
import { applySettings, settings } from "./browser/settings.js";
import { addStyle } from "./browser/style.js";
import { HomePage } from "./home/home_page.js";
import { bestLanguage, setLanguage } from "./language/i18n.js";
import { backStack } from "./page/back_stack.js";
import { NotFoundPage } from "./page/not_found_page.js";
import { setTitle } from "./page/title.js";
import { tileDefs } from "./table/tile_art.js";

/** @typedef {import("./page/page.js").Page} Page */

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @type {Page | null} */
let page = null;
/** The address of the current page. */
let shownAddress = "";
/** The key of the current page's title. */
let titleKey = "title";

/**
 * Each page's address, the key of its title, and its loader. Pages are loaded when they're needed, and some of them
 * show a longer title later.
 * @type {[RegExp, string, () => Promise<(match: string[]) => Page>][]}
 */
const PAGES = [
  [/^\/$/, "title", async () => () => new HomePage(go)],
  [
    /^\/new$/,
    "setup.title",
    () => import("./start/setup_page.js").then((m) => () => new m.SetupPage(go, location.search.slice(1))),
  ],
  [/^\/games$/, "games.title", () => import("./home/games_page.js").then((m) => () => new m.GamesPage(go))],
  [/^\/lobby$/, "lobby.title", () => import("./start/lobby_page.js").then((m) => () => new m.LobbyPage(go))],
  [/^\/play$/, "seek.title", () => import("./people/seek_page.js").then((m) => () => new m.SeekPage(go))],
  [/^\/learn$/, "home.learn", () => import("./learn/load_lesson.js").then((m) => m.loadLesson(go))],
  [/^\/rules$/, "rules.title", () => import("./learn/rules_page.js").then((m) => () => new m.RulesPage(go))],
  [/^\/about$/, "about.title", () => import("./home/about_page.js").then((m) => () => new m.AboutPage(go))],
  [/^\/ratings$/, "ratings.title", () => import("./home/ratings_page.js").then((m) => () => new m.RatingsPage(go))],
  [
    /^\/game\/([\w-]+)$/,
    "title.game",
    () =>
      import("./game/game_page.js").then(
        (m) =>
          ([, id = ""]) =>
            new m.GamePage(go, id),
      ),
  ],
  [
    /^\/join\/([\w-]+)$/,
    "join.guest",
    () =>
      import("./start/gathering_page.js").then(
        (m) =>
          ([, id = ""]) =>
            new m.GatheringPage(go, id),
      ),
  ],
  [
    /^\/replay(?:\/([\w-]+))?$/,
    "replay.title",
    () =>
      import("./replay/replay_page.js").then(
        (m) =>
          ([, id]) =>
            new m.ReplayPage(go, id ?? null),
      ),
  ],
  [
    /^\/review\/([\w-]+)$/,
    "review.title",
    () =>
      import("./review/review_page.js").then(
        (m) =>
          ([, id = ""]) =>
            new m.ReviewPage(go, id),
      ),
  ],
  [
    /^\/practice$/,
    "practice.title",
    () => import("./review/practice_page.js").then((m) => () => new m.PracticePage(go)),
  ],
  [
    /^\/conundrums$/,
    "conundrum.title",
    () => import("./conundrum/conundrum_list_page.js").then((m) => () => new m.ConundrumListPage(go)),
  ],
  [
    /^\/conundrums\/make$/,
    "conundrum.make_title",
    () => import("./conundrum/conundrum_maker_page.js").then((m) => () => new m.ConundrumMakerPage(go)),
  ],
  [
    /^\/conundrums\/print$/,
    "conundrum.print_title",
    () => import("./conundrum/conundrum_print_page.js").then((m) => () => new m.ConundrumPrintPage(go)),
  ],
  [
    /^\/conundrum$/,
    "conundrum.one",
    () =>
      import("./conundrum/conundrum_page.js").then((m) => () => new m.ConundrumPage(go, { text: conundrumInLink() })),
  ],
  [
    /^\/conundrum\/(\d{4}-\d\d-\d\d)\/([1-5])$/,
    "conundrum.one",
    () =>
      import("./conundrum/conundrum_page.js").then(
        (m) =>
          ([, day = "", grade]) =>
            new m.ConundrumPage(go, { day, grade: Number(grade) }),
      ),
  ],
];

/** Stylesheets that only some pages need. @type {[RegExp, string][]} */
const STYLES = [
  [/^\/(new$|join|play$)/, "/css/pages/setup.css"],
  [/^\/ratings$/, "/css/pages/ratings.css"],
  [/^\/(review|replay|practice|conundrum)/, "/css/pages/review.css"],
  [/^\/conundrum/, "/css/pages/conundrum.css"],
  [/^\/play$/, "/css/pages/people.css"],
];

/** Open the page for the current address. */
async function show() {
  page?.close();
  page = null;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const { pathname, search } = location;
  const address = pathname + search;
  shownAddress = address;
  const [pattern, key, load] = PAGES.find(([pattern]) => pattern.test(pathname)) ?? [];
  titleKey = key ?? "title.not_found";
  setTitle(titleKey);
  if (!pattern || !load) return open(new NotFoundPage(go));
  const make = await Promise.all([
    load(),
    ...STYLES.filter(([pages]) => pages.test(pathname)).map(([, href]) => addStyle(href)),
  ])
    .then(([make]) => make)
    .catch(() => () => new NotFoundPage(go, "problem.away"));
  if (shownAddress === address) open(make(pattern.exec(pathname) ?? [])); // Otherwise you've already moved on.
}

/** @param {Page} next */
function open(next) {
  page = next;
  page.open(root);
  document.dispatchEvent(new Event("page"));
}

function conundrumInLink() {
  return new URLSearchParams(location.search).get("t") ?? "";
}

/** Go to another page. @param {string} path */
function go(path) {
  if (path === location.pathname + location.search) return;
  backStack.leave(path, () => {
    void show();
    scrollTo(0, 0);
    root.focus();
  });
}

applySettings();
prepareAnnouncements();
document.body.append(tileDefs());
document.addEventListener("language", () => {
  retranslate();
  // This runs before the page's own listener, which may show a longer title.
  setTitle(titleKey);
});
addEventListener("popstate", () => {
  backStack.moved();
  if (shownAddress !== location.pathname + location.search) void show(); // Each page handles its own hash.
});
backStack.begin();
await setLanguage(bestLanguage(settings.language, navigator.languages)).catch(() => setLanguage("en"));
await show();
void import("./page/rematch_banner.js").then(({ RematchBanner }) => new RematchBanner(go));
if ("serviceWorker" in navigator) {
  if (!navigator.serviceWorker.controller) void import("./browser/first_visit.js");
  await navigator.serviceWorker.register("/worker.js").catch(() => {});
  if (settings.push) void import("./server/notifications.js").then(({ catchUp }) => catchUp());
}
