"""A cache for slow results: each result is computed once, and the most recently used ones are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class ResultCache(Generic[K, T]):
    """Computes the result for each key once: concurrent requests share one computation."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._futures: OrderedDict[K, asyncio.Future[T]] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        """Is the result known, or being computed?"""
        future = self._futures.get(key)
        return future is not None and not (future.done() and (future.cancelled() or future.exception()))

    def is_ready(self, key: K) -> bool:
        return key in self and self._futures[key].done()

    async def get(self, key: K, make: Callable[[], Awaitable[T]]) -> T:
        """The result for this key. `make` computes it if it isn't known."""
        if key not in self:
            self._futures[key] = future = asyncio.ensure_future(make())
            # Retrieve the error, or asyncio complains if all callers are gone.
            future.add_done_callback(lambda future: future.cancelled() or future.exception())
            if len(self._futures) > self._limit:
                self._futures.popitem(last=False)  # The least recently used one.
        self._futures.move_to_end(key)
        return await asyncio.shield(self._futures[key])  # If one caller is canceled, the others still get the result.
