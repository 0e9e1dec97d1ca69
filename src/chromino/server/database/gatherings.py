"""Gatherings in the database. Each change is one event of `chromino.seated.gathering`, decided under a lock."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Label,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from chromino.fair_deal import new_part
from chromino.messages.gatherings import Sit
from chromino.seated import gathering as seated
from chromino.seated.declined import Declined
from chromino.seated.events import GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering
from chromino.seated.lobby import MAX_PER_HOST, OpenTable
from chromino.seated.lobby import lobby as fair_lobby
from chromino.seated.seats import Chair
from chromino.server.database import notices, schema
from chromino.server.database.rows import digest, row_of
from chromino.server.database.shared_clock import has_row_locks, seconds_now, text_now
from chromino.server.database.store import insert_game, is_id
from chromino.server.problems import Problem

_FRESH = timedelta(hours=1)  # A table without changes or visitors for this long leaves the lobby; its link stays valid.
_REVEAL_TIME = timedelta(minutes=1)  # Much longer than a page needs to reveal its part.
_SEARCH_LIMIT = 1000  # Tables per search: 1,000 with people there, and 1,000 without.
_MAX_PER_ORIGIN = 50  # Public tables per address, so that a few addresses can't fill the lobby.

_NO_ENTROPY = "0"  # The column's default.

_gatherings, _chairs = schema.gatherings.c, schema.chairs.c

# Statements for each change and each read are built only once: building them takes longer than running them.
_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
_FIND_ALL = select(schema.gatherings)
_FIND_ALL_CHAIRS = (
    select(schema.chairs, schema.people.c.is_program)
    .select_from(schema.chairs.outerjoin(schema.people, schema.people.c.id == _chairs.person))
    .order_by(_chairs.seat)
)
_FIND_MANY = _FIND_ALL.where(_gatherings.id.in_(_IDS)), _FIND_ALL_CHAIRS.where(_chairs.gathering.in_(_IDS))
_FIND_ONE = (
    _FIND_ALL.where(_gatherings.id == bindparam("of")),
    _FIND_ALL_CHAIRS.where(_chairs.gathering == bindparam("of")),
)
_LOCK = select(_gatherings.id).where(_gatherings.id.in_(_IDS)).order_by(_gatherings.id).with_for_update()
_UPDATE = update(schema.gatherings).where(_gatherings.id == bindparam("of"))
_ORIGIN = select(_gatherings.origin).where(_gatherings.id == bindparam("of"))
_UPDATE_CHAIR = update(schema.chairs).where(_chairs.gathering == bindparam("of"), _chairs.seat == bindparam("number"))
_DELETE_CHAIRS_FROM = delete(schema.chairs).where(
    _chairs.gathering == bindparam("of"), _chairs.seat >= bindparam("number")
)
_INSERT, _INSERT_CHAIRS = insert(schema.gatherings), insert(schema.chairs)
_DELETE = delete(schema.gatherings).where(_gatherings.id.in_(_IDS))
_DELETE_CHAIRS = delete(schema.chairs).where(_chairs.gathering.in_(_IDS))


def find(gathering_id: str) -> Callable[[Connection], Gathering]:
    def work(connection: Connection) -> Gathering:
        for found in read_gatherings(connection, [gathering_id]) if is_id(gathering_id) else ():
            return found
        raise Problem("no-such-gathering")

    return work


def add(gathering: Gathering, limit: int, origin: int = 0) -> Callable[[Connection], None]:
    """Open a table, unless the host already has this many; `origin` is 0 if unknown, see `chromino.seated.lobby`."""

    def work(connection: Connection) -> None:
        check_person(connection, gathering.host)
        mine = select(_gatherings.id).where(_gatherings.host == gathering.host)
        _drop_undealt(connection, mine)
        _check_limit(connection, mine, limit)
        if gathering.public:
            _check_lobby(connection, origin)
        insert_gathering(connection, gathering, origin)

    return work


def add_rematch(game: str, gathering: Gathering, limit: int) -> Callable[[Connection], str]:
    """Open a table for a rematch, unless there already is one. Returns the id of the rematch."""
    games = schema.games.c

    def work(connection: Connection) -> str:
        if found := _rematch_of(connection, game):
            return found
        add(gathering, limit)(connection)
        first = update(schema.games).where(games.id == game, games.next_game.is_(None))
        if connection.execute(first.values(next_game=gathering.id)).rowcount:
            return gathering.id
        _delete(connection, [gathering.id])  # Someone else was faster.
        return _rematch_of(connection, game) or ""

    return work


def sit(gathering_id: str, person: str, asked: Sit, at: float, limit: int) -> Callable[[Connection], Gathering]:
    """Let someone sit down, or change their name or face, unless they're already a guest at this many tables."""

    def work(connection: Connection) -> Gathering:
        check_person(connection, person)
        others = select(_chairs.gathering).distinct().where(_chairs.person == person, _chairs.gathering != gathering_id)
        as_guest = others.where(exists().where(_gatherings.id == _chairs.gathering, _gatherings.host != person))
        # Anyone can ask for a rematch: a chair kept for someone who never came doesn't count as theirs.
        kept = schema.chairs.alias()
        waits = (kept.c.gathering == _chairs.gathering) & (kept.c.person == person) & (kept.c.commitment == "")
        as_guest = as_guest.where(~exists().where(waits))
        _check_limit(connection, as_guest, limit)
        here = exists().where(schema.presence.c.game == gathering_id, schema.presence.c.person == person)
        is_here = bool(connection.scalar(select(here)))
        is_program = bool(connection.scalar(select(schema.people.c.is_program).where(schema.people.c.id == person)))

        def decide(table: Gathering) -> GatheringEvent:
            how = (asked.commitment, asked.face)
            return seated.sit(table, person, asked.name, at, *how, is_here=is_here, is_program=is_program)

        after = change(gathering_id, decide)(connection)
        if not isinstance(after, Gathering):
            raise Problem("no-such-gathering")
        notices.withdraw(connection, gathering_id, {person})  # They've accepted their invitation.
        return after

    return work


