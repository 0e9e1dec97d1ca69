"""Gatherings: who's watching them, and how they change."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from chromino.messages.gatherings import Sit
from chromino.seated.events import GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering, due_change, next_change_at
from chromino.server.database import gatherings, notices, presence
from chromino.server.database.notices import Notice
from chromino.server.database.store import Change, Store, could_be_id
from chromino.server.games.stored_game import RETRY_SECONDS
from chromino.server.http.limits import MAX_GUEST_SEATS, MAX_OPEN_GATHERINGS
from chromino.server.problems import Problem

T = TypeVar("T")

_NOTIFY_AFTER = 5.0  # Seconds to wait before notifying people, since most are still there and answer at once.
_MAX_OFFERS = 5  # The most rematch offers that a person is shown at once.
_LOBBY_SECONDS = 1.0  # How long to cache the lobby, since many people look at it.

log = logging.getLogger(__name__)


class GatheringWatcher:
    """A page that shows a gathering."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.changed = asyncio.Event()
        self.changed.set()  # The first state goes out at once.
        self.has_game = False
        """Has the page been told that the game has started?"""


class Gatherings:
    """All gatherings, with the watchers in this process, who are notified of each change."""

    def __init__(self, store: Store, grace: float) -> None:
        self._store = store
        self._grace = grace
        self._watchers: dict[str, set[GatheringWatcher]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._checking: dict[str, asyncio.Event] = {}
        """Tables where a change may soon be due. Setting a table's event makes us check again."""
        self._lobby: tuple[float, list[Gathering]] = (0.0, [])
        """When the cached lobby expires, and the lobby."""
        self._changes = 0
        self._latest: dict[str, asyncio.Future[Gathering]] = {}
        """Tables after their last change, each read once for all watchers."""

    async def get(self, table_id: str) -> Gathering:
        return await self._store.look_up(gatherings.find(table_id))

    async def latest(self, table_id: str) -> Gathering:
        """The table after its last known change. All watchers ask at the same time, so one read serves them all."""
        reading = self._latest.get(table_id)
        if reading is None or (reading.done() and reading.exception() is not None):
            reading = self._latest[table_id] = self._spawn(self.get(table_id))
            reading.add_done_callback(_retrieve_error)
        return await asyncio.shield(reading)  # If one watcher leaves, the others are still waiting for the result.

    def _cache(self, table: Gathering | SeatedGame | None) -> None:
        """Right after a change, cache the table for its watchers, unless other processes may be changing it, too."""
        if self._store.is_only_process and isinstance(table, Gathering) and table.id in self._watchers:
            self._latest[table.id] = asyncio.get_running_loop().create_future()
            self._latest[table.id].set_result(table)

    async def lobby(self) -> list[Gathering]:
        """The lobby, cached for a moment."""
        expires, lobby = self._lobby
        if time.monotonic() > expires:
            changes = self._changes
            lobby = await self._store.read(gatherings.lobby)
            if changes == self._changes:  # Otherwise, what we've read may already be outdated.
                self._lobby = (time.monotonic() + _LOBBY_SECONDS, lobby)
        return lobby

    async def add(self, gathering: Gathering, origin: int = 0) -> None:
        """Open a table, unless the host already has too many."""
        work = gatherings.add(gathering, MAX_OPEN_GATHERINGS, origin)
        # Not isolated: at worst, someone opens one table too many at the same moment.
        await self._store.write_few_rows(work, _about(gathering.id))
        self._forget_lobby()

    async def add_rematch(self, game: str, gathering: Gathering) -> str:
        """Open a table for a rematch, unless there already is one. Returns the id of the rematch.

        The caller updates this process's copy of the game.
        """
        work = gatherings.add_rematch(game, gathering, MAX_OPEN_GATHERINGS)
        about = (Change("gathering", gathering.id), *self._store.changes_for_others(game)(None))
        rematch = await self._store.write_few_rows(work, lambda _: about)
        self._forget_lobby()
        return rematch

    async def offer(self, rematch: Gathering, by: str) -> None:
        """Notify everyone who's invited to a rematch. It starts without the people who don't answer in time."""
        if rematch.offer_ends is None:
            return
        due = self._store.clock.now() + _NOTIFY_AFTER
        notice = Notice(rematch.id, "rematch", 0, by, due, rematch.offer_ends)
        work = notices.queue(rematch.undecided, notice)
        await self._store.write_few_rows(work, lambda _: (Change("notice", rematch.id),))
        self.check_due(rematch.id)

    async def offers_to(self, person: str) -> list[Gathering]:
        """Rematches waiting for this person's answer, up to the number the page can show."""
        return await self._store.read(gatherings.offers_to(person, _MAX_OFFERS))

    async def watch_offers(self) -> None:
        """Make sure that offered rematches start in time, even if the process that offered them is gone."""
        for table_id in await self._store.read(gatherings.offers):
            self.check_due(table_id)

    async def change(
        self, table_id: str, decide: Callable[[Gathering], GatheringEvent | None]
    ) -> Gathering | SeatedGame | None:
        """Change a table, taking into account what others have done in the meantime."""
        event: GatheringEvent | None = None

        def decide_event(table: Gathering) -> GatheringEvent | None:
            nonlocal event
            event = decide(table)
            return event

        work = gatherings.change(table_id, decide_event, self._store.process)
        # Clients react to every message, so don't send one when nothing has happened.
        table = await self._store.write_few_rows(work, lambda after: _about(table_id)(after) if event else ())
        self._forget_lobby()
        self._cache(table)
        return table

    async def sit(self, table_id: str, person: str, message: Sit) -> Gathering:
        """Let someone sit down, or change their name or face."""
        work = gatherings.sit(table_id, person, message, self._store.clock.now(), MAX_GUEST_SEATS)
        table = await self._store.write_few_rows(work, _about(table_id))
        self._forget_lobby()
        self._cache(table)
        self.check_due(table_id)
        return table

    async def watch(self, table_id: str, watcher: GatheringWatcher) -> None:
        """Register an open page. Always call `forget` afterward, even if this fails."""
        await self._store.follow(table_id)
        self._watchers.setdefault(table_id, set()).add(watcher)
        self._note_presence(table_id, watcher)

    def forget(self, table_id: str, watcher: GatheringWatcher) -> None:
        """Forget a closed page. If it was the host's and they don't come back, someone else becomes host."""
        watchers = self._watchers.get(table_id, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(table_id, None)
            self._latest.pop(table_id, None)
        self._store.unfollow(table_id)
        if not watcher.has_game:  # Otherwise, everyone in the game counts as away until they open it.
            self._note_presence(table_id, watcher)

    def check_due(self, table_id: str) -> None:
        """Check what's due at this table: a new host, or the end of a rematch offer."""
        if table_id in self._checking:
            self._checking[table_id].set()
        else:
            self._checking[table_id] = asyncio.Event()
            self._spawn(self._make_due_changes(table_id, self._checking[table_id]))

    def hear(self, change: Change) -> None:
        """Notify the watchers of a gathering that has changed, here or in another process."""
        if change.kind not in ("gathering", "all"):
            return  # It isn't shown at the table. For example, the host can't tell whether an invitation was sent.
        self._forget_lobby()
        for table_id in list(self._watchers) if change.kind == "all" else [change.id]:
            self._latest.pop(table_id, None)
            for watcher in self._watchers.get(table_id, ()):
                watcher.changed.set()
                if change.kind == "all":  # The other processes may have considered this one dead.
                    self._note_presence(table_id, watcher)

    def check_due_later(self, table_id: str) -> None:
        """Check on the host after a while, because a process that served someone at this table has died."""
        asyncio.get_running_loop().call_later(self._grace, self.check_due, table_id)

    def _forget_lobby(self) -> None:
        self._changes += 1
        self._lobby = (0.0, [])

    def stop(self) -> None:
        """Cancel all background work, because the server is stopping."""
        for task in self._tasks:
            task.cancel()

    def _note_presence(self, table_id: str, watcher: GatheringWatcher) -> None:
        if watcher.person is not None and could_be_id(table_id) and not self._store.is_closing:
            self._spawn(self._record_presence(table_id, watcher.person))

    async def _record_presence(self, table_id: str, person: str) -> None:
        """Record whether someone is here. Repeat as needed: they may be back before their absence is recorded."""
        recorded = left_game_at = None
        while recorded is not (is_here := self._is_here(table_id, person)):
            note = presence.note(table_id, person, self._store.process, is_here)
            try:
                left_game_at = await self._store.write_few_rows(note)
            except Problem as problem:
                log.warning("can't record who is at table %s: %s", table_id, problem)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            recorded = is_here
        if left_game_at is None:  # Otherwise the game has started, and has no host.
            self.check_due(table_id)

    def _is_here(self, table_id: str, person: str) -> bool:
        return any(watcher.person == person for watcher in self._watchers.get(table_id, ()))

    async def _make_due_changes(self, table_id: str, look_again: asyncio.Event) -> None:
        """Make the table's automatic changes when they're due, until there are none left to wait for."""
        try:
            while True:
                look_again.clear()
                try:
                    wait = await self._make_due_change(table_id)
                except Problem as problem:
                    if not problem.is_storage:
                        log.debug("gathering %s is over: %s", table_id, problem)
                        return
                    log.warning("what's due at table %s has to wait: %s", table_id, problem)
                    wait = RETRY_SECONDS
                if wait is not None:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(look_again.wait(), wait)
                elif not look_again.is_set():
                    return
        finally:
            del self._checking[table_id]

    async def _make_due_change(self, table_id: str) -> float | None:
        """Make the change that's due, if any. Returns the seconds until the next one, or None if there won't be any."""
        now = self._store.clock.now
        at = next_change_at(await self.get(table_id), self._grace)
        if at is None or at > now():
            return None if at is None else at - now()
        await self.change(table_id, lambda table: due_change(table, self._grace, now()))
        return 0.0  # Another change may be due right now.

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _about(table_id: str) -> Callable[[object], tuple[Change, ...]]:
    return lambda _result: (Change("gathering", table_id),)


def _retrieve_error(done: asyncio.Future[Gathering]) -> None:
    """Retrieve the error, if any. If all waiting pages have closed, nobody else does so, and asyncio would complain."""
    if not done.cancelled():
        done.exception()
