"""Gatherings in the database. Each change is one event of `chromino.seated.gathering`, decided under a lock."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta

from sqlalchemy import Connection, Select, delete, exists, insert, select, update

from chromino.messages.gatherings import Sit
from chromino.seated import gathering as seated
from chromino.seated.declined import Declined
from chromino.seated.events import GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering
from chromino.seated.lobby import OpenTable
from chromino.seated.lobby import lobby as fair_lobby
from chromino.seated.seats import Chair
from chromino.server.database import schema
from chromino.server.database.rows import digest, row_of
from chromino.server.database.shared_clock import seconds_now, text_now
from chromino.server.database.store import insert_game, is_id
from chromino.server.problems import Problem

_FRESH = timedelta(hours=1)  # Without a change or a visitor, then a table leaves the lobby; its link stays good.
_SOON = timedelta(minutes=1)  # The time a page takes to reveal its part, and much more.
_LOOKED_THROUGH = 1000  # Tables with somebody there, and as many without.
_OF_ONE_ORIGIN = 50  # Public tables, so that a few addresses don't fill what is looked through.

_gatherings, _chairs = schema.gatherings.c, schema.chairs.c


def find(name: str) -> Callable[[Connection], Gathering]:
    def work(connection: Connection) -> Gathering:
        for found in read_gatherings(connection, [name]) if is_id(name) else ():
            return found
        raise Problem("no-such-gathering")

    return work


def add(gathering: Gathering, most: int, origin: int = 0) -> Callable[[Connection], None]:
    """Open a table, unless the host has this many already; `origin`: see `chromino.seated.lobby`, 0 if not known."""

    def work(connection: Connection) -> None:
        _check_person(connection, gathering.host)
        mine = select(_gatherings.id).where(_gatherings.host == gathering.host)
        _drop_undealt(connection, mine)
        _check_few(connection, mine, most)
        if gathering.public and origin:
            lately = _gatherings.visited | (_gatherings.updated > text_now(connection, -_FRESH))
            nearby = select(_gatherings.id).where(_gatherings.origin == origin, _gatherings.public, lately)
            _check_few(connection, nearby, _OF_ONE_ORIGIN, "lobby-full")
        _insert(connection, gathering, origin)

    return work


def add_rematch(game: str, gathering: Gathering, most: int) -> Callable[[Connection], str]:
    """The table for the game that follows another, unless there is one already; its id."""
    games = schema.games.c

    def work(connection: Connection) -> str:
        if found := _rematch_of(connection, game):
            return found
        add(gathering, most)(connection)
        first = update(schema.games).where(games.id == game, games.next_game.is_(None))
        if connection.execute(first.values(next_game=gathering.id)).rowcount:
            return gathering.id
        _delete(connection, [gathering.id])  # Someone else was faster.
        return _rematch_of(connection, game) or ""

    return work


def sit(name: str, person: str, asked: Sit, at: float, most: int) -> Callable[[Connection], Gathering]:
    """Someone takes a seat, or another name or face, unless they are a guest at this many tables already."""

    def work(connection: Connection) -> Gathering:
        _check_person(connection, person)
        others = select(_chairs.gathering).distinct().where(_chairs.person == person, _chairs.gathering != name)
        as_guest = others.where(exists().where(_gatherings.id == _chairs.gathering, _gatherings.host != person))
        _check_few(connection, as_guest, most)
        here = exists().where(schema.presence.c.game == name, schema.presence.c.person == person)
        is_here = bool(connection.scalar(select(here)))
        is_program = bool(connection.scalar(select(schema.people.c.is_program).where(schema.people.c.id == person)))

        def decide(table: Gathering) -> GatheringEvent:
            how = (asked.commitment, asked.face)
            return seated.sit(table, person, asked.name, at, *how, is_here=is_here, is_program=is_program)

        after = change(name, decide)(connection)
        if not isinstance(after, Gathering):
            raise Problem("no-such-gathering")
        return after

    return work


def change(
    name: str, decide: Callable[[Gathering], GatheringEvent | None], process: str = ""
) -> Callable[[Connection], Gathering | SeatedGame | None]:
    """Something happens at a table, unless what was decided is nothing. What the table is then: None if nobody is left,
    or a game if the tiles were dealt, which this process sees to."""

    def work(connection: Connection) -> Gathering | SeatedGame | None:
        before = _locked(connection, name)
        event = decide(before)
        if event is None:
            return before
        after = seated.apply(before, event)
        if after is None:
            delete_gatherings(connection, [name])
        elif isinstance(after, SeatedGame):
            insert_game(connection, row_of(after), digest(after.game), process)
            _delete(connection, [name])
        else:
            row = {**_row(after), "updated": text_now(connection)}
            connection.execute(update(schema.gatherings).where(_gatherings.id == name).values(row))
            connection.execute(delete(schema.chairs).where(_chairs.gathering == name))
            connection.execute(insert(schema.chairs), _chair_rows(after))
        return after

    return work


def stand_up(connection: Connection, person: str) -> list[str]:
    """Someone leaves every table, for good; the tables concerned. Part of a larger change."""
    query = select(_chairs.gathering).distinct().where(_chairs.person == person).order_by(_chairs.gathering)
    names = list(connection.scalars(query))
    for name in names:
        with suppress(Problem, Declined):  # It has begun meanwhile, or they don't sit there any more.
            change(name, lambda table: seated.stand_up(table, person))(connection)
    return names


def lock(connection: Connection, names: Sequence[str]) -> None:
    """Let nobody else change these meanwhile."""
    query = select(_gatherings.id).where(_gatherings.id.in_(names)).order_by(_gatherings.id)
    connection.execute(query.with_for_update())


def delete_gatherings(connection: Connection, names: Sequence[str]) -> None:
    """All that there is of these, at which no game will begin. If one was for a rematch, there can be another."""
    _delete(connection, names)
    rematches = update(schema.games).where(schema.games.c.next_game.in_(names))
    connection.execute(rematches.values(next_game=None))


def _delete(connection: Connection, names: Sequence[str]) -> None:
    lock(connection, names)
    connection.execute(delete(schema.chairs).where(_chairs.gathering.in_(names)))
    connection.execute(delete(schema.gatherings).where(_gatherings.id.in_(names)))


def read_gatherings(connection: Connection, names: Sequence[str]) -> list[Gathering]:
    """Those of these that are there, in the same order."""
    rows = {row.id: row for row in connection.execute(select(schema.gatherings).where(_gatherings.id.in_(names)))}
    chairs: dict[str, list[Chair]] = {}
    people = schema.people
    both = schema.chairs.outerjoin(people, people.c.id == _chairs.person)
    query = select(schema.chairs, people.c.is_program).select_from(both).where(_chairs.gathering.in_(list(rows)))
    for chair in connection.execute(query.order_by(_chairs.seat)):
        chairs.setdefault(chair.gathering, []).append(
            Chair(
                kind=chair.kind,
                name=chair.name,
                person=chair.person,
                level=chair.level,
                away_since=chair.away_since,
                is_program=bool(chair.is_program),
                commitment=chair.commitment,
                part=chair.part,
                face=chair.face,
            )
        )
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
            rated=row.rated,
            entropy=row.entropy,
            round=row.round,
            dealing=row.dealing,
        )
        for name in names
        if (row := rows.get(name))
    ]


def lobby(connection: Connection) -> list[Gathering]:
    """Those that are open to anyone, but not those at which nobody has been for long: see `chromino.seated.lobby`.

    Two searches that don't depend on how many tables there are: where somebody is now, and the newest.
    """
    lately = text_now(connection, -_FRESH)
    columns = (_gatherings.id, _gatherings.host, _gatherings.origin, _gatherings.visited, _gatherings.updated)
    shown = select(*columns).where(_gatherings.in_lobby)
    latest = shown.order_by(_gatherings.updated.desc()).limit(_LOOKED_THROUGH)
    visited = latest.where(_gatherings.visited)
    others = latest.where(~_gatherings.visited, _gatherings.updated > lately)
    rows = [*connection.execute(visited), *connection.execute(others)]
    people = schema.people.c
    hosts = {row.host for row in rows}
    hidden = set(connection.scalars(select(people.id).where(people.id.in_(hosts), people.hidden)))
    tables = [OpenTable(*row) for row in rows if row.host not in hidden]
    return read_gatherings(connection, fair_lobby(tables, seconds_now(connection)))


def _check_person(connection: Connection, person: str) -> None:
    """Are they still someone? And they stay so until this is done."""
    mine = select(schema.people.c.banned).where(schema.people.c.id == person)
    banned = connection.scalar(mine.with_for_update(read=True))
    if banned is None:
        raise Problem("nobody")
    if banned:
        raise Problem("banned")


def _check_few(connection: Connection, mine: Select[tuple[str]], most: int, problem: str = "too-many-games") -> None:
    """Nobody needs more tables at once than these."""
    if len(connection.scalars(mine.limit(most)).all()) >= most:
        raise Problem(problem)


def _locked(connection: Connection, name: str) -> Gathering:
    """A gathering to change, which nobody else changes meanwhile."""
    if is_id(name):  # Else the database would be asked for what it can't hold.
        lock(connection, [name])
    return find(name)(connection)


def _rematch_of(connection: Connection, game: str) -> str | None:
    return connection.scalar(select(schema.games.c.next_game).where(schema.games.c.id == game))


def _drop_undealt(connection: Connection, mine: Select[tuple[str]]) -> None:
    """Tables of someone alone who was to reveal their part a while ago, and never did: their page was closed."""
    lately = text_now(connection, -_SOON)
    waiting: list[str] = list(connection.scalars(mine.where(_gatherings.dealing, _gatherings.updated < lately)))
    alone = [table.id for table in read_gatherings(connection, waiting) if set(table.people) == {table.host}]
    if alone:
        delete_gatherings(connection, alone)


def _insert(connection: Connection, gathering: Gathering, origin: int) -> None:
    row = {**_row(gathering), "updated": text_now(connection), "origin": origin}
    connection.execute(insert(schema.gatherings), row)
    connection.execute(insert(schema.chairs), _chair_rows(gathering))


def _has_free_chair(gathering: Gathering) -> bool:
    return any(chair.kind == "free" for chair in gathering.chairs)


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
        "rated": gathering.rated,
        "entropy": gathering.entropy,
        "round": gathering.round,
        "dealing": gathering.dealing,
        "in_lobby": gathering.public and not gathering.dealing and _has_free_chair(gathering),
    }


def _chair_rows(gathering: Gathering) -> list[dict[str, object]]:
    """Whether somebody is a program is kept with the person."""
    rows = [{"gathering": gathering.id, "seat": seat, **asdict(chair)} for seat, chair in enumerate(gathering.chairs)]
    return [{name: value for name, value in row.items() if name != "is_program"} for row in rows]
