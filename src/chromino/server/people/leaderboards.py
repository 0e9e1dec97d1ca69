"""The leaderboards, kept in memory: many people look at them, and they rarely change."""

from __future__ import annotations

import time

from chromino.messages.people import Family, Listed
from chromino.server.database.store import Change, Store
from chromino.server.people import ratings
from chromino.server.people.ratings import Line

_CACHE_SECONDS = 60.0  # Short, because nothing tells us when someone changes their face.


class Leaderboards:
    """The best people or bots in each family of rules."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: dict[tuple[Family, Listed], tuple[float, list[Line]]] = {}
        """When each cached leaderboard expires, and its lines."""
        self._changes = 0

    async def get(self, family: Family, board: Listed, person: str | None) -> list[Line]:
        """A leaderboard, with the reader's own line even if they aren't among the best."""
        expires, lines = self._cache.get((family, board), (0.0, []))
        if time.monotonic() > expires:
            changes = self._changes
            lines = await self._store.read(ratings.best(family, board))
            if changes == self._changes:  # Otherwise, what we've read may already be outdated.
                self._cache[family, board] = time.monotonic() + _CACHE_SECONDS, lines
        return lines if person is None else await self._store.read(ratings.with_reader(lines, family, board, person))

    def hear(self, change: Change) -> None:
        if change.kind in ("ratings", "all"):
            self._changes += 1
            self._cache.clear()
