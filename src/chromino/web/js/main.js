/** Where it begins: language, settings, and which page an address means. */

import { prepareAnnouncements } from "./browser/announce.js";
import { textureDefs } from "./table/tile_art.js";
import { retranslate } from "./browser/dom.js";
import { HomePage } from "./home/home_page.js";
import { bestLanguage, setLanguage, t } from "./language/i18n.js";
import { applySettings, settings } from "./browser/settings.js";
import { NotFoundPage } from "./page/not_found_page.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @type {Page | null} */
let page = null;
/** The address of the page that is shown. */
let shown = "";

/** @typedef {{close(): void}} Page */

/**
 * Which page an address means, and how it is made once it is loaded. Each is loaded when it is needed: nobody waits for
 * what they do not see.
 * @type {[RegExp, () => Promise<(match: string[]) => Page>][]}
 */
const PAGES = [
  [/^\/$/, async () => () => new HomePage(root, go)],
  [/^\/new$/, () => import("./start/setup_page.js").then((m) => () => new m.SetupPage(root, go, location.search.slice(1)))],
  [/^\/games$/, () => import("./home/games_page.js").then((m) => () => new m.GamesPage(root, go))],
  [/^\/lobby$/, () => import("./start/lobby_page.js").then((m) => () => new m.LobbyPage(root, go))],
  [/^\/learn$/, () => import("./learn/load_lesson.js").then((m) => m.loadLesson(root, go))],
  [/^\/rules$/, () => import("./learn/rules_page.js").then((m) => () => new m.RulesPage(root, go))],
  [/^\/ratings$/, () => import("./home/ratings_page.js").then((m) => () => new m.RatingsPage(root, go))],
  [/^\/game\/([\w-]+)$/, () => import("./game/game_page.js").then((m) => ([, game = ""]) => new m.GamePage(root, game, go))],
  [/^\/join\/([\w-]+)$/, () => import("./start/gathering_page.js").then((m) => ([, id = ""]) => new m.GatheringPage(root, id, go))],
  [/^\/replay(?:\/([\w-]+))?$/, () => import("./replay/replay_page.js").then((m) => ([, id]) => new m.ReplayPage(root, id ?? null, go))],
  [/^\/review\/([\w-]+)$/, () => import("./review/review_page.js").then((m) => ([, game = ""]) => new m.ReviewPage(root, game, go))],
  [/^\/practice$/, () => import("./review/practice_page.js").then((m) => () => new m.PracticePage(root, go))],
  [/^\/conundrums$/, () => import("./conundrum/conundrum_list_page.js").then((m) => () => new m.ConundrumListPage(root, go))],
  [/^\/conundrums\/make$/, () => import("./conundrum/conundrum_maker_page.js").then((m) => () => new m.ConundrumMakerPage(root, go))],
  [/^\/conundrums\/print$/, () => import("./conundrum/conundrum_print_page.js").then((m) => () => new m.ConundrumPrintPage(root, go))],
  [
    /^\/conundrum$/,
    () => import("./conundrum/conundrum_page.js").then((m) => () => new m.ConundrumPage(root, { text: decodeText(location.search) }, go)),
  ],
  [
    /^\/conundrum\/(\d{4}-\d\d-\d\d)\/([1-5])$/,
    () =>
      import("./conundrum/conundrum_page.js").then(
        (m) => ([, day = "", grade]) => new m.ConundrumPage(root, { day, grade: Number(grade) }, go),
      ),
  ],
];

/** Show the page of the address. */
async function show() {
  page?.close();
  page = null;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  document.title = t("title");
  const { pathname, search } = location;
  const address = (shown = pathname + search);
  const [pattern, load] = PAGES.find(([pattern]) => pattern.test(pathname)) ?? [];
  if (!pattern || !load) {
    page = new NotFoundPage(root, go);
    return;
  }
  const make = await load().catch(() => () => new NotFoundPage(root, go, "problem.away"));
  if (shown === address) page = make(pattern.exec(pathname) ?? []); // Or somebody went on before it was there.
}

/** The conundrum that a link carries. @param {string} search */
function decodeText(search) {
  return new URLSearchParams(search).get("t") ?? "";
}

/** Go to another page. @param {string} path */
function go(path) {
  if (path === location.pathname + location.search) return;
  history.pushState(null, "", path);
  void show();
  scrollTo(0, 0);
  root.focus();
}

applySettings();
prepareAnnouncements();
document.body.append(textureDefs());
document.addEventListener("language", retranslate);
addEventListener("popstate", () => {
  if (shown !== location.pathname + location.search) void show(); // A hash is the page's own matter.
});
await setLanguage(bestLanguage(settings.language, navigator.languages)).catch(() => setLanguage("en"));
await show();
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js").catch(() => {});
