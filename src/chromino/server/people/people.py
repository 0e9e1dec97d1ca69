"""People in the database: their devices, and the codes that bring them to another one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta

import msgspec
from sqlalchemy import Connection, delete, exists, func, insert, select, update

from chromino.messages.bounds import Face
from chromino.messages.people import Account
from chromino.server.database import schema
from chromino.server.database.shared_clock import text_now
from chromino.server.problems import Problem

_GOOD_FOR = timedelta(minutes=10)  # A code to type on another device.


_people, _devices = schema.people.c, schema.devices.c


class _Digest(msgspec.Struct):
    """What is needed of a game's digest."""

    winners: list[int]


_winners = msgspec.json.Decoder(_Digest).decode


def add(person: str, secret_hash: str) -> Callable[[Connection], None]:
    """Someone new, with a first device."""

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.people), {"id": person, "created": text_now(connection)})
        _add_device(connection, person, secret_hash)

    return work


def find(secret_hash: str) -> Callable[[Connection], str | None]:
    """Whose device has this secret."""
    query = select(schema.devices.c.person).where(schema.devices.c.secret_hash == secret_hash)
    return lambda connection: connection.scalar(query)


def open_games(person: str) -> Callable[[Connection], int]:
    """How many games of this person go on."""
    seats = schema.seats.c
    mine = (seats.person == person) & seats.ended.is_(None) & ~seats.has_left
    query = select(func.count(seats.game.distinct())).where(mine)
    return lambda connection: int(connection.scalar(query) or 0)


def games_against_bots(person: str, most: int) -> Callable[[Connection], list[tuple[str, bool]]]:
    """Of someone's latest finished games, those of two against a bot: which bot, and who won; the latest first."""
    mine, other, third, games = schema.seats, schema.seats.alias(), schema.seats.alias(), schema.games.c
    finished = select(mine.c.game, mine.c.seat, mine.c.ended, mine.c.has_left)
    finished = finished.where(mine.c.person == person, mine.c.ended.is_not(None))
    latest = finished.order_by(mine.c.ended.desc(), mine.c.game.desc()).limit(most).subquery()
    query = (
        select(other.c.bot, latest.c.seat, games.digest)
        .where(~latest.c.has_left, games.id == latest.c.game)
        .where(other.c.game == latest.c.game, other.c.seat == 1 - latest.c.seat, other.c.bot.is_not(None))
        .where(~exists().where(third.c.game == latest.c.game, third.c.seat == 2))
        .order_by(latest.c.ended.desc(), latest.c.game.desc())
    )

    def work(connection: Connection) -> list[tuple[str, bool]]:
        return [(bot, seat in _winners(digest).winners) for bot, seat, digest in connection.execute(query)]

    return work


def add_code(person: str, code_hash: str) -> Callable[[Connection], None]:
    """A code for one more device; the codes of before are void."""

    def work(connection: Connection) -> None:
        expires = text_now(connection, _GOOD_FOR)
        connection.execute(delete(schema.codes).where(schema.codes.c.person == person))
        connection.execute(insert(schema.codes), {"code_hash": code_hash, "person": person, "expires": expires})

    return work


def set_recovery(person: str, code_hash: str) -> Callable[[Connection], None]:
    """A code that is good for any device and doesn't end; the one of before is void."""

    def work(connection: Connection) -> None:
        values = {"recovery_hash": code_hash, "recovery_made": text_now(connection)}
        if not connection.execute(update(schema.people).where(_people.id == person).values(values)).rowcount:
            raise Problem("nobody")  # Erased meanwhile.

    return work


def claim(code_hash: str, secret_hash: str) -> Callable[[Connection], str | None]:
    """Use a code for a new device: whose it is now, None if the code is unknown or old. Only a recovery code stays."""
    codes = schema.codes.c

    def work(connection: Connection) -> str | None:
        query = select(codes.person).where(codes.code_hash == code_hash, codes.expires > text_now(connection))
        person = connection.scalar(query) or connection.scalar(
            select(_people.id).where(_people.recovery_hash == code_hash)
        )
        if person is not None:
            connection.execute(delete(schema.codes).where(codes.code_hash == code_hash))
            _add_device(connection, person, secret_hash)
        return person

    return work


def account(person: str) -> Callable[[Connection], Account]:
    """How a person can be reached."""

    def work(connection: Connection) -> Account:
        mine = select(func.count()).select_from(schema.devices).where(_devices.person == person)
        about = select(_people.recovery_made, _people.face).where(_people.id == person)
        made, face = connection.execute(about).one_or_none() or (None, None)
        return Account(int(connection.scalar(mine) or 0), made, face)

    return work


def choose_face(person: str, face: Face) -> Callable[[Connection], None]:
    """The face that someone has from now on; seats keep theirs."""
    change = update(schema.people).where(_people.id == person, _people.face.is_distinct_from(face)).values(face=face)

    def work(connection: Connection) -> None:
        connection.execute(change)

    return work


def sign_out_others(person: str, secret_hash: str) -> Callable[[Connection], None]:
    """This device stays the only one. Codes that were made for others are void, too."""

    def work(connection: Connection) -> None:
        others = (_devices.person == person) & (_devices.secret_hash != secret_hash)
        connection.execute(delete(schema.devices).where(others))
        connection.execute(delete(schema.codes).where(schema.codes.c.person == person))

    return work


def devices_among(hashes: Collection[str]) -> Callable[[Connection], set[str]]:
    """Those of these that are somebody's."""
    query = select(_devices.secret_hash).where(_devices.secret_hash.in_(hashes))
    return lambda connection: set(connection.scalars(query))


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


def _add_device(connection: Connection, person: str, secret_hash: str) -> None:
    row = {"secret_hash": secret_hash, "person": person, "created": text_now(connection)}
    connection.execute(insert(schema.devices), row)
