/** The seats of a new game as pills. Each has a face, a name, a dropdown for who sits there, and a remove button. */

import { h, keyed, setLabel } from "../browser/dom.js";
import { settings } from "../browser/settings.js";
import { faceButton, setMyFace } from "../dialogs/face_picker.js";
import { t } from "../language/i18n.js";
import { facesOf } from "../page/faces.js";
import { face, icon } from "../page/icons.js";
import { BOTS } from "./quick_game.js";

/** @typedef {import("../page/faces.js").Face} Face */
/** @typedef {import("../types.js").SeatPill} SeatPill */

const MAX_SEATS = 8;

export class SeatPills {
  /** @type {SeatPill[]} */
  seats = [];
  #nextId = 0;
  /** @type {Map<number, {button: HTMLButtonElement, show: () => void, label: {key: string, values: {n: number}}}>} */
  #faceButtons = new Map();

  /** @param {() => void} changed called after each change */
  constructor(changed) {
    this.changed = changed;
    this.list = h("ol", { class: "pills" });
    this.addButton = h(
      "button",
      { type: "button", class: "pill pill-add", onclick: () => this.#onAdd() },
      h("span", { class: "pill-face" }, icon("plus")),
      h("span", { t: "setup.add" }),
    );
    this.element = h("div", { class: "seat-pills" }, this.list, this.addButton);
  }

  /** @param {SeatPill["kind"]} kind @param {string} [name] @param {number} [level] @param {Face | null} [face] */
  add(kind, name = "", level = settings.level, face = null) {
    this.seats.push({ id: this.#nextId++, kind, name, level, face });
  }

  /** Is there a seat for someone who gets the link? */
  get hasFriends() {
    return this.seats.some(({ kind }) => kind === "free");
  }

  /** Each player's name, or a default if none was typed in. */
  get names() {
    return this.seats.map((seat, index) => seat.name.trim() || defaultName(seat, index));
  }

  /** How the page refers to each player. You're "You" until you have a name. */
  get labels() {
    return this.names.map((name, index) => {
      const seat = this.seats[index];
      return seat?.kind === "me" && !seat.name.trim() ? t("setup.me") : name;
    });
  }

  /** The face each person has chosen. */
  get chosenFaces() {
    return this.seats.map(({ kind, face }) => (kind === "me" ? settings.face || null : kind === "here" ? face : null));
  }

  /** The face each person will have at the table. */
  get #faces() {
    const { chosenFaces, names } = this;
    return facesOf(
      this.seats.map(({ kind, level }, index) => ({
        kind,
        name: names[index] ?? "",
        level: kind === "bot" ? level : null,
        face: chosenFaces[index] ?? null,
      })),
    );
  }

  show() {
    keyed(
      this.list,
      this.seats,
      ({ id }) => String(id),
      (seat) => this.#make(seat),
      (pill, seat, index) => this.#showSeat(pill, seat, index),
    );
    this.addButton.hidden = this.seats.length >= MAX_SEATS;
  }

  /** @param {SeatPill} seat */
  #make(seat) {
    const kind = h("select", { class: "pill-kind" });
    kind.append(
      h("option", { value: "me", t: "setup.me" }),
      h("option", { value: "here", t: "setup.here" }),
      h("option", { value: "free", t: "setup.friend" }),
      ...BOTS.map((_, index) => h("option", { value: `bot ${index + 1}` })),
    );
    kind.addEventListener("change", () => {
      const [kindName, level] = kind.value.split(" ");
      seat.kind = /** @type {SeatPill["kind"]} */ (kindName);
      if (level) seat.level = Number(level);
      this.changed();
    });
    const name = h("input", { class: "pill-name", maxlength: 40, autocomplete: "off" });
    name.addEventListener("input", () => {
      seat.name = name.value;
      this.changed();
    });
    const remove = h(
      "button",
      { type: "button", class: "icon-button", onclick: () => this.#onRemove(seat) },
      icon("close"),
    );
    // An invisible dropdown covers the words and says the same thing, so screen readers can skip the words.
    return h(
      "li",
      { class: "pill" },
      kind,
      h("span", { class: "pill-face" }),
      h(
        "span",
        { class: "pill-words" },
        name,
        h("strong", { class: "pill-title", "aria-hidden": "true" }),
        h("span", { class: "pill-about", "aria-hidden": "true" }),
      ),
      remove,
    );
  }

  /** @param {HTMLElement} pill @param {SeatPill} seat @param {number} index */
  #showSeat(pill, seat, index) {
    const [kind, circle, words, remove] = /** @type {[HTMLSelectElement, HTMLElement, HTMLElement, HTMLElement]} */ (
      /** @type {unknown} */ ([...pill.children])
    );
    const [name, title, about] = /** @type {[HTMLInputElement, HTMLElement, HTMLElement]} */ (
      /** @type {unknown} */ ([...words.children])
    );
    const number = { n: index + 1 };
    setLabel(kind, "setup.seat", number);
    setLabel(remove, "setup.remove", number);
    setLabel(name, "setup.name", number);
    for (const option of kind.options) {
      const [kindName, level] = option.value.split(" ");
      if (kindName === "me") option.disabled = this.seats.some((other) => other !== seat && other.kind === "me");
      if (level) option.textContent = t("setup.bot", { name: t(`bot.${BOTS[Number(level) - 1]}`), n: Number(level) });
    }
    kind.value = seat.kind === "bot" ? `bot ${seat.level}` : seat.kind;
    const isNamed = seat.kind === "me" || seat.kind === "here";
    pill.classList.toggle("named", isNamed);
    name.hidden = !isNamed;
    name.placeholder = seat.kind === "me" ? t("join.name") : defaultName(seat, index);
    if (name.value !== seat.name) name.value = seat.name;
    title.hidden = isNamed;
    title.textContent = seat.kind === "bot" ? defaultName(seat, index) : t("setup.friend_short");
    about.textContent = aboutSeat(seat);
    remove.hidden = this.seats.length === 1;
    this.#showFace(circle, seat, index);
  }

  /** @param {HTMLElement} circle @param {SeatPill} seat @param {number} index */
  #showFace(circle, seat, index) {
    const name = seat.name.trim() || defaultName(seat, index);
    const bot = seat.kind === "bot" ? (BOTS[seat.level - 1] ?? null) : null;
    const isPerson = seat.kind === "me" || seat.kind === "here";
    const person = isPerson ? this.#faceButton(seat, index) : null;
    const key = JSON.stringify([seat.kind, bot, isPerson || name]);
    if (circle.dataset.shown === key) return;
    circle.dataset.shown = key;
    circle.replaceChildren(person ?? (seat.kind === "free" ? icon("link") : face({ bot, name })));
  }

