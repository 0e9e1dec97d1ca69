/** A search for someone to play with, in virtual time. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { BOT_AFTER, Search } from "../../../../src/chromino/web/js/people/search.js";
import { ApiError } from "../../../../src/chromino/web/js/server/api.js";

const CRITERIA = { name: "Ada", face: null, rules: {}, rated: false };
const ALONE = { seconds: 0, game: null, deal: null };
const DEAL = /** @type {any} */ ({ begun: true });

/** @type {{at: number, action: () => void}[]} */
let timers = [];
let now = 0;
/** The server's answers, in order. The last one is repeated. @type {any[]} */
let answers = [];
/** @type {any[]} */
let asked = [];
/** @type {string[]} */
let heard = [];
let isDealt = false;

/** @type {Search} */
let search;

beforeEach(() => {
  [timers, now, answers, asked, heard, isDealt] = [[], 0, [ALONE], [], [], false];
  search = new Search({
    seek: async (criteria) => {
      asked.push(criteria);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    stop: () => heard.push("stop"),
    takePart: async (game) => {
      heard.push(`part ${game}`);
      return isDealt;
    },
    after: (milliseconds, action) => timers.push({ at: now + milliseconds, action }),
    changed: () => {},
    started: (game) => heard.push(`started ${game}`),
  });
});

/** Let time pass, and run everything that's due by then. @param {number} until */
async function wait(until) {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const [next] = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
    if (!next) break;
    timers.splice(timers.indexOf(next), 1);
    now = next.at;
    next.action();
  }
  now = until;
}

test("a search asks again every two seconds, and only the first request starts a new search", async () => {
  void search.begin(CRITERIA);
  await wait(6000);
  assert.deepEqual(
    asked.map(({ anew }) => anew),
    [true, false, false, false],
  );
  assert.equal(search.phase, "looking");
});

test("a bot is offered after twenty seconds, and the search continues", async () => {
  void search.begin(CRITERIA);
  await wait(BOT_AFTER - 1);
  assert.equal(search.offersBot, false);
  const before = asked.length;
  await wait(BOT_AFTER + 5000);
  assert.equal(search.offersBot, true);
  assert.ok(asked.length > before);
});

test("once there's an opponent, a search takes part in the deal until the game starts", async () => {
  answers = [ALONE, { ...ALONE, game: "g", deal: DEAL }, { ...ALONE, game: "g", deal: DEAL }, { ...ALONE, game: "g" }];
  void search.begin(CRITERIA);
  await wait(2000);
  assert.equal(search.phase, "found");
  await wait(4000);
  assert.deepEqual(heard, ["part g", "part g", "started g"]);
  assert.equal(search.phase, "idle");
  await wait(60000);
  assert.equal(asked.length, 4);
});

test("the last part starts the game at once", async () => {
  answers = [{ ...ALONE, game: "g", deal: DEAL }];
  isDealt = true;
  void search.begin(CRITERIA);
  await wait(0);
  assert.deepEqual(heard, ["part g", "started g"]);
});

test("if the opponent doesn't show up, the search continues and says so", async () => {
  answers = [{ ...ALONE, game: "g", deal: DEAL }, ALONE];
  void search.begin(CRITERIA);
  await wait(3000);
  assert.deepEqual([search.phase, search.missedOpponent], ["looking", true]);
});

test("a search survives a lost connection, and starts again if the first request was lost", async () => {
  answers = [new ApiError("away"), ALONE];
  void search.begin(CRITERIA);
  await wait(0);
  assert.ok(search.problem);
  await wait(2000);
  assert.equal(search.problem, null);
  assert.deepEqual(
    asked.map(({ anew }) => anew),
    [true, true],
  );
});

test("a refusal ends a search", async () => {
  answers = [new ApiError("banned")];
  void search.begin(CRITERIA);
  await wait(60000);
  assert.deepEqual([search.phase, asked.length, search.offersBot], ["idle", 1, false]);
  search.stop();
  assert.deepEqual(heard, []);
});

test("once a search is stopped, later answers are ignored", async () => {
  void search.begin(CRITERIA);
  await wait(0);
  answers = [{ ...ALONE, game: "g" }];
  const asking = wait(2000);
  search.stop();
  await asking;
  await wait(60000);
  assert.deepEqual(heard, ["stop"]);
  assert.equal(search.offersBot, false);
});

test("a search can switch to other rules", async () => {
  void search.begin(CRITERIA);
  await wait(0);
  search.change({ ...CRITERIA, rated: true });
  await wait(2000);
  assert.deepEqual(
    asked.map(({ rated, anew }) => [rated, anew]),
    [
      [false, true],
      [true, false],
    ],
  );
});
