"""The database on SQLite: one file and one process, with one thread that writes and another that only reads.

Reads never wait for writes: in SQLite's WAL mode each sees the state at which it began.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from chromino.server.database.shared_clock import SharedClock, as_text
from chromino.server.database.store import (
    Change,
    Entry,
    GameRow,
    LogRow,
    SeatsNow,
    Store,
    StoreError,
    Taken,
    end_game,
    find_game,
    is_id,
    migrate,
)
from chromino.server.problems import Problem

T = TypeVar("T")

log = logging.getLogger(__name__)

_APPEND = "INSERT INTO events (game, seq, event, action_id, at) VALUES (?, ?, ?, ?, ?)"
_THEN = "UPDATE games SET updated = ?, over = ?, digest = ?, turn_ends = ?, due = ?, process = ? WHERE id = ?"
_SINCE = "SELECT event, action_id, at FROM events WHERE game = ? AND seq >= ? ORDER BY seq"
_MEMORY = ":memory:"
_OWNER_ONLY = 0o600  # The file holds hands, and hashes of secrets.
_PATIENCE = 1000  # Milliseconds to wait when another program has locked the file;
_IMPATIENCE = 50  # shorter while it stays locked, so that waits don't add up.
_SCRUB_SECONDS = 30.0  # Between two tries to empty the log.
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _Lane:
    """One connection to the file, with a thread of its own: work runs in order."""

    def __init__(self, path: Path | str, clock: SharedClock, *, read_only: bool) -> None:
        self._patience = _PATIENCE
        self._read_only = read_only
        self.engine = _engine(path, clock, lambda: self._patience, read_only=read_only)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="reader" if read_only else "store")
        self._kept: Connection | None = None

    async def run(self, work: Callable[[Connection], T], *, write: bool) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, self.transaction, work, write)

    def transaction(self, work: Callable[[Connection], T], write: bool) -> T:
        """In the thread: all of this work or nothing."""
        try:
            connection = self._connection()
            connection.execution_options(immediate=write)
            with connection.begin():
                found = work(connection)
        except (DBAPIError, sqlite3.Error) as error:
            self._wait_at_most(_IMPATIENCE if _code(error) in _BUSY else _PATIENCE)
            raise
        if write or self._read_only:  # A lock on writing doesn't stop reads.
            self._wait_at_most(_PATIENCE)
        return found

    def _wait_at_most(self, milliseconds: int) -> None:
        if milliseconds != self._patience:
            self._patience = milliseconds
            with suppress(DBAPIError, sqlite3.Error):  # If there is no connection, the next one has the new timeout.
                self.pragma(f"busy_timeout={milliseconds}")

    def pragma(self, text: str) -> Any:
        """In the thread: outside a transaction, which SQLAlchemy would begin. The first row, if there is one."""
        return self._connection().connection.cursor().execute(f"PRAGMA {text}").fetchone()

    def _connection(self) -> Connection:
        """In the thread: kept open, for taking it from a pool takes as long as all else that SQLAlchemy does."""
        if self._kept is None:
            self._kept = self.engine.connect()
        return self._kept

    def close(self) -> None:
        self.thread.submit(self._close).result()
        self.thread.shutdown()

    def _close(self) -> None:
        if self._kept is not None:
            self._kept.close()
        self.engine.dispose()


class SqliteStore(Store):
    """Writes run one at a time, in parallel with reads."""

    is_alone = True

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self._writing = _Lane(path, self.clock, read_only=False)
        # A database in memory is visible only to the connection that created it.
        self._reading = self._writing if str(path) == _MEMORY else _Lane(path, self.clock, read_only=True)
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._seen: int | None = None
        self._scrub_at = math.inf

    @classmethod
    async def at(cls, path: Path | str, revision: str | None = "head") -> SqliteStore:
        """The database in this file; `:memory:` is one that is not kept."""
        if str(path) != _MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            if not Path(path).exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _OWNER_ONLY))  # -wal and -shm inherit the mode.
        store = cls(path)
        try:
            await store._writing.run(lambda connection: migrate(connection, revision), write=revision is not None)
        except DBAPIError as error:
            await store.close()
            raise StoreError(f"{path} {_unusable(error) or f'cannot be used as a database: {error.orig}'}") from None
        except Exception as error:
            await store.close()
            if "Can't locate revision" in str(error):
                raise StoreError(f"{path} was written by a newer version of Chromino") from None
            raise
        return store

    async def close(self) -> None:
        for lane in {self._reading, self._writing}:
            await asyncio.to_thread(lane.close)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._safely(self._reading, work)

    async def _write(
        self,
        work: Callable[[Connection], T],
        about: Callable[[T], Iterable[Change]],
        alone: bool,  # noqa: ARG002  It always is.
    ) -> T:
        found = await self._safely(self._writing, work, write=True)
        for change in about(found):
            self.hear(change)
        return found

    async def _append(self, entry: Entry) -> None:
        """Whatever waits for the disk at the same time is written together, by one commit."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if len(self._waiting) == 1:
            self._writing.thread.submit(self._append_all)  # It tells those who wait; nobody waits for its end.
        await written

    def _append_all(self) -> None:
        """In the thread: all that waits now, all of it or nothing, apart from what is taken already."""
        waiting, self._waiting = self._waiting, []
        at = as_text(self.clock.now())
        taken: dict[int, Exception] = {}

        def work(connection: Connection) -> None:
            driver = connection.connection.cursor()
            for number, (entry, _) in enumerate(waiting):
                try:  # A constraint that is broken undoes its own statement only.
                    driver.execute(_APPEND, (entry.game, entry.seq, entry.event, entry.action_id, at))
                except sqlite3.IntegrityError:
                    taken[number] = Taken()
                    continue
                digest = json.dumps(entry.digest)
                then = (at, entry.over, digest, entry.turn_ends, entry.due, self.process, entry.game)
                driver.execute(_THEN, then)
                if entry.over:
                    end_game(connection, entry, at)

        try:
            self._writing.transaction(work, True)
        except Exception as error:
            if not isinstance(error, DBAPIError | sqlite3.Error):
                log.exception("events cannot be stored")
            taken = {number: _problem(error) for number in range(len(waiting))}  # Nobody must wait forever.
        results = [(written, taken.get(number)) for number, (_, written) in enumerate(waiting)]
        results[0][0].get_loop().call_soon_threadsafe(_settle, results)

    async def game(self, game: str) -> GameRow | None:
        """In line with the writes, so that what was read never comes after what was written later."""
        return await self._safely(self._writing, find_game(game)) if is_id(game) else None

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        def work(connection: Connection) -> list[LogRow]:
            return [LogRow(*row) for row in connection.exec_driver_sql(_SINCE, (game, seq))]

        return await self._safely(self._reading, work)

    async def seats_now(self, game: str) -> SeatsNow:
        row = await self.game(game)
        return SeatsNow((), None, None) if row is None else SeatsNow(row.seats, row.process, row.due)

    async def ping(self) -> None:
        await self._safely(self._writing, lambda connection: connection.exec_driver_sql("SELECT 1"), write=True)
        if self.is_failing:
            raise Problem("storage")

    def explain(self, problem: Problem) -> str:
        return _unusable(problem.__cause__) or super().explain(problem)

    async def scrub(self) -> None:
        """Empty the write-ahead log; what is deleted from the file itself is overwritten (`secure_delete`)."""
        checkpoint = asyncio.get_running_loop().run_in_executor(self._writing.thread, self._truncate_log)
        self._scrub_at = math.inf if await checkpoint else monotonic() + _SCRUB_SECONDS

    def _truncate_log(self) -> bool:
        """In the thread: is the log empty now? Not while someone else still reads from it."""
        try:
            self._writing.pragma("busy_timeout=0")  # No move waits for a long read, like that of a backup.
            busy, *_ = self._writing.pragma("wal_checkpoint(TRUNCATE)")
            self._writing.pragma(f"busy_timeout={_PATIENCE}")
        except (DBAPIError, sqlite3.Error):
            return False
        return not busy

    async def look(self) -> None:
        if monotonic() >= self._scrub_at:
            await self.scrub()
        # SQLite's count of what other connections committed: there is one if an operator's command is at work.
        query = "PRAGMA data_version"
        found = await self._safely(self._writing, lambda connection: connection.exec_driver_sql(query).scalar())
        if self._seen is not None and found != self._seen:
            self.hear(Change("all"))
        self._seen = found

    async def _safely(self, lane: _Lane, work: Callable[[Connection], T], *, write: bool = False) -> T:
        """Run, and turn what the database cannot do (a full disk, a file that is read-only) into a `Problem`."""
        try:
            return await lane.run(work, write=write)
        except (DBAPIError, sqlite3.Error) as error:
            raise _problem(error) from error


