"""Deletes old data: old games, abandoned gatherings, and people who have nothing here anymore.

Data is deleted in small steps, so nobody has to wait. Games that someone has open are kept. So are ratings: they have
their own log, so they don't depend on old games.
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

_ABANDONED_DAYS = 1  # Gatherings, searches and invitations older than this are considered abandoned.
_BATCH = 100  # The most rows to delete at a time.

_games, _people, _gatherings = schema.games.c, schema.people.c, schema.gatherings.c

Condition = ColumnElement[bool]


class Cleaned(NamedTuple):
    """How many games, gatherings and people were deleted, or would be."""

    finished: int
    unfinished: int
    gatherings: int
    people: int


class _OldRows(NamedTuple):
    """Which rows may be deleted, as a condition for each kind."""

    finished: Condition
    unfinished: Condition
    gatherings: Condition
    people: Condition
    """This condition doesn't check whether they still have anything here."""

    @classmethod
    def as_of(cls, now: float, keep_days: int, unfinished_days: int) -> _OldRows:
        is_closed = ~exists().where(schema.presence.c.game == _games.id)
        return cls(
            finished=_games.over & _older(_games.updated, now, keep_days) & is_closed,
            unfinished=~_games.over & _older(_games.updated, now, unfinished_days) & is_closed,
            gatherings=_older(_gatherings.updated, now, _ABANDONED_DAYS) & ~_gatherings.visited,
            people=_older(_people.created, now, unfinished_days) & _people.listed_as.is_(None),
        )


async def clean(store: Store, keep_days: int, unfinished_days: int) -> Cleaned:
    """Delete finished games after `keep_days` and others after `unfinished_days` without a move; 0 means never.

    Gatherings abandoned for a day are always deleted. People are deleted after `unfinished_days` if they have no game,
    gathering, place in a rematch, solved conundrum, rating, ban or name on the leaderboards.
    """
    old = _OldRows.as_of(store.clock.now(), keep_days, unfinished_days)
    finished = await _delete_old_games(store, old.finished)
    unfinished = await _delete_old_games(store, old.unfinished)
    gatherings = await _delete_old_gatherings(store, old.gatherings)
    expired = delete(schema.codes).where(schema.codes.c.expires < as_text(store.clock.now()))
    await store.write(lambda connection: connection.execute(expired) and None)
    await store.write(_delete_old_invitations(store.clock.now()), isolated=False)
    people = await _delete_old_people(store, old.people, _has_nothing())
    await store.scrub()
    return Cleaned(finished, unfinished, gatherings, people)


async def count(store: Store, keep_days: int, unfinished_days: int) -> Cleaned:
    """Count what `clean` would delete."""
    old = _OldRows.as_of(store.clock.now(), keep_days, unfinished_days)
    idle_people = old.people & _has_nothing(ignoring=old)
    tables = (schema.games, schema.games, schema.gatherings, schema.people)
    conditions = (old.finished, old.unfinished, old.gatherings, idle_people)

    def work(connection: Connection) -> Cleaned:
        queries = [
            select(func.count()).select_from(table).where(condition)
            for table, condition in zip(tables, conditions, strict=True)
        ]
        return Cleaned(*(connection.scalar(query) or 0 for query in queries))

    return await store.read(work)


def _older(column: ColumnElement[str], now: float, days: int) -> Condition:
    if days == 0:
        return false()
    return column < as_text(now - timedelta(days=days).total_seconds())


def _has_nothing(ignoring: _OldRows | None = None) -> Condition:
    """People without a game, gathering, place in a rematch, solved conundrum, rating or ban.

    Rows that match `ignoring` don't count.
    """
    seats = exists().where(schema.seats.c.person == _people.id)
    chairs = exists().where(schema.chairs.c.person == _people.id)
    waiting = exists().where(schema.waiting.c.person == _people.id)
    if ignoring is not None:
        is_kept = ~(ignoring.finished | ignoring.unfinished)
        seats = seats.where(schema.seats.c.game == _games.id, is_kept)
        waiting = waiting.where(schema.waiting.c.game == _games.id, is_kept)
        chairs = chairs.where(schema.chairs.c.gathering == _gatherings.id, ~ignoring.gatherings)
    solved = exists().where(schema.solved.c.person == _people.id)
    rated = exists().where(schema.results.c.player == literal("p:") + _people.id)
    return ~seats & ~chairs & ~waiting & ~solved & ~rated & ~_people.banned


