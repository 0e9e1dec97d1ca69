"""What an operator can do about a person: rename, hide or ban them. Everything is logged."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from sqlalchemy import Connection, insert, select, update

from chromino.server.database import gatherings, latecomers, schema
from chromino.server.database.shared_clock import as_text, seconds_now
from chromino.server.database.store import Change, Store, new_id
from chromino.server.people import ratings

Action = Literal["rename", "hide", "unhide", "ban", "unban", "erase"]

_BATCH = 100  # Games to update at a time, so nobody has to wait long.

_people, _seats, _games, _chairs, _audit = (
    schema.people.c,
    schema.seats.c,
    schema.games.c,
    schema.chairs.c,
    schema.audit.c,
)


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


def banned_among(people: Collection[str]) -> Callable[[Connection], set[str]]:
    query = select(_people.id).where(_people.id.in_(people), _people.banned)
    return lambda connection: set(connection.scalars(query))


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


# Actions.


async def rename(store: Store, person: str, name: str) -> int:
    """Change someone's name everywhere, and return how many games they have."""

    def rename_outside_games(connection: Connection) -> list[Change]:
        listed = (_people.id == person) & _people.listed_as.is_not(None)
        connection.execute(update(schema.people).where(listed).values(listed_as=name))
        query = select(_chairs.gathering).where(_chairs.person == person).distinct()
        their_gatherings = list(connection.scalars(query))
        gatherings.lock(connection, their_gatherings)
        connection.execute(update(schema.chairs).where(_chairs.person == person).values(name=name))
        waiting = update(schema.waiting).where(schema.waiting.c.person == person).values(name=name)
        games = connection.scalars(waiting.returning(schema.waiting.c.game))
        return [*(Change("gathering", each) for each in their_gatherings), *(Change("game", game) for game in games)]

    await store.write(rename_outside_games, lambda changes: [Change("ratings"), *changes])
    query = select(_seats.game).where(_seats.person == person).distinct().order_by(_seats.game)
    games = list(await store.read(lambda connection: connection.scalars(query).all()))
    for start in range(0, len(games), _BATCH):
        batch = games[start : start + _BATCH]

        def work(connection: Connection, batch: list[str] = batch) -> None:
            for game in batch:
                rename_in_game(connection, game, person, name)

        await store.write(work, lambda _, batch=batch: [Change("game", game) for game in batch])  # type: ignore[misc]
    await store.scrub()
    return len(games)


def rename_in_game(connection: Connection, game: str, person: str, name: str) -> None:
    """Change someone's name in a game's header, and leave the rest of the header as it is."""
    header = connection.scalar(select(_games.header).where(_games.id == game).with_for_update())
    people = {row.seat: row.person for row in connection.execute(select(schema.seats).where(_seats.game == game))}
    data = json.loads(header or "{}")
    players = data.get("players", [])
    data["players"] = [name if people.get(seat) == person else old_name for seat, old_name in enumerate(players)]
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(schema.games).where(_games.id == game).values(header=text))


def is_only_person(connection: Connection, game: str, person: str) -> bool:
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
    """Ban someone from starting, joining or playing games, so that bots take over; or lift the ban."""

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        if banned:
            ratings.be_listed(person, None)(connection)
        connection.execute(update(schema.people).where(_people.id == person).values(banned=banned))
        if not banned:
            return [], []
        left_gatherings = gatherings.stand_up(connection, person)
        mine = (_seats.person == person) & _seats.ended.is_(None)
        games = list(connection.scalars(select(_seats.game).where(mine).distinct()))
        connection.execute(update(schema.seats).where(mine).values(has_left=True))
        connection.execute(update(schema.games).where(_games.id.in_(games)).values(due=seconds_now(connection)))
        return games + latecomers.forget(connection, person), left_gatherings

    def changes(affected: tuple[list[str], list[str]]) -> list[Change]:
        games, left_gatherings = affected
        return [
            Change("ratings"),
            *(Change("game", game) for game in games),
            *(Change("gathering", each) for each in left_gatherings),
        ]

    await store.write(work, changes)


async def add_to_log(store: Store, operator: str, action: Action, person: str | None, note: str) -> None:
    """Add a line to the audit log."""
    at = as_text(store.clock.now())
    row = {"at": at, "id": new_id(), "operator": operator, "action": action, "person": person, "note": note}
    await store.write(lambda connection: connection.execute(insert(schema.audit), row) and None)
