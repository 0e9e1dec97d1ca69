"""One task a process: it says that the process lives, buries those that died, and takes up what nobody sees to."""

from __future__ import annotations

import asyncio
import logging
from random import Random

from chromino.server.database import presence, retention
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.games.live_games import LiveGames
from chromino.server.problems import Problem
from chromino.server.running.gc_tuning import GarbageCollection
from chromino.server.settings import Settings

_BEAT = 1.0  # Seconds between two rounds.
_CLEANING = 6 * 3600.0  # Seconds between two times that what is old is deleted.
_SLACK = 2.0  # Seconds that another process has for what is due, before it is taken up.

log = logging.getLogger(__name__)


class ProcessWatch:
    """Sees to what would be lost with a process."""

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
        """Begin, with what those before left behind."""
        work = presence.start(self._store.process, self._store.is_alone)
        self._missed(await self._store.write(work, _about_games, alone=False))
        await self._gatherings.see_to_offers()
        self._task = asyncio.create_task(self._run())
        self._cleaning = asyncio.create_task(self._clean())

    async def stop(self) -> None:
        """End as it should: whoever was here is away, and time is given back to turns from now on."""
        tasks = [task for task in (self._task, self._cleaning) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._garbage.stop()
        try:
            await self._store.write(presence.stop(self._store.process), _about_games, alone=False)
        except Problem as problem:
            log.warning("the end of this process cannot be noted: %s", problem)

    async def _run(self) -> None:
        chance = Random()
        while True:
            try:
                await self._round()
                self._games.forget_idle()
                self._garbage.take_out(is_quiet=not len(self._games))
            except Problem as problem:
                log.warning("the database is not at hand: %s", problem)
            except Exception:  # Whatever it is, it must go on.
                log.exception("watching the processes failed")
            await asyncio.sleep(_BEAT * chance.uniform(0.8, 1.2))  # Not all processes at once.

    async def _round(self) -> None:
        store = self._store
        await store.look()
        # A database of one process is left alone while nobody plays.
        if not store.is_alone or len(self._games) or store.is_failing:
            if await store.write(presence.beat(store.process), alone=False):
                self._games.note_presence()
                self._gatherings.note_presence()
            if gone := await store.read(presence.dead(store.process)):
                log.warning("%d processes are gone", len(gone))
                self._missed(await store.write(presence.bury(gone), _about_games, alone=False))
                await self._gatherings.see_to_offers()
        if await store.read(presence.is_something_due(self._slack)):
            taken = await store.write(presence.take_up(store.process, self._slack), alone=False)
            for game, due in taken.items():
                await self._games.see_to(game, due)

    async def _clean(self) -> None:
        """Delete what is old, now and then."""
        chance = Random()
        while True:
            await asyncio.sleep(_CLEANING * chance.uniform(0.01, 1))  # Not all processes at once.
            try:
                gone = await retention.clean(self._store, self._settings.keep_days, self._settings.unfinished_days)
                log.info("what is old was deleted: %s", gone)
            except Problem as problem:
                log.warning("what is old cannot be deleted now: %s", problem)
            except Exception:  # It is tried again next time.
                log.exception("cleaning failed")

    def _missed(self, names: list[str]) -> None:
        for name in names:
            self._gatherings.missed(name)


def _about_games(names: list[str]) -> list[Change]:
    return [Change("game", name) for name in names]
