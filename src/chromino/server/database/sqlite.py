"""The database on SQLite: one file and one process, with one thread that writes and another that only reads.

Lookups of a few rows run right in the event loop. Reads never wait for writes: in SQLite's WAL mode, each read sees the
database as it was when the read began.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from chromino.server.database.addresses import StoreError
from chromino.server.database.migrating import migrate
from chromino.server.database.shared_clock import SharedClock, as_text, text_now
from chromino.server.database.store import (
    Change,
    Entry,
    GameRow,
    LogRow,
    Outlook,
    SeatsNow,
    Store,
    Taken,
    end_game,
    find_game,
    is_id,
)
from chromino.server.problems import Problem

T = TypeVar("T")

log = logging.getLogger(__name__)

_APPEND = "INSERT INTO events (game, seq, event, action_id, at) VALUES (?, ?, ?, ?, ?)"
_UPDATE_GAMES = (
    "UPDATE games SET updated = new.column2, over = new.column3, digest = new.column4, turn_ends = new.column5,"
    " due = new.column6, process = '0' FROM (VALUES (?, ?, ?, ?, ?, ?)) AS new WHERE id = new.column1"
)
_SINCE = "SELECT event, action_id, at FROM events WHERE game = ? AND seq >= ? ORDER BY seq"
_OUTLOOK = "SELECT coalesce(ran, 0), (SELECT coalesce(min(due), 9e999) FROM games) FROM clock"
_MEMORY = ":memory:"
_OWNER_ONLY = 0o600  # The file contains hands and hashes of secrets.
_TIMEOUT = 1000  # Milliseconds to wait when another program has locked the file.
_SHORT_TIMEOUT = 50  # Milliseconds to wait while it stays locked, so that waits don't add up.
_ROUNDS = 8  # Rounds of writing before other work in the same thread gets its turn.
_SCRUB_SECONDS = 30.0  # Time between attempts to empty the write-ahead log.
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _Lane:
    """A connection to the file, with its own thread. Work runs in order."""

    def __init__(self, path: Path | str, clock: SharedClock, *, read_only: bool) -> None:
        self._clock = clock
        self._timeout = _TIMEOUT
        self._read_only = read_only
        self.engine = _engine(path, clock, lambda: self._timeout, read_only=read_only)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="reader" if read_only else "store")
        self._open_connection: Connection | None = None
        self._moves: list[tuple[Entry, asyncio.Future[None]]] = []
        self._works: list[tuple[Callable[[Connection], Any], asyncio.Future[Any]]] = []
        self._is_writing = False
        self._queues_lock = Lock()  # Held briefly, so that nothing joins a queue that's already being written.

    async def run(self, work: Callable[[Connection], T], *, write: bool) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, self.transaction, work, write)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do all of this work or none of it, after the moves that are already waiting."""
        result: T = await self._queue(self._works, work)
        return result

    async def append(self, entry: Entry) -> None:
        """Store a move. Moves that are waiting at the same time share a commit."""
        if entry.over:  # The end of a game takes more than one statement.
            await self.write(partial(_append, entry))
        else:
            await self._queue(self._moves, entry)

    async def _queue(self, queue: list[tuple[Any, asyncio.Future[Any]]], item: Any) -> Any:
        written = asyncio.get_running_loop().create_future()
        with self._queues_lock:
            queue.append((item, written))
            must_start, self._is_writing = not self._is_writing, True
        if must_start:
            self.thread.submit(self._write_some)  # The thread wakes the waiting callers.
        return await written

    def _write_some(self) -> None:
        """In the thread: write what's waiting.

        Each round writes all moves and one other change, so that no move waits long.
        """
        for _ in range(_ROUNDS):
            with self._queues_lock:
                moves, works = self._moves[:], self._works[:1]
                self._moves.clear()
                del self._works[:1]
                self._is_writing = bool(moves or works)
            if moves:
                _settle_soon(moves, self._append_all)
            if works:
                _settle_soon(works, lambda works: [self.transaction(work, True) for work in works])
            if not moves and not works:
                return
        self.thread.submit(self._write_some)  # Reads may be waiting for this thread.

    def transaction(self, work: Callable[[Connection], T], write: bool) -> T:
        """In the thread: do all of this work or none of it."""

        def run() -> T:
            connection = self._connection()
            connection.execution_options(immediate=write)
            with connection.begin():
                return work(connection)

        return self._run(run, write)

    def _append_all(self, entries: list[Entry]) -> list[_Failed | None]:
        """In the thread: store moves without SQLAlchemy, whose transactions would double the time."""

        def run() -> list[_Failed | None]:
            driver = cast("sqlite3.Connection", self._connection().connection.driver_connection)
            cursor, at = driver.cursor(), as_text(self._clock.now())
            cursor.execute("BEGIN IMMEDIATE")
            try:
                results = _append_each(cursor, entries, at)
                cursor.execute("COMMIT")
            except sqlite3.Error:
                driver.rollback()
                raise
            return results

        return self._run(run, True)

    def _run(self, transaction: Callable[[], T], write: bool) -> T:
        """Run a transaction. If it fails because another program has locked the file, the next one waits less."""
        try:
            result = transaction()
        except (DBAPIError, sqlite3.Error) as error:
            self._wait_at_most(_SHORT_TIMEOUT if _code(error) in _BUSY else _TIMEOUT)
            raise
        if write or self._read_only:  # This lane can read even if another program keeps it from writing.
            self._wait_at_most(_TIMEOUT)
        return result

    def _wait_at_most(self, milliseconds: int) -> None:
        if milliseconds != self._timeout:
            self._timeout = milliseconds
            with suppress(DBAPIError, sqlite3.Error):  # If there's no connection, the next one gets the new timeout.
                self.pragma(f"busy_timeout={milliseconds}")

    def pragma(self, text: str) -> Any:
        """In the thread: run a PRAGMA, and return its first row. With SQLAlchemy, this would start a transaction."""
        return self._connection().connection.cursor().execute(f"PRAGMA {text}").fetchone()

    def pragma_without_waiting(self, text: str) -> Any:
        """In the thread: like `pragma`, but don't wait if the file is locked."""
        self.pragma("busy_timeout=0")
        try:
            return self.pragma(text)
        finally:
            self.pragma(f"busy_timeout={self._timeout}")

    def _connection(self) -> Connection:
        """In the thread: the connection. It stays open, since a pool would take as long as the rest of SQLAlchemy."""
        if self._open_connection is None:
            self._open_connection = self.engine.connect()
        return self._open_connection

    def close(self) -> None:
        self.thread.submit(self._close).result()
        self.thread.shutdown()

    def _close(self) -> None:
        if self._open_connection is not None:
            self._open_connection.close()
        self.engine.dispose()


