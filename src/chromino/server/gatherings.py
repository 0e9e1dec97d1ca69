"""Gatherings in the database, and who watches them now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from chromino.server import schema
from chromino.server.gathering import Gathering
from chromino.server.live import digest
from chromino.server.problems import Problem
from chromino.server.store import Store, insert_game, now

_NEWEST = 50  # That the lobby lists.


class Gatherings:
    """All that go on; whoever watches one is told of each change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._watchers: dict[str, set[asyncio.Event]] = {}

    async def get(self, name: str) -> Gathering:
        found = await self._store.read(_find(name))
        if found is None:
            raise Problem("no-such-gathering")
        return found

    async def public(self) -> list[Gathering]:
        """Those that are open to anyone, the newest first."""
        table = schema.gatherings.c
        query = select(table.gathering).where(table.public).order_by(table.updated.desc()).limit(_NEWEST)
        texts = await self._store.read(lambda connection: connection.scalars(query).all())
        return [_read(text) for text in texts]

    async def add(self, gathering: Gathering) -> None:
        await self._store.write(lambda connection: connection.execute(insert(schema.gatherings), _row(gathering)))

    async def change(self, name: str, step: Callable[[Gathering], Gathering | None]) -> Gathering | None:
        """Take a step; what others did in the meantime is taken into account, for all is one transaction."""

        def work(connection: Connection) -> Gathering | None:
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

    def watch(self, name: str) -> asyncio.Event:
        """An event that is set at each change, and now."""
        changed = asyncio.Event()
        changed.set()
        self._watchers.setdefault(name, set()).add(changed)
        return changed

    def forget(self, name: str, changed: asyncio.Event) -> None:
        watchers = self._watchers.get(name, set())
        watchers.discard(changed)
        if not watchers:
            self._watchers.pop(name, None)

    def _tell(self, name: str) -> None:
        for changed in self._watchers.get(name, ()):
            changed.set()


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
