/** The WebSocket of one game: it comes back by itself, and what was not answered is sent again under the same id. */

import { ApiError } from "./api.js";

const SLOWEST = 5000; // Milliseconds between two tries, at most.
const SILENCE = 10_000; // How long an answer may take.

/** @type {Record<number, string>} Codes with which the server closes a socket for good, and what they mean. */
const GONE = { 4403: "not-your-game", 4404: "no-such-game", 4500: "broken-game" };

const REFUSED = 4400; // From here on, the server said why it closes a socket.

/** @typedef {import("../types.js").State} State */

/**
 * Fires "state" (detail: State), "said" (detail: seat and phrase), "online", "offline" (detail: the code of why the server refuses us for
 * now, or null), and "gone" (detail: a code) if there is no way back.
 */
export class Connection extends EventTarget {
  /** @param {string} game */
  constructor(game) {
    super();
    this.game = game;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, {text: string, resolve: (answer: any) => void, reject: (error: Refused) => void}>} */
    this.waiting = new Map();
    this.tries = 0;
    /** @type {string | null} The code of what the server last refused without being asked for it: to have us here. */
    this.refused = null;
    this.closed = false;
    this.version = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onOffline = () => this.socket?.close();
    this.onOnline = () => this.open();
    addEventListener("offline", this.onOffline);
    addEventListener("online", this.onOnline);
    document.addEventListener("visibilitychange", this.onOnline);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.closed || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(this.game)}/play`);
    this.socket = socket;
    socket.onopen = () => {
      for (const [id, { text }] of this.waiting) this.send(socket, id, text);
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (this.closed || socket !== this.socket) return;
      if (code in GONE) return this.dispatchEvent(new CustomEvent("gone", { detail: GONE[code] }));
      this.dispatchEvent(new CustomEvent("offline", { detail: code >= REFUSED ? this.refused : null }));
      this.tries += 1;
      this.timer = setTimeout(() => this.open(), pauseBefore(this.tries));
    };
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "state") {
      this.tries = 0;
      this.dispatchEvent(new Event("online"));
      if (message.version < this.version) return; // Overtaken by a newer one.
      this.version = message.version;
      this.dispatchEvent(new CustomEvent("state", { detail: message }));
      return;
    }
    if (message.type === "said") {
      this.dispatchEvent(new CustomEvent("said", { detail: message }));
      return;
    }
    if (message.type === "refused" && message.id === null) this.refused = message.code;
    const asked = this.waiting.get(message.id);
    if (!asked) return;
    this.waiting.delete(message.id);
    if (message.type === "refused") asked.reject(new Refused(message));
    else asked.resolve(message);
  }

  /**
   * Ask for something; the answer comes when there is a connection again, if there is none now.
   * @param {Record<string, unknown>} message @returns {Promise<any>}
   */
  ask(message) {
    const id = newId();
    const text = JSON.stringify({ ...message, id });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { text, resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.send(this.socket, id, text);
    });
  }

  /** Send; a connection that died without a word is found out by its silence. @param {WebSocket} socket @param {string} id @param {string} text */
  send(socket, id, text) {
    socket.send(text);
    setTimeout(() => this.waiting.has(id) && socket === this.socket && socket.close(), SILENCE);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("offline", this.onOffline);
    removeEventListener("online", this.onOnline);
    document.removeEventListener("visibilitychange", this.onOnline);
    this.socket?.close();
  }
}

/**
 * Milliseconds to wait, longer after each try; not the same for all, who would come back at once to a server that has just started.
 * @param {number} tries that were in vain @param {number} [chance] from 0 to 1
 */
export function pauseBefore(tries, chance = Math.random()) {
  return Math.min(SLOWEST, 200 * 2 ** tries) * (0.7 + chance * 0.3);
}

/** What the server did not do, and why. */
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
