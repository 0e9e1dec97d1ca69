"""A game in memory: who's watching it, and how it changes.

`chromino.seated` decides what a request does. The result is stored, acknowledged and shown, in that order. `clock.py`
performs automatic actions, and `stored_game.py` follows the database.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from functools import partial
from typing import get_args

from chromino import seated
from chromino.bots import estimate
from chromino.messages.games import (
    Act,
    AskForHint,
    Done,
    FromClient,
    Hint,
    Leave,
    Phrase,
    Said,
    Say,
    SetPace,
    State,
    TakeBack,
    ToClient,
)
from chromino.seated.automatic import is_multi_day, person_to_nudge
from chromino.seated.events import Arrived, GameEvent, Moved, Rated, RematchEnded, RematchOffered, TakenBack, WentAway
from chromino.seated.game import SeatedGame, apply, moved_to
from chromino.server.database import latecomers, notices, presence
from chromino.server.database.notices import Notice
from chromino.server.database.rows import digest, line_of
from chromino.server.database.store import Change, Entry, GameRow, Store, Taken
from chromino.server.games.clock import Clock
from chromino.server.games.state_writer import StateWriter
from chromino.server.games.stored_game import RETRY_SECONDS, StoredGame
from chromino.server.games.watcher import Watcher
from chromino.server.http.limits import MAX_SPECTATORS
from chromino.server.operating.metrics import ACTIONS, ENDED
from chromino.server.people import ratings
from chromino.server.problems import Problem
from chromino.server.work.bot_threads import BotThreads
from chromino.server.work.work_queue import WorkQueue

_PHRASES: tuple[Phrase, ...] = get_args(Phrase)
_HINT_SECONDS = 0.05
_NUDGE_AFTER = 20.0  # Seconds to wait before nudging someone, in case they're just reloading the page.
_TRIES = 5  # Attempts to record what's due, if other processes record something else at the same time.
_TOLERANCE = 0.2  # Seconds by which a recorded time may be off before it's recorded again.

log = logging.getLogger(__name__)


class LiveGame(StoredGame):
    """One game with its watchers."""

    def __init__(self, row: GameRow, store: Store, bot_threads: BotThreads, queue: WorkQueue, grace: float) -> None:
        self.watchers: set[Watcher] = set()
        self.last_requested = 0.0
        """When the game was last requested, by the monotonic clock."""
        self.bot_threads = bot_threads
        self._queue = queue
        self.clock = Clock(self, grace)
        self._writer = StateWriter()
        self._changes = 0  # How many changes there have been.
        self._spectator_text = (-1, 0.0, "")  # How many changes the text includes, when it expires, and the text.
        self._visits: dict[str, bool] = {}
        """People whose presence is being recorded, and whether they've arrived since the recording started."""
        super().__init__(row, store)

    @property
    def is_idle(self) -> bool:
        """Is nobody watching, and is nothing in progress?"""
        return not self.watchers and not self._tasks and self.clock.is_idle

    @property
    def caller(self) -> str:
        """Whose queue the bots' work goes into: a player who's here, or "" if nobody is."""
        return next((watcher.caller for watcher in self.watchers if self.table.seats_of(watcher.person)), "")

    def due_at(self, table: SeatedGame) -> float | None:
        return self.clock.due_at(table)

    # What's shown.

    def check_may_see(self, person: str | None) -> None:
        if self.is_gone:
            raise Problem("no-such-game")
        seated.check_may_watch(self.table, person)

    def check_room_for(self, person: str | None) -> None:
        """Raise a `Problem` if there's no room for another spectator. There's always room for players."""
        if self.table.seats_of(person):
            return
        if sum(not self.table.seats_of(watcher.person) for watcher in self.watchers) >= MAX_SPECTATORS:
            raise Problem("too-many-spectators")

    def state_for(self, person: str | None) -> State:
        self.check_may_see(person)
        return seated.state_for(self.table, person, self.now(), self.clock.grace)

    def text_for(self, person: str | None) -> str:
        """The state as JSON. Spectators share one text, except for those who wait for the rematch."""
        self.check_may_see(person)
        if self.table.seats_of(person) or any(who.person == person for who in self.table.waiting):
            return self._write(person)
        included, expires, text = self._spectator_text
        if self._changes > included or time.monotonic() > expires:
            # Remaining times are shown in tenths of a second.
            expires = time.monotonic() + 0.1 if self.table.has_clock else math.inf
            text = self._write(None)
            self._spectator_text = self._changes, expires, text
        return text

    def _write(self, person: str | None) -> str:
        return self._writer.write(self.table, person, self.now(), self.clock.grace)

    def notify(self) -> None:
        """Let all watchers and the clock know that something has changed."""
        self._changes += 1
        for watcher in self.watchers:
            watcher.notify()
        self.clock.wake()

    # Requests.

    async def answer(self, person: str, caller: str, message: FromClient) -> ToClient:
        """Carry out a person's request. If it raises a `Problem` or `Declined`, nothing has changed."""
        match message:
            case Act():
                return Done(message.id, await self._act(person, message))
            case TakeBack():
                return Done(message.id, await self._take_back(person, message))
            case AskForHint():
                return await self._hint(person, caller, message)
            case SetPace():
                step = seated.set_pace(self.table, person, message.pace)
                await self._store.set_pace(self.id, message.pace)
                self._show(step)
            case Say():
                step = seated.say(self.table, person, message.phrase, self.now())
                self._apply_events(step.events)  # Before it's sent, so nobody can say two things at once.
                # A change has only one number, so it holds both the seat and the phrase: see `hear`.
                number = self.table.seats_of(person)[0] * len(_PHRASES) + _PHRASES.index(message.phrase)
                said = Change("said", self.id, number)
                await self._store.write_few_rows(lambda _connection: None, lambda _: (said,))
            case Leave():
                async with self.lock:  # The last move must not come in between.
                    step = seated.leave(self.table, person, self.now())
                    if step.events:
                        await self._store.leave(self.id, person)
                        self.acts_next = True
                        self._show(step)
        return Done(message.id, self.table.version)

    def _show(self, step: seated.Step) -> None:
        """Show the result of a request, once it's stored."""
        self._apply_events(step.events)
        if step.events:
            self.notify()

    async def _act(self, person: str, message: Act) -> int:
        """Perform a person's action, unless that has already happened, and return the version it led to."""
        seated.check_seat(self.table, person, message.seat)

        def decide(table: SeatedGame) -> seated.Step:
            return seated.act(table, person, message.seat, message.action, message.version, message.id, self.now())

        return await self._append_once(message, decide)

    async def _take_back(self, person: str, message: TakeBack) -> int:
        """Take back a person's last turn, unless this request has already done so, and return the version it led to."""

        def decide(table: SeatedGame) -> seated.Step:
            return seated.take_back(table, person, message.version, message.id, self.now())

        return await self._append_once(message, decide)

    async def _append_once(self, message: Act | TakeBack, decide: Callable[[SeatedGame], seated.Step]) -> int:
        """Append the result of a request, unless it's already there, and return the version that the request led to."""
        async with self.lock:
            if message.version > self.table.version:
                await self.read_again()  # Another process has shown this version, but hasn't notified us yet.
            step = decide(self.table)
            if step.events:
                try:
                    await self.append(step)
                except Taken:
                    await self.read_again()
            if done := self.table.version_after(message.id):
                if not step.events:
                    await self._nudge()  # The process that acted may have died before nudging anyone.
                return done
            raise Problem("stale")  # Another action came first, or the game is gone.

    async def append(self, step: seated.Step) -> None:
        """Store a move or a take-back, and show the result. The caller must hold the lock."""
        [event] = step.events
        if not isinstance(event, Moved | TakenBack):
            raise TypeError(f"only moves and take-backs can be appended, not {event}")
        game, due = step.table.game, self.due_at(step.table)
        line = line_of(event)
        preset = game.rules.name or ""
        before, version = self.table, self.table.version
        turn_ends = step.table.turn_ends
        entry = Entry(self.id, version, line, event.action_id, game.over, digest(game), turn_ends, due, preset)
        self._appending = version + 1
        try:
            await self._store.append(entry)
        finally:
            self._appending = 0
        # People may have come or gone while the move was being stored.
        if self.table is before:
            self.table = step.table
        elif isinstance(event, Moved):
            self.table = moved_to(self.table, game, event)  # The game after the move is already known.
        else:
            self.table = apply(self.table, event)
        self.due = due
        ACTIONS.labels("automatic" if event.action_id is None else "person").inc()
        if game.over:
            ENDED.inc()
        self.acts_next = True
        self.notify()
        await self._nudge()

    async def _nudge(self) -> None:
        """In a multi-day game, notify the person whose turn it is if they're away, and withdraw earlier notices."""
        table = self.table
        if not is_multi_day(table):
            return
        person = person_to_nudge(table)
        others = [name for seat, name in enumerate(table.game.players) if table.seats[seat].person != person]
        due = self.now() + _NUDGE_AFTER
        notice = Notice(self.id, "turn", table.version, "\n".join(others), due, table.turn_ends or due)
        work = notices.queue({person} if person else set(), notice)
        try:
            await self._store.write_few_rows(work, lambda _: (Change("notice", self.id),))
        except Problem as problem:
            log.warning("can't notify anyone in game %s: %s", self.id, problem)

    async def change_latecomers(self, person: str, decide: Callable[[SeatedGame, bool], seated.Step]) -> None:
        """Let someone take a bot's seat (unless someone else was faster), or start or stop waiting for the rematch.

        `decide` gets the game, and whether this person is a program.
        """
        work = latecomers.change(self.id, person, decide, self._store.process, self.clock.grace)
        async with self.lock:
            if await self._store.write(work, self._store.changes_for_others(self.id), isolated=False):
                await self.read_again(whole=True)
                if self.table.seats_of(person):  # They took a seat, and this process recorded what's due.
                    self.acts_next = True
                    self.clock.wake()

    async def _hint(self, person: str, caller: str, message: AskForHint) -> Hint:
        """A good placement for the person whose turn it is."""
        view = seated.ask_for_hint(self.table, person, message.version)
        estimates = await self._queue.do(caller, partial(estimate, view, seconds=_HINT_SECONDS))
        best = estimates[0]
        return Hint(message.id, message.version, str(best.placement), round(best.value, 4), round(best.error, 4))

    async def rate(self) -> None:
        """Count a finished game in the ratings."""
        async with self._store.rating_lock, self.lock:
            await self._store.write(ratings.rate(self.id), lambda _: (Change("ratings"),), isolated=False)
            self.due = None
            self._apply_events([Rated()])

    async def share(self, person: str | None) -> None:
        """Share the finished game. If no other person played, anyone with the link can see it from now on."""
        self.check_may_see(person)
        step = seated.share(self.table, person)
        if step.events:
            await self._store.allow_watching(self.id)
            self._apply_events(step.events)

    def set_rematch(self, game: str) -> None:
        """Note which rematch the database has for this game."""
        if game != self.table.next_game:  # An earlier one may have ended without a change to this game.
            self._apply_events([RematchEnded(), RematchOffered(game)])
        self.notify()

    def _apply_events(self, events: tuple[GameEvent, ...] | list[GameEvent]) -> None:
        for event in events:
            self.table = apply(self.table, event)

    # Who's here.

    def is_here(self, person: str) -> bool:
        """Does this person have a page connected to this process?"""
        return any(watcher.person == person for watcher in self.watchers)

    def enter(self, watcher: Watcher) -> None:
        """Register a page that was opened."""
        was_here, before = self.is_here(watcher.person), self.table
        self.watchers.add(watcher)
        watcher.notify()  # The first state goes out at once.
        if not was_here and self.table.seats_of(watcher.person):
            self._apply_events([Arrived(watcher.person, self.now())])
            if self.table != before:
                self.notify()
            self.record_presence(watcher.person, arrived=True)

    def exit(self, watcher: Watcher) -> None:
        """Forget a page that was closed or lost its connection."""
        self.watchers.discard(watcher)
        if not self.is_here(watcher.person) and self.table.seats_of(watcher.person):
            self.record_presence(watcher.person)

    def record_presence(self, person: str, *, arrived: bool = False) -> None:
        """Record whether this person is here. All other processes then read the seats again.

        Once the game is over, nobody waits for anyone, so nothing is recorded.
        """
        if self._store.is_closing or self.table.game.over:
            return
        is_recording = person in self._visits
        self._visits[person] = arrived or self._visits.get(person, False)
        if not is_recording:
            self.spawn(self._record_until_current(person))

    async def _record_until_current(self, person: str) -> None:
        """Record whether this person is here. Repeat as needed: they may be back before their absence is recorded.

        Even the shortest visit is recorded. It ends the current absence, so the next one has its own start.
        """
        try:
            while not (self.is_gone or self._stopped or self.table.game.over):
                is_here, self._visits[person] = self._visits[person] or self.is_here(person), False
                try:
                    await self._record_presence_once(person, is_here)
                except Problem as problem:
                    log.warning("can't record who is in game %s: %s", self.id, problem)
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                if not self._visits[person] and is_here == self.is_here(person):
                    return
        finally:
            del self._visits[person]

    async def _record_presence_once(self, person: str, is_here: bool) -> None:
        note = presence.note(self.id, person, self._store.process, is_here)
        self._recording += 1
        try:
            since = await self._store.write_few_rows(note, self._store.changes_for_others(self.id, "seats"))
        finally:
            self._recording -= 1
        if self._visits[person]:
            return  # They've come back in the meantime, so what we recorded is outdated.
        is_back = since is None or self.is_here(person)
        self._apply_events([Arrived(person, self.now()) if is_back else WentAway(person, since or 0.0)])
        self.times_recorded += 1
        if not is_here:
            self.notify()
        await self.record_due()

    async def check_due(self) -> None:
        """Check what's due: people here may be waiting for someone who was connected to another process."""
        if any(self.table.seats_of(watcher.person) for watcher in self.watchers):
            await self.record_due()

    async def record_due(self) -> None:
        """Record when the next automatic action is due, if that has changed. This process then performs it."""
        if self._store.is_only_process:
            self.acts_next = True
        for _ in range(_TRIES):
            if self.table.game.over:  # Once a game is over, only its rating can be due.
                break
            known, due = self.due, self.due_at(self.table)
            if (due is None) == (known is None) and abs((due or 0.0) - (known or 0.0)) <= _TOLERANCE:
                break
            note = presence.note_due(self.id, self._store.process, known, due)
            if await self._store.write_few_rows(note, self._store.changes_for_others(self.id, "seats")):
                self.due, self.acts_next = due, True
                self.times_recorded += 1
                break
            # Another process has recorded something that hasn't reached us yet: read it and check again.
            await self.read_seats()
        self.clock.wake()

    # Phrases.

    def hear(self, change: Change) -> None:
        if change.kind == "said":
            seat, phrase = divmod(change.version, len(_PHRASES))
            for watcher in self.watchers:
                watcher.phrases.append(Said(seat, _PHRASES[phrase]))
                watcher.notify()
        else:
            super().hear(change)

    # Stopping.

    def stop(self) -> None:
        self._stopped = True
        self.clock.stop()

    def drop(self) -> None:
        """Break the reference cycles of a game that isn't needed anymore, since full garbage collections are rare."""
        self.clock.stop()
        del self.clock