class SqliteStore(Store):
    """Writes run one at a time, in parallel with reads."""

    is_alone = True

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self._writing = _Lane(path, self.clock, read_only=False)
        # An in-memory database is visible only to the connection that created it.
        self._reading = self._writing if str(path) == _MEMORY else _Lane(path, self.clock, read_only=True)
        self._engine = _engine(path, self.clock, lambda: 0, read_only=True)
        self._lookup_connection: Connection | None = None
        self._data_version: int | None = None
        self._scrub_at = math.inf

    @classmethod
    async def at(cls, path: Path | str, revision: str | None = "head") -> SqliteStore:
        """Open the database in this file; `:memory:` creates one that exists only in memory."""
        if str(path) != _MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            if not Path(path).exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _OWNER_ONLY))  # -wal and -shm inherit the mode.
        store = cls(path)
        try:
            await store._writing.run(lambda connection: migrate(connection, revision), write=revision is not None)
        except DBAPIError as error:
            await store.close()
            reason = _advice(error) or f"can't be used as a database: {error.orig}"
            raise StoreError(f"{path} {reason}") from None
        except Exception as error:
            await store.close()
            if "Can't locate revision" in str(error):
                raise StoreError(f"{path} was written by a newer version of Chromino") from None
            raise
        return store

    async def follow(self, name: str) -> None:
        """Do nothing: a single process knows about every change."""

    def unfollow(self, name: str) -> None:
        """Do nothing, as in `follow`."""

    async def close(self) -> None:
        if self._lookup_connection is not None:
            self._lookup_connection.close()
        self._engine.dispose()
        for lane in {self._reading, self._writing}:
            await asyncio.to_thread(lane.close)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._safely(self._reading.run(work, write=False))

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Look up a few rows right here: SQLite needs less time for them than another thread needs to wake up."""
        if self._reading is self._writing:
            return await self.read(work)
        try:
            if self._lookup_connection is None:
                self._lookup_connection = self._engine.connect()
            with self._lookup_connection.begin():
                return work(self._lookup_connection)
        except (DBAPIError, sqlite3.Error):
            return await self.read(work)  # `read` waits for a locked file, and says what's wrong.

    async def _write(self, work: Callable[[Connection], T], about: Callable[[T], Iterable[Change]], alone: bool) -> T:
        if alone:  # This may take a while, and nobody's move should wait for its commit.
            result = await self._safely(self._writing.run(work, write=True))
        else:
            result = await self._safely(self._writing.write(work))
        for change in about(result):
            self.hear(change)
        return result

    async def _append(self, entry: Entry) -> None:
        await self._safely(self._writing.append(entry))

    async def game(self, game: str) -> GameRow | None:
        """Read a game in the writing thread, so that an older state never arrives after a newer one."""
        return await self._safely(self._writing.run(find_game(game), write=False)) if is_id(game) else None

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        def work(connection: Connection) -> list[LogRow]:
            return [LogRow(*row) for row in connection.exec_driver_sql(_SINCE, (game, seq))]

        return await self._safely(self._reading.run(work, write=False))

    async def seats_now(self, game: str) -> SeatsNow:
        row = await self.game(game)
        return SeatsNow((), None, None) if row is None else SeatsNow(row.seats, row.process, row.due)

    async def ping(self) -> None:
        await self._safely(self._writing.run(lambda connection: connection.exec_driver_sql("SELECT 1"), write=True))
        if self.is_failing:
            raise Problem("storage")

    def explain(self, problem: Problem) -> str:
        return _advice(problem.__cause__) or super().explain(problem)

    async def scrub(self) -> None:
        """Empty the write-ahead log. In the file itself, deleted data is always overwritten (`secure_delete`)."""
        checkpoint = asyncio.get_running_loop().run_in_executor(self._writing.thread, self._truncate_log)
        self._scrub_at = math.inf if await checkpoint else monotonic() + _SCRUB_SECONDS

    def _truncate_log(self) -> bool:
        """In the thread: try to empty the log, which fails while someone reads it, and return whether that worked."""
        try:
            # Moves mustn't wait for a long read, such as a backup.
            busy, *_ = self._writing.pragma_without_waiting("wal_checkpoint(TRUNCATE)")
        except (DBAPIError, sqlite3.Error):
            return False
        return not busy

    async def poll(self) -> Outlook:
        if monotonic() >= self._scrub_at:
            await self.scrub()
        version, outlook = await self._safely(self._writing.run(_read_outlook, write=False))
        if self._data_version is not None and version != self._data_version:
            self.hear(Change("all"))
        self._data_version = version
        return outlook

    async def _safely(self, running: Coroutine[Any, Any, T]) -> T:
        """Turn database failures (a full disk, a read-only file) into a `Problem`."""
        try:
            return await running
        except (DBAPIError, sqlite3.Error) as error:
            raise _problem(error) from error


class _Failed(NamedTuple):
    """The result of work that failed and changed nothing."""

    error: Exception


def _read_outlook(connection: Connection) -> tuple[int, Outlook]:
    """A number that changes when others commit, such as an operator's command, and the outlook."""
    driver = connection.connection.cursor()
    [version] = driver.execute("PRAGMA data_version").fetchone()
    return version, Outlook(*driver.execute(_OUTLOOK).fetchone())


