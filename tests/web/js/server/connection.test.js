/** The connection to one game: each request is carried out once, however often the connection breaks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, Refused } from "../../../../src/chromino/web/js/server/connection.js";
import { FakeSocket } from "./fake_socket.js";

/** A connection that's closed when its test ends, and the test's own timers. */
function connect(test) {
  const controller = new AbortController();
  test.after(() => controller.abort());
  test.mock.timers.enable({ apis: ["setTimeout"] });
  const connection = new Connection("abc", controller.signal);
  /** @type {[string, unknown][]} */
  const heard = [];
  for (const type of ["state", "said", "online", "offline", "gone"]) {
    connection.addEventListener(type, (event) => heard.push([type, event.detail]));
  }
  FakeSocket.last.accept();
  return { connection, heard, socket: FakeSocket.last, time: test.mock.timers };
}

/** @param {FakeSocket} socket */
const lastSent = (socket) => JSON.parse(socket.sent.at(-1) ?? "null");

test("states are passed on, and outdated ones dropped", (t) => {
  const { heard, socket } = connect(t);
  for (const version of [3, 5, 4, 5]) socket.say({ type: "state", version });
  const versions = heard.filter(([type]) => type === "state").map(([, state]) => state.version);
  assert.deepEqual(versions, [3, 5, 5]);
});

test("an answer reaches its request, and a refusal has its code", async (t) => {
  const { connection, socket } = connect(t);
  const one = connection.ask({ type: "act", action: "draw" });
  const first = lastSent(socket);
  const other = connection.ask({ type: "hint" });
  const second = lastSent(socket);
  assert.equal(first.action, "draw");
  assert.notEqual(first.id, second.id);
  socket.say({ type: "refused", id: second.id, code: "no-aids", text: "No.", refusal: null });
  socket.say({ type: "done", id: first.id });
  assert.deepEqual(await one, { type: "done", id: first.id });
  await assert.rejects(other, (error) => error instanceof Refused && error.code === "no-aids");
});

test("unanswered requests are sent again with the same id, but answered ones aren't", async (t) => {
  const { connection, socket, time } = connect(t);
  const answered = connection.ask({ type: "act", action: "draw" });
  socket.say({ type: "done", id: lastSent(socket).id });
  await answered;
  const request = connection.ask({ type: "act", action: "pass" });
  const { id } = lastSent(socket);
  socket.lose(1006);
  time.tick(1000);
  assert.notEqual(FakeSocket.last, socket);
  FakeSocket.last.accept();
  assert.deepEqual(
    FakeSocket.last.sent.map((text) => JSON.parse(text).id),
    [id],
  );
  FakeSocket.last.say({ type: "done", id });
  await request;
});

test("requests without a connection wait for one", async (t) => {
  const { connection, socket, time } = connect(t);
  socket.lose(1006);
  const request = connection.ask({ type: "act", action: "pass" });
  time.tick(1000);
  FakeSocket.last.accept();
  FakeSocket.last.say({ type: "done", id: lastSent(FakeSocket.last).id });
  await request;
});

test("a silent connection is closed", (t) => {
  const { connection, socket, time } = connect(t);
  void connection.ask({ type: "act", action: "pass" });
  time.tick(9_999);
  assert.equal(socket.readyState, FakeSocket.OPEN);
  time.tick(1);
  assert.equal(socket.readyState, FakeSocket.CLOSED);
});

test("a temporary refusal is shown, and retried", (t) => {
  const { heard, socket, time } = connect(t);
  socket.lose(1006);
  assert.deepEqual(heard.at(-1), ["offline", null]);
  time.tick(1000);
  const next = FakeSocket.last;
  assert.notEqual(next, socket);
  next.accept();
  next.say({ type: "refused", id: null, code: "too-many-pages", text: "", refusal: null });
  next.lose(4429);
  assert.deepEqual(heard.at(-1), ["offline", "too-many-pages"]);
  time.tick(5000);
  FakeSocket.last.accept();
  FakeSocket.last.say({ type: "state", version: 1 });
  assert.deepEqual(
    heard.slice(-2).map(([type]) => type),
    ["online", "state"],
  );
});

for (const [code, name] of [
  [4403, "not-your-game"],
  [4404, "no-such-game"],
  [4500, "broken-game"],
]) {
  test(`the page doesn't reconnect after "${name}"`, (t) => {
    const { heard, socket, time } = connect(t);
    socket.lose(code);
    assert.deepEqual(heard, [["gone", name]]);
    time.tick(10_000);
    assert.equal(FakeSocket.last, socket);
  });
}
