/** The browser's side of a connection: `WebSocket`, the address, and network events. The test plays the server. */

export class FakeSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  /** @type {FakeSocket} The socket that was opened last. */
  static last;

  readyState = FakeSocket.CONNECTING;
  /** @type {string[]} */
  sent = [];

  /** @param {string} url */
  constructor(url) {
    this.url = url;
    FakeSocket.last = this;
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(text);
  }

  close() {
    this.readyState = FakeSocket.CLOSED;
  }

  // What the server does.

  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  /** @param {unknown} message */
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  /** @param {number} code */
  lose(code) {
    this.readyState = FakeSocket.CLOSED;
    this.onclose({ code });
  }
}

const network = new EventTarget();
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  location: { protocol: "http:", host: "game.test" },
  document: new EventTarget(),
  addEventListener: network.addEventListener.bind(network),
  dispatchEvent: network.dispatchEvent.bind(network),
});