def _append(entry: Entry, connection: Connection) -> None:
    at = text_now(connection)
    _insert_moves(connection.connection.cursor(), [entry], at)
    if entry.over:
        end_game(connection, entry, at)


def _insert_moves(cursor: Any, entries: list[Entry], at: str) -> None:
    """Store moves of different games, all of them or none.

    This takes only two statements for any number of moves, because after each statement the thread has to wait for its
    turn again.
    """
    events = [(entry.game, entry.seq, entry.event, entry.action_id, at) for entry in entries]
    try:
        cursor.execute(_for_rows(_APPEND, len(events)), list(chain(*events)))
    except sqlite3.IntegrityError:
        raise Taken from None
    games = [(entry.game, at, entry.over, json.dumps(entry.digest), entry.turn_ends, entry.due) for entry in entries]
    cursor.execute(_for_rows(_UPDATE_GAMES, len(games)), list(chain(*games)))


def _for_rows(statement: str, count: int) -> str:
    """A statement with the values of one row, extended to this many rows."""
    row = statement[statement.index("(?") : statement.index("?)") + 2]
    return statement.replace(row, ", ".join([row] * count))


def _append_each(cursor: sqlite3.Cursor, entries: list[Entry], at: str) -> list[_Failed | None]:
    """Store these moves, except those whose number is taken."""
    try:
        _insert_moves(cursor, entries, at)
    except Taken as error:
        if len(entries) == 1:
            return [_Failed(error)]
        return [result for entry in entries for result in _append_each(cursor, [entry], at)]
    return [None] * len(entries)


