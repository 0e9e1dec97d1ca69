"""How long people took to solve daily conundrums, in the database."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, insert, select

from chromino.server.database import schema

_solved = schema.solved.c


def add(person: str, day: str, grade: int, seconds: int) -> Callable[[Connection], None]:
    """Record how long someone took to solve a daily conundrum. Solving it again changes nothing."""
    here = (_solved.person == person) & (_solved.day == day) & (_solved.grade == grade)

    def work(connection: Connection) -> None:
        if connection.scalar(select(_solved.seconds).where(here)) is None:
            row = {"person": person, "day": day, "grade": grade, "seconds": seconds}
            connection.execute(insert(schema.solved), row)

    return work


def of(person: str) -> Callable[[Connection], dict[str, int]]:
    """How many seconds someone took to solve each daily conundrum. Keys look like "2026-01-31/2"."""
    query = select(_solved.day, _solved.grade, _solved.seconds).where(_solved.person == person)
    return lambda connection: {f"{day}/{grade}": seconds for day, grade, seconds in connection.execute(query)}
