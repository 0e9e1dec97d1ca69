"""The database on PostgreSQL, shared by any number of processes.

Each change notifies other processes with NOTIFY, in the same transaction. Notifications say what has changed, but never
contain the new data. Each process listens on a permanent connection. If the connection is lost, the process opens
another one and reads everything again. On the same connection, the process holds a lock, which tells the others that
it's alive: PostgreSQL releases the lock when the process ends, or hasn't said anything for a few seconds.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar, cast
from weakref import WeakSet

import asyncpg
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from chromino.seated.seats import Seat
from chromino.server.database import presence, schema
from chromino.server.database.database_urls import StoreError, without_secrets
from chromino.server.database.migrating import migrate
from chromino.server.database.shared_clock import STOPPED, as_text, is_jump, seconds_off, settle_jump
from chromino.server.database.store import (
    CHANGE_KINDS,
    Change,
    ChangeKind,
    Entry,
    LogRow,
    SeatsNow,
    SiteStatus,
    Store,
    Taken,
    could_be_id,
    end_game,
    first_line,
    no_changes,
)
from chromino.server.problems import Problem

T = TypeVar("T")

_CHANNEL = "chromino"
"""For changes that belong to no game or gathering. Each of those has a channel of its own, so a move wakes only the
processes that follow its game."""
_APPEND = """
WITH appended AS (
    INSERT INTO events (game, seq, event, action_id, at) VALUES ($1, $2, $3, $4, $5) RETURNING game
), noted AS (
    UPDATE games SET updated = $5, over = $6, digest = $7, turn_ends = $8, due = $9, process = $10
    FROM appended WHERE id = $1 RETURNING id
)
SELECT pg_notify('chromino_' || id, $11) FROM noted
"""  # One statement is one transaction and one round trip.
_SINCE = "SELECT event, action_id, at FROM events WHERE game = $1 AND seq >= $2 ORDER BY seq"
_SEATS_NOW = """
SELECT person, bot, has_left, away_since, COALESCE(is_program, FALSE), seats.face, taken_at, process, due
FROM seats JOIN games ON games.id = game LEFT JOIN people ON people.id = person WHERE game = $1 ORDER BY seat
"""
_TIME = "SELECT extract(epoch FROM clock_timestamp())::float8 + ahead FROM clock"
_STATUS = f"""
SELECT extract(epoch FROM clock_timestamp())::float8 + ahead, coalesce(ran, 0),
    (SELECT coalesce(min(due), 'infinity') FROM games),
    EXISTS (SELECT FROM presence WHERE process NOT IN ({presence.ALIVE}))
