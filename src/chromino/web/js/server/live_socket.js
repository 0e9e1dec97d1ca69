/** A WebSocket that reconnects until the page is closed. */

const MAX_PAUSE = 5000; // Milliseconds between attempts.

/**
 * @typedef {object} Listener
 * @property {(message: any) => void} receive called with each message from the server
 * @property {() => void} [opened] called when a connection has been opened
 * @property {(code: number) => boolean} [lost] called when a connection is lost; returns whether to reconnect
 */

export class LiveSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  /** How many connections in a row have failed. */
  #failures = 0;

  /** @param {string} path @param {Listener} listener @param {AbortSignal} signal aborts when the socket should close */
  constructor(path, listener, signal) {
    this.path = path;
    this.listener = listener;
    this.signal = signal;
    addEventListener("offline", () => this.restart(), { signal });
    addEventListener("online", () => this.#open(), { signal });
    document.addEventListener("visibilitychange", () => this.#open(), { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      this.#socket?.close();
    });
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    if (this.signal.aborted || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.#socket = socket;
    socket.onopen = () => this.listener.opened?.();
    socket.onmessage = ({ data }) => this.listener.receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (this.signal.aborted || socket !== this.#socket || this.listener.lost?.(code) === false) return;
      this.#failures += 1;
      this.#timer = setTimeout(() => this.#open(), pauseBefore(this.#failures));
    };
  }

  /** This connection works, so start over with short pauses the next time one is lost. */
  resetFailures() {
    this.#failures = 0;
  }

  /** Close this connection, so that a new one is opened. */
  restart() {
    this.#socket?.close();
  }

  /**
   * Send text, if there's a connection.
   * @param {string} text
   * @returns {(() => void) | null} a function that closes this connection, unless there's a newer one; null if nothing
   * was sent
   */
  send(text) {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return null;
    socket.send(text);
    return () => socket === this.#socket && socket.close();
  }
}

/**
 * Milliseconds to wait before the next try. The pauses grow, and they're random, so that clients don't all return to a
 * restarted server at once.
 * @param {number} failures how many attempts have failed @param {number} [chance] a random number from 0 to 1
 */
export function pauseBefore(failures, chance = Math.random()) {
  return Math.min(MAX_PAUSE, 200 * 2 ** failures) * (0.7 + chance * 0.3);
}