  /** The button that lets a person pick a face. @param {SeatPill} seat @param {number} index */
  #faceButton(seat, index) {
    let entry = this.#faceButtons.get(seat.id);
    if (!entry) {
      const currentFace = () => this.#faces[this.seats.indexOf(seat)] ?? "bob";
      const choose = (/** @type {Face} */ face) => {
        if (seat.kind === "me") setMyFace(face);
        else seat.face = face;
        this.changed();
      };
      const label = { key: "setup.face", values: { n: index + 1 } };
      entry = { ...faceButton(currentFace, choose, label), label };
      this.#faceButtons.set(seat.id, entry);
    }
    entry.label.values.n = index + 1;
    entry.show();
    return entry.button;
  }

  #onAdd() {
    const last = this.seats[this.seats.length - 1];
    this.add(last?.kind === "me" ? "bot" : (last?.kind ?? "bot"), "", last?.level);
    this.changed();
    this.#focus(this.seats.length - 1);
  }

  /** @param {SeatPill} seat */
  #onRemove(seat) {
    const index = this.seats.indexOf(seat);
    this.seats.splice(index, 1);
    this.changed();
    this.#focus(Math.min(index, this.seats.length - 1));
  }

  /** Move the focus to where a seat was added or removed. @param {number} index */
  #focus(index) {
    this.list.children[index]?.querySelector("select")?.focus();
  }
}

/** @param {SeatPill} seat @param {number} index */
function defaultName(seat, index) {
  if (seat.kind === "bot") return t(`bot.${BOTS[seat.level - 1]}`);
  if (seat.kind === "free") return t("setup.friend");
  return t("setup.player", { n: index + 1 });
}

/** The small print under a seat's name. @param {SeatPill} seat */
function aboutSeat({ kind, level }) {
  if (kind === "bot") return t("setup.level", { n: level });
  return t(kind === "free" ? "setup.by_link" : `setup.${kind}`);
}
