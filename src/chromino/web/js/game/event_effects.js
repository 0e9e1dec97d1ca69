/** Animations, sounds and announcements for what has happened since the last state. */

import { say, sayAtOnce } from "../browser/announce.js";
import { settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { joinSentences, t } from "../language/i18n.js";
import { logWords, seatName, sumWords } from "../language/words.js";
import { deal, fly, pop } from "../table/animation.js";
import { parsePlacement, reversed } from "../table/geometry.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Event} Event */

/** @typedef {import("./game_layout.js").Parts} Parts */

/** If more events than this arrive at once, the page is just catching up, so they aren't animated. */
const MAX_ANIMATED = 4;

/**
 * Where tiles will fly from: their positions on the screen before the new state is shown.
 * @param {State} state the new state @param {readonly Event[]} events @param {Parts} parts
 */
export function startRects(state, events, { bag, hand, seats }) {
  return events.map((event) => {
    if (event.place === undefined) return bag.getBoundingClientRect();
    const { colors } = parsePlacement(event.place);
    const isMine = state.seats[event.seat]?.mine;
    return (isMine && (hand.rectOf(colors) ?? hand.rectOf(reversed(colors)))) || seats.rectOf(event.seat);
  });
}

/**
 * Animate and announce events. The new state is already on the screen.
 * @param {State} state @param {readonly Event[]} events @param {Parts} parts @param {(DOMRect | null)[]} origins
 * @param {{hidesDraws: boolean, wasDropped: boolean}} options hidesDraws: hide which tile I drew, because
 * others can see this screen; wasDropped: my tile is already where I dropped it
 * @returns {Promise<unknown>} resolves when all placed tiles have landed
 */
export async function showEvents(state, events, parts, origins, { hidesDraws, wasDropped }) {
  const first = state.view.log.length - events.length;
  for (const number of events.keys()) say(logWords(state, first + number, { hidesDraws }));
  if (events.length > MAX_ANIMATED || document.hidden) return;
  /** @type {Promise<unknown>[]} */
  const flights = [];
  events.forEach((event, number) => {
    if (event.place !== undefined) {
      const isMine = state.seats[event.seat]?.mine;
      flights.push(showPlacement(event, parts, isMine && wasDropped ? null : (origins[number] ?? null)));
      playSound("lay");
    } else if (!event.pass) {
      const isMine = event.seat === state.view.me && !hidesDraws;
      const tile = isMine ? (event.draw ?? null) : null;
      const to = tile ? parts.hand.rectOf(tile) : parts.seats.rectOf(event.seat);
      if (tile) parts.hand.setConcealed(tile, true);
      void fly(tile, tile !== null && parts.hand.classList.contains("standing"), origins[number] ?? null, to).then(
        () => tile && parts.hand.setConcealed(tile, false),
      );
      playSound("draw");
    }
  });
  await Promise.all(flights);
}

/** Animate the deal at the beginning of a game. @param {State} state @param {Parts} parts */
export function dealHand({ view }, { bag, hand }) {
  const isNew = !view.over && !view.log.length && view.me !== null;
  if (!isNew || document.hidden || !hand.checkVisibility()) return;
  const tiles = (view.hands[view.me ?? 0] ?? []).flatMap((colors) => {
    const option = hand.option(colors);
    return option ? [{ colors, option }] : [];
  });
  void deal(tiles, hand.classList.contains("standing"), bag.getBoundingClientRect());
}

/** @param {Event} event @param {Parts} parts @param {DOMRect | null} from */
async function showPlacement(event, parts, from) {
  const placement = parsePlacement(event.place ?? "");
  const { table } = parts;
  if (from) {
    table.setConcealed(placement.text, true);
    await fly(placement.colors, placement.down, from, table.rectOf(placement));
    table.setConcealed(placement.text, false);
  }
  if (event.points) pop(sumWords(event.points), table.rectOf(placement));
}

/** Has a new turn begun since the last state? @param {State | null} before @param {State} now */
export function isTurnNew(before, now) {
  return !before || before.turns !== now.turns || before.view.seat !== now.view.seat;
}

/**
 * Announce that it's the turn of someone on this device. If it's someone else's turn, clear the announcement.
 * @param {State} state @param {boolean} isNew has the turn just begun?
 */
export function announceTurn({ game, view, seats }, isNew) {
  if (view.over || view.seat !== view.me) return sayAtOnce("");
  if (!isNew) return;
  const name = seatName(seats, view.seat);
  const hasOneSeat = seats.filter((seat) => seat.mine).length === 1;
  const words = [hasOneSeat ? t("turn.yours") : t("turn.of", { name })];
  if (view.actions[0] === "draw") words.push(t("turn.must_draw"));
  if (view.actions[0] === "pass") words.push(t("turn.must_pass"));
  sayAtOnce(joinSentences(words));
  playSound("turn");
  if (document.hidden && settings.notify) {
    void import("../server/notifications.js").then(({ notify }) => notify(t("title"), joinSentences(words), game));
  }
}
