"""Rate limits for each identity and each address: a rate per second, with room for a burst.

HTTP calls that come too fast are refused. Most socket messages aren't: instead, we wait a little before we read the
next one, which slows down a flood at its source.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network
from time import monotonic
from typing import NamedTuple

from chromino.server.problems import Problem

_MAX_KEYS = 10_000  # Keys to remember before dropping those that have been quiet.


class Rate(NamedTuple):
    """How many per second in the long run, and how many at once."""

    per_second: float
    burst: int


PER_IDENTITY = {
    "create": Rate(0.2, 20),  # Games and tables.
    "join": Rate(1, 30),  # Sitting down, codes, rematches.
    "think": Rate(2, 40),  # Work for the server: hints, conundrums.
    "draw": Rate(2, 40),  # Pictures that aren't cached.
    "review": Rate(0.5, 30),  # Work that takes seconds.
    "list": Rate(5, 100),  # Calls that read many rows: my games, the lobby, leaderboards.
    "seek": Rate(3, 30),  # Looking for someone to play with: a page asks every two seconds.
    "ask": Rate(20, 200),  # Everything else over HTTP.
    "act": Rate(40, 400),  # Messages over sockets.
    "pace": Rate(0.5, 5),  # The bots' pace, which is sent to everyone at the table.
}
PER_ADDRESS = {  # A whole school may share one address.
    "create": Rate(2, 200),
    "join": Rate(5, 300),
    "think": Rate(20, 200),
    "draw": Rate(10, 100),
    "review": Rate(5, 100),
    "list": Rate(20, 200),
    "seek": Rate(50, 500),
    "ask": Rate(200, 2000),
}
MAX_SOCKETS_PER_IDENTITY = 20
MAX_SOCKETS_PER_ADDRESS = 1000
MAX_SPECTATORS = 100  # Per game.
MAX_OPEN_GAMES = 200  # Per identity.
MAX_OPEN_GATHERINGS = 20  # Per host.
MAX_GUEST_SEATS = 5  # Per person, at other people's tables before the game starts.


class Bucket:
    """A token bucket."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._tokens = float(rate.burst)
        self._at = monotonic()

    def take(self) -> float:
        """Take a token, or borrow one if there's none left. Returns how many seconds to wait until it's paid back."""
        now = monotonic()
        self._tokens = min(self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second)
        self._at = now
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate.per_second)

    def give_back(self) -> None:
        self._tokens += 1

    @property
    def is_full(self) -> bool:
        return self._tokens + (monotonic() - self._at) * self._rate.per_second >= self._rate.burst


@lru_cache(maxsize=_MAX_KEYS)
def network(address: str, bits: int = 64) -> str:
    """The network that an address belongs to, since everyone with IPv6 has at least a /64. IPv4 is unchanged."""
    try:
        parsed = IPv6Address(address)
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or IPv6Network((parsed.packed, bits), strict=False))


class Limits:
    """Counts recent activity in this process."""

    def __init__(self, *, by_identity: bool = True, by_address: bool = True) -> None:
        self._by_identity = by_identity
        self.by_address = by_address
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._max_keys = _MAX_KEYS
        self._sockets: Counter[str] = Counter()

    def check(self, what: str, identity: str | None, address: str | None) -> None:
        """Count one more request. Raises a `Problem` if requests come too fast."""
        if identity is not None and self._by_identity:
            self._take(what, f"i:{identity}", PER_IDENTITY[what])
        if address is not None and self.by_address:
            self._take(what, f"a:{network(address)}", PER_ADDRESS[what])

    async def throttle(self, person: str) -> None:
        """Wait until this person's next message may be read."""
        if not self._by_identity:
            return
        wait = self._bucket("act", f"i:{person}", PER_IDENTITY["act"]).take()
        if wait:
            await asyncio.sleep(wait)

    @contextmanager
    def socket(self, person: str | None, address: str) -> Iterator[None]:
        """Count a socket while it's open. Raises a `Problem` if there are too many."""
        keys = [(f"i:{person}", MAX_SOCKETS_PER_IDENTITY)] if person is not None and self._by_identity else []
        if self.by_address:
            keys.append((f"a:{network(address)}", MAX_SOCKETS_PER_ADDRESS))
        if any(self._sockets[key] >= limit for key, limit in keys):
            raise Problem("too-many-pages")
        for key, _ in keys:
            self._sockets[key] += 1
        try:
            yield
        finally:
            for key, _ in keys:
                self._sockets[key] -= 1
                if not self._sockets[key]:
                    del self._sockets[key]

    def _take(self, what: str, key: str, rate: Rate) -> None:
        bucket = self._bucket(what, key, rate)
        if bucket.take():
            bucket.give_back()
            raise Problem("too-fast")

    def _bucket(self, what: str, key: str, rate: Rate) -> Bucket:
        if len(self._buckets) > self._max_keys:
            self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full}
            # If hardly any key has been quiet, don't search again for each new one.
            self._max_keys = max(_MAX_KEYS, 2 * len(self._buckets))
        bucket = self._buckets.get((what, key))
        if bucket is None:
            bucket = self._buckets[what, key] = Bucket(rate)
        return bucket
