"""A game in memory that follows the database: what another process changes there is read again here."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from chromino.bots import find
from chromino.errors import ChrominoError, RecordError
from chromino.seated.game import SeatedGame, apply, as_of
from chromino.seated.seats import Seat
from chromino.server.database.rows import event_of, table_of
from chromino.server.database.store import Change, GameRow, LogRow, Store
from chromino.server.problems import Problem

RETRY_SECONDS = 1.0
"""After the database failed."""

_A_MOMENT = 0.01

log = logging.getLogger(__name__)


class StoredGame(ABC):
    """What the database has of one game; memory is a cache of it."""

    table: SeatedGame

    def __init__(self, row: GameRow, store: Store) -> None:
        self.id = row.id
        self.lock = asyncio.Lock()
        """Held by whoever reads the game anew or appends to it."""
        self.is_gone = False
        self.is_mine = False
        """Does this process see to what is due?"""
        self.due: float | None = None
        """When something happens by itself next, as the database has it."""
        self.noted = 0
        """How often this process noted who is here or what is due: what was read before is old then."""
        self._store = store
        self._header = ""
        self._appending = 0
        self._stopped = False
        self._wishes: set[str] = set()
        self._is_reading = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._load(row)

    @abstractmethod
    def tell(self) -> None:
        """Something has changed."""

    @abstractmethod
    def is_here(self, person: str) -> bool:
        """Has this person a page open on this process?"""

    @abstractmethod
    def due_at(self, table: SeatedGame) -> float | None:
        """When something happens by itself next, once the table is such."""

    @abstractmethod
    async def look_around(self) -> None:
        """Others came or went."""

    @abstractmethod
    def stop(self) -> None:
        """Nothing happens by itself any more."""

    def _load(self, row: GameRow) -> None:
        """Take what the database has; only what is new is replayed."""
        try:
            if row.header != self._header:
                self.table = table_of(row)
            else:
                self._apply(row.log[self.table.version :])
            for who in row.seats:
                if who.bot is not None:
                    find(who.bot)
        except ChrominoError as error:
            raise self._broken(error) from None
        self._header = row.header
        self.table = replace(
            self.table,
            seats=self._seats(row.seats),
            aids=row.aids,
            pace=row.pace,
            watch=row.watch,
            turn_limit=row.turn_limit,
            turn_ends=row.turn_ends,
            rated=row.rated,
            next_game=row.next_game,
            deal=row.deal,
            needs_rating=self.table.game.over and row.due is not None,
        )
        self.table = as_of(self.table, self.now())
        self.due = row.due
        if row.process != self._store.process:
            self.is_mine = False

    def _seats(self, found: Sequence[Seat]) -> tuple[Seat, ...]:
        """As the database has them, but whoever has a page open here is here."""
        return tuple(
            replace(who, away_since=None) if who.person is not None and self.is_here(who.person) else who
            for who in found
        )

    def _broken(self, error: ChrominoError) -> Problem:
        """Tell it to the log, without a reason that may name a tile of the bag or the seed: others read logs, too."""
        where = f" from line {error.line} of its record on" if isinstance(error, RecordError) else ""
        log.warning("game %s cannot be replayed%s", self.id, where)
        return Problem("broken-game")

    def _apply(self, rows: Sequence[LogRow]) -> None:
        """Events that another process appended: it also sees to what is due now."""
        if not rows:
            return
        table = self.table
        for row in rows:
            table = apply(table, event_of(row))
        self.table = table
        self.is_mine = False
        self.due = self.due_at(table)

    # What others did.

    def hear(self, change: Change) -> None:
        """Something of this game was changed, here or elsewhere: read it again soon; many wishes are one reading."""
        if change.kind == "event" and change.version <= max(self.table.version, self._appending):
            return
        self._wishes.add(change.kind)
        if not self._is_reading:
            self._is_reading = True
            self._reading = self.spawn(self._read_soon())

    async def _read_soon(self) -> None:
        while not self._stopped and not self.is_gone and self._wishes:
            try:
                wishes = self._wishes.copy()
                if wishes == {"seats"}:
                    self._wishes.clear()
                    await self.read_seats()
                else:
                    async with self.lock:
                        whole = not wishes <= {"event", "seats"}
                        self._wishes -= {"event"} if not whole else wishes
                        await self.read_again(whole=whole)
                if wishes != {"event"}:
                    await self.look_around()
            except Problem as problem:
                if not self.is_gone and problem.code != "broken-game":
                    log.warning("game %s cannot be read now: %s", self.id, problem)
                    self._wishes.add("game")
                    await asyncio.sleep(RETRY_SECONDS)
        self._is_reading = False

    async def read_seats(self) -> None:
        """Who is there, without waiting for whoever appends."""
        before = self.table.version, self.noted
        found = await self._store.seats_now(self.id)
        if (self.table.version, self.noted) != before or self._appending:
            self.hear(Change("seats", self.id))  # That was from before.
            await asyncio.sleep(_A_MOMENT)
            return
        if len(found.seats) != len(self.table.seats):
            self.hear(Change("game", self.id))  # It may be gone.
            return
        self.table, self.due = replace(self.table, seats=self._seats(found.seats)), found.due
        if found.process != self._store.process:
            self.is_mine = False
        self.tell()

    async def read_again(self, *, whole: bool = False) -> None:
        """Take what is new from the database. Under the lock."""
        if whole:
            row = await self._store.game(self.id)
            if row is None:
                self.is_gone = True
                self.stop()
                self.tell()
                raise Problem("no-such-game")
            self._load(row)
        elif rows := await self._store.events_since(self.id, self.table.version):
            try:
                self._apply(rows)
            except ChrominoError as error:
                raise self._broken(error) from None
        else:
            return
        self.tell()

    async def catch_up(self) -> None:
        """Catch up with everything the caller may have seen, here or on another process."""
        if self._is_reading:
            await asyncio.wait([self._reading], timeout=RETRY_SECONDS)
        if not self._store.is_alone:
            async with self.lock:
                await self.read_again()

    def now(self) -> float:
        """The time, which is the same for all processes."""
        return self._store.clock.now()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do this beside; until it is done, the game is not idle."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
