"""Limits on each connection, for which uvicorn has no settings.

A request must arrive in time, and its head must have a reasonable size. We stop sending to clients that
don't read what we send.
"""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from chromino.server.http.connections import Connections, TrustedProxies

_MAX_HEAD_BYTES = 16 * 1024  # Everything before the body.
_MAX_MESSAGE_BYTES = 16 * 1024


class Config(uvicorn.Config):
    """uvicorn's settings for this server."""

    def __init__(
        self, app: Any, proxies: TrustedProxies, slow_seconds: int, *, files: int, by_address: bool, **more: Any
    ) -> None:
        super().__init__(
            app,
            lifespan="on",
            http=Http,
            ws=Socket,
            ws_per_message_deflate=False,
            ws_max_size=_MAX_MESSAGE_BYTES,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=str(proxies),
            timeout_graceful_shutdown=2,
            **more,
        )
        self.slow_seconds = slow_seconds
        """Clients that take longer than this to send a request are disconnected."""
        self.connections = Connections(files, proxies, by_address=by_address)


class Http(HttpToolsProtocol):
    """An HTTP connection that limits how long requests take to arrive, and how large their heads are."""

    config: Config
    _head_bytes = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.config.connections.enter(self, self.client[0] if self.client else ""):
            self._start_timer()
        else:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.config.connections.note_request(self)
        self.config.connections.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > _MAX_HEAD_BYTES and not self.transport.is_closing():  # The head hasn't ended yet.
            self.send_400_response("This request's head is too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start_timer()

    def on_headers_complete(self) -> None:
        self._head_bytes = 0
        self.config.connections.note_request(self)
        if any(name.lower() == b"x-forwarded-for" for name, _ in self.headers):
            self.config.connections.note_proxy(self.client[0] if self.client else "")
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > _MAX_HEAD_BYTES:
            raise ValueError("the head is too long")  # Answered with 400, like anything malformed.
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.config.slow_seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket. Pings from clients that don't read aren't answered, or the answers would pile up."""

    config: Config

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self.transport)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        """Send text ourselves: nearly all messages are text, and uvicorn and websockets take four times as long.

        Those two still handle everything else, and text if the connection isn't open and writable.
        """
        if message["type"] == "websocket.send" and self.conn.state is State.OPEN and self.writable.is_set():
            text = message.get("text")
            if text is not None and not self.close_sent and not self.disconnected:
                self.transport.write(_text_frame(text.encode()))
                return
        await super().send(message)

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # Drop the pong that was already prepared.


def _text_frame(content: bytes) -> bytes:
    """Text as a single frame (RFC 6455): final, unmasked, with its length in one, three or nine bytes."""
    length = len(content)
    if length < 126:
        return bytes((0x81, length)) + content
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2) + content
    return b"\x81\x7f" + length.to_bytes(8) + content
