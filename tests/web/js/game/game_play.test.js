/** Playing a game on this device, without a screen and without a server. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { GamePlay } from "../../../../src/chromino/web/js/game/game_play.js";
import { statusOf } from "../../../../src/chromino/web/js/game/status.js";
import { TilePlacer } from "../../../../src/chromino/web/js/placing/tile_placer.js";
import { Refused } from "../../../../src/chromino/web/js/server/connection.js";
import { parsePlacement } from "../../../../src/chromino/web/js/table/geometry.js";

const REFUSAL = { reason: "clash", text: "", squares: [], contacts: [], needed: 2 };
const me = (name = "Ada") => ({ kind: "person", name, mine: true, bot: null });
const bot = () => ({ kind: "bot", name: "", mine: false, bot: "snail" });

/** A state in which seat 0 is mine and may place RGB, unless changed. @returns {any} */
function stateOf(view = {}, state = {}) {
  return {
    type: "state",
    version: 0,
    aids: true,
    watching: false,
    turn_left: null,
    seats: [me(), bot()],
    ...state,
    view: {
      me: 0,
      seat: 0,
      rules: { open_hands: false },
      log: [],
      table: "Y*R@0,0>",
      hands: [["PPP", "RGB"], null],
      actions: ["RGB@0,1>"],
      drawn: null,
      draws: 0,
      over: false,
      ...view,
    },
  };
}

