"""Threads for bots. A caller with many games doesn't delay other callers' bots."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from random import Random

from chromino.bots import Bot
from chromino.events import Action
from chromino.server.work.fair_queue import FairQueue
from chromino.view import View

_NO_LIMIT = 1_000_000  # In effect, there's no limit: each game waits for only one bot at a time.


class BotThreads:
    """As many threads as cores, shared fairly among callers."""

    def __init__(self) -> None:
        threads = os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._queue = FairQueue(threads, _NO_LIMIT, _NO_LIMIT)

    async def choose(self, caller: str, bot: Bot, view: View) -> Action:
        """The bot's action; `caller` is someone at the table, or empty."""
        async with self._queue.turn(caller):
            return await asyncio.get_running_loop().run_in_executor(self._pool, bot.choose, view, Random())

    def stop(self) -> None:
        self._pool.shutdown(cancel_futures=True)
