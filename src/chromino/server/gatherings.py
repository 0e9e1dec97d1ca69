"""Gatherings in the database, and who watches them now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from chromino.server import schema
from chromino.server.gathering import Gathering
from chromino.server.live import digest
from chromino.server.problems import Problem
from chromino.server.store import Store, insert_game, now

After = TypeVar("After", bound=Gathering | None)
"""What a step leads to: None if nobody is left."""

_FRESH = timedelta(hours=1)  # Without a change or a visitor, then a table leaves the lobby; its link stays good.
_NEWEST = 50  # That the lobby lists.

log = logging.getLogger(__name__)


class GatheringWatcher:
    """A page that shows a gathering."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.changed = asyncio.Event()
        self.changed.set()  # The first state goes out at once.


class Gatherings:
    """All that go on; whoever watches one is told of each change."""

    def __init__(self, store: Store, grace: float) -> None:
        self._store = store
        self._grace = grace
        self._watchers: dict[str, set[GatheringWatcher]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def get(self, name: str) -> Gathering:
        found = await self._store.read(_find(name))
        if found is None:
            raise Problem("no-such-gathering")
        return found

    async def public(self) -> list[Gathering]:
        """Those that are open to anyone, the newest first; not those at which nobody has been for long."""
        table = schema.gatherings.c
        lately = (datetime.now(UTC) - _FRESH).isoformat(timespec="milliseconds")
        alive = (table.updated > lately) | table.id.in_(self._watchers)
        query = select(table.gathering).where(table.public, alive).order_by(table.updated.desc()).limit(_NEWEST)
        texts = await self._store.read(lambda connection: connection.scalars(query).all())
        return [_read(text) for text in texts]

    async def add(self, gathering: Gathering) -> None:
        await self._store.write(lambda connection: connection.execute(insert(schema.gatherings), _row(gathering)))

    async def change(self, name: str, step: Callable[[Gathering], After]) -> After:
        """Take a step; what others did in the meantime is taken into account, for all is one transaction."""

        def work(connection: Connection) -> After:
            before = _find(name)(connection)
            if before is None:
                raise Problem("no-such-gathering")
            after = step(before)
            here = schema.gatherings.c.id == name
            if after is None:
                connection.execute(delete(schema.gatherings).where(here))
            else:
                connection.execute(update(schema.gatherings).where(here).values(_row(after)))
            return after

        found = await self._store.write(work)
        self._tell(name)
        return found

    async def begin(self, name: str, by: str) -> None:
        """From gathering to game, in one step."""

        def work(connection: Connection) -> None:
            gathering = _find(name)(connection)
            if gathering is None:
                raise Problem("no-such-gathering")
            game, row = gathering.begin(by)
            insert_game(connection, row, digest(game))
            connection.execute(delete(schema.gatherings).where(schema.gatherings.c.id == name))

        await self._store.write(work)
        self._tell(name)

    async def forget_person(self, person: str) -> None:
        """Someone who is erased stands up everywhere."""
        table = schema.gatherings.c
        query = select(table.id).where(table.gathering.contains(person, autoescape=True))
        for name in await self._store.read(lambda connection: connection.scalars(query).all()):
            await self.change(name, lambda now: now.leave(person))

    def watch(self, name: str, watcher: GatheringWatcher) -> None:
        self._watchers.setdefault(name, set()).add(watcher)

    def forget(self, name: str, watcher: GatheringWatcher) -> None:
        """A page was closed; if it was the host's and stays so, another one takes over."""
        watchers = self._watchers.get(name, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(name, None)
            return
        task = asyncio.get_running_loop().create_task(self._hand_over(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hand_over(self, name: str) -> None:
        await asyncio.sleep(self._grace)
        present = {watcher.person for watcher in self._watchers.get(name, ()) if watcher.person is not None}
        try:
            await self.change(name, lambda now: now.hand_over(present))
        except Problem as problem:
            log.debug("gathering %s is over: %s", name, problem)

    def _tell(self, name: str) -> None:
        for watcher in self._watchers.get(name, ()):
            watcher.changed.set()


def _find(name: str) -> Callable[[Connection], Gathering | None]:
    query = select(schema.gatherings.c.gathering).where(schema.gatherings.c.id == name)

    def work(connection: Connection) -> Gathering | None:
        text = connection.scalar(query)
        return None if text is None else _read(text)

    return work


def _read(text: str) -> Gathering:
    return msgspec.json.decode(text, type=Gathering)


def _row(gathering: Gathering) -> dict[str, object]:
    return {
        "id": gathering.id,
        "version": gathering.version,
        "public": gathering.public and any(chair.kind == "free" for chair in gathering.chairs),
        "updated": now(),
        "gathering": msgspec.json.encode(gathering).decode(),
    }
