"""Hands one message to a push service. Endpoints come from browsers, so they're treated as hostile."""

from __future__ import annotations

import asyncio
import re
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

_LONGEST = 1000
_SECONDS = 10.0  # Seconds for one whole delivery.
_MAX_HEAD = 16 * 1024
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_RETRY_AFTER = re.compile(rb"(?im)^retry-after:[ \t]*(\d{1,6})[ \t]*\r?$")
_OK, _GONE, _TOO_MANY, _THEIR_FAULT = range(200, 300), (404, 410), 429, range(500, 600)

Kind = Literal["sent", "gone", "later", "refused"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a delivery."""

    kind: Kind
    """Gone: the browser isn't subscribed anymore. Later: worth another try. Refused: not worth another try."""
    why: str = ""
    after: float = 0.0
    """Seconds the service wants us to wait."""


class PushServices:
    """Push services this server sends to."""

    def __init__(self, more: str = "", context: ssl.SSLContext | None = None) -> None:
        """`more` names hosts the operator trusts, separated by commas, each with a port if it isn't 443.

        These hosts may have private addresses, since operators know their own network.
        """
        self._named = {name.strip().lower() for name in more.split(",") if name.strip()}
        for name in self._named:
            if not re.fullmatch(r"[a-z0-9.-]+(:\d{1,5})?", name, re.ASCII):
                raise ValueError(f"a push service is named by its host, like push.example.com, not {name!r}")
        self._given = context

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """Created only when it's needed, since reading all certificates takes a while."""
        return self._given or ssl.create_default_context()

    def allows(self, endpoint: str) -> bool:
        """Are we willing to send messages to this endpoint?"""
        return self._find(endpoint) is not None

    async def deliver(self, endpoint: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Send one message; never raises, and never takes long."""
        to = self._find(endpoint)
        if to is None:
            return Outcome("refused", "not on the list of push services")
        try:
            async with asyncio.timeout(_SECONDS):
                address = await self._address(to)
                if address is None:
                    return Outcome("refused", "a private address")
                return await self._post(to, address, body, headers)
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as error:
            return Outcome("later", type(error).__name__)

    def _find(self, endpoint: str) -> SplitResult | None:
        if len(endpoint) > _LONGEST or not re.fullmatch(r"https://[!-~]+", endpoint):
            return None
        try:
            to = urlsplit(endpoint)
            host, port = (to.hostname or ""), to.port or 443
        except ValueError:
            return None
        if to.username is not None or to.password is not None:
            return None
        if (host if port == 443 else f"{host}:{port}") in self._named:
            return to
        known = any(host == name or host.endswith(f".{name}") for name in SERVICES)
        return to if known and port == 443 else None

    async def _address(self, to: SplitResult) -> str | None:
        """The address to connect to. It's looked up only once, so the name can't lead elsewhere after the check."""
        host, port = to.hostname or "", to.port or 443
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)  # TCP.
        addresses = [str(each[4][0]) for each in found]
        if (host if port == 443 else f"{host}:{port}") in self._named:
            return addresses[0]
        return next((address for address in addresses if ip_address(address).is_global), None)

    async def _post(self, to: SplitResult, address: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        host, port = to.hostname or "", to.port or 443
        reader, writer = await asyncio.open_connection(
            address, port, ssl=self._context, server_hostname=host, limit=_MAX_HEAD
        )
        try:
            path = (to.path or "/") + (f"?{to.query}" if to.query else "")
            sent = {"Host": to.netloc, "Content-Length": str(len(body)), "Connection": "close", **headers}
            lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
            writer.write(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
            await writer.drain()
            return _outcome(await reader.readuntil(b"\r\n\r\n"))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _outcome(head: bytes) -> Outcome:
    """What the first lines of an answer mean; the rest isn't read."""
    found = _STATUS.match(head)
    if found is None:
        return Outcome("later", "not an answer")
    status = int(found[1])
    if status in _OK:
        return Outcome("sent")
    if status in _GONE:
        return Outcome("gone", str(status))
    if status == _TOO_MANY or status in _THEIR_FAULT:
        wait = _RETRY_AFTER.search(head)
        return Outcome("later", str(status), float(wait[1]) if wait else 0.0)
    return Outcome("refused", str(status))
