"""Fair access to something scarce: each caller has its own queue, and queues are served round-robin."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from chromino.server.problems import Problem


class FairQueue:
    """Grants a number of turns at once. A full queue refuses its caller; too many waiting callers refuse everyone."""

    def __init__(self, at_once: int, of_caller: int, in_all: int) -> None:
        self._free = at_once
        self._of_caller = of_caller
        self._in_all = in_all
        self._waiting = 0
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait for a turn, and hold it; raises a `Problem` if too many are waiting."""
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
        if len(queue) >= self._of_caller or self._waiting >= self._in_all:
            raise Problem("too-fast")
        called = asyncio.get_running_loop().create_future()
        queue.append(called)
        self._waiting += 1
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._call_next()  # It got its turn just as it was canceled.
            raise
        finally:
            self._waiting -= 1

    def _call_next(self) -> None:
        """Wake the next caller, round-robin; the rest of its queue moves to the back."""
        while self._queues:
            caller, queue = self._queues.popitem(last=False)
            if not queue:
                continue
            called = queue.popleft()
            if queue:
                self._queues[caller] = queue
            if not called.cancelled():
                called.set_result(None)
                return
        self._free += 1
