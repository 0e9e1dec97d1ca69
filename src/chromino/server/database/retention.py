"""Deletes old data: old games, abandoned tables, and people who have nothing here anymore.

Data is deleted in small steps, so nobody has to wait. Games that someone has open are kept, and so are ratings, which
have their own log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    exists,
    false,
    func,
    literal,
    select,
    tuple_,
    update,
)

from chromino.server.database import notices, schema
from chromino.server.database.gatherings import delete_gatherings
from chromino.server.database.shared_clock import as_text
from chromino.server.database.store import Change, Store

_ABANDONED_DAYS = 1  # A table that hasn't changed for this long counts as abandoned.
_BATCH = 100  # How many rows to delete at a time.

_games, _people, _gatherings = schema.games.c, schema.people.c, schema.gatherings.c

Condition = ColumnElement[bool]


class Cleaned(NamedTuple):
    """How many of each kind were deleted, or would be."""

    finished: int
    unfinished: int
    gatherings: int
    people: int


class _OldRows(NamedTuple):
    """What may be deleted, as conditions on each table's rows."""

    finished: Condition
    unfinished: Condition
    gatherings: Condition
    people: Condition
    """This doesn't check whether they still have anything here."""

    @classmethod
    def after(cls, now: float, keep_days: int, unfinished_days: int) -> _OldRows:
        unseen = ~exists().where(schema.presence.c.game == _games.id)
        return cls(
            finished=_games.over & _older(_games.updated, now, keep_days) & unseen,
            unfinished=~_games.over & _older(_games.updated, now, unfinished_days) & unseen,
            gatherings=_older(_gatherings.updated, now, _ABANDONED_DAYS) & ~_gatherings.visited,
            people=_older(_people.created, now, unfinished_days) & _people.listed_as.is_(None),
        )


async def clean(store: Store, keep_days: int, unfinished_days: int) -> Cleaned:
    """Delete finished games, and abandoned ones, after this many days; 0: never.

    Tables abandoned for a day are always deleted. People are deleted after `unfinished_days`, if they have no game,
    table, solved conundrum or rating.
    """
    old = _OldRows.after(store.clock.now(), keep_days, unfinished_days)
    finished = await _delete_games(store, old.finished)
    unfinished = await _delete_games(store, old.unfinished)
    gatherings = await _delete_gatherings(store, old.gatherings)
    expired = delete(schema.codes).where(schema.codes.c.expires < as_text(store.clock.now()))
    await store.write(lambda connection: connection.execute(expired) and None)
    await store.write(_end_meetings(store.clock.now()), alone=False)
    people = await _delete_people(store, old.people, _has_nothing())
    await store.scrub()
    return Cleaned(finished, unfinished, gatherings, people)


async def count(store: Store, keep_days: int, unfinished_days: int) -> Cleaned:
    """What `clean` would delete."""
    old = _OldRows.after(store.clock.now(), keep_days, unfinished_days)
    nobody = old.people & _has_nothing(but=old)
    tables = (schema.games, schema.games, schema.gatherings, schema.people)
    conditions = (old.finished, old.unfinished, old.gatherings, nobody)

    def work(connection: Connection) -> Cleaned:
        queries = [
            select(func.count()).select_from(table).where(c) for table, c in zip(tables, conditions, strict=True)
        ]
        return Cleaned(*(connection.scalar(query) or 0 for query in queries))

    return await store.read(work)


def _older(column: ColumnElement[str], now: float, days: int) -> Condition:
    if days == 0:
        return false()
    return column < as_text(now - timedelta(days=days).total_seconds())


def _has_nothing(but: _OldRows | None = None) -> Condition:
    """People without a game, a table, a solved conundrum, a rating or a ban. Rows that match `but` don't count."""
    seats = exists().where(schema.seats.c.person == _people.id)
    chairs = exists().where(schema.chairs.c.person == _people.id)
    waiting = exists().where(schema.waiting.c.person == _people.id)
    if but is not None:
        stays = ~(but.finished | but.unfinished)
        seats = seats.where(schema.seats.c.game == _games.id, stays)
        waiting = waiting.where(schema.waiting.c.game == _games.id, stays)
        chairs = chairs.where(schema.chairs.c.gathering == _gatherings.id, ~but.gatherings)
    solved = exists().where(schema.solved.c.person == _people.id)
    rated = exists().where(schema.results.c.player == literal("p:") + _people.id)
    return ~seats & ~chairs & ~waiting & ~solved & ~rated & ~_people.banned


