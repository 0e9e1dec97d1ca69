"""Fair access to a scarce resource: each caller has its own queue, and queues are served round-robin."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from chromino.server.problems import Problem


class FairQueue:
    """Grants a limited number of turns at once. Refuses a caller if too many are waiting, or its own queue is full."""

    def __init__(self, at_once: int, per_caller: int, in_total: int) -> None:
        self._free = at_once
        self._per_caller = per_caller
        self._in_total = in_total
        self._waiting = 0
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait for a turn, and hold it. Raises a `Problem` if too many callers are waiting."""
        await self._wait(caller)
        try:
            yield
        finally:
            self._call_next()

    async def _wait(self, caller: str) -> None:
        if self._free:
            self._free -= 1
            return
        queue = self._queues.setdefault(caller, deque())
        if len(queue) >= self._per_caller or self._waiting >= self._in_total:
            raise Problem("too-fast")
        grant = asyncio.get_running_loop().create_future()
        queue.append(grant)
        self._waiting += 1
        try:
            await grant
        except asyncio.CancelledError:
            if grant.done() and not grant.cancelled():
                self._call_next()  # The caller got its turn just as it was canceled.
            raise
        finally:
            self._waiting -= 1

    def _call_next(self) -> None:
        """Wake the next caller, round-robin. The rest of its queue moves to the back."""
        while self._queues:
            caller, queue = self._queues.popitem(last=False)
            if not queue:
                continue
            grant = queue.popleft()
            if queue:
                self._queues[caller] = queue
            if not grant.cancelled():
                grant.set_result(None)
                return
        self._free += 1
