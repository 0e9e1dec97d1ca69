import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const SCRIPT = readFileSync(new URL("../../../src/chromino/web/worker.js", import.meta.url), "utf8");

/** The worker in a fake browser that records what it's asked to do. */
function worker({ tabs = [], endpoint = "" } = {}) {
  const listeners = {};
  const log = [];
  const subscription = endpoint && { endpoint, unsubscribe: async () => log.push("unsubscribed") };
  const self = {
    addEventListener: (kind, listener) => {
      listeners[kind] = listener;
    },
    registration: {
      showNotification: async (title, shown) => log.push([title, shown]),
      pushManager: { getSubscription: async () => subscription || null },
    },
    clients: {
      matchAll: async () => tabs.map((url) => ({ url, focus: () => log.push(`focused ${url}`) })),
      openWindow: async (path) => log.push(`opened ${path}`),
    },
  };
  const fetch = async (path, { body }) => log.push(`${path} ${body}`);
  const cache = { match: async (file) => /cached/.exec(file)?.[0], add: async (file) => log.push(`cached ${file}`) };
  const caches = { open: async () => cache };
  vm.runInNewContext(SCRIPT, { self, caches, fetch, URL, JSON });
  const fire = async (kind, event) => {
    let done = Promise.resolve();
    listeners[kind]({
      waitUntil: (promise) => {
        done = promise;
      },
      ...event,
    });
    await done;
    return log;
  };
  const click = (action) => fire("notificationclick", { action, notification: { data: "/game/abc", close: () => {} } });
  return { fire, click };
}

test("the files of the page that installed the worker are cached, unless they already are", async () => {
  const files = ["/", "/js/main.js", "/cached.css"];
  assert.deepEqual(await worker().fire("message", { data: files }), ["cached /", "cached /js/main.js"]);
});

test("a notification replaces the last one about its game, and has a button to turn notifications off", async () => {
  const message = { title: "Your turn", body: "in your game with Bob", url: "/game/abc", tag: "abc", off: "Turn off" };
  const [[title, shown]] = await worker().fire("push", { data: { json: () => message } });
  assert.equal(title, "Your turn");
  assert.equal(shown.tag, "abc");
  assert.equal(shown.renotify, true);
  assert.equal(shown.data, "/game/abc");
  assert.equal(shown.actions[0].title, "Turn off");
});

test("a click opens the game, or the tab that's already showing it", async () => {
  assert.deepEqual(await worker({ tabs: ["https://site/other"] }).click(""), ["opened /game/abc"]);
  const tabs = ["https://site/other", "https://site/game/abc"];
  assert.deepEqual(await worker({ tabs }).click(""), ["focused https://site/game/abc"]);
});

test("one tap turns notifications off, here and on the server", async () => {
  const log = await worker({ endpoint: "https://push.example/1" }).click("off");
  assert.deepEqual(log, ["unsubscribed", '/api/me/push/stop {"endpoint":"https://push.example/1"}']);
  assert.deepEqual(await worker().click("off"), []);
});
