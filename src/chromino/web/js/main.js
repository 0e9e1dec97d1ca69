/** Where it begins: language, settings, and which page an address means. */

import { prepareAnnouncements } from "./announce.js";
import { textureDefs } from "./art.js";
import { retranslate } from "./dom.js";
import { HomePage, NothingPage } from "./home.js";
import { bestLanguage, setLanguage, t } from "./i18n.js";
import { applySettings, settings } from "./settings.js";

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
  [/^\/new$/, () => import("./setup.js").then((m) => () => new m.SetupPage(root, go, location.search.slice(1)))],
  [/^\/games$/, () => import("./games.js").then((m) => () => new m.GamesPage(root, go))],
  [/^\/lobby$/, () => import("./lobby.js").then((m) => () => new m.LobbyPage(root, go))],
  [/^\/learn$/, () => import("./learning.js").then((m) => m.prepareLearning(root, go))],
  [/^\/rules$/, () => import("./rules.js").then((m) => () => new m.RulesPage(root, go))],
  [/^\/ratings$/, () => import("./ratings.js").then((m) => () => new m.RatingsPage(root, go))],
  [/^\/game\/([\w-]+)$/, () => import("./game.js").then((m) => ([, game = ""]) => new m.GamePage(root, game, go))],
  [/^\/join\/([\w-]+)$/, () => import("./gathering.js").then((m) => ([, id = ""]) => new m.GatheringPage(root, id, go))],
  [/^\/replay(?:\/([\w-]+))?$/, () => import("./replay.js").then((m) => ([, id]) => new m.ReplayPage(root, id ?? null, go))],
  [/^\/review\/([\w-]+)$/, () => import("./review.js").then((m) => ([, game = ""]) => new m.ReviewPage(root, game, go))],
  [/^\/practice$/, () => import("./practice.js").then((m) => () => new m.PracticePage(root, go))],
  [/^\/conundrums$/, () => import("./conundrums.js").then((m) => () => new m.ConundrumsPage(root, go))],
  [/^\/conundrums\/make$/, () => import("./making.js").then((m) => () => new m.MakingPage(root, go))],
  [/^\/conundrums\/print$/, () => import("./printing.js").then((m) => () => new m.PrintingPage(root, go))],
  [
    /^\/conundrum$/,
    () => import("./conundrum.js").then((m) => () => new m.ConundrumPage(root, { text: decodeText(location.search) }, go)),
  ],
  [
    /^\/conundrum\/(\d{4}-\d\d-\d\d)\/([1-5])$/,
    () =>
      import("./conundrum.js").then(
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
    page = new NothingPage(root, go);
    return;
  }
  const make = await load().catch(() => () => new NothingPage(root, go, "problem.away"));
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
