/**
 * The service worker: keeps a copy of the page, so that the installed app opens and says so when the server is away.
 * The server is always asked first; its answers to calls are never kept.
 */

const KEPT = "chromino-page";

self.addEventListener("fetch", (event) => {
  const { request } = /** @type {any} */ (event);
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  const name = request.mode === "navigate" ? "/" : request;
  /** @type {any} */ (event).respondWith(
    fetch(request)
      .then(async (answer) => {
        if (answer.ok) await (await caches.open(KEPT)).put(name, answer.clone());
        return answer;
      })
      .catch(async () => (await caches.match(name)) ?? Response.error()),
  );
});
