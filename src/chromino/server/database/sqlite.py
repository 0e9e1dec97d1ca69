"""The database on SQLite: one file and one process, with one connection that writes and two that only read.

Moves, small changes and lookups run right in the event loop; commits and everything else run in threads. Reads never
wait for writes: in SQLite's WAL mode, each read sees the database as it was when the read began.
"""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from chromino.server.database.database_urls import StoreError
from chromino.server.database.migrating import migrate
from chromino.server.database.sqlite_threads import ConnectionThread, WriterThread, code_of, engine_for, is_busy
from chromino.server.database.store import (
    Change,
    Entry,
    GameRow,
    LogRow,
    SeatsNow,
    SiteStatus,
    Store,
    could_be_id,
    find_game,
)
from chromino.server.problems import Problem

T = TypeVar("T")

_SINCE = "SELECT event, action_id, at FROM events WHERE game = ? AND seq >= ? ORDER BY seq"
_STATUS = "SELECT coalesce(ran, 0), (SELECT coalesce(min(due), 9e999) FROM games) FROM clock"
_MEMORY = ":memory:"
_OWNER_ONLY = 0o600  # The file contains hands and hashes of secrets.
_SCRUB_SECONDS = 30.0  # Time between attempts to empty the write-ahead log.


class SqliteStore(Store):
    """Writes run one at a time, in parallel with reads."""

    is_only_process = True

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self._writer = WriterThread(path, self.clock)
        # An in-memory database is visible only to the connection that created it.
        self._reader: ConnectionThread = (
            self._writer if str(path) == _MEMORY else ConnectionThread(path, self.clock, read_only=True)
        )
        self._engine = engine_for(path, self.clock, 0, read_only=True)
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
            await store._writer.run(lambda connection: migrate(connection, revision), write=revision is not None)
        except (DBAPIError, sqlite3.Error) as error:
            await store.close()
            reason = _advice(error) or f"can't be used as a database: {getattr(error, 'orig', error)}"
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
        for thread in {self._reader, self._writer}:
            await thread.close()
        if self._lookup_connection is not None:
            self._lookup_connection.close()
        self._engine.dispose()

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._safely(self._reader.run(work))

    async def look_up(self, work: Callable[[Connection], T]) -> T:
        """Look up a few rows right here: SQLite needs less time for them than another thread needs to wake up."""
        if self._reader is self._writer:
            return await self.read(work)
        try:
            if self._lookup_connection is None:
                self._lookup_connection = self._engine.connect()
            with self._lookup_connection.begin():
                return work(self._lookup_connection)
        except (DBAPIError, sqlite3.Error):
            return await self.read(work)  # `read` waits for a locked file, and says what's wrong.

    async def _write(
        self,
        work: Callable[[Connection], T],
        changes: Callable[[T], Iterable[Change]],
        isolated: bool,  # noqa: ARG002 (SQLite's writes always are)
    ) -> T:
        result = await self._safely(self._writer.run(work, write=True))
        return self._report(result, changes)

    async def _write_few_rows(self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]]) -> T:
        result = await self._safely(self._writer.change(work))
        return self._report(result, changes)

    def _report(self, result: T, changes: Callable[[T], Iterable[Change]]) -> T:
        for change in changes(result):
            self.hear(change)
        return result

    async def _append(self, entry: Entry) -> None:
        await self._safely(self._writer.append(entry))

    async def game(self, game: str) -> GameRow | None:
        """Read a game in line with the writes, so that an older state never arrives after a newer one."""
        return await self._safely(self._writer.run(find_game(game))) if could_be_id(game) else None

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        def work(connection: Connection) -> list[LogRow]:
            return [LogRow(*row) for row in connection.exec_driver_sql(_SINCE, (game, seq))]

        return await self._safely(self._reader.run(work))

    async def seats_now(self, game: str) -> SeatsNow:
        row = await self.game(game)
        return SeatsNow((), None, None) if row is None else SeatsNow(row.seats, row.process, row.due)

    async def ping(self) -> None:
        await self._safely(self._writer.run(lambda connection: connection.exec_driver_sql("SELECT 1"), write=True))
        if self.is_failing:
            raise Problem("storage")

    def explain(self, problem: Problem) -> str:
        return _advice(problem.__cause__) or super().explain(problem)

    async def scrub(self) -> None:
        """Empty the write-ahead log. In the file itself, deleted data is always overwritten (`secure_delete`)."""
        is_empty = await self._safely(self._writer.do(self._truncate_log))
        self._scrub_at = math.inf if is_empty else monotonic() + _SCRUB_SECONDS

    def _truncate_log(self) -> bool:
        """In the thread: try to empty the log, which fails while someone reads it, and return whether that worked."""
        try:
            busy, *_ = self._writer.pragma("wal_checkpoint(TRUNCATE)")  # Without waiting for a long read.
        except (DBAPIError, sqlite3.Error):
            return False
        return not busy

    async def poll(self) -> SiteStatus:
        if monotonic() >= self._scrub_at:
            await self.scrub()
        version, status = await self._safely(self._writer.run(_read_status))
        if self._data_version is not None and version != self._data_version:
            self.hear(Change("all"))
        self._data_version = version
        return status

    async def _safely(self, running: Coroutine[Any, Any, T]) -> T:
        """Turn database failures (a full disk, a read-only file) into a `Problem`."""
        try:
            return await running
        except (DBAPIError, sqlite3.Error) as error:
            raise _problem(error) from error


def _read_status(connection: Connection) -> tuple[int, SiteStatus]:
    """A number that changes when another program (such as an operator's command) commits, and the status."""
    cursor = connection.connection.cursor()
    [version] = cursor.execute("PRAGMA data_version").fetchone()
    return version, SiteStatus(*cursor.execute(_STATUS).fetchone())


def _advice(error: BaseException | None) -> str | None:
    """What's wrong with the file and what to do about it, if we can tell from the error."""
    match None if error is None else code_of(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "is in use by another program: close it, then try again"
        case sqlite3.SQLITE_CORRUPT:
            return "is damaged: move it aside and restore a backup (see docs/operating.md)"
    return None


def _problem(error: Exception) -> Problem:
    """The problem to send to the page, with its cause for the log."""
    if isinstance(error, IntegrityError) and "FOREIGN KEY" in str(error.orig):
        problem = Problem("nobody")  # The person was erased at the same moment.
    else:
        problem = Problem("database-locked" if is_busy(error) else "storage")
    problem.__cause__ = error
    return problem