FROM clock
"""  # noqa: S608
_HOLD = f"SELECT pg_advisory_lock({presence.LOCK}, $1)"  # A process can take its lock any number of times.
_FORGET_JUMPS = """
UPDATE clock SET ahead = 0 WHERE ahead <> 0 AND abs(ran - extract(epoch FROM clock_timestamp()) - ahead) > $1
"""  # When no process is running, nothing depends on the corrected clock: see `presence.start`.
_NOTIFY = "SELECT pg_notify($1, $2)"

_CONNECTIONS = 8  # In each of two pools: one for SQLAlchemy, one for the hot statements.
_CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = 20.0
_TRIES = 12
_HOLD_SECONDS = 1.0  # How often a process tells PostgreSQL that it's alive.
_HUNG = "5s"  # PostgreSQL considers a process dead if it has been silent for this long.
_RECONNECT_SECONDS = 5.0  # How long others may take to reconnect after PostgreSQL restarts, which releases all locks.
_PAUSE = 0.5  # Seconds between attempts to connect.

# By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
_CONFLICTS = ("40001", "40P01")  # Transactions got in each other's way.
_RETRIABLE = (*_CONFLICTS, "23505")  # Someone was faster; the next attempt sees what they did.
_UNAVAILABLE_CLASSES = ("08", "57")  # The connection is broken, or an operator is stopping the server.
_NOT_POSTGRES = "08P01"  # How poolers respond to settings that only PostgreSQL itself knows.
_UNAVAILABLE = ("53300", "25P03")  # All connections are in use, or ours was idle for too long.
_BAD_DATA = "22"  # Values that can't be stored, like text with a zero byte.
_MISSING = "23503"  # A reference to a missing row: except in a move, it's a person who was just erased.
_TAKEN = (_MISSING, "23505")  # For a move: the game is gone, or the event's number or id is taken.

_CONNECTION_ERRORS = (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError, PoolTimeout)

log = logging.getLogger(__name__)


class PostgresStore(Store):
    """Writes are serializable unless they do their own locking, and they're retried if they conflict."""

    is_only_process = False

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self.process = str(random.randrange(2**31))
        self._engine: AsyncEngine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_size=_CONNECTIONS,
            max_overflow=0,
            execution_options=self.clock.option,
            # Many callers may be waiting. If the database is down, connecting fails sooner.
            pool_timeout=_STATEMENT_SECONDS,
        )
        self._pool: asyncpg.Pool[Any] = asyncpg.create_pool(
            url,
            min_size=0,
            max_size=_CONNECTIONS,
            timeout=_CONNECT_SECONDS,
            command_timeout=_STATEMENT_SECONDS,
            reset=_skip_reset,
        )
        self._connections: WeakSet[asyncpg.Connection[Any]] = WeakSet()
        """All connections, except those of `_pool`, which closes its own."""
        self._transactions: set[asyncio.Task[Any]] = set()
        self._listening: asyncio.Task[None] | None = None
        self._followed: Counter[str] = Counter()
        self._listener: asyncpg.Connection[Any] | None = None
        self._listener_turn = asyncio.Lock()  # A connection does one thing at a time.
        self._locked_at = math.inf

    @classmethod
    async def connect(cls, url: str, revision: str | None = "head") -> PostgresStore:
        """Open the database at this address."""
        store = cls(url)
        try:
            await _migrate(url, revision)
            await store._pool
            with suppress(asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):  # Old databases have no clock.
                await store._pool.execute(_FORGET_JUMPS, STOPPED)
                [difference] = await store._read_clock(_TIME)
                store.clock.move(difference)
            await store._start_listening()  # From now on, no change is missed.
            store._listening = asyncio.create_task(store._keep_listening())
        except Exception as error:
            await store.close()
            if isinstance(error, StoreError):
                raise
            if "Can't locate revision" in str(error):
                raise StoreError(f"{without_secrets(url)} was written by a newer version of Chromino") from None
            if _sqlstate(error) is None and not _is_unavailable(error) and not isinstance(error, ValueError):
                raise
            reason = getattr(error, "orig", None) or error
            message = f"{without_secrets(url)} can't be used as a database: {first_line(reason)}"
            raise StoreError(message, is_temporary=_is_unavailable(error)) from None
        return store

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening], timeout=1.0)
        self._stop_listening()
        if self._transactions:
            await asyncio.wait(self._transactions, timeout=1.0)
        for closing in (self._pool.close(), self._engine.dispose()):
            with suppress(*_CONNECTION_ERRORS):  # A connection whose query was canceled may never answer.
                await asyncio.wait_for(closing, 1.0)
        for connection in list(self._connections):
            connection.terminate()  # The engine may not have had time to close them all.

    async def read(self, work: Callable[[Connection], T]) -> T:
        for _ in range(_CONNECTIONS):  # After a restart of the database, any connection in the pool may be dead.
            try:
                return await self._transaction(work, no_changes, "REPEATABLE READ")
            except Exception as error:
                if not _is_unavailable(error):
                    raise _problem(error) from error
                last = error
        raise _problem(last) from last

    async def _write(
        self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]], isolated: bool
    ) -> T:
        tries = 0
        while True:
            try:
                return await self._transaction(work, changes, "SERIALIZABLE" if isolated else "READ COMMITTED")
            except Exception as error:
                tries += 1
                if tries == _TRIES or _sqlstate(error) not in _RETRIABLE:
                    raise _problem(error) from error
            await asyncio.sleep(random.uniform(0, 0.002 * 2 ** min(tries, 6)))

    async def _append(self, entry: Entry) -> None:
        at, change = as_text(self.clock.now()), _payload(Change("event", entry.game, entry.seq + 1))
        event_values = (entry.game, entry.seq, entry.event, entry.action_id, at)
        game_values = (entry.over, json.dumps(entry.digest), entry.turn_ends, entry.due, self.process, change)
        if entry.over:  # Games end rarely, so this doesn't have to be a single statement.
            await self._write(
                partial(_append_last, entry, at, (*event_values, *game_values)), no_changes, isolated=False
            )
            return
        try:
            await self._pool.fetch(_APPEND, *event_values, *game_values)
        except Exception as error:
            if _sqlstate(error) in _TAKEN:
                raise Taken from None
            raise _problem(error) from error

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        try:
            return [LogRow(*row) for row in await self._pool.fetch(_SINCE, game, seq)]
        except Exception as error:
            raise _problem(error) from error

    async def seats_now(self, game: str) -> SeatsNow:
        try:
            rows = await self._pool.fetch(_SEATS_NOW, game)
        except Exception as error:
            raise _problem(error) from error
        if not rows:
            return SeatsNow((), None, None)
        return SeatsNow(tuple(Seat(*row[:-2]) for row in map(tuple, rows)), rows[0]["process"], rows[0]["due"])

    async def ping(self) -> None:
        read_only = text("SELECT current_setting('transaction_read_only')")
        if await self.read(lambda connection: connection.scalar(read_only)) != "off" or self.is_failing:
            raise Problem("storage")

    async def poll(self) -> SiteStatus:
        """Check what needs to be done, and compare our clock with the database's."""
        try:
            difference, ran, due, has_dead_processes = await self._read_clock(_STATUS)
        except Exception as error:
            raise _problem(error) from error
        if is_jump(difference):
            log.warning("the database's clock and ours are %.1f seconds apart", abs(difference))
            difference = await self.write(settle_jump(self.clock), isolated=False)
        self.clock.move(difference)
        return SiteStatus(ran, due, has_dead_processes and monotonic() > self._locked_at + _RECONNECT_SECONDS)

    async def _read_clock(self, query: str) -> list[Any]:
        """Read a row that starts with the database's time, and replace the time with how far off our clock is."""
        async with self._pool.acquire() as connection:  # Connect first, so that connecting isn't timed.
            asked_at = self.clock.now()
            time, *rest = await connection.fetchrow(query)
            return [seconds_off(self.clock, asked_at, time), *rest]

    async def _connect(self, **settings: str) -> asyncpg.Connection[Any]:
        """Connect. If we hang in a transaction, PostgreSQL ends it after a while, since others may need its locks."""
        connection = await asyncpg.connect(
            self._url,
            timeout=_CONNECT_SECONDS,
            command_timeout=_STATEMENT_SECONDS,
            server_settings={"idle_in_transaction_session_timeout": _HUNG, **settings},
        )
        self._connections.add(connection)
        return connection

    async def _transaction(
        self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]], isolation: Any
    ) -> T:
        """Run a transaction to its end, even if the caller is canceled, since a query cut short costs a connection."""
        task = asyncio.create_task(self._run(work, changes, isolation))
        self._transactions.add(task)
        task.add_done_callback(self._transactions.discard)
        return await asyncio.shield(task)

    async def _run(
        self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]], isolation: Any
    ) -> T:
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level=isolation)
            async with connection.begin():
                result = await connection.run_sync(work)
                for change in changes(result):
                    await connection.exec_driver_sql(_NOTIFY, (_channel_of(change), _payload(change)))
            return result

    # Changes by other processes.

    async def _start_listening(self) -> asyncpg.Connection[Any]:
        """Connect, take this process's lock, and listen for changes to everything that's followed."""
        connection = await self._connect(idle_session_timeout=_HUNG)
        try:
            if await connection.fetchval("SHOW idle_session_timeout") != _HUNG:
                raise StoreError(
                    f"{without_secrets(self._url)} is a connection pooler: use the address of PostgreSQL itself"
                )
            # If PostgreSQL hasn't noticed yet that our last connection is lost, wait until it has.
            await connection.execute(_HOLD, int(self.process))
            async with self._listener_turn:
                for channel in (_CHANNEL, *map(_channel, filter(could_be_id, self._followed))):
                    await connection.add_listener(channel, self._on_notification)
                self._listener = connection
        except BaseException:
            connection.terminate()
            raise
        self._locked_at = monotonic()
        self.hear(Change("all"))  # Read everything again, in case we missed something.
        return connection

    async def _keep_listening(self) -> None:
        """Hold on to the lock and the connection. If they're lost, start again."""
        while True:
            try:
                connection = self._listener or await self._start_listening()
                await asyncio.sleep(_HOLD_SECONDS)
                async with self._listener_turn:
                    await connection.execute(_HOLD, int(self.process), timeout=_CONNECT_SECONDS)
                    for name in [name for name, follows in self._followed.items() if follows <= 0]:
                        if self._followed[name] > 0:
                            continue  # It's followed again: we've waited for the database since we looked.
                        del self._followed[name]
                        await connection.remove_listener(_channel(name), self._on_notification)
            except Exception as error:
                if not _is_unavailable(error):
                    log.exception("listening to the database failed")
                log.warning("lost the connection that listens to the database")
                self._stop_listening()
                await asyncio.sleep(_PAUSE)

    def _stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.terminate()
        self._listener, self._locked_at = None, math.inf

    async def follow(self, name: str) -> None:
        self._followed[name] += 1
        if not could_be_id(name):
            return  # This can't be a game or gathering, so it never changes.
        async with self._listener_turn:
            connection = self._listener
            if connection is None:
                return  # The next connection listens to everything that's followed, and everything is read again.
            try:
                await connection.add_listener(_channel(name), self._on_notification)
            except Exception as error:
                log.warning("can't listen to a game: %s", type(error).__name__)
                connection.terminate()

    def unfollow(self, name: str) -> None:
        self._followed[name] -= 1  # At 0, `_keep_listening` stops listening within about a second.

    def _on_notification(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        match str(payload).split():
            case [kind, name, version] if kind in CHANGE_KINDS and version.isdigit():
                self.hear(Change(cast(ChangeKind, kind), name, int(version)))
            case _:
                log.warning("couldn't read a notification")


def _append_last(entry: Entry, at: str, values: tuple[object, ...], connection: Connection) -> None:
    """Append the event that ends a game. Locks are taken in the same order as elsewhere: people, seats, the game."""
    seats, people = schema.seats.c, schema.people.c
    players = select(people.id).where(people.id.in_(select(seats.person).where(seats.game == entry.game)))
    connection.execute(players.order_by(people.id).with_for_update(read=True, key_share=True))
    connection.execute(select(seats.seat).where(seats.game == entry.game).order_by(seats.seat).with_for_update())
    try:
        connection.exec_driver_sql(_APPEND, values)
    except IntegrityError:
        raise Taken from None
    end_game(connection, entry, at)


async def _migrate(url: str, revision: str | None) -> None:
    """Migrate on a connection without a time limit, since a large database may take minutes."""
    connect = partial(asyncpg.connect, url, timeout=_CONNECT_SECONDS)
    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(lambda connection: migrate(connection, revision))
    finally:
        await engine.dispose()


async def _skip_reset(_connection: object) -> None:
    """Skip the pool's reset: our single statements leave nothing behind, and a reset would cost a round trip."""


def _channel(name: str) -> str:
    return f"{_CHANNEL}_{name}"


def _channel_of(change: Change) -> str:
    return _CHANNEL if change.kind in ("devices", "notice", "ratings") else _channel(change.id)


def _payload(change: Change) -> str:
    return f"{change.kind} {change.id or '-'} {change.version}"


def _sqlstate(error: BaseException) -> str | None:
    code = getattr(getattr(error, "orig", error), "sqlstate", None)
    return code if isinstance(code, str) else None


def _is_unavailable(error: BaseException) -> bool:
    """Is the database unavailable at the moment?"""
    code = _sqlstate(error)
    if code is not None:
        return (code[:2] in _UNAVAILABLE_CLASSES and code != _NOT_POSTGRES) or code in _UNAVAILABLE
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or error.orig is None or _is_unavailable(error.orig)
    return isinstance(error, _CONNECTION_ERRORS)


def _problem(error: BaseException) -> BaseException:
    """The problem to report. Errors that don't come from the database are returned unchanged."""
    if _is_unavailable(error) or _sqlstate(error) in _CONFLICTS:
        return Problem("database-away")  # All attempts failed, but another one may work.
    if _sqlstate(error) == _MISSING:
        return Problem("nobody")
    if (_sqlstate(error) or "").startswith(_BAD_DATA):
        return Problem("bad-message")  # The message is at fault, not the database.
    return Problem("storage") if _sqlstate(error) or isinstance(error, DBAPIError) else error
