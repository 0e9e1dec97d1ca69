"""Work that takes a while, done in a helper process. Each caller has a queue of its own; queues are served in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from chromino.server.helper import Helper
from chromino.server.problems import Problem

T = TypeVar("T")

_LONGEST = 32  # Pieces of work that wait for one caller.


async def _never() -> bool:
    return False


class WorkQueue:
    """One helper, and everyone who waits for it. No piece of work may take longer than `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._helper = Helper(seconds)
        self._is_busy = False
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def do(self, caller: str, work: Callable[[], T], has_gone: Callable[[], Awaitable[bool]] = _never) -> T:
        """What this gives, when the caller's turn has come. It must be a function that can be pickled.

        A `Problem` if too much of theirs waits already, if it takes too long, or if the caller is gone by then.
        """
        await self._turn(caller)
        try:
            if await has_gone():
                raise Problem("bad-message")  # Nobody will read it.
            return await self._helper.do(work)
        finally:
            self._call_next()

    async def stop(self) -> None:
        await self._helper.stop()

    async def _turn(self, caller: str) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        queue = self._queues.setdefault(caller, deque())
        if len(queue) >= _LONGEST:
            raise Problem("too-fast")
        called = asyncio.get_running_loop().create_future()
        queue.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._call_next()  # It was called in the same moment.
            raise

    def _call_next(self) -> None:
        """The first in the queue that has waited longest; the rest of that queue goes behind the others."""
        while self._queues:
            caller, queue = self._queues.popitem(last=False)
            called = queue.popleft()
            if queue:
                self._queues[caller] = queue
            if not called.cancelled():
                called.set_result(None)
                return
        self._is_busy = False