async def _delete_games(store: Store, condition: Condition) -> int:
    order = tuple_(_games.updated, _games.id)
    query = select(_games.id, _games.updated).where(condition).order_by(_games.updated, _games.id).limit(_BATCH)
    gone = 0
    rows = await store.read(_fetch(query))
    while rows:
        found = [row.id for row in rows]
        before = await store.read(_fetch(select(_games.id).where(_games.next_game.in_(found))))
        deleting = _delete_these(found, [row.id for row in before], condition)
        deleted: list[str] = await store.write(deleting, _about("game"))
        gone += len(deleted)
        rows = await store.read(_fetch(query.where(order > tuple_(rows[-1].updated, rows[-1].id))))
    return gone


def _delete_these(found: list[str], before: list[str], condition: Condition) -> Callable[[Connection], list[str]]:
    """Delete these games, except those someone has come back to; `before` are the games that link to them."""

    def work(connection: Connection) -> list[str]:
        gone = list(connection.scalars(select(_games.id).where(_games.id.in_(found), condition)))
        delete_games(connection, gone, before)
        return gone

    return work


def delete_games(connection: Connection, gone: list[str], before: list[str]) -> None:
    """Delete everything about these games; `before` are games that may link to them."""
    for table in (schema.events, schema.seats, schema.waiting, schema.notices):
        connection.execute(delete(table).where(table.c.game.in_(gone)))
    leads = _games.id.in_(before) & _games.next_game.in_(gone)
    connection.execute(update(schema.games).where(leads).values(next_game=None))
    connection.execute(delete(schema.games).where(_games.id.in_(gone)))


def forget_meetings(connection: Connection, people: Sequence[str]) -> None:
    """Delete these people's invitations and searches, and what they and others decided about each other."""
    known, asked = schema.acquaintances, schema.invitations
    for column in (known.c.person, known.c.other, asked.c.person, asked.c.host, schema.seekers.c.person):
        connection.execute(delete(column.table).where(column.in_(people)))


def _end_meetings(now: float) -> Callable[[Connection], None]:
    """Delete invitations that no longer count toward a limit, and abandoned searches."""
    old = now - timedelta(days=_ABANDONED_DAYS).total_seconds()

    def work(connection: Connection) -> None:
        connection.execute(delete(schema.invitations).where(schema.invitations.c.at < old))
        connection.execute(delete(schema.seekers).where(schema.seekers.c.seen < old))

    return work


async def _delete_gatherings(store: Store, condition: Condition) -> int:
    def work(connection: Connection) -> list[str]:
        gone = list(connection.scalars(select(_gatherings.id).where(condition).limit(_BATCH)))
        delete_gatherings(connection, gone)
        return gone

    gone = 0
    while found := await store.write(work, _about("gathering")):
        gone += len(found)
    return gone


async def _delete_people(store: Store, old: Condition, has_nothing: Condition) -> int:
    """Go through everyone who came long ago, page by page, so that no step takes long."""
    order = tuple_(_people.created, _people.id)
    query = select(_people.id, _people.created).where(old).order_by(_people.created, _people.id).limit(_BATCH)
    gone = 0
    rows = await store.read(_fetch(query))
    while rows:
        gone += await store.write(_forget([row.id for row in rows], old & has_nothing))
        rows = await store.read(_fetch(query.where(order > tuple_(rows[-1].created, rows[-1].id))))
    return gone


def _forget(found: list[str], condition: Condition) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        gone = list(connection.scalars(select(_people.id).where(_people.id.in_(found), condition)))
        for person in gone:
            notices.forget_person(connection, person)
        forget_meetings(connection, gone)
        for table in (schema.codes, schema.devices, schema.tallies):
            connection.execute(delete(table).where(table.c.person.in_(gone)))
        connection.execute(delete(schema.people).where(_people.id.in_(gone)))
        return len(gone)

    return work


def _fetch(query: Select[Any]) -> Callable[[Connection], Sequence[Row[Any]]]:
    return lambda connection: connection.execute(query).all()


def _about(kind: Literal["game", "gathering"]) -> Callable[[Iterable[str]], list[Change]]:
    return lambda names: [Change(kind, name) for name in names]