def change(
    gathering_id: str, decide: Callable[[Gathering], GatheringEvent | None], process: str = ""
) -> Callable[[Connection], Gathering | SeatedGame | None]:
    """Let `decide` choose an event, and apply it to the table.

    Returns the table after the event: None if everyone has left, or a game if the tiles were dealt. From then on, this
    process performs the game's automatic actions.
    """

    def work(connection: Connection) -> Gathering | SeatedGame | None:
        before = _locked(connection, gathering_id)
        event = decide(before)
        if event is None:
            return before
        after = seated.apply(before, event)
        if isinstance(after, Gathering) and after.public and not before.public:
            _check_lobby(connection, connection.scalar(_ORIGIN, {"of": gathering_id}) or 0)
        if after is None:
            delete_gatherings(connection, [gathering_id])
        elif isinstance(after, SeatedGame):
            insert_game(connection, row_of(after), digest(after.game), process)
            _delete(connection, [gathering_id])
        else:
            connection.execute(_UPDATE, {**_row(after), "of": gathering_id, "updated": text_now(connection)})
            _change_chairs(connection, before, after)
        waiting = after.waiting if isinstance(after, Gathering) else set()
        if before.offer_ends is not None and before.waiting - waiting:
            notices.withdraw(connection, gathering_id, before.waiting - waiting)
        return after

    return work


def stand_up(connection: Connection, person: str) -> list[str]:
    """Make someone leave every table for good, and return those tables. Call this inside a larger transaction."""
    query = select(_chairs.gathering).distinct().where(_chairs.person == person).order_by(_chairs.gathering)
    ids = list(connection.scalars(query))
    for gathering_id in ids:
        with suppress(Problem, Declined):  # The game has started in the meantime, or they've left the table.
            change(gathering_id, lambda table: seated.stand_up(table, person))(connection)
    return ids


