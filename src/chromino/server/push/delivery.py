"""Hands one message to a push service. Endpoints come from browsers, so they're treated as hostile."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

SERVICES = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
"""The browsers' own services; their subdomains count, too."""

_MAX_ENDPOINT_LENGTH = 1000
_TIMEOUT = 10.0  # Seconds for one whole delivery.
_MAX_HEAD_BYTES = 16 * 1024
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_RETRY_AFTER = re.compile(rb"(?im)^retry-after:[ \t]*(\d{1,6})[ \t]*\r?$")
_OK, _GONE, _TOO_MANY, _THEIR_FAULT = range(200, 300), (404, 410), 429, range(500, 600)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a delivery."""

    kind: Literal["sent", "gone", "later", "refused"]
    """Gone: the browser isn't subscribed anymore. Later: worth another try. Refused: not worth another try."""
    why: str = ""
    after: float = 0.0
    """Seconds that the service wants us to wait."""


class PushServices:
    """The push services that this server sends to."""

    def __init__(self, more: str = "", context: ssl.SSLContext | None = None) -> None:
        """`more` names hosts the operator trusts, separated by commas, each with a port if it isn't 443.

        These hosts may have private addresses, since operators know their own network.
        """
        self._trusted_hosts = {name.strip().lower() for name in more.split(",") if name.strip()}
        for name in self._trusted_hosts:
            if not re.fullmatch(r"[a-z0-9.-]+(:\d{1,5})?", name, re.ASCII):
                raise ValueError(f"name a push service by its host, like push.example.com, not {name!r}")
        self._given_context = context

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """Created only when it's needed, since reading all certificates takes a while."""
        return self._given_context or ssl.create_default_context()

    def allows(self, endpoint: str) -> bool:
        """Are we willing to send messages to this endpoint?"""
        return self._parse(endpoint) is not None

    async def deliver(self, endpoint: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Send one message. This never raises, and never takes long."""
        url = self._parse(endpoint)
        if url is None:
            return Outcome("refused", "not on the list of push services")
        try:
            async with asyncio.timeout(_TIMEOUT):
                address = await self._address(url)
                if address is None:
                    return Outcome("refused", "a private address")
                return await self._post(url, address, body, headers)
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as error:
            return Outcome("later", type(error).__name__)

    def _parse(self, endpoint: str) -> SplitResult | None:
        if len(endpoint) > _MAX_ENDPOINT_LENGTH or not re.fullmatch(r"https://[!-~]+", endpoint):
            return None
        try:
            url = urlsplit(endpoint)
            host, port = (url.hostname or ""), url.port or 443
        except ValueError:
            return None
        if url.username is not None or url.password is not None:
            return None
        if (host if port == 443 else f"{host}:{port}") in self._trusted_hosts:
            return url
        known = any(host == name or host.endswith(f".{name}") for name in SERVICES)
        return url if known and port == 443 else None

    async def _address(self, url: SplitResult) -> str | None:
        """The address to connect to. It's looked up only once, so the name can't lead elsewhere after the check."""
        host, port = url.hostname or "", url.port or 443
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in infos]
        if (host if port == 443 else f"{host}:{port}") in self._trusted_hosts:
            return addresses[0]
        return next((address for address in addresses if ip_address(address).is_global), None)

    async def _post(self, url: SplitResult, address: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        host, port = url.hostname or "", url.port or 443
        reader, writer = await asyncio.open_connection(
            address, port, ssl=self._context, server_hostname=host, limit=_MAX_HEAD_BYTES
        )
        try:
            path = (url.path or "/") + (f"?{url.query}" if url.query else "")
            sent = {"Host": url.netloc, "Content-Length": str(len(body)), "Connection": "close", **headers}
            lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
            writer.write(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
            await writer.drain()
            return _outcome(await reader.readuntil(b"\r\n\r\n"))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _outcome(head: bytes) -> Outcome:
    """What the first lines of a response mean; the rest isn't read."""
    line = _STATUS.match(head)
    if line is None:
        return Outcome("later", "not an HTTP response")
    status = int(line[1])
    if status in _OK:
        return Outcome("sent")
    if status in _GONE:
        return Outcome("gone", str(status))
    if status == _TOO_MANY or status in _THEIR_FAULT:
        wait = _RETRY_AFTER.search(head)
        return Outcome("later", str(status), float(wait[1]) if wait else 0.0)
    return Outcome("refused", str(status))
