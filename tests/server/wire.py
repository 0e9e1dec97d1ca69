"""A browser's side of the wire for crowds: sockets and calls that cost little, many in one process.

Nothing here knows the game. `serving.py` has the client for tests that follow one person.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from chromino.server.people.identity import COOKIE

HOST = "127.0.0.1"

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_LAST = 0x80  # A frame that ends a message; all frames of the server do.
_MASK = bytes(4)  # A client must mask. Zeros do, and leave the content as it is.
_LOST = 1006  # The code of a connection that ended without one.
_COOKIE = re.compile(rb"(?i)set-cookie: *" + COOKIE.encode() + rb"=([^;\r]*)")
_LENGTH = re.compile(rb"(?i)content-length: *(\d+)")


class Lost(ConnectionError):
    """The other end is gone."""


class Socket(asyncio.Protocol):
    """A WebSocket: `on_text` gets each message, `on_open` and `on_close` are called once at most."""

    def __init__(
        self,
        request: bytes,
        on_text: Callable[[bytes], None],
        on_close: Callable[[int], None],
        on_open: Callable[[Socket], None] = lambda _socket: None,
    ) -> None:
        self._request = request
        self._on_text = on_text
        self._on_close = on_close
        self._on_open = on_open
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._is_open = False
        self._closed = asyncio.Event()
        self._code = _LOST

    @classmethod
    async def open(
        cls,
        port: int,
        path: str,
        secret: str | None,
        on_text: Callable[[bytes], None],
        on_close: Callable[[int], None],
        on_open: Callable[[Socket], None] = lambda _socket: None,
    ) -> Socket:
        """Connect; an `OSError` if nobody listens."""
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nOrigin: http://{HOST}:{port}\r\n"
            f"{_cookie(secret)}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(
            lambda: cls(request.encode(), on_text, on_close, on_open), host=HOST, port=port
        )
        return socket

    @property
    def is_open(self) -> bool:
        return self._is_open

    def send(self, text: bytes) -> None:
        self._send(_TEXT, text)

    def close(self) -> None:
        """Say good-bye; nothing that comes after it is heard."""
        self._on_text = lambda _text: None
        self._on_close = lambda _code: None
        if self._is_open:
            self._send(_CLOSE, (1000).to_bytes(2, "big"))
        self.transport.close()

    async def closed(self) -> None:
        """Returns when the connection has ended."""
        await self._closed.wait()

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport is not None
        return self._transport

    def _send(self, kind: int, content: bytes) -> None:
        size = len(content)
        head = (
            bytes((_LAST | kind, _LAST | size)) if size < 126 else bytes((_LAST | kind, 254)) + size.to_bytes(2, "big")
        )
        self.transport.write(head + _MASK + content)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # That of uvloop says nothing of its kind.
        self._transport.write(self._request)

    def connection_lost(self, _error: Exception | None) -> None:
        self._is_open = False
        self._closed.set()
        self._on_close(self._code)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        if not self._is_open:
            head, gap, data = data.partition(b"\r\n\r\n")
            if not gap:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self.transport.abort()
                return
            self._is_open = True
            self._on_open(self)
        at = 0
        while (frame := _frame(data, at)) is not None:
            kind, begin, at = frame
            self._receive(kind, data[begin:at])
        self._rest = data[at:]

    def _receive(self, kind: int, content: bytes) -> None:
        if kind == _TEXT:
            self._on_text(content)
        elif kind == _PING:
            self._send(_PONG, content)
        elif kind == _CLOSE:
            self._code = int.from_bytes(content[:2], "big") if content else _LOST
            self.transport.close()


def _frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """The kind of the frame that begins here, and where its content begins and ends; None if it is not whole."""
    if len(data) < at + 2:
        return None
    size, begin = data[at + 1], at + 2
    if size >= 126:
        width = 2 if size == 126 else 8
        size, begin = int.from_bytes(data[begin : begin + width], "big"), begin + width
        if len(data) < begin:
            return None
    return None if len(data) < begin + size else (data[at] & 0x0F, begin, begin + size)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back over HTTP."""

    status: int
    content: bytes
    secret: str | None
    """The identity, if this gave one."""

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class Caller:
    """Calls over a few connections that are kept open."""

    def __init__(self, port: int, connections: int = 16) -> None:
        self._port = port
        self._free: asyncio.LifoQueue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = asyncio.LifoQueue()
        for _ in range(connections):
            self._free.put_nowait(None)

    async def call(self, method: str, path: str, body: object = None, secret: str | None = None) -> Reply:
        """Ask; `Lost` if there is no answer, and then nobody knows whether it was done."""
        content = b"" if body is None else json.dumps(body).encode()
        connection = await self._free.get()
        kept = None
        try:
            if connection is not None and connection[0].at_eof():  # The server closes what is not used for a while.
                connection[1].close()
                connection = None
            if connection is None:
                connection = await asyncio.open_connection(HOST, self._port)
            reader, writer = connection
            head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self._port}\r\n{_cookie(secret)}"
            writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(answer)
            reply = await reader.readexactly(int(length[1]) if length else 0)
            kept = connection
        except (OSError, EOFError) as error:
            raise Lost(str(error)) from None
        finally:
            if kept is None and connection is not None:
                connection[1].transport.abort()
            self._free.put_nowait(kept)
        given = _COOKIE.search(answer)
        return Reply(int(answer[9:12]), reply, given[1].decode() if given else None)

    async def close(self) -> None:
        """Hang up."""
        while not self._free.empty():
            if connection := self._free.get_nowait():
                connection[1].close()
                with suppress(OSError):  # It may have been lost before.
                    await connection[1].wait_closed()


def _cookie(secret: str | None) -> str:
    return "" if secret is None else f"Cookie: {COOKIE}={secret}\r\n"
