"""HTTP requests to one site. Nothing here depends on the game."""

from __future__ import annotations

import asyncio
import json
import ssl
from asyncio import StreamReader, StreamWriter
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPMessage
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httptools

_CHUNK_BYTES = 65536  # How much to read at once.
_MAX_IDLE = 2.0  # Seconds. Servers close idle connections, and a request sent at that very moment would be lost.
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer to a request."""

    status: int
    headers: HTTPMessage
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def refused(self) -> tuple[int, str]:
        """The status and code of a refusal."""
        return self.status, self.json["code"]


class Http:
    """A small HTTP client for one site: `await Http("http://localhost:8075").request("GET", "/api/games")`.

    Redirects aren't followed, since an identity is for one site only. Many clients can share one `Http`, which opens
    up to `connections` connections at once and, with `keep_alive`, leaves them open between requests.
    """

    def __init__(
        self,
        site: str,
        *,
        connections: int = 4,
        keep_alive: bool = False,
        timeout: float = 10.0,
        local_address: str | None = None,
    ) -> None:
        self.site = site.rstrip("/")
        self.timeout = timeout
        """Seconds to wait for an answer."""
        self._url = urlsplit(self.site)
        self.host = self._url.hostname or ""
        self._proxy = _proxy_for(self._url)
        self._proxy_headers = _proxy_headers(self._proxy) if self._proxy else {}
        self._local_address = (local_address, 0) if local_address else None  # The address to connect from.
        self._slots = asyncio.Semaphore(connections)
        self._keep_alive = keep_alive
        self._idle: list[tuple[StreamReader, StreamWriter, float]] = []  # And since when they've been idle.

    async def request(
        self, method: str, path: str, content: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request.

        Raises `OSError` or `EOFError` if there's no complete answer, or `HttpParserError` if it isn't HTTP. The server
        may still have acted on the request.
        """
        target, all_headers = path, {"Host": self._url.netloc, "Content-Length": str(len(content)), **(headers or {})}
        if self._proxy and self._url.scheme == "http":
            target, all_headers = self.site + path, {**all_headers, **self._proxy_headers}
        async with self._slots, asyncio.timeout(self.timeout):
            connection = self._take() or await self._open()
            is_reusable = False
            try:
                connection[1].write(_head(f"{method} {target}", all_headers) + content)
                response = await _Response.read(connection[0], has_body=method != "HEAD")
                is_reusable = self._keep_alive and response.can_stay_open
            finally:
                if is_reusable:
                    self._idle.append((*connection, monotonic()))
                else:
                    connection[1].transport.abort()
        return Answer(response.parser.get_status_code(), response.headers, bytes(response.content))

    async def close(self) -> None:
        """Close all connections."""
        for _, writer, _ in self._idle:
            writer.close()
            with suppress(OSError):  # The connection may already be closed.
                await writer.wait_closed()
        self._idle.clear()

    def _take(self) -> tuple[StreamReader, StreamWriter] | None:
        while self._idle:
            reader, writer, since = self._idle.pop()
            if monotonic() - since < _MAX_IDLE and not reader.at_eof():
                return reader, writer
            writer.close()
        return None

    async def _open(self) -> tuple[StreamReader, StreamWriter]:
        secure = ssl.create_default_context() if self._url.scheme == "https" else None
        port = self._url.port or _PORTS[self._url.scheme]
        if self._proxy is None:
            return await asyncio.open_connection(self.host, port, ssl=secure, local_addr=self._local_address)
        reader, writer = await asyncio.open_connection(self._proxy.hostname, self._proxy.port or 80)
        try:
            if secure is not None:
                target = f"{self.host}:{port}"
                writer.write(_head(f"CONNECT {target}", {"Host": target, **self._proxy_headers}))
                if b" 200 " not in (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")[0]:
                    raise OSError("the proxy refused the connection")
                await writer.start_tls(secure, server_hostname=self.host)
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer


class _Response:
    """Collects a response piece by piece, as the parser reads it."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.headers = HTTPMessage()
        self.content = bytearray()
        self.has_head = self.is_complete = self.can_stay_open = False

    @classmethod
    async def read(cls, reader: StreamReader, *, has_body: bool) -> _Response:
        response = cls()
        while not (response.is_complete or (response.has_head and not has_body)):
            data = await reader.read(_CHUNK_BYTES)
            if not data:
                names = set(map(str.lower, response.headers))
                if response.has_head and not {"content-length", "transfer-encoding"} & names:
                    break  # The body lasts until the connection closes.
                raise EOFError("the connection was closed before the answer was complete")
            response.parser.feed_data(data)
        return response

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1")] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.has_head = True

    def on_body(self, part: bytes) -> None:
        self.content += part

    def on_message_complete(self) -> None:
        self.is_complete = True
        self.can_stay_open = self.parser.should_keep_alive()


def _head(request: str, headers: Mapping[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{request} HTTP/1.1\r\n{lines}\r\n".encode()


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    credentials = f"{unquote(proxy.username or '')}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(credentials.encode()).decode()}"} if proxy.username else {}


def _proxy_for(site: SplitResult) -> SplitResult | None:
    """The proxy for this site, from the environment. Requests to this machine don't use a proxy."""
    if is_loopback(site.hostname or "") or proxy_bypass(site.hostname or ""):
        return None
    proxy = getproxies().get(site.scheme)
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}") if proxy else None


def is_loopback(host: str) -> bool:
    """Is this "localhost" or a loopback address?"""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
