/** The WebSocket of one game: it comes back by itself, and what was not answered is sent again under the same id. */

import { ApiError } from "./api.js";

const SLOWEST = 5000; // Milliseconds between two tries, at most; also how long an answer may take.

/** @typedef {import("./types.js").State} State */

/**
 * Fires "state" (detail: State), "online", "offline", and "gone" (detail: a code) if there is no way back.
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
    this.closed = false;
    this.version = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onOffline = () => this.socket?.close();
    this.onOnline = () => this.open();
    addEventListener("offline", this.onOffline);
    addEventListener("online", this.onOnline);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.closed || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(this.game)}/play`);
    this.socket = socket;
    socket.onopen = () => {
      for (const { text } of this.waiting.values()) socket.send(text);
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (this.closed || socket !== this.socket) return;
      if (code >= 4400 && code < 4500) return this.close(); // Said before in words.
      this.dispatchEvent(new Event("offline"));
      this.tries += 1;
      this.timer = setTimeout(() => this.open(), Math.min(SLOWEST, 200 * 2 ** this.tries) * (0.7 + Math.random() * 0.3));
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
    const asked = this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      if (message.type === "refused") asked.reject(new Refused(message));
      else asked.resolve(message);
    } else if (message.type === "refused" && message.id === null) {
      this.dispatchEvent(new CustomEvent("gone", { detail: message.code }));
    }
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
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
      // A connection that died without a word is found out by the silence.
      setTimeout(() => this.waiting.has(id) && this.socket?.close(), SLOWEST);
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("offline", this.onOffline);
    removeEventListener("online", this.onOnline);
    this.socket?.close();
  }
}

/** What the server did not do, and why. */
export class Refused extends ApiError {
  /** @param {{code: string, text: string, refusal: import("./types.js").Refusal | null}} message */
  constructor({ code, text, refusal }) {
    super(code, text);
    this.refusal = refusal;
  }
}

function newId() {
  // Not `randomUUID`, which browsers have on secure pages only: a server in the living room has no certificate.
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
