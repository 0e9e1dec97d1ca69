/** A listbox: arrow keys move the focus from option to option, and Enter or a click chooses one. */

import { keyed, setAttribute } from "./dom.js";

/**
 * @template T
 * @typedef {object} Listbox
 * @property {(items: readonly T[]) => void} show
 * @property {(index?: number) => void} focus
 * @property {() => number} index of the focused option, or of the one that Tab would focus
 */

/**
 * Make an element a listbox.
 * @template T
 * @param {HTMLElement} box
 * @param {object} options
 * @param {(item: T) => string} options.key
 * @param {(item: T) => HTMLElement} options.make
 * @param {(element: HTMLElement, item: T, index: number) => void} options.update
 * @param {(item: T, byKeyboard: boolean) => void} options.choose called when an option is chosen, by key or click
 * @param {(item: T, index: number) => void} [options.move] called when a key has moved the focus to an option
 * @returns {Listbox<T>}
 */
export function listbox(box, { key, make, update, choose, move }) {
  /** @type {readonly T[]} */
  let items = [];
  let current = 0;
  /** Is the focus here because of a key? Only then do we move it when the focused option disappears. */
  let hasKeyFocus = false;
  box.setAttribute("role", "listbox");

  const options = () => /** @type {HTMLElement[]} */ ([...box.children]);

  /** Make one option the only one that Tab can reach. @param {number} index */
  function rove(index) {
    current = index;
    for (const [number, option] of options().entries()) setAttribute(option, "tabindex", number === index ? 0 : -1);
  }

  /** Move the focus to an option. @param {number} index */
  function go(index) {
    rove(index);
    options()[index]?.focus();
    const item = items[index];
    if (item !== undefined) move?.(item, index);
  }

  box.addEventListener("keydown", (event) => {
    if (!items.length || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) go((current + step + items.length) % items.length);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(items.length - 1);
    else if (event.key === "Enter" || event.key === " ") chooseAt(current, true);
    else return;
    hasKeyFocus = true;
    event.preventDefault();
    event.stopPropagation();
  });

  box.addEventListener("pointerdown", () => (hasKeyFocus = false));

  // Screen readers can move the focus without any key.
  box.addEventListener("focusin", (event) => {
    const option = /** @type {HTMLElement} */ (event.target);
    // An option that's being pressed got the focus from a pointer.
    hasKeyFocus = !option.matches(":active");
    const index = options().indexOf(option);
    if (index >= 0 && index !== current) rove(index);
  });

  box.addEventListener("click", (event) => {
    const option = /** @type {Element} */ (event.target).closest('[role="option"]');
    const index = option ? options().indexOf(/** @type {HTMLElement} */ (option)) : -1;
    // Screen readers click without a mouse, so treat that like a key.
    if (index >= 0) chooseAt(index, event.detail === 0);
  });

  /** @param {number} index @param {boolean} byKeyboard */
  function chooseAt(index, byKeyboard) {
    rove(index);
    const item = items[index];
    if (item !== undefined) choose(item, byKeyboard);
  }

  return {
    show(newItems) {
      const hadFocus = box.contains(document.activeElement);
      const focused = document.activeElement;
      items = newItems;
      keyed(
        box,
        items,
        key,
        (item) => {
          const option = make(item);
          option.setAttribute("role", "option");
          return option;
        },
        update,
      );
      current = Math.max(0, Math.min(current, items.length - 1));
      const focusedIndex = focused ? options().indexOf(/** @type {HTMLElement} */ (focused)) : -1;
      rove(focusedIndex >= 0 ? focusedIndex : current);
      if (hadFocus && focusedIndex < 0 && hasKeyFocus) options()[current]?.focus();
    },
    focus(index = current) {
      rove(Math.max(0, Math.min(index, items.length - 1)));
      options()[current]?.focus();
    },
    index: () => current,
  };
}