def _code(error: BaseException) -> int | None:
    """SQLite's error code, without the details in its upper bits."""
    code = getattr(getattr(error, "orig", None) or error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _advice(error: BaseException | None) -> str | None:
    """What's wrong with the file and what to do about it, if we can tell from the error."""
    match None if error is None else _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "is in use by another program: close it, then try again"
        case sqlite3.SQLITE_CORRUPT:
            return "is damaged: move it aside and restore a backup (see docs/operating.md)"
    return None


def _problem(error: Exception) -> Problem:
    """The problem to send to the page, with its cause for the log."""
    if isinstance(error, IntegrityError) and "FOREIGN KEY" in str(error.orig):
        problem = Problem("nobody")  # They were erased at the same moment.
    else:
        problem = Problem("database-locked" if _code(error) in _BUSY else "storage")
    problem.__cause__ = error
    return problem


def _settle_soon(waiting: list[tuple[T, asyncio.Future[Any]]], write: Callable[[list[T]], Sequence[Any]]) -> None:
    """In the thread: write all of these items at once, and wake the callers who are waiting for them."""
    results: Sequence[Any]
    try:
        results = write([item for item, _ in waiting])
    except Exception as error:  # Nothing was stored, but no caller may wait forever.
        results = [_Failed(error)] * len(waiting)
    settled = [(written, result) for (_, written), result in zip(waiting, results, strict=True)]
    settled[0][0].get_loop().call_soon_threadsafe(_settle, settled)


def _settle(results: list[tuple[asyncio.Future[Any], Any]]) -> None:
    """Wake the waiting callers, except those who are gone."""
    for written, result in results:
        if written.done():
            continue
        if isinstance(result, _Failed):
            written.set_exception(result.error)
        else:
            written.set_result(result)


def _engine(path: Path | str, clock: SharedClock, timeout: Callable[[], int], *, read_only: bool) -> Engine:
    # SQLite rolls back schema changes only if the driver leaves transactions alone, so we send BEGIN ourselves.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False},
        execution_options=clock.option,
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in (
            f"busy_timeout={timeout()}",  # First, because the next statement may have to wait.
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
            f"query_only={'ON' if read_only else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        if immediate:
            driver.execute("BEGIN IMMEDIATE")
        else:
            driver.execute("BEGIN")

    return engine
