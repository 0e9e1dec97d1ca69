/**
 * The service worker: keeps a copy of the page, so that the installed app opens and says so when the server is away.
 * The server is always asked first; its answers to calls are never kept.
 */

const KEPT = "chromino-page";
const FIRST = ["/", "/fonts/fredoka.woff2", "/fonts/nunito.woff2"];

self.addEventListener("install", (event) => {
  // What the page that installs this has fetched was fetched before this was there: fetch it once more.
  /** @type {any} */ (event).waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FIRST)));
});

self.addEventListener("activate", (event) => {
  /** @type {any} */ (event).waitUntil(/** @type {any} */ (self).clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = /** @type {any} */ (event);
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  const isPage = request.mode === "navigate";
  const name = isPage ? "/" : request;
  const keeps = !isPage || pathname === "/"; // The page of a game tells of that game: it must not stand for another.
  /** @type {any} */ (event).respondWith(
    fetch(request)
      .then(async (answer) => {
        const isHtml = answer.headers.get("content-type")?.startsWith("text/html");
        if (answer.ok && keeps && (!isPage || isHtml)) await (await caches.open(KEPT)).put(name, answer.clone());
        return answer;
      })
      .catch(async () => (await caches.match(name)) ?? Response.error()),
  );
});
