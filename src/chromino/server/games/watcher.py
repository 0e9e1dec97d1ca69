"""An open page of a game, and what still has to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from chromino.messages.games import Said


class Watcher:
    """An open page, which is notified of changes and phrases."""

    def __init__(self, person: str, caller: str = "") -> None:
        self.person = person
        self.caller = caller
        self.has_news = False
        """Has anything changed since the last state that was sent?"""
        self.phrases: deque[Said] = deque(maxlen=10)
        self._is_answering = False
        self._waiting: asyncio.Future[None] | None = None

    def notify(self) -> None:
        """Note that something has changed, and wake the task that sends states."""
        self.has_news = True
        if self._waiting is not None and not self._waiting.done() and not self._is_answering:
            self._waiting.set_result(None)

    async def wait_for_news(self) -> None:
        """Wait until something has changed and the page's last message has been answered."""
        while not self.has_news or self._is_answering:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Hold back news while we answer a message from the page: an action is acknowledged before it's shown."""
        self._is_answering = True
        try:
            yield
        finally:
            self._is_answering = False
            if self.has_news:
                self.notify()
