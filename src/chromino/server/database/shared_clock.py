"""What time it is: one clock for everyone on a database, whatever the clocks of machines say.

A process reads a clock once, when it opens the database, and counts on from there by its steady clock, which can't be
set. On SQLite it reads the clock of its machine. On PostgreSQL all processes read the database's, and compare
themselves with it every second. If that one jumps, they don't: the first to notice corrects what the others read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast

from sqlalchemy import Connection, exists, func, select, text, update

from chromino.server.database import schema

DEAD = 5.0
"""Seconds without a sign of life, after which a process is taken for dead."""

_JUMP = 1.0  # Seconds: clocks that drift don't get that far apart between two looks.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(76)")
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OPTION = "clock"

_DATABASE_TIME = select(func.extract("epoch", func.clock_timestamp()) + schema.clock.c.ahead)

_clock, _processes = schema.clock.c, schema.processes.c


def steady() -> float:
    """Seconds that nobody can set; where there is such a clock, it goes on while the machine sleeps."""
    return time.clock_gettime(_STEADY)


class SharedClock:
    """Seconds since 1970. Only `move` changes its course."""

    def __init__(self) -> None:
        self._ahead = time.time() - steady()

    def now(self) -> float:
        return steady() + self._ahead

    def move(self, seconds: float) -> None:
        """We were off by so much."""
        self._ahead += seconds

    @property
    def option(self) -> dict[str, SharedClock]:
        """What an engine needs to know, so that all work on its connections can ask for the time."""
        return {_OPTION: self}


def wait_for_others(connection: Connection) -> None:
    """What concerns many games is done by one process at a time."""
    if has_row_locks(connection):
        connection.execute(_ONE_AT_A_TIME)


def has_row_locks(connection: Connection) -> bool:
    """Can others write at the same time? On SQLite nobody can, so there is nothing to lock."""
    return connection.dialect.name == "postgresql"


def seconds_now(connection: Connection) -> float:
    """The time, for work on a connection of a `Store`."""
    return cast("SharedClock", connection.get_execution_options()[_OPTION]).now()


def text_now(connection: Connection, later: timedelta = timedelta()) -> str:
    """The same as a text, or a time that is later or earlier."""
    return as_text(seconds_now(connection) + later.total_seconds())


def as_text(seconds: float) -> str:
    """A time as the database keeps it for people to read: these can be compared, too."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


# On PostgreSQL.


def is_off_by(clock: SharedClock, began: float, found: float) -> float:
    """By how much a clock is off that was compared with another: asked at `began`, it answered `found` by now.

    0: by nothing that can be told, since nobody knows when in between it looked.
    """
    ended = clock.now()
    off = found - (began + ended) / 2
    return off if abs(off) > (ended - began) / 2 else 0.0


def is_jump(seconds: float) -> bool:
    return abs(seconds) > _JUMP


def settle_jump(clock: SharedClock, process: str) -> Callable[[Connection], float]:
    """The database's clock and ours are far apart: by how much we are to follow it.

    If another process agrees with the database, we were asleep. Else it is the database's clock that jumped.
    """

    def work(connection: Connection) -> float:
        wait_for_others(connection)
        at = float(connection.scalar(_DATABASE_TIME) or 0.0)
        off = at - clock.now()
        if not is_jump(off):
            return 0.0
        agrees = (_processes.id != process) & ~_processes.has_stopped & (func.abs(_processes.seen - at) < DEAD)
        if connection.scalar(select(exists().where(agrees))):
            return off
        connection.execute(update(schema.clock).values(ahead=_clock.ahead - off))
        return 0.0

    return work
