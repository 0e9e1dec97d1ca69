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

_BEAT = 1.0  # Seconds between rounds.
_CLEANING = 6 * 3600.0  # Seconds between deletions of old data.
_SLACK = 2.0  # How many seconds late another process may be before we take over.

log = logging.getLogger(__name__)
_chance = Random()  # So that processes don't all do the same thing at once.


class ProcessWatch:
    """Takes over games and tables that a dead process has left behind."""

    def __init__(self, store: Store, games: LiveGames, gatherings: Gatherings, settings: Settings) -> None:
        self._store = store
        self._games = games
        self._gatherings = gatherings
        self._settings = settings
        self._slack = 0.0 if store.is_alone else _SLACK
        self._garbage = GarbageCollection()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start, and take over games and tables from earlier processes."""
        await self._send_away(presence.start)
        self._tasks = [asyncio.create_task(_repeat(work)) for work in (self._round, self._clean)]

    async def stop(self) -> None:
        """Stop cleanly: everyone connected to this process counts as away, and turns get time back from now on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._garbage.stop()
        try:
            await self._store.write(presence.stop(self._store.process), _about_games, alone=False)
        except Problem as problem:
            log.warning("couldn't record that this process is stopping: %s", problem)

    async def _round(self) -> None:
        store = self._store
        found = await store.poll()
        is_needed = not store.is_alone or len(self._games)  # Leave SQLite's file alone while nobody is playing.
        if store.is_failing or (is_needed and found.ran < store.clock.now() - _BEAT):
            await store.write(presence.note_time, alone=False)
        if found.has_dead_processes and await self._send_away(presence.send_away(store.process)):
            log.warning("another process has died")
        if found.due <= store.clock.now() - self._slack:
            taken = await store.write(presence.take_over_late(store.process, self._slack), alone=False)
            for game, due in taken.items():
                await self._games.take_over(game, due)
        self._games.drop_idle()
        self._garbage.take_out(is_quiet=not len(self._games))

    async def _send_away(self, work: Callable[[Connection], list[str]]) -> bool:
        """Mark people as away, and look after their tables. Returns whether there were any."""
        names = await self._store.write(work, _about_games, alone=False)
        for name in names:
            self._gatherings.check_host_later(name)
        await self._gatherings.watch_offers()
        return bool(names)

    async def _clean(self) -> None:
        """Delete old data from time to time."""
        await asyncio.sleep(_CLEANING * _chance.uniform(0.01, 1))
        gone = await retention.clean(self._store, self._settings.keep_days, self._settings.unfinished_days)
        log.info("deleted old data: %s", gone)


async def _repeat(work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Problem as problem:
            log.warning("the database isn't available: %s", problem)
        except Exception:  # Keep going, whatever went wrong.
            log.exception("housekeeping failed")
        await asyncio.sleep(_BEAT * _chance.uniform(0.8, 1.2))


def _about_games(names: list[str]) -> list[Change]:
    return [Change("game", name) for name in names]