async def _delete_old_games(store: Store, condition: Condition) -> int:
    order = tuple_(_games.updated, _games.id)
    query = select(_games.id, _games.updated).where(condition).order_by(_games.updated, _games.id).limit(_BATCH)
    count = 0
    rows = await store.read(_fetch(query))
    while rows:
        ids = [row.id for row in rows]
        previous = await store.read(_fetch(select(_games.id).where(_games.next_game.in_(ids))))
        work = _delete_if_old(ids, [row.id for row in previous], condition)
        deleted: list[str] = await store.write(work, _about("game"))
        count += len(deleted)
        rows = await store.read(_fetch(query.where(order > tuple_(rows[-1].updated, rows[-1].id))))
    return count


def _delete_if_old(ids: list[str], previous: list[str], condition: Condition) -> Callable[[Connection], list[str]]:
    """Delete these games, except those someone has come back to. The games in `previous` link to them."""

    def work(connection: Connection) -> list[str]:
        old = list(connection.scalars(select(_games.id).where(_games.id.in_(ids), condition)))
        delete_games(connection, old, previous)
        return old

    return work


def delete_games(connection: Connection, ids: list[str], previous: list[str]) -> None:
    """Delete everything about these games. The games in `previous` may link to them."""
    for table in (schema.events, schema.seats, schema.waiting, schema.notices, schema.presence):
        connection.execute(delete(table).where(table.c.game.in_(ids)))
    has_link = _games.id.in_(previous) & _games.next_game.in_(ids)
    connection.execute(update(schema.games).where(has_link).values(next_game=None))
    connection.execute(delete(schema.games).where(_games.id.in_(ids)))


def forget_relations(connection: Connection, people: Sequence[str]) -> None:
    """Delete these people's invitations and searches, and what they and others decided about each other."""
    known, invited = schema.acquaintances.c, schema.invitations.c
    for column in (known.person, known.other, invited.person, invited.host, schema.seekers.c.person):
        connection.execute(delete(column.table).where(column.in_(people)))


def _delete_old_invitations(now: float) -> Callable[[Connection], None]:
    """Delete invitations that no longer count toward a limit, and abandoned searches."""
    cutoff = now - timedelta(days=_ABANDONED_DAYS).total_seconds()

    def work(connection: Connection) -> None:
        connection.execute(delete(schema.invitations).where(schema.invitations.c.at < cutoff))
        connection.execute(delete(schema.seekers).where(schema.seekers.c.seen < cutoff))

    return work


async def _delete_old_gatherings(store: Store, condition: Condition) -> int:
    def work(connection: Connection) -> list[str]:
        ids = list(connection.scalars(select(_gatherings.id).where(condition).limit(_BATCH)))
        delete_gatherings(connection, ids)
        return ids

    count = 0
    while deleted := await store.write(work, _about("gathering")):
        count += len(deleted)
    return count


async def _delete_old_people(store: Store, old: Condition, has_nothing: Condition) -> int:
    """Delete people who came long ago and have nothing here, a few at a time, so that no step takes long."""
    order = tuple_(_people.created, _people.id)
    query = select(_people.id, _people.created).where(old).order_by(_people.created, _people.id).limit(_BATCH)
    count = 0
    rows = await store.read(_fetch(query))
    while rows:
        count += await store.write(_delete_people_if([row.id for row in rows], old & has_nothing))
        rows = await store.read(_fetch(query.where(order > tuple_(rows[-1].created, rows[-1].id))))
    return count


def _delete_people_if(ids: list[str], condition: Condition) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        people = list(connection.scalars(select(_people.id).where(_people.id.in_(ids), condition)))
        for person in people:
            notices.forget_person(connection, person)
        forget_relations(connection, people)
        for table in (schema.codes, schema.devices, schema.tallies):
            connection.execute(delete(table).where(table.c.person.in_(people)))
        connection.execute(delete(schema.people).where(_people.id.in_(people)))
        return len(people)

    return work


def _fetch(query: Select[Any]) -> Callable[[Connection], Sequence[Row[Any]]]:
    return lambda connection: connection.execute(query).all()


def _about(kind: Literal["game", "gathering"]) -> Callable[[Iterable[str]], list[Change]]:
    return lambda names: [Change(kind, name) for name in names]
