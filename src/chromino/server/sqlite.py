"""The database on SQLite: one file, one process, one thread of its own."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from chromino.server.problems import Problem
from chromino.server.store import Change, Entry, LogRow, Seating, Store, StoreError, Taken, migrate, now

T = TypeVar("T")

_APPEND = "INSERT INTO events (game, seq, event, action_id, at) VALUES (?, ?, ?, ?, ?)"
_THEN = "UPDATE games SET updated = ?, over = ?, digest = ?, turn_ends = ?, due = ?, process = ? WHERE id = ?"
_SINCE = "SELECT event, action_id, at FROM events WHERE game = ? AND seq >= ? ORDER BY seq"


class SqliteStore(Store):
    """What is asked of it runs one after another."""

    is_alone = True

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._seen: int | None = None

    @classmethod
    async def at(cls, path: Path | str, revision: str | None = "head") -> SqliteStore:
        """The database in this file; `:memory:` is one that is not kept."""
        if str(path) != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        store = cls(_engine(path))
        try:
            await store._run(lambda connection: migrate(connection, revision), write=revision is not None)
        except DBAPIError as error:
            await store.close()
            raise StoreError(f"{path} cannot be used as a database: {error.orig}") from None
        except Exception as error:
            await store.close()
            if "Can't locate revision" in str(error):
                raise StoreError(f"{path} was written by a newer version of Chromino") from None
            raise
        return store

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._safely(work)

    async def _write(
        self,
        work: Callable[[Connection], T],
        about: Callable[[T], Iterable[Change]],
        alone: bool,  # noqa: ARG002  It always is.
    ) -> T:
        found = await self._safely(work, write=True)
        for change in about(found):
            self.hear(change)
        return found

    async def _append(self, entry: Entry) -> None:
        """Whatever waits for the disk at the same time is written together, by one commit."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if len(self._waiting) == 1:
            asyncio.get_running_loop().run_in_executor(self._thread, self._append_all)
        await written

    def _append_all(self) -> None:
        """In the thread: all that waits now, all of it or nothing, apart from what is taken already."""
        waiting, self._waiting = self._waiting, []
        at = now()
        taken: dict[int, Exception] = {}
        try:
            with self._engine.connect() as connection, connection.execution_options(immediate=True).begin():
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
        except (DBAPIError, sqlite3.Error) as error:
            taken = {number: _problem(error) for number in range(len(waiting))}
        results = [(written, taken.get(number)) for number, (_, written) in enumerate(waiting)]
        results[0][0].get_loop().call_soon_threadsafe(_settle, results)

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        def work(connection: Connection) -> list[LogRow]:
            return [LogRow(*row) for row in connection.exec_driver_sql(_SINCE, (game, seq))]

        return await self._safely(work)

    async def seating(self, game: str) -> Seating:
        row = await self.game(game)
        return Seating((), None, None) if row is None else Seating(row.seats, row.process, row.due)

    async def ping(self) -> None:
        await self._safely(lambda connection: connection.exec_driver_sql("SELECT 1"), write=True)
        if self.is_failing:
            raise Problem("storage")

    async def look(self) -> None:
        # SQLite's count of what other connections committed: there is one if an operator's command is at work.
        found = await self._safely(lambda connection: connection.exec_driver_sql("PRAGMA data_version").scalar())
        if self._seen is not None and found != self._seen:
            self.hear(Change("all"))
        self._seen = found

    async def _safely(self, work: Callable[[Connection], T], *, write: bool = False) -> T:
        """Run, and turn what the database cannot do (a full disk, a file that is read-only) into a `Problem`."""
        try:
            return await self._run(work, write=write)
        except (DBAPIError, sqlite3.Error) as error:
            is_gone = isinstance(error, IntegrityError) and "FOREIGN KEY" in str(error.orig)
            raise Problem("nobody" if is_gone else "storage") from error  # Erased in the same moment.

    async def _run(self, work: Callable[[Connection], T], *, write: bool) -> T:
        def transaction() -> T:
            with self._engine.connect() as connection:
                connection.execution_options(immediate=write)
                with connection.begin():
                    return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)


def _problem(error: Exception) -> Problem:
    """What those are told who wait for another thread, with its reason for the log."""
    found = Problem("storage")
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


def _engine(path: Path | str) -> Engine:
    # SQLite rolls back changes of the schema only if the driver leaves transactions alone: BEGIN is ours.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
