"""Phrases in the database, kept for a minute so they can reach pages on other processes."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, select

from chromino.messages.games import Phrase, Said
from chromino.server.database import schema
from chromino.server.database.shared_clock import seconds_now

_SECONDS = 60.0
_phrases = schema.phrases.c


def add(game: str, seat: int, phrase: Phrase) -> Callable[[Connection], int]:
    """Store a phrase; returns its number."""

    def work(connection: Connection) -> int:
        at = seconds_now(connection)
        connection.execute(delete(schema.phrases).where(_phrases.at < at - _SECONDS))
        row = {"game": game, "seat": seat, "phrase": phrase, "at": at}
        return int(connection.execute(insert(schema.phrases).returning(_phrases.id), row).scalar_one())

    return work


def find(number: int) -> Callable[[Connection], Said | None]:
    """The phrase with this number, and who said it."""
    query = select(_phrases.seat, _phrases.phrase).where(_phrases.id == number)

    def work(connection: Connection) -> Said | None:
        row = connection.execute(query).one_or_none()
        return None if row is None else Said(row.seat, row.phrase)

    return work