/** A game with a fake screen and a fake server, which record what they're asked to do. */
function playing(settings = {}) {
  /** @type {any} */
  const screen = {
    renders: 0,
    said: [],
    asked: [],
    moved: [],
    hidden: 0,
    /** @type {any} The server's answer, or an error. */
    answer: {},
    show: () => (screen.renders += 1),
    showTiles: () => (screen.renders += 1),
    say: (/** @type {string} */ key) => screen.said.push(key),
    sayHint: (/** @type {any} */ place) => screen.said.push(`hint ${place.text}`),
    sayRefusal: (/** @type {any} */ { reason }) => screen.said.push(`refusal ${reason}`),
    playSound: () => {},
    tilePicked: () => {},
    hideSecrets: () => (screen.hidden += 1),
    ask: async (/** @type {any} */ message) => {
      screen.asked.push(message);
      if (screen.answer instanceof Error) throw screen.answer;
      return screen.answer;
    },
  };
  const play = new GamePlay(screen, { lit: true, playable: true, ask: "never", ...settings });
  const places = { enter: () => screen.moved.push("places"), focus: () => screen.moved.push("places") };
  const hand = { focusTile: (/** @type {any} */ tile) => screen.moved.push(`hand ${tile ?? ""}`.trim()) };
  screen.placer = new TilePlacer(play, { table: { reveal: () => {} }, hand, places });
  /** @param {any} state */
  const receive = (state, now = 0) => {
    screen.renders = 0;
    return play.receive(state, now);
  };
  return { play, screen, receive, placer: screen.placer, placing: screen.placer.placing };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const refused = (/** @type {string} */ code, /** @type {any} */ refusal = null) =>
  new Refused({ code, text: "", refusal });

test("every state is rendered once: the first, a placement, a draw that fits, and one without changes", () => {
  const { receive, screen } = playing();
  const drew = { seat: 0, draw: "RGB" };
  const placed = { seat: 1, place: "YYY@4,0>" };
  for (const state of [
    stateOf(),
    stateOf({ log: [placed], table: "Y*R@0,0> YYY@4,0>" }),
    stateOf({ log: [placed, drew], drawn: "RGB" }),
    stateOf({ log: [placed, drew], drawn: "RGB" }, { seats: [me(), { ...bot(), present: false }] }),
    stateOf({ log: [placed, drew, { seat: 0, pass: true }], seat: 1, actions: [], over: true }),
  ]) {
    receive(state);
    assert.equal(screen.renders, 1);
  }
});

test("each state shows what happened since the last one", () => {
  const { receive } = playing();
  const [one, two] = [
    { seat: 0, draw: null },
    { seat: 0, pass: true },
  ];
  assert.deepEqual(receive(stateOf({ log: [one] })), []); // When a game has just been opened, its past isn't news.
  assert.deepEqual(receive(stateOf({ log: [one, two] })), [two]);
  assert.deepEqual(receive(stateOf({ log: [one, two] })), []);
});

test("a picked tile stays picked when nothing has changed, and isn't held on the table when the game moves on", () => {
  const { placer, placing, receive } = playing();
  receive(stateOf());
  placer.pickUp("RGB");
  receive(stateOf({}, { seats: [me(), { ...bot(), present: false }] }));
  assert.equal(placing.tile, "RGB");
  placing.hold(parsePlacement("RGB@0,1>"));
  receive(stateOf({ log: [{ seat: 1, pass: true }] }));
  assert.equal(placing.held, null);
});

test("placing a tile names the version, and waits for the next state", async () => {
  const { placer, placing, receive, screen } = playing();
  receive(stateOf({}, { version: 7 }));
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  assert.deepEqual(screen.asked, [{ type: "act", version: 7, seat: 0, action: "RGB@0,1>" }]);
  await settled();
  assert.ok(placer.sending && placing.pending);
  receive(
    stateOf({ log: [{ seat: 0, place: "RGB@0,1>" }], hands: [["PPP"], null], seat: 1, actions: [] }, { version: 8 }),
  );
  assert.deepEqual([placer.sending, placing.pending, placing.tile], [false, null, null]);
});

test("a wrong place is refused with its reason, and other problems are shown too", async () => {
  const { placer, play, receive, screen } = playing();
  receive(stateOf());
  placer.pickUp("RGB");
  screen.answer = refused("refused", REFUSAL);
  placer.put(parsePlacement("RGB@3,3>"));
  await settled();
  assert.equal(placer.refused?.refusal, REFUSAL);
  assert.deepEqual([play.problem, screen.said.at(-1)], [null, "refusal clash"]);
  screen.answer = refused("stale-version");
  placer.put(parsePlacement("RGB@0,1>"));
  await settled();
  assert.deepEqual([placer.refused, play.problem, placer.sending], [null, "problem.stale-version", false]);
  placer.pickUp("RGB");
  assert.equal(play.problem, null);
});

test("only a tile that fits has to be confirmed", async () => {
  const { placer, receive, screen } = playing({ ask: "always" });
  receive(stateOf());
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  assert.deepEqual([screen.asked.length, screen.said], [0, ["status.confirm"]]);
  placer.takeBack();
  placer.put(parsePlacement("RGB@3,3>"));
  assert.equal(screen.asked.length, 1);
});

test("confirmation can be limited to touch", async () => {
  const { placer, placing, receive, screen } = playing({ ask: "touch" });
  const place = parsePlacement("RGB@0,1>");
  receive(stateOf());
  placer.pickUp("RGB");
  placer.byTouch = true;
  placer.put(place);
  assert.deepEqual([screen.asked.length, placing.pending?.text], [0, place.text]);
  placer.takeBack();
  placer.byTouch = false;
  placer.put(place);
  assert.equal(screen.asked.length, 1);
});

test("a placement that was sent can't be taken back", async () => {
  const { placer, placing, play, receive } = playing({ ask: "always" });
  receive(stateOf());
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  assert.ok(play.isConfirming());
  void placer.confirm();
  assert.ok(!play.isConfirming());
  placer.takeBack();
  placer.escape();
  await settled();
  assert.equal(placing.pending?.text, "RGB@0,1>");
});

test("on someone else's turn you can pick up a tile, but not place it", () => {
  const { placer, placing, play, receive, screen } = playing();
  receive(stateOf({ seat: 1, actions: [] }));
  placer.chooseTile({ tile: "RGB", byKeyboard: true });
  assert.equal(placing.tile, "RGB");
  assert.ok(!screen.moved.includes("places"));
  placer.tap([1.5, 1.5]);
  assert.deepEqual([screen.asked.length, play.problem], [0, "problem.not-your-turn"]);
});

test("a tile is drawn only if it has to be, and only once", async () => {
  const { placer, play, receive, screen } = playing();
  receive(stateOf());
  await play.drawTile();
  assert.deepEqual([screen.asked.length, play.problem], [0, "refusal.must-place"]);
  receive(stateOf({ actions: ["pass"] }));
  await play.drawTile();
  assert.deepEqual([screen.asked.length, play.problem], [0, "turn.must_pass"]);
  receive(stateOf({ actions: ["draw"], log: [{ seat: 1, pass: true }] }));
  void play.drawTile();
  void play.drawTile();
  assert.equal(screen.asked.length, 1);
  await settled();
  assert.ok(placer.sending);
  receive(
    stateOf({
      actions: [],
      seat: 1,
      log: [
        { seat: 1, pass: true },
        { seat: 0, draw: "GGG" },
      ],
    }),
  );
  await play.drawTile();
  assert.equal(screen.asked.length, 1); // It's nobody's turn on this device, so nothing is sent.
  assert.equal(play.problem, null);
});

test("a refused draw is shown, and can be tried again", async () => {
  const { placer, play, receive, screen } = playing();
  receive(stateOf({ actions: ["draw"] }));
  screen.answer = refused("stale-version");
  await play.drawTile();
  assert.deepEqual([play.problem, placer.sending], ["problem.stale-version", false]);
});

test("a tile just drawn that fits is picked up at once; for keyboard users it gets the focus", () => {
  const { placer, placing, receive, screen } = playing();
  receive(stateOf({ actions: ["draw"] }));
  placer.byKeyboard = true;
  receive(stateOf({ log: [{ seat: 0, draw: "RGB" }], drawn: "RGB" }));
  assert.equal(placing.tile, "RGB");
  assert.deepEqual(screen.moved, ["hand RGB"]);
});

test("a tile just drawn that fits nowhere stays in the hand", () => {
  const { placing, receive } = playing();
  receive(stateOf({ actions: ["draw"] }));
  receive(stateOf({ log: [{ seat: 0, draw: "GGG" }], drawn: "GGG", actions: ["draw"] }));
  assert.equal(placing.tile, null);
});

test("a hint picks up its tile and points out the place; a hint that comes too late is dropped", async () => {
  const { placer, placing, play, receive, screen } = playing();
  receive(stateOf());
  screen.answer = { type: "hint", placement: "BGR@0,1>" };
  await play.askForHint();
  assert.deepEqual([placing.tile, placing.rotation, placer.hint?.text], ["RGB", 2, "BGR@0,1>"]);
  assert.equal(screen.said.at(-1), "hint BGR@0,1>");
  const lateHint = play.askForHint();
  receive(stateOf({ seat: 1, actions: [], log: [{ seat: 0, pass: true }] }, { version: 1 }));
  await lateHint;
  assert.equal(placer.hint, null);
  await play.askForHint();
  assert.equal(play.problem, "problem.not-your-turn");
});

// A shared device.

const TWO = { seats: [me("Ada"), me("Bob")] };

test("each hand is behind the curtain until its player lifts it", () => {
  const { play, placer, receive, screen } = playing();
  receive(stateOf({}, TWO));
  assert.ok(play.isHandHidden() && !play.isMyTurn());
  assert.deepEqual(play.myHand(), []);
  assert.equal(screen.hidden, 1);
  screen.renders = 0;
  play.liftCurtain();
  assert.equal(screen.renders, 1);
  assert.deepEqual([play.isHandHidden(), play.isMyTurn(), play.myHand()], [false, true, ["PPP", "RGB"]]);
  assert.ok(placer.placing.fits("RGB"));
  receive(stateOf({ me: 1, seat: 1, hands: [null, ["GGG"]], log: [{ seat: 0, pass: true }] }, TWO));
  assert.deepEqual([play.isHandHidden(), play.myHand(), play.revealedSeat], [true, [], null]);
  assert.equal(screen.hidden, 2);
  receive(
    stateOf(
      {
        log: [
          { seat: 0, pass: true },
          { seat: 1, pass: true },
        ],
      },
      TWO,
    ),
  );
  assert.ok(play.isHandHidden()); // Ada has to lift the curtain again, too.
});

test("no curtain is needed with open hands, with only one person on the device, or after the end", () => {
  const { play, receive } = playing();
  for (const state of [stateOf({ rules: { open_hands: true } }, TWO), stateOf(), stateOf({ over: true }, TWO)]) {
    receive(state);
    assert.ok(!play.isShared() && !play.isHandHidden());
  }
});

test("a tile drawn behind the curtain is not picked up", () => {
  const { placing, receive } = playing();
  receive(stateOf({ actions: ["draw"] }, TWO));
  receive(stateOf({ log: [{ seat: 0, draw: "RGB" }], drawn: "RGB" }, TWO));
  assert.equal(placing.tile, null);
});

// The clock.

test("you're warned once when your turn is nearly over", () => {
  const { play, receive, screen } = playing();
  receive(stateOf({}, { turn_left: 30 }), 100);
  play.warnAboutTime(119);
  assert.deepEqual(screen.said, []);
  play.warnAboutTime(120);
  play.warnAboutTime(121);
  assert.deepEqual(screen.said, ["turn.hurry"]);
  assert.equal(play.elapsed(121), 21);
  receive(stateOf({ log: [{ seat: 1, pass: true }] }, { turn_left: 30 }), 130);
  play.warnAboutTime(131);
  play.warnAboutTime(151);
  assert.deepEqual(screen.said, ["turn.hurry", "turn.hurry"]);
});

test("there's no warning without a turn limit, or if it isn't your turn", () => {
  const { play, receive, screen } = playing();
  receive(stateOf());
  play.warnAboutTime(10_000);
  receive(stateOf({ seat: 1 }, { turn_left: 5 }));
  play.warnAboutTime(1);
  assert.deepEqual(screen.said, []);
});

// The status line.

test("the status says what to do now", () => {
  const { placer, play, receive } = playing();
  /** @param {any} view @param {any} [state] */
  const status = (view, state) => {
    receive(stateOf({ log: [{ seat: 1, pass: true }], ...view }, state));
    return statusOf(play, true)[0];
  };
  assert.equal(status({}), "status.pick");
  assert.equal(status({ over: true }), "status.over");
  assert.equal(status({}, { watching: true }), "status.watching");
  assert.equal(status({ seat: 1 }), "status.thinks");
  assert.equal(status({}, { seats: [{ ...me(), has_left: true }, bot()], stand_in: "fox" }), "status.thinks");
  assert.ok(!play.isMyTurn());
  assert.equal(status({ seat: 1 }, { seats: [me(), { ...me("Bob"), mine: false }] }), "status.waits");
  assert.equal(status({}, TWO), "status.waits");
  assert.equal(status({ actions: ["draw"] }), "turn.must_draw");
  assert.equal(status({ actions: ["draw"], draws: 1 }), "turn.must_draw_again");
  assert.equal(status({ actions: ["pass"] }), "turn.must_pass");
  assert.equal(status({ drawn: "RGB" }), "status.drawn");
  placer.offer(["RGB@0,1>"], ["RGB", "PPP"], [1, 0]);
  placer.pickUp("RGB");
  assert.equal(statusOf(play, true)[0], "status.put_by_mouse");
  assert.equal(statusOf(play, false)[0], "status.put");
  placer.pickUp("PPP");
  assert.equal(statusOf(play, false)[0], "status.fits_nowhere");
  placer.put(parsePlacement("PPP@0,1>"));
  assert.equal(statusOf(play, false)[0], "status.placing");
});

test("for keyboard users on a shared device, lifting the curtain leads to the hand", () => {
  const { play, receive, screen } = playing();
  receive(stateOf({}, TWO));
  play.liftCurtain();
  assert.deepEqual(screen.moved, ["hand"]);
});

test("a turn taken back isn't announced, and the game continues from there", async () => {
  const { play, placing, receive, screen, placer } = playing();
  const mine = { seat: 0, place: "RGB@0,1>" };
  const theirs = { seat: 1, place: "YYY@4,0>" };
  receive(stateOf({ log: [mine, theirs] }, { version: 2, can_take_back: true }));
  placer.pickUp("RGB");
  placing.hold(parsePlacement("RGB@0,1>"));
  await play.takeTurnBack();
  assert.deepEqual(screen.asked, [{ type: "take-back", version: 2 }]);
  assert.deepEqual(receive(stateOf({}, { version: 3 })), []);
  assert.equal(placing.held, null);
  assert.deepEqual(receive(stateOf({ log: [{ seat: 0, place: "PPP@0,1>" }] }, { version: 4 })).length, 1);
});

test("with nothing to take back, nothing is sent", async () => {
  const { play, receive, screen } = playing();
  receive(stateOf());
  await play.takeTurnBack();
  assert.deepEqual(screen.asked, []);
});
