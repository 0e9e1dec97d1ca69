"""What an operator can do about a person: rename, hide or ban them. Everything is logged."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from chromino.server.database import gatherings, latecomers, schema
from chromino.server.database.shared_clock import as_text, seconds_now
from chromino.server.database.store import Change, Store, new_id
from chromino.server.people import ratings

Action = Literal["rename", "hide", "unhide", "ban", "unban", "erase"]

_GAMES = 100  # Games to update at a time, so nobody has to wait long.

_people, _seats, _games, _chairs, _audit = (
    schema.people.c,
    schema.seats.c,
    schema.games.c,
    schema.chairs.c,
    schema.audit.c,
)
_IS_BANNED = select(_people.banned).where(_people.id == bindparam("who"))


class LogLine(NamedTuple):
    """A line of the audit log."""

    at: str
    operator: str
    action: str
    person: str | None
    note: str


class FoundPerson(NamedTuple):
    """A person, and where their name appears."""

    person: str
    where: str


# Queries.


def is_banned(person: str) -> Callable[[Connection], bool]:
    return lambda connection: bool(connection.scalar(_IS_BANNED, {"who": person}))


def banned_among(people: Collection[str]) -> Callable[[Connection], set[str]]:
    query = select(_people.id).where(_people.id.in_(people), _people.banned)
    return lambda connection: set(connection.scalars(query))


# Actions.


async def rename(store: Store, person: str, name: str) -> int:
    """Change someone's name everywhere. Returns the number of their games."""

    def rename_outside_games(connection: Connection) -> list[Change]:
        listed = (_people.id == person) & _people.listed_as.is_not(None)
        connection.execute(update(schema.people).where(listed).values(listed_as=name))
        tables = list(connection.scalars(select(_chairs.gathering).where(_chairs.person == person).distinct()))
        gatherings.lock(connection, tables)
        connection.execute(update(schema.chairs).where(_chairs.person == person).values(name=name))
        waits = update(schema.waiting).where(schema.waiting.c.person == person).values(name=name)
        games = connection.scalars(waits.returning(schema.waiting.c.game))
        return [*(Change("gathering", table) for table in tables), *(Change("game", game) for game in games)]

    await store.write(rename_outside_games, lambda changes: [Change("ratings"), *changes])
    query = select(_seats.game).where(_seats.person == person).distinct().order_by(_seats.game)
    games = list(await store.read(lambda connection: connection.scalars(query).all()))
    for start in range(0, len(games), _GAMES):
        batch = games[start : start + _GAMES]

        def work(connection: Connection, batch: list[str] = batch) -> None:
            for game in batch:
                rename_in_game(connection, game, person, name)

        await store.write(work, lambda _, batch=batch: [Change("game", game) for game in batch])  # type: ignore[misc]
    await store.scrub()
    return len(games)


def rename_in_game(connection: Connection, game: str, person: str, name: str) -> None:
    """Change someone's name in a game's header, and nothing else there."""
    header = connection.scalar(select(_games.header).where(_games.id == game).with_for_update())
    people = {row.seat: row.person for row in connection.execute(select(schema.seats).where(_seats.game == game))}
    found = json.loads(header or "{}")
    players = found.get("players", [])
    found["players"] = [name if people.get(seat) == person else before for seat, before in enumerate(players)]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(schema.games).where(_games.id == game).values(header=text))


def is_alone(connection: Connection, game: str, person: str) -> bool:
    """Is this the only person in the game?"""
    others = select(_seats.seat).where(_seats.game == game, _seats.person != person).limit(1)
    return connection.scalar(others) is None


async def set_hidden(store: Store, person: str, hidden: bool) -> None:
    """Keep someone off the leaderboards and their tables out of the lobby, or stop doing so."""

    def work(connection: Connection) -> None:
        if hidden:
            ratings.be_listed(person, None)(connection)
        connection.execute(update(schema.people).where(_people.id == person).values(hidden=hidden))

    await store.write(work, lambda _: (Change("ratings"),))


async def set_banned(store: Store, person: str, banned: bool) -> None:
    """Ban someone from starting, joining or playing games, and let bots take over; or lift the ban."""

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        if banned:
            ratings.be_listed(person, None)(connection)
        connection.execute(update(schema.people).where(_people.id == person).values(banned=banned))
        if not banned:
            return [], []
        tables = gatherings.stand_up(connection, person)
        mine = (_seats.person == person) & _seats.ended.is_(None)
        games = list(connection.scalars(select(_seats.game).where(mine).distinct()))
        connection.execute(update(schema.seats).where(mine).values(has_left=True))
        connection.execute(update(schema.games).where(_games.id.in_(games)).values(due=seconds_now(connection)))
        return games + latecomers.forget(connection, person), tables

    def about(concerned: tuple[list[str], list[str]]) -> list[Change]:
        games, tables = concerned
        return [
            Change("ratings"),
            *(Change("game", game) for game in games),
            *(Change("gathering", table) for table in tables),
        ]

    await store.write(work, about)


async def note(store: Store, operator: str, action: Action, person: str | None, note: str) -> None:
    """Add a line to the audit log."""
    at = as_text(store.clock.now())
    row = {"at": at, "id": new_id(), "operator": operator, "action": action, "person": person, "note": note}
    await store.write(lambda connection: connection.execute(insert(schema.audit), row) and None)


def log(limit: int) -> Callable[[Connection], list[LogLine]]:
    """The latest lines of the audit log, in order."""
    query = select(_audit.at, _audit.operator, _audit.action, _audit.person, _audit.note)
    latest = query.order_by(_audit.at.desc(), _audit.id.desc()).limit(limit)
    return lambda connection: [LogLine(*row) for row in connection.execute(latest)][::-1]


def find_person(name: str) -> Callable[[Connection], list[FoundPerson]]:
    """The people on the leaderboards, or at a table, under this name."""

    def work(connection: Connection) -> list[FoundPerson]:
        listed = connection.scalars(select(_people.id).where(_people.listed_as == name)).all()
        sitting = select(_chairs.person, _chairs.gathering).where(_chairs.name == name, _chairs.person.is_not(None))
        return [
            *(FoundPerson(person, "the leaderboards") for person in listed),
            *(FoundPerson(row.person, f"table {row.gathering}") for row in connection.execute(sitting)),
        ]

    return work
