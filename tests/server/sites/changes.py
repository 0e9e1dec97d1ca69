"""Waiting for what a server does, instead of polling."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Condition

from chromino.server.database.store import Store
from tests.server.blocking import PATIENCE


class News:
    """Wakes everyone who's waiting for something."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._count = 0

    def tell(self) -> None:
        """Report that something has happened."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this is true: check now, and again whenever something happens."""
        while True:
            count = self._count
            if holds():
                return
            with self._condition:
                happened = self._condition.wait_for(lambda count=count: self._count != count, PATIENCE)  # type: ignore[misc]
            assert happened, "nothing more has happened, and the condition still isn't true"


class Writes:
    """Wakes a coroutine after each write by these stores."""

    def __init__(self, *stores: Store) -> None:
        self._wrote = asyncio.Event()
        for store in stores:
            store.wrote = self._wrote.set

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Wait until this is true: check now, and again after each write."""
        self._wrote.clear()
        while not await holds():
            await self._wrote.wait()
            self._wrote.clear()
