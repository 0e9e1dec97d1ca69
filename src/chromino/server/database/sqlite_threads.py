"""Connections to the SQLite file, each with its own thread. `WriterThread` also decides what shares a commit."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from chromino.server.database.shared_clock import SharedClock, as_text, text_now
from chromino.server.database.store import Entry, Taken, end_game

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode

_APPEND = "INSERT INTO events (game, seq, event, action_id, at) VALUES (?, ?, ?, ?, ?)"
# `process` is '0' in every row, since only one process uses a SQLite file (`Store.process`).
_UPDATE_GAMES = (
    "UPDATE games SET updated = new.column2, over = new.column3, digest = new.column4, turn_ends = new.column5,"
    " due = new.column6, process = '0' FROM (VALUES (?, ?, ?, ?, ?, ?)) AS new WHERE id = new.column1"
)
_TIMEOUT = 1000  # Milliseconds to wait when another program has locked the file.
_SHORT_TIMEOUT = 50  # Milliseconds to wait if the file was still locked last time, so that waits don't add up.
_CHANGE_SECONDS = 0.0005  # How long to spend on changes before committing. The rest wait for the next commit.
_PAUSE_SECONDS = 0.001  # How long to wait after a commit that several callers shared, so that more can share the next.
_JOB_SECONDS = 0.005  # How long to spend on jobs between two commits.


class ConnectionThread:
    """A connection to the file, with its own thread."""

    def __init__(self, path: Path | str, clock: SharedClock, *, read_only: bool) -> None:
        self._clock = clock
        self.engine = engine_for(path, clock, _TIMEOUT, read_only=read_only)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reader" if read_only else "writer")
        self._open_connection: Connection | None = None
        self._is_closed = False

    async def run(self, work: Callable[[Connection], T], *, write: bool = False) -> T:
        """Do all of this work or none of it, in the thread."""
        self._check_open()
        return await self._in_thread(partial(self._transaction, work, write))

    async def close(self) -> None:
        self._is_closed = True
        await self._in_thread(self._close)
        self._thread.shutdown()

    def _check_open(self) -> None:
        if self._is_closed:
            raise sqlite3.ProgrammingError("the database is closed")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        outcome = await asyncio.get_running_loop().run_in_executor(self._thread, _outcome, work)
        if isinstance(outcome, _Failed):
            raise outcome.error
        return outcome

    def _transaction(self, work: Callable[[Connection], T], write: bool) -> T:
        self._begin(write)
        try:
            result = work(self._connection)
            self._commit()
        except BaseException:
            self._roll_back()
            raise
        return result

    # Transactions begin and end at the driver. SQLAlchemy would take four times as long, so it only takes part if
    # statements go through it.

    def _begin(self, write: bool) -> None:
        self._driver.execute(f"BEGIN {'IMMEDIATE' if write else 'DEFERRED'}")

    def _commit(self) -> None:
        self._driver.commit()
        self._connection.commit()

    def _roll_back(self) -> None:
        try:
            self._driver.rollback()
        finally:
            self._connection.rollback()

    @property
    def _connection(self) -> Connection:
        """The connection. It stays open, since a pool would double SQLAlchemy's overhead."""
        if self._open_connection is None:
            self._open_connection = self.engine.connect()
        return self._open_connection

    @property
    def _driver(self) -> sqlite3.Connection:
        return cast("sqlite3.Connection", self._connection.connection.driver_connection)

    def _close(self) -> None:
        if self._open_connection is not None:
            self._open_connection.close()
        self.engine.dispose()


