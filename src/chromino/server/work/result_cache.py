"""A cache for slow results: each is made once, and the latest are kept."""

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
        self._kept: OrderedDict[K, asyncio.Future[T]] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        """Is the result there, or in progress?"""
        found = self._kept.get(key)
        return found is not None and not (found.done() and (found.cancelled() or found.exception()))

    def is_ready(self, key: K) -> bool:
        return key in self and self._kept[key].done()

    async def get(self, key: K, make: Callable[[], Awaitable[T]]) -> T:
        if key not in self:
            self._kept[key] = future = asyncio.ensure_future(make())
            future.add_done_callback(lambda future: future.cancelled() or future.exception())  # Nobody may be waiting.
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)  # The least recently used one.
        self._kept.move_to_end(key)
        return await asyncio.shield(self._kept[key])  # One caller's cancellation doesn't cancel it for the rest.
