/** Turning notifications on and off: what the page sends to the server, and what it stores. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What the fake browser answers, and what it was asked to do. */
const world = { permission: "granted", subscription: null, key: "server-key", calls: [], shown: [] };

const registration = {
  pushManager: {
    getSubscription: async () => world.subscription,
    subscribe: async ({ applicationServerKey }) => {
      world.calls.push(["subscribe", applicationServerKey]);
      world.subscription = {
        endpoint: "https://push.example/1",
        toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "key", auth: "secret" } }),
        unsubscribe: async () => {
          world.subscription = null;
        },
      };
      return world.subscription;
    },
  },
  showNotification: async (title, { body, tag, data }) => world.shown.push([title, body, tag, data]),
};

const stored = new Map();
Object.defineProperty(globalThis, "navigator", {
  value: { serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration } },
});
Object.assign(globalThis, {
  isSecureContext: true,
  Notification: {
    get permission() {
      return world.permission;
    },
    requestPermission: async () => world.permission,
  },
  addEventListener: () => {},
  document: { documentElement: { lang: "fr", dataset: {} }, dispatchEvent: () => {}, hidden: true },
  localStorage: {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
    removeItem: (key) => stored.delete(key),
  },
  fetch: async (path, { method, body }) => {
    world.calls.push([`${method} ${path}`, body ? JSON.parse(body) : null]);
    return { ok: true, status: method === "GET" ? 200 : 204, json: async () => ({ key: world.key }) };
  },
});

const { settings, changeSettings } = await import("../../../../src/chromino/web/js/browser/settings.js");
const { catchUp, notify, renewSubscription, turnOffNotifications, turnOnNotifications } = await import(
  "../../../../src/chromino/web/js/server/notifications.js"
);

beforeEach(() => {
  Object.assign(world, { permission: "granted", subscription: null, key: "server-key", calls: [], shown: [] });
  changeSettings({ notify: false, push: "", quiet: "none" });
});

const sent = (path) => world.calls.filter(([call]) => call === path).map(([, body]) => body);

test("a browser that allows notifications is subscribed in the reader's language", async () => {
  assert.equal(await turnOnNotifications(), true);
  const [subscribed] = sent("POST /api/me/push");
  assert.equal(subscribed.endpoint, "https://push.example/1");
  assert.equal(subscribed.language, "fr");
  assert.equal(subscribed.quiet_from, subscribed.quiet_to);
  assert.deepEqual([settings.notify, settings.push], [true, "https://push.example/1"]);
});

test("a browser that doesn't allow notifications is left alone", async () => {
  world.permission = "denied";
  assert.equal(await turnOnNotifications(), false);
  assert.deepEqual(world.calls, []);
  assert.equal(settings.notify, false);
});

test("even if the server sends no notifications, a hidden page notifies", async () => {
  world.key = null;
  assert.equal(await turnOnNotifications(), true);
  assert.deepEqual([settings.notify, settings.push], [true, ""]);
  await notify("Chromino", "Your turn.", "abc");
  assert.deepEqual(world.shown, [["Chromino", "Your turn.", "abc", "/game/abc"]]);
});

test("a visible page doesn't notify", async () => {
  await turnOnNotifications();
  document.hidden = false;
  await notify("Chromino", "Your turn.", "abc");
  document.hidden = true;
  assert.deepEqual(world.shown, []);
});

test("quiet hours reach the server", async () => {
  await turnOnNotifications();
  changeSettings({ quiet: "22-7" });
  await renewSubscription();
  const subscribed = sent("POST /api/me/push").at(-1);
  assert.deepEqual([subscribed.quiet_from, subscribed.quiet_to], [22 * 60, 7 * 60]);
});

test("when notifications are turned off, the server forgets the browser", async () => {
  await turnOnNotifications();
  await turnOffNotifications();
  assert.deepEqual(sent("POST /api/me/push/stop"), [{ endpoint: "https://push.example/1" }]);
  assert.equal(world.subscription, null);
  assert.deepEqual([settings.notify, settings.push], [false, ""]);
});

test("when notifications are turned off with the button in a notification, they're off on the page, too", async () => {
  await turnOnNotifications();
  world.subscription = null;
  await catchUp();
  assert.deepEqual([settings.notify, settings.push], [false, ""]);
});

test("a browser's new push address is sent to the server", async () => {
  await turnOnNotifications();
  changeSettings({ push: "https://push.example/old" });
  await catchUp();
  assert.equal(settings.push, "https://push.example/1");
  assert.equal(sent("POST /api/me/push").length, 2);
});
