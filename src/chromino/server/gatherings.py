"""Gatherings in the database, and who watches them now."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from chromino.server import presence, schema
from chromino.server.gathering import Gathering
from chromino.server.limits import OPEN_GATHERINGS, SEATS_OF_GUEST
from chromino.server.live import digest
from chromino.server.problems import Problem
from chromino.server.store import Change, Store, insert_game, is_id, now

After = TypeVar("After", bound=Gathering | None)
"""What a step leads to: None if nobody is left."""

_FRESH = timedelta(hours=1)  # Without a change or a visitor, then a table leaves the lobby; its link stays good.
_NEWEST = 50  # That the lobby lists,
_OF_ONE_HOST = 3  # so many of one host,
_LOOKED_THROUGH = 500  # out of these.

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
        self._missing: dict[str, float] = {}  # Until when a host may come back.

    async def get(self, name: str) -> Gathering:
        found = await self._store.read(_find(name)) if is_id(name) else None
        if found is None:
            raise Problem("no-such-gathering")
        return found

    async def public(self) -> list[Gathering]:
        """Those that are open to anyone: first those at which somebody is, then the newest, and few of one host. Not
        those at which nobody has been for long."""
        table = schema.gatherings.c
        lately = (datetime.now(UTC) - _FRESH).isoformat(timespec="milliseconds")
        is_visited = table.id.in_(select(schema.presence.c.game))
        alive = (table.updated > lately) | is_visited
        query = select(table.gathering).where(table.public, alive).order_by(is_visited.desc(), table.updated.desc())
        texts = await self._store.read(lambda connection: connection.scalars(query.limit(_LOOKED_THROUGH)).all())
        found: list[Gathering] = []
        of_host: Counter[str] = Counter()
        for gathering in map(_read, texts):
            of_host[gathering.host] += 1
            if of_host[gathering.host] <= _OF_ONE_HOST:
                found.append(gathering)
        return found[:_NEWEST]

    async def add(self, gathering: Gathering) -> None:
        """Open a table, unless the host has too many already."""

        def work(connection: Connection) -> None:
            _check_person(connection, gathering.host)
            _check_few(connection, _is_host(gathering.host), OPEN_GATHERINGS)
            connection.execute(insert(schema.gatherings), _row(gathering))

        await self._store.write(work, alone=False)  # One table too many does no harm.

    async def change(self, name: str, step: Callable[[Gathering], After]) -> After:
        """Take a step; what others did in the meantime is taken into account, for one waits for the other."""
        return await self._store.write(_changed(name, step), _about(name), alone=False)

    async def sit(self, name: str, person: str, called: str) -> Gathering:
        """Someone takes a seat, or another name."""

        def work(connection: Connection) -> Gathering:
            _check_person(connection, person)
            table = schema.gatherings.c
            sits = table.gathering.contains(person, autoescape=True) & ~_is_host(person) & (table.id != name)
            _check_few(connection, sits, SEATS_OF_GUEST)
            return _changed(name, lambda now: now.sit(person, called))(connection)

        found = await self._store.write(work, _about(name), alone=False)
        self._look_for_host(name)
        return found

    async def begin(self, name: str, by: str) -> None:
        """From gathering to game, in one step."""

        def work(connection: Connection) -> None:
            gathering = _find(name, to_change=True)(connection)
            if gathering is None:
                raise Problem("no-such-gathering")
            game, row = gathering.begin(by)
            insert_game(connection, row, digest(game), self._store.process)
            connection.execute(delete(schema.gatherings).where(schema.gatherings.c.id == name))

        await self._store.write(work, _about(name), alone=False)

    def watch(self, name: str, watcher: GatheringWatcher) -> None:
        self._watchers.setdefault(name, set()).add(watcher)
        self._note_presence(name, watcher)
        if watcher.person is not None:
            self._look_for_host(name)

    def forget(self, name: str, watcher: GatheringWatcher) -> None:
        """A page was closed; if it was the host's and stays so, another one takes over."""
        watchers = self._watchers.get(name, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(name, None)
        self._note_presence(name, watcher)
        if watcher.person is not None:
            self.missed(name)

    def missed(self, name: str) -> None:
        """Someone went, perhaps the host: from now on they have time to come back."""
        is_first = name not in self._missing
        self._missing[name] = monotonic() + self._grace
        if is_first:
            self._spawn(self._hand_over(name))

    def _look_for_host(self, name: str) -> None:
        """Someone came; the host may have gone long ago."""
        if name not in self._missing:
            self.missed(name)

    def hear(self, change: Change) -> None:
        """A gathering was changed, here or on another process."""
        for name in list(self._watchers) if change.kind == "all" else [change.id]:
            for watcher in self._watchers.get(name, ()):
                watcher.changed.set()

    def note_presence(self) -> None:
        """This process was taken for dead: tell again who is on it."""
        for name, watchers in self._watchers.items():
            for watcher in watchers:
                self._note_presence(name, watcher)

    def stop(self) -> None:
        """The server ends."""
        for task in self._tasks:
            task.cancel()

    def _note_presence(self, name: str, watcher: GatheringWatcher) -> None:
        if watcher.person is not None and is_id(name) and not self._store.is_closing:
            self._spawn(self._note(name, watcher.person))

    async def _note(self, name: str, person: str) -> None:
        """As often as it takes, for the page may be back before it was noted that it went."""
        noted = None
        try:
            while noted is not (is_here := self._is_here(name, person)):
                await self._store.write(presence.note(name, person, self._store.process, is_here), alone=False)
                noted = is_here
        except Problem as problem:
            log.warning("at table %s it cannot be noted who is here: %s", name, problem)

    def _is_here(self, name: str, person: str) -> bool:
        return any(watcher.person == person for watcher in self._watchers.get(name, ()))

    async def _hand_over(self, name: str) -> None:
        while (wait := self._missing[name] - monotonic()) > 0:
            await asyncio.sleep(wait)
        del self._missing[name]
        try:
            there = await self._store.read(presence.present(name))
            now = await self.get(name)
            if now.hand_over(there) is not now:
                await self.change(name, lambda now: now.hand_over(there))
        except Problem as problem:
            log.debug("gathering %s is over: %s", name, problem)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def stand_up(connection: Connection, person: str) -> list[str]:
    """Someone who is erased stands up everywhere; the tables concerned. Part of a larger change."""
    table = schema.gatherings.c
    query = select(table.id).where(table.gathering.contains(person, autoescape=True)).order_by(table.id)
    names = list(connection.scalars(query))
    for name in names:
        with suppress(Problem):  # It has begun meanwhile, or nobody sits there any more.
            _changed(name, lambda now: now.leave(person))(connection)
    return names


def _check_person(connection: Connection, person: str) -> None:
    """Are they still someone? And they stay so until this is done."""
    mine = select(schema.people.c.id).where(schema.people.c.id == person)
    if connection.scalar(mine.with_for_update(read=True)) is None:
        raise Problem("nobody")


def _check_few(connection: Connection, mine: ColumnElement[bool], most: int) -> None:
    """Nobody needs more tables at once than these."""
    if (connection.scalar(select(func.count()).select_from(schema.gatherings).where(mine)) or 0) >= most:
        raise Problem("too-many-games")


def _is_host(person: str) -> ColumnElement[bool]:
    return schema.gatherings.c.gathering.contains(f'"host":"{person}"', autoescape=True)


def _changed(name: str, step: Callable[[Gathering], After]) -> Callable[[Connection], After]:
    def work(connection: Connection) -> After:
        before = _find(name, to_change=True)(connection)
        if before is None:
            raise Problem("no-such-gathering")
        after = step(before)
        here = schema.gatherings.c.id == name
        if after is None:
            connection.execute(delete(schema.gatherings).where(here))
        else:
            connection.execute(update(schema.gatherings).where(here).values(_row(after)))
        return after

    return work


def _about(name: str) -> Callable[[object], tuple[Change, ...]]:
    return lambda _found: (Change("gathering", name),)


def _find(name: str, *, to_change: bool = False) -> Callable[[Connection], Gathering | None]:
    query = select(schema.gatherings.c.gathering).where(schema.gatherings.c.id == name)
    if to_change:
        query = query.with_for_update()

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
