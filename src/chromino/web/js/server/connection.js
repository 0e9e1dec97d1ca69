/** The connection to a game. After a reconnect, unanswered requests are sent again with the same ids. */

import { ApiError } from "./api.js";
import { LiveSocket } from "./live_socket.js";

/** @typedef {import("../types.js").Sockets["/api/games/{game}/play"]} Messages */
/** @typedef {Messages["gets"]} Message */
/** @typedef {Exclude<Message, {type: "state" | "said" | "refused"}>} Answer */
/**
 * A request without its id.
 * @template {Messages["sends"]} [Request=Messages["sends"]]
 * @typedef {Request extends unknown ? Omit<Request, "id"> : never} NewRequest
 */

const MAX_WAIT = 10_000; // Milliseconds to wait for an answer.

/** @type {Record<number, string>} Close codes of sockets that can't be opened again, and what they mean. */
const FINAL_CODES = { 4403: "not-your-game", 4404: "no-such-game", 4500: "broken-game" };

const MIN_REFUSAL_CODE = 4400; // From this close code up, the server has said why.

/**
 * Fires "state" (detail: State), "said" (detail: seat and phrase), "online", "offline" (detail: a code that says why
 * the server is refusing us for now, or null), and "gone" (detail: a code) if the game can't be opened.
 */
export class Connection extends EventTarget {
  /** @type {Map<string, {text: string, resolve: (answer: Answer) => void, reject: (error: Refused) => void}>} */
  #waiting = new Map();
  /** @type {string | null} Why the server last refused a connection: a code. */
  #refused = null;
  #version = -1;

  /** @param {string} game @param {AbortSignal} signal aborts when the connection should close */
  constructor(game, signal) {
    super();
    const listener = {
      receive: (/** @type {Message} */ message) => this.#receive(message),
      opened: () => this.#sendAgain(),
      lost: (/** @type {number} */ code) => this.#lost(code),
    };
    this.socket = new LiveSocket(`/api/games/${encodeURIComponent(game)}/play`, listener, signal);
  }

  /**
   * Send a request. If we're offline, it's sent once we're connected again.
   * @param {NewRequest} message @returns {Promise<Answer>}
   */
  ask(message) {
    const id = newId();
    const text = JSON.stringify({ ...message, id });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { text, resolve, reject });
      this.#send(id, text);
    });
  }

  /** Send a request, and reconnect if the server doesn't answer. @param {string} id @param {string} text */
  #send(id, text) {
    const disconnect = this.socket.send(text);
    if (disconnect) setTimeout(() => this.#waiting.has(id) && disconnect(), MAX_WAIT);
  }

  #sendAgain() {
    for (const [id, { text }] of this.#waiting) this.#send(id, text);
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.type === "state") return this.#receiveState(message);
    if (message.type === "said") return this.#fire("said", message);
    if (message.type === "refused" && message.id === null) this.#refused = message.code;
    const id = message.id ?? "";
    const request = this.#waiting.get(id);
    if (!request) return;
    this.#waiting.delete(id);
    if (message.type === "refused") request.reject(new Refused(message));
    else request.resolve(message);
  }

  /** @param {import("../types.js").State} state */
  #receiveState(state) {
    this.socket.resetFailures();
    this.#fire("online");
    if (state.version < this.#version) return; // A newer state came first.
    this.#version = state.version;
    this.#fire("state", state);
  }

  /** @param {number} code */
  #lost(code) {
    const gone = FINAL_CODES[code] && (this.#refused === "signed-out" ? this.#refused : FINAL_CODES[code]);
    if (gone) this.#fire("gone", gone);
    else this.#fire("offline", code >= MIN_REFUSAL_CODE ? this.#refused : null);
    return !gone;
  }

  /** @param {string} type @param {unknown} [detail] */
  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** A refusal by the server. */
export class Refused extends ApiError {
  /** @param {import("../types.js").Refused} message */
  constructor({ code, text, refusal }) {
    super(code, text);
    this.refusal = refusal;
  }
}

function newId() {
  // Browsers offer `randomUUID` only on secure pages, and a server in your living room has no certificate.
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
