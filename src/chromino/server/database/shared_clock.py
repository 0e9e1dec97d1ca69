"""One clock for all processes that use a database, whatever their machines' clocks say.

When a process opens the database, it reads the time once. From then on, it uses its monotonic clock, which can't be
set. On SQLite, the time comes from the machine's clock. On PostgreSQL, it comes from the database's clock, and all
processes compare their clocks with that one every second. If the database's clock jumps, they don't follow it: the
first process to notice stores a correction for the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast

from sqlalchemy import Connection, func, select, text, update

from chromino.server.database import schema

STOPPED = 5.0
"""If no process has recorded the time for this many seconds, none is running: each records it about once a second."""

_JUMP = 1.0  # Seconds. Clocks don't drift this far between checks.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(76)")
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OPTION = "clock"

_DATABASE_TIME = select(func.extract("epoch", func.clock_timestamp()) + schema.clock.c.ahead)

_clock = schema.clock.c


def steady() -> float:
    """Seconds on a clock that can't be set and, if possible, keeps running while the machine sleeps."""
    return time.clock_gettime(_STEADY)


class SharedClock:
    """A clock that shows seconds since 1970. Only `move` changes it."""

    def __init__(self) -> None:
        self._ahead = time.time() - steady()

    def now(self) -> float:
        return steady() + self._ahead

    def move(self, seconds: float) -> None:
        """Correct the clock by this much."""
        self._ahead += seconds

    @property
    def option(self) -> dict[str, SharedClock]:
        """The engine option through which any code that uses the engine's connections can ask for the time."""
        return {_OPTION: self}


def wait_for_others(connection: Connection) -> None:
    """Take a lock, so that transactions that affect many games run one at a time."""
    if has_row_locks(connection):
        connection.execute(_ONE_AT_A_TIME)


def has_row_locks(connection: Connection) -> bool:
    """Can others write at the same time? On SQLite nobody can, so there's nothing to lock."""
    return connection.dialect.name == "postgresql"


def seconds_now(connection: Connection) -> float:
    """The current time, for work on a connection of a `Store`."""
    return cast("SharedClock", connection.get_execution_options()[_OPTION]).now()


def text_now(connection: Connection, shift: timedelta = timedelta()) -> str:
    """The current time as text, plus an optional shift."""
    return as_text(seconds_now(connection) + shift.total_seconds())


def as_text(seconds: float) -> str:
    """A time in the readable form that the database stores. In this form, times also sort correctly as text."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


# For PostgreSQL.


def seconds_off(clock: SharedClock, asked_at: float, answer: float) -> float:
    """How far off a clock is, compared with another clock that was asked at `asked_at` and has just answered.

    The other clock was read at some moment between the question and the answer. If the clocks could have agreed at that
    moment, this is 0.
    """
    answered_at = clock.now()
    difference = answer - (asked_at + answered_at) / 2
    return difference if abs(difference) > (answered_at - asked_at) / 2 else 0.0


def is_jump(seconds: float) -> bool:
    return abs(seconds) > _JUMP


def settle_jump(clock: SharedClock) -> Callable[[Connection], float]:
    """How many seconds to correct our clock by, when it's far off from the database's clock.

    If other processes agree with the database, our machine was asleep. Otherwise the database's clock has jumped.
    """

    def work(connection: Connection) -> float:
        wait_for_others(connection)
        at = float(connection.scalar(_DATABASE_TIME) or 0.0)
        difference = at - clock.now()
        if not is_jump(difference):
            return 0.0
        if abs(float(connection.scalar(select(_clock.ran)) or 0.0) - at) < STOPPED:
            return difference
        connection.execute(update(schema.clock).values(ahead=_clock.ahead - difference))
        return 0.0

    return work
