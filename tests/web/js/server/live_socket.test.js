/** A socket reconnects: soon at first, then less and less often, and never after its page is closed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { LiveSocket, pauseBefore } from "../../../../src/chromino/web/js/server/live_socket.js";
import { FakeSocket } from "./fake_socket.js";

/** A socket that's closed when its test ends, and the test's own timers. */
function live(test, listener = {}) {
  const controller = new AbortController();
  const heard = [];
  test.after(() => controller.abort());
  test.mock.timers.enable({ apis: ["setTimeout"] });
  const socket = new LiveSocket("/here", { receive: (message) => heard.push(message), ...listener }, controller.signal);
  return { controller, heard, socket, time: test.mock.timers };
}

test("each pause is longer than the one before, up to a limit", () => {
  for (const chance of [0, 0.5, 1]) {
    const pauses = [1, 2, 3, 4].map((tries) => pauseBefore(tries, chance));
    assert.deepEqual(
      pauses,
      pauses.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(pauses).size, pauses.length);
    assert.ok(pauseBefore(1, chance) < 500);
    assert.equal(pauseBefore(5, chance), pauseBefore(50, chance));
    assert.ok(pauseBefore(50, chance) <= 5000);
  }
});

test("a lost connection is reopened, and its messages are read", (t) => {
  const { heard, time } = live(t);
  assert.equal(FakeSocket.last.url, "ws://game.test/here");
  const first = FakeSocket.last;
  first.accept();
  first.say({ type: "hello" });
  assert.deepEqual(heard, [{ type: "hello" }]);
  first.lose(1006);
  time.tick(500);
  assert.notEqual(FakeSocket.last, first);
});

test("a socket waits longer after each loss, until a connection works again", (t) => {
  const { socket, time } = live(t);
  for (let tries = 0; tries < 5; tries++) {
    FakeSocket.last.lose(1006);
    time.tick(5000);
  }
  const before = FakeSocket.last;
  before.lose(1006);
  time.tick(500);
  assert.equal(FakeSocket.last, before);
  time.tick(5000);
  assert.notEqual(FakeSocket.last, before);
  socket.resetFailures();
  FakeSocket.last.lose(1006);
  const steady = FakeSocket.last;
  time.tick(500);
  assert.notEqual(FakeSocket.last, steady);
});

test("a listener can decide not to reconnect", (t) => {
  const { time } = live(t, { lost: (code) => code !== 4404 });
  const first = FakeSocket.last;
  first.lose(4404);
  time.tick(10_000);
  assert.equal(FakeSocket.last, first);
});

test("when its page is closed, a socket is closed and stays closed", (t) => {
  const { controller, time } = live(t);
  const socket = FakeSocket.last;
  controller.abort();
  assert.equal(socket.readyState, FakeSocket.CLOSED);
  socket.lose(1006);
  dispatchEvent(new Event("online"));
  time.tick(10_000);
  assert.equal(FakeSocket.last, socket);
});

test("a socket reconnects at once when the device is online again", (t) => {
  live(t);
  const first = FakeSocket.last;
  first.accept();
  dispatchEvent(new Event("offline"));
  assert.equal(first.readyState, FakeSocket.CLOSED);
  first.lose(1006);
  dispatchEvent(new Event("online"));
  assert.notEqual(FakeSocket.last, first);
});

test("nothing is sent without a connection", (t) => {
  const { socket } = live(t);
  assert.equal(socket.send("one"), null);
  FakeSocket.last.accept();
  assert.notEqual(socket.send("two"), null);
  assert.deepEqual(FakeSocket.last.sent, ["two"]);
});