class WriterThread(ConnectionThread):
    """The connection that writes.

    Moves and small changes are made right in the event loop. SQLite needs only microseconds for them, but in a thread,
    each statement would have to wait for the interpreter lock. Only the commit, which waits for the disk, runs in the
    thread. Whatever arrives in the meantime shares the next commit. Larger jobs run in the thread between commits.
    """

    def __init__(self, path: Path | str, clock: SharedClock) -> None:
        super().__init__(path, clock, read_only=False)
        self._timeout = _TIMEOUT
        self._moves: deque[tuple[Entry, asyncio.Future[Any]]] = deque()
        self._changes: deque[tuple[Callable[[Connection], Any], asyncio.Future[Any]]] = deque()
        self._jobs: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[Connection], T], *, write: bool = False) -> T:
        return await self.do(partial(self._transaction, work, write))

    async def do(self, job: Callable[[], T]) -> T:
        """Do this job in the thread, while nothing else uses the connection."""
        result: T = await self._wait_in(self._jobs, job)
        return result

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Make a small change in the event loop: do all of this work or none of it."""
        result: T = await self._wait_in(self._changes, work)
        return result

    async def append(self, entry: Entry) -> None:
        """Store a move."""
        if entry.over:  # The end of a game takes more than one statement.
            await self.change(partial(_append_last, entry))
        else:
            await self._wait_in(self._moves, entry)

    async def close(self) -> None:
        """Finish what's waiting, accept nothing new, and close the connection."""
        self._is_closed = True
        if self._writing is not None:
            await asyncio.wait([self._writing])
        await super().close()

    def pragma(self, text: str) -> Any:
        """Run a PRAGMA and return its first row, in the thread. With SQLAlchemy, this would start a transaction."""
        return self._driver.execute(f"PRAGMA {text}").fetchone()

    async def _wait_in(self, queue: deque[tuple[T, asyncio.Future[Any]]], item: T) -> Any:
        self._check_open()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        queue.append((item, future))
        if self._writing is None or self._writing.done():
            self._writing = loop.create_task(self._write())
        return await future

    async def _write(self) -> None:
        """Do everything that's waiting. Only this task uses the connection."""
        while self._moves or self._changes or self._jobs:
            if (self._moves or self._changes) and await self._write_some() > 1:
                await asyncio.sleep(_PAUSE_SECONDS)
            until = monotonic() + _JOB_SECONDS
            while self._jobs and monotonic() < until:
                job, future = self._jobs.popleft()
                try:
                    result = await self._in_thread(job)
                except Exception as error:  # Even if the thread can't start, the caller must be told.
                    result = _Failed(error)
                _settle([future], [result])

    async def _write_some(self) -> int:
        """Store all moves, make changes until the time is up, and commit. Returns how many shared the commit."""
        started: list[asyncio.Future[Any]] = []
        try:
            await self._begin_or_wait()
            try:
                results = self._store_moves(started)
                until = monotonic() + _CHANGE_SECONDS
                while self._changes and monotonic() < until:
                    work, future = self._changes.popleft()
                    started.append(future)
                    results.append(self._do_or_undo(work))
                await self._in_thread(self._commit)
            except Exception:
                self._roll_back()
                raise
        except Exception as error:  # Nothing was stored, but no caller must be left waiting.
            if not started:
                started = [future for _, future in (*self._moves, *self._changes)]
                self._moves.clear()
                self._changes.clear()
            results = [_Failed(error)] * len(started)
        _settle(started, results)
        return len(started)

    async def _begin_or_wait(self) -> None:
        """Begin to write. If another program has locked the file, wait for it in the thread."""
        try:
            self._begin(write=True)
        except sqlite3.Error as error:
            if not is_busy(error):
                raise
            await self._in_thread(partial(self._with_busy_timeout, lambda: self._begin(write=True), True))
        self._timeout = _TIMEOUT

    def _store_moves(self, started: list[asyncio.Future[Any]]) -> list[Any]:
        """Store all moves that are waiting, and add their callers' futures to `started`."""
        moves = list(self._moves)
        self._moves.clear()
        started += [future for _, future in moves]
        if not moves:
            return []
        return _append_each(self._driver.cursor(), [entry for entry, _ in moves], as_text(self._clock.now()))

    def _do_or_undo(self, work: Callable[[Connection], T]) -> T | _Failed:
        driver = self._driver
        driver.execute("SAVEPOINT change")
        outcome = _outcome(partial(work, self._connection))
        if isinstance(outcome, _Failed):
            if not driver.in_transaction:  # SQLite has undone everything, for example because the disk is full.
                raise outcome.error
            driver.execute("ROLLBACK TO change")
        driver.execute("RELEASE change")
        return outcome

    def _transaction(self, work: Callable[[Connection], T], write: bool) -> T:
        return self._with_busy_timeout(lambda: super(WriterThread, self)._transaction(work, write), write)

    def _with_busy_timeout(self, work: Callable[[], T], write: bool) -> T:
        """In the thread: if another program has locked the file, wait. If it stays locked, wait less the next time."""
        self.pragma(f"busy_timeout={self._timeout}")
        try:
            result = work()
        except (DBAPIError, sqlite3.Error) as error:
            self._timeout = _SHORT_TIMEOUT if is_busy(error) else _TIMEOUT
            raise
        finally:
            self.pragma("busy_timeout=0")
        if write:  # We can read even if another program keeps us from writing.
            self._timeout = _TIMEOUT
        return result


