/** Drags a tile out of the hand with the mouse or a finger; a second finger rotates it. */

// After this many pixels, a press becomes a drag.
const FAR = 8;
const QUARTER = Math.PI / 2;

/**
 * @typedef {object} Drag
 * @property {(option: HTMLElement) => boolean} start picks up a tile; false if it can't be dragged
 * @property {(x: number, y: number) => void} move
 * @property {(quarters: number) => void} rotate
 * @property {(x: number, y: number) => void} drop
 * @property {() => void} cancel
 */

/**
 * @param {HTMLElement} hand @param {Drag} drag @param {AbortSignal} signal removes the window's listeners when aborted
 * @returns {() => void} cancels the current drag
 */
export function trackDrags(hand, drag, signal) {
  /** @type {{id: number, x: number, y: number, option: HTMLElement, dragged: boolean} | null} */
  let held = null;
  /** @type {{id: number, angle: number} | null} A second finger, and the angle from which it rotates the tile. */
  let secondFinger = null;

  hand.addEventListener("pointerdown", (event) => {
    const option = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[role="option"]'));
    if (held || !option || event.button > 0) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, option, dragged: false };
  });

  addEventListener(
    "pointerdown",
    (event) => {
      if (!held?.dragged || event.pointerId === held.id || secondFinger) return;
      secondFinger = { id: event.pointerId, angle: angle(event) };
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal },
  );

  addEventListener(
    "pointermove",
    (event) => {
      if (!held) return;
      if (event.pointerId === secondFinger?.id) {
        const angleTurned = ((angle(event) - secondFinger.angle + 5 * Math.PI) % (2 * Math.PI)) - Math.PI;
        if (Math.abs(angleTurned) > QUARTER / 2) {
          drag.rotate(Math.sign(angleTurned));
          secondFinger.angle += Math.sign(angleTurned) * QUARTER;
        }
        event.stopPropagation();
        return;
      }
      if (event.pointerId !== held.id) return;
      if (!held.dragged) {
        if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
        if (!drag.start(held.option)) {
          held = null;
          return;
        }
        held.dragged = true;
        hand.setPointerCapture(event.pointerId);
      }
      held.x = event.clientX;
      held.y = event.clientY;
      drag.move(held.x, held.y);
    },
    { capture: true, signal },
  );

  addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId === secondFinger?.id) secondFinger = null;
      else if (event.pointerId === held?.id) {
        const { dragged, x, y } = held;
        held = secondFinger = null;
        // No click follows: the hand has captured the pointer.
        if (dragged) drag.drop(x, y);
      }
    },
    { capture: true, signal },
  );

  addEventListener("pointercancel", (event) => event.pointerId === held?.id && cancel(), { signal });

  function cancel() {
    const dragged = held?.dragged;
    held = secondFinger = null;
    if (dragged) drag.cancel();
  }

  /** @param {PointerEvent} event */
  function angle(event) {
    return held ? Math.atan2(event.clientY - held.y, event.clientX - held.x) : 0;
  }

  return cancel;
}
