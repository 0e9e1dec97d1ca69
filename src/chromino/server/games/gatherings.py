"""Gatherings in the database, and who watches them now."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, TypeVar

from msgspec import structs
from sqlalchemy import Connection, Select, delete, exists, insert, select, update

from chromino.server.database import presence, schema
from chromino.server.database.store import Change, Store, insert_game, is_id, now
from chromino.server.games.gathering import Chair, Gathering
from chromino.server.games.live import digest
from chromino.server.http.limits import OPEN_GATHERINGS, SEATS_OF_GUEST
from chromino.server.problems import Problem

After = TypeVar("After", bound=Gathering | None)
"""What a step leads to: None if nobody is left."""

_FRESH = timedelta(hours=1)  # Without a change or a visitor, then a table leaves the lobby; its link stays good.
_NEWEST = 50  # That the lobby lists,
_OF_ONE_HOST = 3  # so many of one host,
_LOOKED_THROUGH = 500  # out of these.

_gatherings, _chairs = schema.gatherings.c, schema.chairs.c

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
        return await self._store.read(_find(name))

    async def public(self) -> list[Gathering]:
        """Those that are open to anyone: first those at which somebody is, then the newest, and few of one host. Not
        those at which nobody has been for long."""
        return await self._store.read(_lobby)

    async def add(self, gathering: Gathering) -> None:
        """Open a table, unless the host has too many already."""

        def work(connection: Connection) -> None:
            _check_person(connection, gathering.host)
            mine = select(_gatherings.id).where(_gatherings.host == gathering.host)
            _check_few(connection, mine, OPEN_GATHERINGS)
            connection.execute(insert(schema.gatherings), _row(gathering))
            connection.execute(insert(schema.chairs), _chair_rows(gathering))

        await self._store.write(work, alone=False)  # One table too many does no harm.

    async def change(self, name: str, step: Callable[[Gathering], After]) -> After:
        """Take a step; what others did in the meantime is taken into account, for one waits for the other."""
        return await self._store.write(_changed(name, step), _about(name), alone=False)

    async def sit(self, name: str, person: str, called: str) -> Gathering:
        """Someone takes a seat, or another name."""

        def work(connection: Connection) -> Gathering:
            _check_person(connection, person)
            others = select(_chairs.gathering).distinct().where(_chairs.person == person, _chairs.gathering != name)
            as_guest = others.where(exists().where(_gatherings.id == _chairs.gathering, _gatherings.host != person))
            _check_few(connection, as_guest, SEATS_OF_GUEST)
            return _changed(name, lambda now: now.sit(person, called))(connection)

        found = await self._store.write(work, _about(name), alone=False)
        self._look_for_host(name)
        return found

    async def begin(self, name: str, by: str) -> None:
        """From gathering to game, in one step."""

        def work(connection: Connection) -> None:
            gathering = _locked(connection, name)
            game, row = gathering.begin(by)
            insert_game(connection, row, digest(game), self._store.process)
            delete_gatherings(connection, [name])

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
    """Someone leaves every table, for good; the tables concerned. Part of a larger change."""
    query = select(_chairs.gathering).distinct().where(_chairs.person == person).order_by(_chairs.gathering)
    names = list(connection.scalars(query))
    for name in names:
        with suppress(Problem):  # It has begun meanwhile, or nobody sits there any more.
            _changed(name, lambda now: now.leave(person))(connection)
    return names


def lock(connection: Connection, names: Sequence[str]) -> None:
    """Let nobody else change these meanwhile."""
    query = select(_gatherings.id).where(_gatherings.id.in_(names)).order_by(_gatherings.id)
    connection.execute(query.with_for_update())


def delete_gatherings(connection: Connection, names: Sequence[str]) -> None:
    """All that there is of these."""
    lock(connection, names)
    connection.execute(delete(schema.chairs).where(_chairs.gathering.in_(names)))
    connection.execute(delete(schema.gatherings).where(_gatherings.id.in_(names)))


def read_gatherings(connection: Connection, names: Sequence[str]) -> list[Gathering]:
    """Those of these that are there, in the same order."""
    rows = {row.id: row for row in connection.execute(select(schema.gatherings).where(_gatherings.id.in_(names)))}
    chairs: dict[str, list[Chair]] = {}
    query = select(schema.chairs).where(_chairs.gathering.in_(list(rows))).order_by(_chairs.seat)
    for chair in connection.execute(query):
        chairs.setdefault(chair.gathering, []).append(Chair(chair.kind, chair.name, chair.person, chair.level))
    return [
        Gathering(
            id=name,
            host=row.host,
            chairs=tuple(chairs.get(name, ())),
            rules=json.loads(row.rules),
            first=row.first,
            aids=row.aids,
            pace=row.pace,
            watch=row.watch,
            public=row.public,
            turn_limit=row.turn_limit,
            version=row.version,
        )
        for name in names
        if (row := rows.get(name))
    ]


def _lobby(connection: Connection) -> list[Gathering]:
    """Two searches that don't depend on how many tables there are: where somebody is now, and the newest."""
    lately = (datetime.now(UTC) - _FRESH).isoformat(timespec="milliseconds")
    shown = select(_gatherings.id, _gatherings.host, _gatherings.updated).where(_gatherings.in_lobby)
    latest = shown.order_by(_gatherings.updated.desc()).limit(_LOOKED_THROUGH)
    visited = latest.where(_gatherings.visited)
    others = latest.where(~_gatherings.visited, _gatherings.updated > lately)
    rows = [*connection.execute(visited), *connection.execute(others)]
    people = schema.people.c
    hosts = {row.host for row in rows}
    hidden = set(connection.scalars(select(people.id).where(people.id.in_(hosts), people.hidden)))
    found: list[str] = []
    of_host: Counter[str] = Counter()
    for name, host, _ in rows:
        of_host[host] += 1
        if of_host[host] <= _OF_ONE_HOST and host not in hidden:
            found.append(name)
    return read_gatherings(connection, found[:_NEWEST])


