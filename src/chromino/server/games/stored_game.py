"""A game in memory that follows the database: when another process changes the game, this one reads it again."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from chromino.bots import find
from chromino.errors import ChrominoError, RecordError
from chromino.seated.game import SeatedGame, apply, as_of
from chromino.seated.seats import Seat
from chromino.server.database.rows import event_of, table_of, with_details
from chromino.server.database.store import Change, GameRow, LogRow, Store
from chromino.server.problems import Problem

RETRY_SECONDS = 1.0
"""How long to wait before trying again after a database failure."""

_PAUSE = 0.01  # Seconds to wait before reading again, if something changed while it was being read.

T = TypeVar("T")

log = logging.getLogger(__name__)


class StoredGame(ABC):
    """One game in the database. The copy in memory is only a cache."""

    table: SeatedGame

    def __init__(self, row: GameRow, store: Store) -> None:
        self.id = row.id
        self.lock = asyncio.Lock()
        """Held while reading the game again or appending to it."""
        self.is_gone = False
        self.acts_next = False
        """Does this process perform the next automatic action?"""
        self.due: float | None = None
        """When the next automatic action is due, according to the database."""
        self.times_recorded = 0
        """How many times this process has recorded or read who's here or what's due; earlier reads are outdated."""
        self._store = store
        self._header = ""
        self._appending = 0  # The version that the move being stored leads to; 0 if none is.
        self._recording = 0  # How many arrivals and departures are being recorded right now.
        self._stopped = False
        self._pending: set[str] = set()  # The kinds of changes that haven't been read yet.
        self._is_reading = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._load(row)

    @abstractmethod
    def notify(self) -> None:
        """Let all watchers know that something has changed."""

    @abstractmethod
    def is_here(self, person: str) -> bool:
        """Does this person have a page connected to this process?"""

    @abstractmethod
    def record_presence(self, person: str) -> None:
        """Record whether this person is here."""

    @abstractmethod
    def due_at(self, table: SeatedGame) -> float | None:
        """When the next automatic action would be due at this table."""

    @abstractmethod
    async def check_due(self) -> None:
        """Check again what's due, because people connected to another process have come or gone."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all automatic actions."""

    def _load(self, row: GameRow) -> None:
        """Load the game as stored in the database, replaying only new events."""
        try:
            if row.header != self._header:
                self.table = table_of(row)
            else:
                self._apply(row.log[self.table.version :])
            for who in row.seats:
                if who.bot is not None:
                    find(who.bot)  # Raises an error if we don't have this bot.
        except ChrominoError as error:
            raise self._broken(error) from None
        self._header = row.header
        self.table = replace(with_details(self.table, row), seats=self._seats(row.seats))
        self.table = as_of(self.table, self.now())
        self.due = row.due
        if row.process != self._store.process:
            self.acts_next = False

    def _seats(self, stored: Sequence[Seat]) -> tuple[Seat, ...]:
        """The database's seats, except that people with a page connected to this process are never away.

        If they've just taken a seat through another process, the database doesn't know that they're here: record it.
        """
        for person in {who.person for who in stored if who.person is not None and who.away_since is not None}:
            if self.is_here(person):
                self.record_presence(person)
        return tuple(
            replace(who, away_since=None) if who.person is not None and self.is_here(who.person) else who
            for who in stored
        )

    def _broken(self, error: ChrominoError) -> Problem:
        """Log that the game is broken, but not why: the reason may reveal a hidden tile or the seed."""
        where = f" from line {error.line} of its record onward" if isinstance(error, RecordError) else ""
        log.warning("can't replay game %s%s", self.id, where)
        return Problem("broken-game")

    def _apply(self, rows: Sequence[LogRow]) -> None:
        """Apply events from another process. That process also performs the next automatic action."""
        if not rows:
            return
        table = self.table
        for row in rows:
            table = apply(table, event_of(row))
        self.table = table
        self.acts_next = False
        self.due = self.due_at(table)

    # Changes by others.

    def hear(self, change: Change) -> None:
        """Read the game again soon, because it has changed, here or elsewhere. Several changes share one read."""
        if change.kind == "event" and change.version <= max(self.table.version, self._appending):
            return
        self._pending.add(change.kind)
        if not self._is_reading:
            self._is_reading = True
            self._reading = self.spawn(self._read_soon())

    async def _read_soon(self) -> None:
        try:
            while not self._stopped and not self.is_gone and self._pending:
                try:
                    await self._read_pending()
                except Problem as problem:
                    if not self.is_gone and problem.code != "broken-game":
                        log.warning("can't read game %s now: %s", self.id, problem)
                        self._pending.add("game")
                        await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._is_reading = False

    async def _read_pending(self) -> None:
        pending = self._pending.copy()
        if pending == {"seats"}:
            self._pending.clear()
            await self.read_seats()
        else:
            async with self.lock:
                whole = not pending <= {"event", "seats"}
                self._pending -= {"event"} if not whole else pending
                await self.read_again(whole=whole)
        if pending != {"event"}:
            await self.check_due()

    async def read_seats(self) -> None:
        """Read who's at the table. This doesn't need the lock, but waits until no move is being stored."""
        current = await self._read_current(self._store.seats_now)
        if len(current.seats) != len(self.table.seats):
            self.hear(Change("game", self.id))  # The game may be gone.
            return
        self.table, self.due = replace(self.table, seats=self._seats(current.seats)), current.due
        self.times_recorded += 1
        if current.process != self._store.process:
            self.acts_next = False
        self.notify()

    async def read_again(self, *, whole: bool = False) -> None:
        """Read anything new from the database. The caller must hold the lock."""
        if whole:
            row = await self._read_current(self._store.game)
            if row is None:
                self.is_gone = True
                self.stop()
                self.notify()
                raise Problem("no-such-game")
            self._load(row)
        elif rows := await self._store.events_since(self.id, self.table.version):
            try:
                self._apply(rows)
            except ChrominoError as error:
                raise self._broken(error) from None
        else:
            return
        self.notify()

    async def _read_current(self, read: Callable[[str], Awaitable[T]]) -> T:
        """Read from the database until what we've read is newer than anything we've stored in the meantime."""
        while True:
            before = self.table.version, self.times_recorded
            found = await read(self.id)
            if (self.table.version, self.times_recorded) == before and not self._appending and not self._recording:
                return found
            await asyncio.sleep(_PAUSE)

    async def catch_up(self) -> None:
        """Catch up with everything the caller may have seen, here or in another process."""
        if self._is_reading:
            await asyncio.wait([self._reading], timeout=RETRY_SECONDS)
        if not self._store.is_only_process:
            async with self.lock:
                await self.read_again()

    def now(self) -> float:
        """The current time, by the clock that all processes share."""
        return self._store.clock.now()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run this work in the background. The game isn't idle until the work is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
