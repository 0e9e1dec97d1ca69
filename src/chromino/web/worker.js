/**
 * The service worker. It keeps a copy of the page, so that the installed app opens and says so when the server is away;
 * the server is always asked first, and its answers to calls are never kept. And it shows notifications.
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

self.addEventListener("push", (event) => {
  const { title, body, url, tag, off } = /** @type {any} */ (event).data.json();
  const actions = [{ action: "off", title: off }];
  // With the tag of the game, a newer one takes the place of an older one.
  const shown = { body, tag, renotify: true, icon: "/icon.svg", data: url, actions };
  const { registration } = /** @type {any} */ (self);
  /** @type {any} */ (event).waitUntil(registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  const { action, notification } = /** @type {any} */ (event);
  notification.close();
  /** @type {any} */ (event).waitUntil(action === "off" ? unsubscribe() : openPage(notification.data));
});

/** No more notifications, without opening the page. */
async function unsubscribe() {
  const subscription = await /** @type {any} */ (self).registration.pushManager.getSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  const body = JSON.stringify({ endpoint: subscription.endpoint });
  await fetch("/api/me/push/stop", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/** Go to where a notification leads: in the tab that shows it already, or a new one. @param {string} path */
async function openPage(path) {
  const { clients } = /** @type {any} */ (self);
  const tabs = await clients.matchAll({ type: "window" });
  const open = tabs.find((/** @type {any} */ tab) => new URL(tab.url).pathname === path);
  return open ? open.focus() : clients.openWindow(path);
}