def check_person(connection: Connection, person: str) -> None:
    """Check that a person still exists and isn't banned, and keep it that way until the transaction ends."""
    mine = select(schema.people.c.banned).where(schema.people.c.id == person)
    banned = connection.scalar(mine.with_for_update(read=True))
    if banned is None:
        raise Problem("nobody")
    if banned:
        raise Problem("banned")


def insert_gathering(connection: Connection, gathering: Gathering, origin: int = 0) -> None:
    row = {**_row(gathering), "updated": text_now(connection), "origin": origin}
    connection.execute(_INSERT, row)
    connection.execute(_INSERT_CHAIRS, _chair_rows(gathering))


def lock(connection: Connection, ids: Sequence[str]) -> None:
    """Keep others from changing these gatherings until the transaction ends."""
    if has_row_locks(connection):
        connection.execute(_LOCK, {"ids": ids})


def delete_gatherings(connection: Connection, ids: Sequence[str]) -> None:
    """Delete gatherings that won't become games. If one was for a rematch, people can ask for a rematch again."""
    _delete(connection, ids)
    rematches = update(schema.games).where(schema.games.c.next_game.in_(ids))
    connection.execute(rematches.values(next_game=None))


def _delete(connection: Connection, ids: Sequence[str]) -> None:
    lock(connection, ids)
    notices.withdraw_all(connection, ids)
    connection.execute(_DELETE_CHAIRS, {"ids": ids})
    connection.execute(_DELETE, {"ids": ids})


def read_gatherings(connection: Connection, ids: Sequence[str]) -> list[Gathering]:
    """The gatherings with these ids, in the same order. Those that don't exist are left out."""
    find, find_chairs = _FIND_ONE if len(ids) == 1 else _FIND_MANY  # A query with a list takes twice as long.
    which: dict[str, object] = {"of": ids[0]} if len(ids) == 1 else {"ids": ids}
    rows = {row.id: row for row in connection.execute(find, which)}
    chairs: dict[str, list[Chair]] = {}
    for chair in connection.execute(find_chairs, which):
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
            id=gathering_id,
            host=row.host,
            chairs=tuple(chairs.get(gathering_id, ())),
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
            offer_ends=row.offer_ends,
            latecomers=row.latecomers,
        )
        for gathering_id in ids
        if (row := rows.get(gathering_id))
    ]


def offers(connection: Connection) -> list[str]:
    """Rematches on offer. Each needs a process that starts it in time."""
    return list(connection.scalars(select(_gatherings.id).where(_gatherings.offer_ends > 0)))


def offers_to(person: str, limit: int) -> Callable[[Connection], list[Gathering]]:
    """Rematches waiting for this person's answer; the ones that end first come first."""

    def work(connection: Connection) -> list[Gathering]:
        query = (
            select(_gatherings.id)
            .join(schema.chairs, _chairs.gathering == _gatherings.id)
            .where(_chairs.person == person, _chairs.commitment == "")
            .where(_gatherings.offer_ends > seconds_now(connection))
            .order_by(_gatherings.offer_ends, _gatherings.id)
            .limit(limit)
        )
        ids = list(connection.scalars(query))
        return read_gatherings(connection, ids) if ids else []

    return work


def lobby(connection: Connection) -> list[Gathering]:
    """Public tables, except those that haven't had visitors for a long time: see `chromino.seated.lobby`.

    This takes two searches: for tables where someone is now, and for the newest of the others.
    """
    recent_since = text_now(connection, -_FRESH)
    visited = _in_turn(_gatherings.visited)
    others = _in_turn(~_gatherings.visited, _gatherings.updated > recent_since)
    rows = [*connection.execute(visited), *connection.execute(others)]
    people = schema.people.c
    hosts = {row.host for row in rows}
    hidden = set(connection.scalars(select(people.id).where(people.id.in_(hosts), people.hidden)))
    tables = [OpenTable(*row) for row in rows if row.host not in hidden]
    return read_gatherings(connection, fair_lobby(tables, seconds_now(connection)))


