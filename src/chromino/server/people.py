"""People in the database: their devices, the codes that move them to another one, and how they are erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from chromino.server import ratings, schema
from chromino.server.store import now

NOBODY = "–"
"""The name of someone who was erased, in the games of the others."""
_MINUTES = 10  # That a code is good for.


def add(person: str, secret_hash: str) -> Callable[[Connection], None]:
    """Someone new, with a first device."""

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.people), {"id": person, "created": now()})
        _add_device(connection, person, secret_hash)

    return work


def find(secret_hash: str) -> Callable[[Connection], str | None]:
    """Whose device has this secret."""
    query = select(schema.devices.c.person).where(schema.devices.c.secret_hash == secret_hash)
    return lambda connection: connection.scalar(query)


def open_games(person: str) -> Callable[[Connection], int]:
    """How many games of this person go on."""
    seats, games = schema.seats.c, schema.games.c
    mine = select(seats.game).where(seats.person == person, ~seats.has_left)
    query = select(func.count()).select_from(schema.games).where(games.id.in_(mine), ~games.over)
    return lambda connection: int(connection.scalar(query) or 0)


def add_code(person: str, code_hash: str) -> Callable[[Connection], None]:
    """A code for one more device; the codes of before are void."""
    expires = (datetime.now(UTC) + timedelta(minutes=_MINUTES)).isoformat(timespec="milliseconds")

    def work(connection: Connection) -> None:
        connection.execute(delete(schema.codes).where(schema.codes.c.person == person))
        connection.execute(insert(schema.codes), {"code_hash": code_hash, "person": person, "expires": expires})

    return work


def claim(code_hash: str, secret_hash: str) -> Callable[[Connection], str | None]:
    """Use a code up for a new device: whose it is now, None if the code is unknown or old."""
    codes = schema.codes.c

    def work(connection: Connection) -> str | None:
        query = select(codes.person).where(codes.code_hash == code_hash, codes.expires > now())
        person = connection.scalar(query)
        if person is not None:
            connection.execute(delete(schema.codes).where(codes.code_hash == code_hash))
            _add_device(connection, person, secret_hash)
        return person

    return work


def add_solved(person: str, day: str, grade: int, seconds: int) -> Callable[[Connection], None]:
    """A conundrum of the day that was solved; the first time counts."""
    table = schema.solved.c
    here = (table.person == person) & (table.day == day) & (table.grade == grade)

    def work(connection: Connection) -> None:
        if connection.scalar(select(table.seconds).where(here)) is None:
            row = {"person": person, "day": day, "grade": grade, "seconds": seconds}
            connection.execute(insert(schema.solved), row)

    return work


def solved_by(person: str) -> Callable[[Connection], dict[str, int]]:
    """Seconds by "day/grade"."""
    table = schema.solved.c
    query = select(table.day, table.grade, table.seconds).where(table.person == person)
    return lambda connection: {f"{day}/{grade}": seconds for day, grade, seconds in connection.execute(query)}


def erase(person: str) -> Callable[[Connection], list[str]]:
    """Forget someone; the games concerned.

    Games that were theirs alone go; in the others a bot plays on, and the name goes.
    """
    seats = schema.seats.c

    def work(connection: Connection) -> list[str]:
        ratings.forget(connection, person)  # First, as rating does: two that wait for each other would wait long.
        games = list(connection.scalars(select(seats.game).where(seats.person == person).distinct()))
        for game in games:
            others = select(seats.seat).where(seats.game == game, seats.person.is_not(None), seats.person != person)
            if connection.scalar(others.limit(1)) is None:
                for table in (schema.events, schema.seats):
                    connection.execute(delete(table).where(table.c.game == game))
                connection.execute(delete(schema.games).where(schema.games.c.id == game))
            else:
                _take_name(connection, game, person)
        for table in (schema.codes, schema.devices, schema.solved):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(update(schema.seats).where(seats.person == person).values(person=None, has_left=True))
        connection.execute(delete(schema.people).where(schema.people.c.id == person))
        return games

    return work


def _take_name(connection: Connection, game: str, person: str) -> None:
    """The name goes out of the header, which is otherwise as it was."""
    seats, games = schema.seats.c, schema.games.c
    mine = set(connection.scalars(select(seats.seat).where(seats.game == game, seats.person == person)))
    header = json.loads(connection.scalar(select(games.header).where(games.id == game)) or "{}")
    header["players"] = [NOBODY if seat in mine else name for seat, name in enumerate(header["players"])]
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(schema.games).where(games.id == game).values(header=text))


def _add_device(connection: Connection, person: str, secret_hash: str) -> None:
    row = {"secret_hash": secret_hash, "person": person, "created": now()}
    connection.execute(insert(schema.devices), row)
