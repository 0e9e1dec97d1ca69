/** A WebSocket that reconnects until the page is closed. */

const SLOWEST = 5000; // Milliseconds between two tries, at most.

/**
 * @typedef {object} Listener
 * @property {(message: any) => void} receive what the server sent
 * @property {() => void} [opened] the connection is back
 * @property {(code: number) => boolean} [lost] the connection is gone; is it worth another try?
 */

export class LiveSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  /** Lost connections since the last good one. */
  #tries = 0;

  /** @param {string} path @param {Listener} listener @param {AbortSignal} signal aborts when it should close */
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
      this.#tries += 1;
      this.#timer = setTimeout(() => this.#open(), pauseBefore(this.#tries));
    };
  }

  /** The connection works: start over with short pauses. */
  resetTries() {
    this.#tries = 0;
  }

  /** Close this connection, so that a new one is opened. */
  restart() {
    this.#socket?.close();
  }

  /**
   * Send, if there's a connection.
   * @param {string} text
   * @returns {(() => void) | null} closes its connection, if that's still in use
   */
  send(text) {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return null;
    socket.send(text);
    return () => socket === this.#socket && socket.close();
  }
}

/**
 * Milliseconds to wait, longer after each try, and random, so clients don't all return to a restarted server at once.
 * @param {number} tries how many failed @param {number} [chance] from 0 to 1
 */
export function pauseBefore(tries, chance = Math.random()) {
  return Math.min(SLOWEST, 200 * 2 ** tries) * (0.7 + chance * 0.3);
}