class _Failed(NamedTuple):
    """The result of work that failed and changed nothing."""

    error: Exception


def _outcome(work: Callable[[], T]) -> T | _Failed:
    try:
        return work()
    except StopIteration as error:  # A future can't hold this one, so its caller would wait forever.
        return _Failed(RuntimeError(f"unexpected {error!r}"))
    except Exception as error:
        return _Failed(error)


def _settle(waiting: list[asyncio.Future[Any]], results: list[Any]) -> None:
    """Wake the waiting callers, except those who are gone."""
    for future, result in zip(waiting, results, strict=True):
        if future.done():
            continue
        if isinstance(result, _Failed):
            future.set_exception(result.error)
        else:
            future.set_result(result)


def _append_last(entry: Entry, connection: Connection) -> None:
    at = text_now(connection)
    _insert_moves(connection.connection.cursor(), [entry], at)
    end_game(connection, entry, at)


def _append_each(cursor: sqlite3.Cursor, entries: list[Entry], at: str) -> list[Any]:
    """Store these moves, except those whose number is taken."""
    try:
        _insert_moves(cursor, entries, at)
    except Taken as error:
        if len(entries) == 1:
            return [_Failed(error)]
        return [result for entry in entries for result in _append_each(cursor, [entry], at)]
    return [None] * len(entries)


def _insert_moves(cursor: Any, entries: list[Entry], at: str) -> None:
    """Store moves of different games, all of them or none, without SQLAlchemy, which would take longer."""
    events = [(entry.game, entry.seq, entry.event, entry.action_id, at) for entry in entries]
    try:
        cursor.execute(_for_rows(_APPEND, len(events)), list(chain(*events)))
    except sqlite3.IntegrityError:
        raise Taken from None
    games = [
        (entry.game, at, entry.over, _encode(entry.digest).decode(), entry.turn_ends, entry.due) for entry in entries
    ]
    cursor.execute(_for_rows(_UPDATE_GAMES, len(games)), list(chain(*games)))


def _for_rows(statement: str, count: int) -> str:
    """A statement with the values of one row, extended to this many rows."""
    row = statement[statement.index("(?") : statement.index("?)") + 2]
    return statement.replace(row, ", ".join([row] * count))


def is_busy(error: BaseException) -> bool:
    """Has another program locked the file?"""
    return code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def code_of(error: BaseException) -> int | None:
    """SQLite's error code, without the details in its upper bits."""
    code = getattr(getattr(error, "orig", None) or error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def engine_for(path: Path | str, clock: SharedClock, timeout: int, *, read_only: bool) -> Engine:
    """An engine whose connections wait this many milliseconds when another program has locked the file."""
    # SQLite rolls back schema changes only if the driver leaves transactions alone, so we send BEGIN ourselves.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False},
        execution_options=clock.option,
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in (
            f"busy_timeout={timeout}",  # First, because the next statement may have to wait.
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
            f"query_only={'ON' if read_only else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        if not driver.in_transaction:
            driver.execute("BEGIN")

    return engine