def _code(error: BaseException) -> int | None:
    """SQLite's own code of what went wrong, without the details in its upper bits."""
    code = getattr(getattr(error, "orig", None) or error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _unusable(error: BaseException | None) -> str | None:
    """What is wrong with the file, and what to do next, if this error says."""
    match None if error is None else _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "is in use by another program: close that, then try again"
        case sqlite3.SQLITE_CORRUPT:
            return "is damaged: move it away and restore a backup (see docs/operating.md)"
    return None


def _problem(error: Exception) -> Problem:
    """The problem to send to the page, with its cause for the log."""
    if isinstance(error, IntegrityError) and "FOREIGN KEY" in str(error.orig):
        found = Problem("nobody")  # Erased in the same moment.
    else:
        found = Problem("database-locked" if _code(error) in _BUSY else "storage")
    found.__cause__ = error
    return found


def _settle(results: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    """Tell those who wait; some may have gone meanwhile."""
    for written, error in results:
        if written.done():
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)


def _engine(path: Path | str, clock: SharedClock, patience: Callable[[], int], *, read_only: bool) -> Engine:
    # SQLite rolls back changes of the schema only if the driver leaves transactions alone: BEGIN is ours.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False},
        execution_options=clock.option,
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in (
            f"busy_timeout={patience()}",  # First: the next one may have to wait.
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
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