def _check_person(connection: Connection, person: str) -> None:
    """Are they still someone? And they stay so until this is done."""
    mine = select(schema.people.c.banned).where(schema.people.c.id == person)
    banned = connection.scalar(mine.with_for_update(read=True))
    if banned is None:
        raise Problem("nobody")
    if banned:
        raise Problem("banned")


def _check_few(connection: Connection, mine: Select[tuple[str]], most: int) -> None:
    """Nobody needs more tables at once than these."""
    if len(connection.scalars(mine.limit(most)).all()) >= most:
        raise Problem("too-many-games")


def _changed(name: str, step: Callable[[Gathering], After]) -> Callable[[Connection], After]:
    def work(connection: Connection) -> After:
        after = step(_locked(connection, name))
        if after is None:
            delete_gatherings(connection, [name])
        else:
            connection.execute(update(schema.gatherings).where(_gatherings.id == name).values(_row(after)))
            connection.execute(delete(schema.chairs).where(_chairs.gathering == name))
            connection.execute(insert(schema.chairs), _chair_rows(after))
        return after

    return work


def _about(name: str) -> Callable[[object], tuple[Change, ...]]:
    return lambda _found: (Change("gathering", name),)


def _locked(connection: Connection, name: str) -> Gathering:
    """A gathering to change, which nobody else changes meanwhile."""
    if is_id(name):  # Else the database would be asked for what it can't hold.
        lock(connection, [name])
    return _find(name)(connection)


def _find(name: str) -> Callable[[Connection], Gathering]:
    def work(connection: Connection) -> Gathering:
        for found in read_gatherings(connection, [name]) if is_id(name) else ():
            return found
        raise Problem("no-such-gathering")

    return work


def _row(gathering: Gathering) -> dict[str, object]:
    return {
        "id": gathering.id,
        "version": gathering.version,
        "host": gathering.host,
        "rules": json.dumps(gathering.rules, separators=(",", ":")),
        "first": gathering.first,
        "aids": gathering.aids,
        "pace": gathering.pace,
        "watch": gathering.watch,
        "public": gathering.public,
        "turn_limit": gathering.turn_limit,
        "in_lobby": gathering.public and any(chair.kind == "free" for chair in gathering.chairs),
        "updated": now(),
    }


def _chair_rows(gathering: Gathering) -> list[dict[str, object]]:
    return [
        {"gathering": gathering.id, "seat": seat, **structs.asdict(chair)}
        for seat, chair in enumerate(gathering.chairs)
    ]
