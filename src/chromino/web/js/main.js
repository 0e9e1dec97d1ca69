/** Where it begins: language, settings, and which page an address means. */

import { prepareAnnouncements } from "./announce.js";
import { textureDefs } from "./art.js";
import { retranslate } from "./dom.js";
import { ConundrumPage } from "./conundrum.js";
import { ConundrumsPage } from "./conundrums.js";
import { GamePage } from "./game.js";
import { GamesPage } from "./games.js";
import { GatheringPage } from "./gathering.js";
import { HomePage, NothingPage } from "./home.js";
import { bestLanguage, setLanguage, t } from "./i18n.js";
import { LobbyPage } from "./lobby.js";
import { MakingPage } from "./making.js";
import { PrintingPage } from "./printing.js";
import { RatingsPage } from "./ratings.js";
import { ReplayPage } from "./replay.js";
import { applySettings, settings } from "./settings.js";
import { SetupPage } from "./setup.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @type {{close(): void} | null} */
let page = null;
/** The address of the page that is shown. */
let shown = "";

/** Show the page of the address. */
function show() {
  page?.close();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  document.title = t("title");
  const { pathname, search } = location;
  shown = pathname + search;
  const game = /^\/game\/([\w-]+)$/.exec(pathname)?.[1];
  const joined = /^\/join\/([\w-]+)$/.exec(pathname)?.[1];
  const replayed = /^\/replay(?:\/([\w-]+))?$/.exec(pathname);
  const daily = /^\/conundrum\/(\d{4}-\d\d-\d\d)\/([1-5])$/.exec(pathname);
  if (game) page = new GamePage(root, game, go);
  else if (joined) page = new GatheringPage(root, joined, go);
  else if (replayed) page = new ReplayPage(root, replayed[1] ?? null, go);
  else if (daily) page = new ConundrumPage(root, { day: daily[1] ?? "", grade: Number(daily[2]) }, go);
  else if (pathname === "/conundrum") page = new ConundrumPage(root, { text: decodeText(search) }, go);
  else if (pathname === "/conundrums/make") page = new MakingPage(root, go);
  else if (pathname === "/conundrums/print") page = new PrintingPage(root, go);
  else if (pathname === "/conundrums") page = new ConundrumsPage(root, go);
  else if (pathname === "/lobby") page = new LobbyPage(root, go);
  else if (pathname === "/ratings") page = new RatingsPage(root, go);
  else if (pathname === "/new") page = new SetupPage(root, go, search.slice(1));
  else if (pathname === "/games") page = new GamesPage(root, go);
  else if (pathname === "/") page = new HomePage(root, go);
  else page = new NothingPage(root, go);
}

/** The conundrum that a link carries. @param {string} search */
function decodeText(search) {
  return new URLSearchParams(search).get("t") ?? "";
}

/** Go to another page. @param {string} path */
function go(path) {
  if (path === location.pathname + location.search) return;
  history.pushState(null, "", path);
  show();
  scrollTo(0, 0);
  root.focus();
}

applySettings();
prepareAnnouncements();
document.body.append(textureDefs());
document.addEventListener("language", retranslate);
addEventListener("popstate", () => {
  if (shown !== location.pathname + location.search) show(); // A hash is the page's own matter.
});
await setLanguage(bestLanguage(settings.language, navigator.languages)).catch(() => setLanguage("en"));
show();
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js").catch(() => {});
