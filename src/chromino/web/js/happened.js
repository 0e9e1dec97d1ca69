/** What happened since the last state: told to the ear, shown to the eye. */

import { say, sayAtOnce } from "./announce.js";
import { fly, pop } from "./flying.js";
import { parsePlacement } from "./geometry.js";
import { t } from "./i18n.js";
import { play } from "./sound.js";
import { eventWords, seatName, sumWords } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Event} Event */

/**
 * @typedef {object} Places where things are on the screen
 * @property {import("./table.js").ChrominoTable} table
 * @property {import("./hand.js").ChrominoHand} hand
 * @property {import("./seats.js").ChrominoSeats} seats
 * @property {HTMLElement} bag
 */

const MOST = 4; // More events than that at once are a resync, and no show.

/**
 * Where tiles are before a new state is shown, so that they can fly from there.
 * @param {State} state the new one @param {readonly Event[]} events @param {Places} places @param {DOMRect | null} dropped
 */
export function departures(state, events, places, dropped) {
  return events.map((event) => {
    if (event.place === undefined) return places.bag.getBoundingClientRect();
    const { colors } = parsePlacement(event.place);
    const mine = state.seats[event.seat]?.mine;
    return (mine && (dropped ?? rectOfTile(places.hand, colors))) || places.seats.rectOf(event.seat);
  });
}

/** @param {import("./hand.js").ChrominoHand} hand @param {string} colors */
function rectOfTile(hand, colors) {
  return hand.rectOf(colors) ?? hand.rectOf([...colors].reverse().join(""));
}

/**
 * Show and say what happened; the new state is on the screen already.
 * @param {State} state @param {readonly Event[]} events @param {Places} places @param {(DOMRect | null)[]} from
 * @param {{secret: boolean, dropped: boolean}} how secret: others look at this screen; dropped: the last tile placed lies
 * where it was let go
 */
export function happened(state, events, places, from, { secret, dropped }) {
  for (const event of events) say(eventWords(event, seatName(state.seats, event.seat), { secret }));
  if (events.length > MOST || document.hidden) return;
  events.forEach((event, number) => {
    if (event.place !== undefined) {
      const mine = state.seats[event.seat]?.mine;
      place(event, places, mine && dropped ? null : (from[number] ?? null));
      play("place");
    } else if (!event.pass) {
      const mine = event.seat === state.view.me && !secret;
      const tile = mine ? (event.draw ?? null) : null;
      const to = tile ? places.hand.rectOf(tile) : places.seats.rectOf(event.seat);
      void fly(tile, tile !== null && places.hand.classList.contains("standing"), from[number] ?? null, to);
      play("draw");
    }
  });
}

/** @param {Event} event @param {Places} places @param {DOMRect | null} from */
async function place(event, places, from) {
  const placement = parsePlacement(event.place ?? "");
  const { table } = places;
  if (from) {
    table.conceal(placement.text, true);
    await fly(placement.colors, placement.down, from, table.rectOf(placement));
    table.conceal(placement.text, false);
  }
  if (event.points) pop(`+${sumWords(event.points)}`, table.rectOf(placement));
}

/**
 * Say whose turn it is, if it is somebody's here; and let the tab say it too.
 * @param {State} state @param {boolean} isNew
 */
export function tellTurn({ view, seats }, isNew) {
  const mine = !view.over && view.seat === view.me;
  document.title = mine ? t("title.your_turn") : t("title");
  if (!mine || !isNew) return;
  const name = seatName(seats, view.seat);
  const alone = seats.filter((seat) => seat.mine).length === 1;
  const words = [alone ? t("turn.yours") : t("turn.of", { name })];
  if (view.actions[0] === "draw") words.push(t("turn.must_draw"));
  if (view.actions[0] === "pass") words.push(t("turn.must_pass"));
  sayAtOnce(words.join(" "));
  play("turn");
}
