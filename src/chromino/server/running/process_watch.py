"""Housekeeping in each process: taking over from dead processes, and deleting old data."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import Random

from sqlalchemy import Connection

from chromino.server.database import presence, retention
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.games.live_games import LiveGames
from chromino.server.problems import Problem
from chromino.server.running.gc_tuning import GarbageCollection
from chromino.server.settings import Settings

_CHECK_SECONDS = 1.0
_CLEANING_SECONDS = 6 * 3600.0  # Between deletions of old data.
_SLACK_SECONDS = 2.0  # How late another process may be before we take over.

log = logging.getLogger(__name__)
_random = Random()  # Keeps processes from all doing the same thing at once.


class ProcessWatch:
    """Takes over from dead processes, drops idle games from memory, collects garbage, and deletes old data."""

    def __init__(self, store: Store, games: LiveGames, gatherings: Gatherings, settings: Settings) -> None:
        self._store = store
        self._games = games
        self._gatherings = gatherings
        self._settings = settings
        self._slack = 0.0 if store.is_only_process else _SLACK_SECONDS
        self._garbage = GarbageCollection()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start, and take over games and tables from earlier processes."""
        await self._mark_away(presence.start)
        self._tasks = [asyncio.create_task(_repeat(work)) for work in (self._check, self._clean)]

    async def stop(self) -> None:
        """Stop cleanly: everyone connected here counts as away.

        If no other process is running, turns are extended by the time until the next start.
        """
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._garbage.stop()
        try:
            await self._store.write(presence.stop(self._store.process), _about_games, isolated=False)
        except Problem as problem:
            log.warning("couldn't record that this process is stopping: %s", problem)

    async def _check(self) -> None:
        store = self._store
        status = await store.poll()
        # Leave the SQLite file alone while nobody is playing.
        is_needed = not store.is_only_process or len(self._games)
        if store.is_failing or (is_needed and status.ran < store.clock.now() - _CHECK_SECONDS):
            await store.write_few_rows(presence.note_time)
        if status.has_dead_processes and await self._mark_away(presence.mark_away(store.process)):
            log.warning("another process has died")
        if status.due <= store.clock.now() - self._slack:
            taken = await store.write(presence.take_over_late(store.process, self._slack), isolated=False)
            for game, due in taken.items():
                await self._games.take_over(game, due)
        self._games.drop_idle()
        self._garbage.collect(is_quiet=not len(self._games))

    async def _mark_away(self, work: Callable[[Connection], list[str]]) -> bool:
        """Mark people as away, and take care of their games and tables. Returns whether there were any of those."""
        ids = await self._store.write(work, _about_games, isolated=False)
        for game in ids:
            self._gatherings.check_due_later(game)
        await self._gatherings.watch_offers()
        return bool(ids)

    async def _clean(self) -> None:
        """Wait for a while, and then delete old data."""
        await asyncio.sleep(_CLEANING_SECONDS * _random.uniform(0.01, 1))
        deleted = await retention.clean(self._store, self._settings.keep_days, self._settings.unfinished_days)
        log.info("deleted old data: %s", deleted)


async def _repeat(work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Problem as problem:
            log.warning("the database isn't available: %s", problem)
        except Exception:  # Keep going, whatever went wrong.
            log.exception("housekeeping failed")
        await asyncio.sleep(_CHECK_SECONDS * _random.uniform(0.8, 1.2))


def _about_games(ids: list[str]) -> list[Change]:
    """The games among these ids have changed. Gatherings don't show who's here, so nobody needs to hear of theirs."""
    return [Change("game", game) for game in ids]