def _in_turn(*which: ColumnElement[bool]) -> Select[tuple[str, str, int, bool, str]]:
    """The tables that the lobby considers: the latest one from each address, then the second one from each, and so on.

    Tables from unknown addresses (0) don't have to take turns. No host has more than a few.
    """
    columns = (_gatherings.id, _gatherings.host, _gatherings.origin, _gatherings.visited, _gatherings.updated)

    def nth(whose: Column[Any]) -> Label[int]:
        return func.row_number().over(partition_by=whose, order_by=_gatherings.updated.desc()).label(f"of_{whose.key}")

    of_host, of_origin = nth(_gatherings.host), nth(_gatherings.origin)
    found = select(*columns, of_host, of_origin).where(_gatherings.in_lobby, *which).subquery()
    turn = case((found.c.origin == 0, 1), else_=found.c[of_origin.name])
    few = select(*(found.c[column.name] for column in columns)).where(found.c[of_host.name] <= MAX_PER_HOST)
    return few.order_by(turn, found.c.updated.desc()).limit(_SEARCH_LIMIT)


def _check_limit(connection: Connection, mine: Select[tuple[str]], limit: int, problem: str = "too-many-games") -> None:
    """Raise a `Problem` if someone has too many tables."""
    if len(connection.scalars(mine.limit(limit)).all()) >= limit:
        raise Problem(problem)


def _check_lobby(connection: Connection, origin: int) -> None:
    """Raise a `Problem` if this address already has too many public tables. An unknown address (0) has no limit."""
    if origin:
        is_recent = _gatherings.visited | (_gatherings.updated > text_now(connection, -_FRESH))
        nearby = select(_gatherings.id).where(_gatherings.origin == origin, _gatherings.public, is_recent)
        _check_limit(connection, nearby, _MAX_PER_ORIGIN, "lobby-full")


def _locked(connection: Connection, gathering_id: str) -> Gathering:
    """A gathering to change, locked for this transaction."""
    if is_id(gathering_id):  # An invalid id may contain characters that the database can't store.
        lock(connection, [gathering_id])
    found = find(gathering_id)(connection)
    # An older version opened this table and stored no entropy, so nobody has relied on any yet.
    return found if found.entropy != _NO_ENTROPY else replace(found, entropy=new_part())


def _rematch_of(connection: Connection, game: str) -> str | None:
    return connection.scalar(select(schema.games.c.next_game).where(schema.games.c.id == game))


def _drop_undealt(connection: Connection, mine: Select[tuple[str]]) -> None:
    """Delete tables for one person who hasn't revealed their part in time, because their page was closed."""
    cutoff = text_now(connection, -_REVEAL_TIME)
    waiting: list[str] = list(connection.scalars(mine.where(_gatherings.dealing, _gatherings.updated < cutoff)))
    alone = [table.id for table in read_gatherings(connection, waiting) if set(table.people) == {table.host}]
    if alone:
        delete_gatherings(connection, alone)


def _change_chairs(connection: Connection, before: Gathering, after: Gathering) -> None:
    """Write the chairs that have changed: usually just one. Only the host can add or remove chairs."""
    known, wanted = len(before.chairs), len(after.chairs)
    for seat, (old, new) in enumerate(zip(before.chairs, after.chairs, strict=False)):
        if new != old:
            connection.execute(_UPDATE_CHAIR, {**_chair_row(after, seat), "of": after.id, "number": seat})
    if wanted > known:
        connection.execute(_INSERT_CHAIRS, _chair_rows(after)[known:])
    if wanted < known:
        connection.execute(_DELETE_CHAIRS_FROM, {"of": after.id, "number": wanted})


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
        "offer_ends": gathering.offer_ends,
        "latecomers": gathering.latecomers,
        "in_lobby": gathering.public and not gathering.dealing and _has_free_chair(gathering),
    }


def _chair_rows(gathering: Gathering) -> list[dict[str, object]]:
    return [_chair_row(gathering, seat) for seat in range(len(gathering.chairs))]


def _chair_row(gathering: Gathering, seat: int) -> dict[str, object]:
    """A chair's row, without `is_program`, which is stored with the person."""
    row = {"gathering": gathering.id, "seat": seat, **asdict(gathering.chairs[seat])}
    del row["is_program"]
    return row
