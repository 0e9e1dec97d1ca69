"""One task per process: it removes dead processes, and takes over their games."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from time import monotonic

from chromino.server.database import presence, retention
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.games.live_games import LiveGames
from chromino.server.problems import Problem
from chromino.server.running.gc_tuning import GarbageCollection
from chromino.server.settings import Settings

_BEAT = 1.0  # Seconds between rounds.
_CLEANING = 6 * 3600.0  # Seconds between deletions of old data.
_SETTLED = 5.0  # Seconds that others have to come back after a restart of PostgreSQL has freed all locks.
_SLACK = 2.0  # How many seconds late another process may be before we take over.

log = logging.getLogger(__name__)


class ProcessWatch:
    """Takes over what would be lost when a process dies."""

    def __init__(self, store: Store, games: LiveGames, gatherings: Gatherings, settings: Settings) -> None:
        self._store = store
        self._games = games
        self._gatherings = gatherings
        self._settings = settings
        self._slack = 0.0 if store.is_alone else _SLACK
        self._garbage = GarbageCollection()
        self._cleaning: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start, and pick up what earlier processes left behind."""
        work = presence.start(self._store.process)
        self._missed(await self._store.write(work, _about_games, alone=False))
        await self._gatherings.watch_offers()
        self._task = asyncio.create_task(self._run())
        self._cleaning = asyncio.create_task(self._clean())

    async def stop(self) -> None:
        """Stop cleanly: everyone connected to this process is now away, and turns get time back from now on."""
        tasks = [task for task in (self._task, self._cleaning) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._garbage.stop()
        try:
            await self._store.write(presence.stop(self._store.process), _about_games, alone=False)
        except Problem as problem:
            log.warning("couldn't record that this process is stopping: %s", problem)

    async def _run(self) -> None:
        chance = Random()
        while True:
            try:
                await self._round()
                self._games.drop_idle()
                self._garbage.take_out(is_quiet=not len(self._games))
            except Problem as problem:
                log.warning("the database isn't available: %s", problem)
            except Exception:  # Keep going, whatever it is.
                log.exception("watching the processes failed")
            await asyncio.sleep(_BEAT * chance.uniform(0.8, 1.2))  # So that processes don't all do it at once.

    async def _round(self) -> None:
        store = self._store
        found = await store.poll()
        # With a single process, leave the database alone while nobody plays.
        is_needed = not store.is_alone or len(self._games) or store.is_failing
        has_beat = found.is_known and found.ran >= store.clock.now() - _BEAT
        if is_needed and not has_beat and await store.write(presence.beat(store.process), alone=False):
            self._games.note_presence()
            self._gatherings.note_presence()
        if found.has_dead and monotonic() - store.alive_since > _SETTLED:
            missed = await store.write(presence.remove_dead(store.process), _about_games, alone=False)
            if missed is not None:
                log.warning("another process has died")
                self._missed(missed)
                await self._gatherings.watch_offers()
        if found.due <= store.clock.now() - self._slack:
            taken = await store.write(presence.take_over_late(store.process, self._slack), alone=False)
            for game, due in taken.items():
                await self._games.take_over(game, due)

    async def _clean(self) -> None:
        """Delete old data from time to time."""
        chance = Random()
        while True:
            await asyncio.sleep(_CLEANING * chance.uniform(0.01, 1))  # So that processes don't all do it at once.
            try:
                gone = await retention.clean(self._store, self._settings.keep_days, self._settings.unfinished_days)
                log.info("deleted old data: %s", gone)
            except Problem as problem:
                log.warning("can't delete old data now: %s", problem)
            except Exception:  # We'll try again next time.
                log.exception("cleaning failed")

    def _missed(self, names: list[str]) -> None:
        for name in names:
            self._gatherings.missed(name)


def _about_games(names: list[str] | None) -> list[Change]:
    return [Change("game", name) for name in names or ()]
