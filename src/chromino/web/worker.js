/**
 * The service worker. It caches the page, so that the installed app can open and say that the server can't be reached.
 * It always asks the server first, and never caches API responses. It also shows notifications.
 */

const CACHE = "chromino-page";

self.addEventListener("message", (event) => {
  // The page that installs this worker fetched its files before the worker existed, so fetch them once more.
  const cacheMissing = async () => {
    const cache = await caches.open(CACHE);
    await Promise.all(
      event.data.map(async (/** @type {string} */ file) => (await cache.match(file)) ?? cache.add(file)),
    );
  };
  /** @type {any} */ (event).waitUntil(cacheMissing());
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
  // A game's page has that game's preview, so don't cache it for other pages.
  const isCacheable = !isPage || pathname === "/";
  /** @type {any} */ (event).respondWith(
    fetch(request)
      .then(async (answer) => {
        const isHtml = answer.headers.get("content-type")?.startsWith("text/html");
        if (answer.ok && isCacheable && (!isPage || isHtml)) await (await caches.open(CACHE)).put(name, answer.clone());
        return answer;
      })
      .catch(async () => (await caches.match(name)) ?? Response.error()),
  );
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag, off } = /** @type {any} */ (event).data.json();
  const actions = [{ action: "off", title: off }];
  // A newer notification replaces an older one about the same game, because they have the same tag.
  const options = { body, tag, renotify: true, icon: "/icon.svg", data: url, actions };
  const { registration } = /** @type {any} */ (self);
  /** @type {any} */ (event).waitUntil(registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  const { action, notification } = /** @type {any} */ (event);
  notification.close();
  /** @type {any} */ (event).waitUntil(action === "off" ? unsubscribe() : openPage(notification.data));
});

/** Turn notifications off without opening the page. */
async function unsubscribe() {
  const subscription = await /** @type {any} */ (self).registration.pushManager.getSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  const body = JSON.stringify({ endpoint: subscription.endpoint });
  await fetch("/api/me/push/stop", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/** Open a notification's page, in the tab that's already showing it or in a new one. @param {string} path */
async function openPage(path) {
  const { clients } = /** @type {any} */ (self);
  const tabs = await clients.matchAll({ type: "window" });
  const open = tabs.find((/** @type {any} */ tab) => new URL(tab.url).pathname === path);
  return open ? open.focus() : clients.openWindow(path);
}
