"""Open connections: how many this process can hold, and how many one address may have."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Protocol

from chromino.server.http.limits import network
from chromino.server.operating.metrics import CONNECTIONS, REFUSED_CONNECTIONS

_RESERVE = 100  # Open files to keep for the database, the page and helpers.
_MAX_PER_ADDRESS = 1500  # A whole school can share one address.
_SHARE = 4  # No address may hold more than a quarter of all connections.
_LOG_SECONDS = 60.0  # Between log lines, so that a flood doesn't fill the log.
_UNLIMITED = 1_000_000

log = logging.getLogger(__name__)


class NewConnection(Protocol):
    """A connection that hasn't sent a request yet."""

    transport: asyncio.Transport


class Connections:
    """All connections of this process. When there are too many, the oldest one without a request makes room."""

    def __init__(self, files: int, proxies: TrustedProxies, *, by_address: bool) -> None:
        self._limit = max(1, files - _RESERVE)
        self._limit_per_address = min(_MAX_PER_ADDRESS, max(1, self._limit // _SHARE))
        self._proxies = proxies
        self._by_address = by_address
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[NewConnection, None] = {}
        self._has_warned = False
        self._next_line = dict.fromkeys(("address", "all"), 0.0)

    def enter(self, connection: NewConnection, address: str) -> bool:
        """Register a connection. Returns False if it must be rejected."""
        key = network(address)
        if self._by_address and address not in self._proxies and self._counts[key] >= self._limit_per_address:
            self._refuse("address", f"one address has reached its limit of {self._limit_per_address} connections")
            return False
        if len(self._addresses) >= self._limit:
            self._refuse(
                "all", f"all {self._limit} connections are in use: raise the limit on open files (LimitNOFILE)"
            )
            if not self._waiting:
                return False
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.transport.close()
        self._addresses[connection.transport] = key
        self._counts[key] += 1
        self._waiting[connection] = None
        CONNECTIONS.inc()
        return True

    def note_request(self, connection: NewConnection) -> None:
        """Note that a request has arrived on this connection."""
        self._waiting.pop(connection, None)

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Remove a closed connection. Does nothing if it was rejected."""
        key = self._addresses.pop(transport, None)
        if key is None:
            return
        CONNECTIONS.dec()
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]

    def note_proxy(self, address: str) -> None:
        """Warn once if an address that sent a forwarding header looks like a proxy the operator forgot to list."""
        if self._has_warned or address in self._proxies or not _is_private(address):
            return
        self._has_warned = True
        text = "a proxy at %s forwards requests but isn't listed in --proxies: everyone behind it counts as one address"
        log.warning(text, address)

    def _refuse(self, why: str, text: str) -> None:
        REFUSED_CONNECTIONS.labels(why).inc()
        if monotonic() >= self._next_line[why]:
            self._next_line[why] = monotonic() + _LOG_SECONDS
            log.warning("refusing connections: %s", text)


def _is_private(address: str) -> bool:
    """Is the address on this machine or a private network? Headers from anywhere else could be fake."""
    try:
        return ip_address(address).is_private
    except ValueError:
        return False


class TrustedProxies:
    """Proxies whose forwarding headers we trust, as listed by the operator."""

    def __init__(self, text: str) -> None:
        """Raises `ValueError` if the text isn't a list of addresses, or would let anyone claim any address."""
        self._networks = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            try:
                proxy = ip_network(part, strict=False)
            except ValueError:
                raise ValueError(f"list proxies by address, like 127.0.0.1 or 10.0.0.0/8, not {part!r}") from None
            if proxy.prefixlen == 0:
                raise ValueError(f"{part} would let any client claim any address: list only your proxies' addresses")
            self._networks.append(proxy)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in proxy for proxy in self._networks)

    def __str__(self) -> str:
        return ",".join(map(str, self._networks))


def raise_file_limit() -> int:
    """Raise the limit on open files as far as the system allows, and return it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return _UNLIMITED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # Some systems don't allow what they report.
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return _UNLIMITED if soft == resource.RLIM_INFINITY else soft
