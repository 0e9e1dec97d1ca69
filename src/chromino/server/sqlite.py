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
from sqlalchemy.exc import DBAPIError

from chromino.server.problems import Problem
from chromino.server.store import Change, Entry, LogRow, Store, StoreError, Taken, migrate, now

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

    @classmethod
    async def at(cls, path: Path | str) -> SqliteStore:
        """The database in this file; `:memory:` is one that is not kept."""
        if str(path) != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        store = cls(_engine(path))
        try:
            await store._run(migrate, write=True)
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

    async def _write(self, work: Callable[[Connection], T], about: Callable[[T], Iterable[Change]]) -> T:
        found = await self._safely(work, write=True)
        for change in about(found):
            self.hear(change)
        return found

    async def _append(self, entry: Entry) -> None:
        at = now()

        def work(connection: Connection) -> None:
            driver = connection.connection.cursor()
            try:
                driver.execute(_APPEND, (entry.game, entry.seq, entry.event, entry.action_id, at))
            except sqlite3.IntegrityError:
                raise Taken from None
            then = (at, entry.over, json.dumps(entry.digest), entry.turn_ends, entry.due, self.process, entry.game)
            driver.execute(_THEN, then)

        await self._safely(work, write=True)

    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        def work(connection: Connection) -> list[LogRow]:
            return [LogRow(*row) for row in connection.exec_driver_sql(_SINCE, (game, seq))]

        return await self._safely(work)

    async def ping(self) -> None:
        await self._safely(lambda connection: connection.exec_driver_sql("SELECT 1"), write=True)
        if self.is_failing:
            raise Problem("storage")

    async def _safely(self, work: Callable[[Connection], T], *, write: bool = False) -> T:
        """Run, and turn what the database cannot do (a full disk, a file that is read-only) into a `Problem`."""
        try:
            return await self._run(work, write=write)
        except (DBAPIError, sqlite3.Error) as error:
            raise Problem("storage") from error

    async def _run(self, work: Callable[[Connection], T], *, write: bool) -> T:
        def transaction() -> T:
            with self._engine.connect() as connection:
                connection.execution_options(immediate=write)
                with connection.begin():
                    return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)


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
