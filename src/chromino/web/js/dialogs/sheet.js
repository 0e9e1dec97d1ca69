/** Sheets that slide up from below, and close when they're swiped down. */

/** A sheet pulled down by more than this share of its height closes when released. */
const FAR = 0.3;
/** A sheet pulled faster than this, in pixels per millisecond, closes however far it was pulled. */
const FAST = 0.5;
/** Smaller movements, in pixels, are ignored. */
const MIN_MOVEMENT = 12;

/**
 * Does a sheet close when it's released?
 * @param {number} down pixels from where it was grabbed @param {number} milliseconds since it was grabbed
 * @param {number} height of the sheet
 */
export function isSwipe(down, milliseconds, height) {
  return down > MIN_MOVEMENT && (down > FAR * height || down / Math.max(1, milliseconds) > FAST);
}

/**
 * Let a finger pull a sheet down. If a list inside it is scrolled, the finger scrolls the list instead.
 * @param {HTMLElement} sheet @param {() => void} close
 */
export function swipeAway(sheet, close) {
  /** @type {{y: number, time: number} | null} */
  let from = null;
  const settle = () => {
    from = null;
    sheet.style.translate = "";
    sheet.classList.remove("pulled");
  };
  sheet.addEventListener("touchstart", (event) => {
    const [touch] = event.touches;
    const isOtherGesture = event.touches.length > 1 || isScrolled(/** @type {Element} */ (event.target), sheet);
    if (isOtherGesture || !touch) settle();
    else from = { y: touch.clientY, time: event.timeStamp };
  });
  sheet.addEventListener(
    "touchmove",
    (event) => {
      const down = from ? (event.touches[0]?.clientY ?? 0) - from.y : 0;
      if (down <= 0 || !event.cancelable) return;
      event.preventDefault(); // Move the sheet, not its content.
      sheet.classList.add("pulled");
      sheet.style.translate = `0 ${down}px`;
    },
    { passive: false },
  );
  sheet.addEventListener("touchend", (event) => {
    const down = from ? (event.changedTouches[0]?.clientY ?? 0) - from.y : 0;
    const isSwiped = from && isSwipe(down, event.timeStamp - from.time, sheet.offsetHeight);
    settle();
    if (isSwiped) close();
  });
  sheet.addEventListener("touchcancel", settle);
}

/** Can the list under the finger still scroll up? @param {Element} touched @param {HTMLElement} sheet */
function isScrolled(touched, sheet) {
  for (let element = /** @type {Element | null} */ (touched); element; element = element.parentElement) {
    if (element.scrollTop > 0) return true;
    if (element === sheet) return false;
  }
  return false;
}
