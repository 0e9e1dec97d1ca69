/** The connection to one game. Requests without an answer are sent again under the same id. */

import { ApiError } from "./api.js";
import { LiveSocket } from "./live_socket.js";

const SILENCE = 10_000; // Milliseconds that an answer may take.

/** @type {Record<number, string>} Codes with which the server closes a socket for good, and what they mean. */
const GONE = { 4403: "not-your-game", 4404: "no-such-game", 4500: "broken-game" };

const REFUSED = 4400; // From this code on, the server has said why it closes the socket.

/**
 * Fires "state" (detail: State), "said" (detail: seat and phrase), "online", "offline" (detail: the code of why the server
 * refuses us for now, or null), and "gone" (detail: a code) if the game can't be opened.
 */
export class Connection extends EventTarget {
  /** @type {Map<string, {text: string, resolve: (answer: any) => void, reject: (error: Refused) => void}>} */
  #waiting = new Map();
  /** @type {string | null} The code of the server's last refusal to connect. */
  #refused = null;
  #version = -1;

  /** @param {string} game @param {AbortSignal} signal aborts when it should close */
  constructor(game, signal) {
    super();
    const listener = {
      receive: (/** @type {any} */ message) => this.#receive(message),
      opened: () => this.#sendAgain(),
      lost: (/** @type {number} */ code) => this.#lost(code),
    };
    this.socket = new LiveSocket(`/api/games/${encodeURIComponent(game)}/play`, listener, signal);
  }

  /**
   * Send a request. Without a connection, it's sent when there is one again.
   * @param {Record<string, unknown>} message @returns {Promise<any>}
   */
  ask(message) {
    const id = newId();
    const text = JSON.stringify({ ...message, id });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { text, resolve, reject });
      this.#send(id, text);
    });
  }

  /** Send a request, and reconnect if the server stays silent. @param {string} id @param {string} text */
  #send(id, text) {
    const drop = this.socket.send(text);
    if (drop) setTimeout(() => this.#waiting.has(id) && drop(), SILENCE);
  }

  #sendAgain() {
    for (const [id, { text }] of this.#waiting) this.#send(id, text);
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === "state") return this.#receiveState(message);
    if (message.type === "said") return this.#tell("said", message);
    if (message.type === "refused" && message.id === null) this.#refused = message.code;
    const asked = this.#waiting.get(message.id);
    if (!asked) return;
    this.#waiting.delete(message.id);
    if (message.type === "refused") asked.reject(new Refused(message));
    else asked.resolve(message);
  }

  /** @param {import("../types.js").State} state */
  #receiveState(state) {
    this.socket.resetTries();
    this.#tell("online");
    if (state.version < this.#version) return; // A newer one came first.
    this.#version = state.version;
    this.#tell("state", state);
  }

  /** @param {number} code */
  #lost(code) {
    const gone = GONE[code] && (this.#refused === "signed-out" ? this.#refused : GONE[code]);
    if (gone) this.#tell("gone", gone);
    else this.#tell("offline", code >= REFUSED ? this.#refused : null);
    return !gone;
  }

  /** @param {string} type @param {unknown} [detail] */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** A refusal by the server. */
export class Refused extends ApiError {
  /** @param {{code: string, text: string, refusal: import("../types.js").Refusal | null}} message */
  constructor({ code, text, refusal }) {
    super(code, text);
    this.refusal = refusal;
  }
}

function newId() {
  // Not `randomUUID`, which browsers have on secure pages only: a server in the living room has no certificate.
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
