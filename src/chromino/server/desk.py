"""A desk: work that takes a while, done beside the loop, for those who ask in turn.

Whoever asks for much waits behind oneself, not before the others; and nothing is done for who has gone meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from chromino.server.problems import Problem

T = TypeVar("T")

_LONGEST = 32  # Things that wait for one asker.


async def _never() -> bool:
    return False


class Desk:
    """One thread, before which everybody stands in a line of their own; the lines come one after the other."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._is_busy = False
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def do(self, asker: str, work: Callable[[], T], has_gone: Callable[[], Awaitable[bool]] = _never) -> T:
        """What the work gives, when the asker's turn has come; a `Problem` if too much of theirs waits already."""
        await self._turn(asker)
        try:
            if await has_gone():
                raise Problem("bad-message")  # Nobody will read it.
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._call_next()

    def stop(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, asker: str) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        line = self._lines.setdefault(asker, deque())
        if len(line) >= _LONGEST:
            raise Problem("too-fast")
        called = asyncio.get_running_loop().create_future()
        line.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._call_next()  # It was called in the same moment.
            raise

    def _call_next(self) -> None:
        """The first of the line that has waited longest; the rest of that line goes behind the others."""
        while self._lines:
            asker, line = self._lines.popitem(last=False)
            called = line.popleft()
            if line:
                self._lines[asker] = line
            if not called.cancelled():
                called.set_result(None)
                return
        self._is_busy = False
