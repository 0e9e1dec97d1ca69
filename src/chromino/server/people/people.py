"""People in the database: their devices, and the codes that link more devices."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from chromino.messages.bounds import Face
from chromino.messages.people import Account
from chromino.server.database import schema
from chromino.server.database.shared_clock import text_now
from chromino.server.problems import Problem

_CODE_LIFETIME = timedelta(minutes=10)  # For codes that link another device.

_people, _devices = schema.people.c, schema.devices.c
_FIND = select(_devices.person).where(_devices.secret_hash == bindparam("hash"))  # Built once: every call needs it.
_FIND_PLAYER = (
    select(_devices.person, _people.banned)
    .join(schema.people, _people.id == _devices.person)
    .where(_devices.secret_hash == bindparam("hash"))
)
_COUNT_OPEN_GAMES = select(func.count(schema.seats.c.game.distinct())).where(
    schema.seats.c.person == bindparam("person_id"), schema.seats.c.ended.is_(None), ~schema.seats.c.has_left
)


def add(person: str, secret_hash: str) -> Callable[[Connection], None]:
    """Add a person and their first device."""

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.people), {"id": person, "created": text_now(connection)})
        _add_device(connection, person, secret_hash)

    return work


def find(secret_hash: str) -> Callable[[Connection], str | None]:
    """The person whose device has this secret, if any."""
    return lambda connection: connection.scalar(_FIND, {"hash": secret_hash})


def find_with_ban(secret_hash: str) -> Callable[[Connection], tuple[str, bool] | None]:
    """The person whose device has this secret, and whether they're banned."""

    def work(connection: Connection) -> tuple[str, bool] | None:
        row = connection.execute(_FIND_PLAYER, {"hash": secret_hash}).first()
        return None if row is None else (row.person, row.banned)

    return work


def open_games(person: str) -> Callable[[Connection], int]:
    """How many of this person's games are in progress."""
    return lambda connection: int(connection.scalar(_COUNT_OPEN_GAMES, {"person_id": person}) or 0)


def add_code(person: str, code_hash: str) -> Callable[[Connection], None]:
    """Store a code that links another device. Earlier codes become invalid."""

    def work(connection: Connection) -> None:
        expires = text_now(connection, _CODE_LIFETIME)
        connection.execute(delete(schema.codes).where(schema.codes.c.person == person))
        connection.execute(insert(schema.codes), {"code_hash": code_hash, "person": person, "expires": expires})

    return work


def set_recovery(person: str, code_hash: str) -> Callable[[Connection], None]:
    """Store a recovery code, which works on any device and never expires. The earlier one becomes invalid."""

    def work(connection: Connection) -> None:
        values = {"recovery_hash": code_hash, "recovery_made": text_now(connection)}
        if not connection.execute(update(schema.people).where(_people.id == person).values(values)).rowcount:
            raise Problem("nobody")  # They were erased in the meantime.

    return work


def claim(code_hash: str, secret_hash: str) -> Callable[[Connection], str | None]:
    """Use a code on a new device. Returns the code's owner if it's valid. Only recovery codes can be used again."""
    codes = schema.codes.c

    def work(connection: Connection) -> str | None:
        # Both queries lock a row until we're done: if other devices are signed out in the meantime, so is this one.
        use = delete(schema.codes).where(codes.code_hash == code_hash, codes.expires > text_now(connection))
        recover = select(_people.id).where(_people.recovery_hash == code_hash).with_for_update(read=True)
        person = connection.scalar(use.returning(codes.person)) or connection.scalar(recover)
        if person is not None:
            _add_device(connection, person, secret_hash)
        return person

    return work


def account(person: str) -> Callable[[Connection], Account]:
    """How many devices someone has, when their recovery code was made, and their face."""

    def work(connection: Connection) -> Account:
        mine = select(func.count()).select_from(schema.devices).where(_devices.person == person)
        query = select(_people.recovery_made, _people.face).where(_people.id == person)
        made, face = connection.execute(query).one_or_none() or (None, None)
        return Account(int(connection.scalar(mine) or 0), made, face)

    return work


def choose_face(person: str, face: Face) -> Callable[[Connection], None]:
    """Change someone's face from now on. Seats they already have don't change."""
    change = update(schema.people).where(_people.id == person, _people.face.is_distinct_from(face)).values(face=face)

    def work(connection: Connection) -> None:
        connection.execute(change)

    return work


def sign_out_others(person: str, secret_hash: str) -> Callable[[Connection], None]:
    """Sign out all devices but this one, and void all codes, since someone else may have seen or created them."""

    def work(connection: Connection) -> None:
        no_code = {"recovery_hash": None, "recovery_made": None}
        connection.execute(update(schema.people).where(_people.id == person).values(no_code))
        connection.execute(delete(schema.codes).where(schema.codes.c.person == person))
        others = (_devices.person == person) & (_devices.secret_hash != secret_hash)
        connection.execute(delete(schema.devices).where(others))

    return work


def devices_among(hashes: Collection[str]) -> Callable[[Connection], set[str]]:
    """The hashes among these that belong to a device."""
    query = select(_devices.secret_hash).where(_devices.secret_hash.in_(hashes))
    return lambda connection: set(connection.scalars(query))


def _add_device(connection: Connection, person: str, secret_hash: str) -> None:
    row = {"secret_hash": secret_hash, "person": person, "created": text_now(connection)}
    connection.execute(insert(schema.devices), row)
