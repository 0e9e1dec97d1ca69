"""Slow work in a helper process, shared fairly among callers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from chromino.server.problems import Problem
from chromino.server.work.fair_queue import FairQueue
from chromino.server.work.helper import Helper

T = TypeVar("T")

_MAX_PER_CALLER = 32  # How many tasks of one caller can wait.
_MAX_WAITING = 1000  # How many tasks can wait in total.


async def _never() -> bool:
    return False


class WorkQueue:
    """One helper and the callers waiting for it. Each task may take up to `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._helper = Helper(seconds)
        self._queue = FairQueue(1, _MAX_PER_CALLER, _MAX_WAITING)
        self._is_stopped = False

    async def do(self, caller: str, work: Callable[[], T], has_left: Callable[[], Awaitable[bool]] = _never) -> T:
        """Run `work`, which must be picklable, when it's the caller's turn, and return its result.

        Raises a `Problem` if too many tasks are waiting, the work takes too long, the caller has left, or the server is
        stopping.
        """
        async with self._queue.turn(caller):
            if self._is_stopped or await has_left():
                raise Problem("bad-message")  # The caller has left, or the server is stopping.
            return await self._helper.do(work)

    async def stop(self) -> None:
        self._is_stopped = True
        await self._helper.stop()
