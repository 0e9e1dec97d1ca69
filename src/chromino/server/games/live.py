"""Games in memory: who watches them, and the one way an action happens.

An action is checked, stored, acknowledged and shown, in that order. What goes by itself (bots, passes, limits that run
out, people who are away) is in `keeper.py`; how a game follows the database is in `followed.py`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import deque
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec

from chromino.bots import estimate, find
from chromino.errors import IllegalAction, ParseError
from chromino.events import Action, Drew, Place, event_to_json, parse_action
from chromino.game import Game
from chromino.messages.games import Act, Done, Hint, Phrase, Said, SeatState, State
from chromino.messages.views import WireView
from chromino.server.database import phrases, presence
from chromino.server.database.store import Change, Entry, GameRow, SeatRow, Store, Taken
from chromino.server.games.followed import RETRY_SECONDS, FollowedGame
from chromino.server.games.keeper import Keeper
from chromino.server.http.limits import SPECTATORS
from chromino.server.operating.metrics import ACTIONS, ENDED
from chromino.server.people import ratings
from chromino.server.problems import Problem
from chromino.server.work.thinkers import Thinkers
from chromino.server.work.work_queue import WorkQueue
from chromino.view import View

_HINT_SECONDS = 0.05
_BETWEEN_PHRASES = 1.0  # Seconds.
_TRIES = 5  # To note what is due, if others note something else at the same time.
_MOMENT = 0.2  # Seconds by which a time may be off that is noted for others.

_encode = msgspec.json.encode

log = logging.getLogger(__name__)


class Watcher:
    """A page that is open: to be told when the game has changed, and what was said."""

    def __init__(self, person: str, caller: str = "") -> None:
        self.person = person
        self.caller = caller
        self.changed = asyncio.Event()
        self.heard: deque[Said] = deque(maxlen=10)


class LiveGame(FollowedGame):
    """One game with its seats and watchers."""

    def __init__(self, row: GameRow, store: Store, thinkers: Thinkers, queue: WorkQueue, grace: float) -> None:
        self.watchers: set[Watcher] = set()
        self.asked_for = 0.0
        """When somebody last wanted it, by the monotonic clock."""
        self.thinkers = thinkers
        self._queue = queue
        self.keeper = Keeper(self, grace)
        self._said: dict[str, float] = {}
        self._told = 0  # How often something has changed.
        self._for_spectators = (-1, 0.0, "")  # At which change, until when, and what they see.
        super().__init__(row, store)

    @property
    def is_idle(self) -> bool:
        """Does nobody watch, and is nothing going on?"""
        return not self.watchers and not self._tasks and self.keeper.is_idle

    def is_here(self, person: str) -> bool:
        """Has this person a page open?"""
        return any(watcher.person == person for watcher in self.watchers)

    @property
    def caller(self) -> str:
        """Whose queue the bots' thinking goes to: that of a player who is here, or nobody's."""
        return next((watcher.caller for watcher in self.watchers if self.seats_of(watcher.person)), "")

    def check_may_see(self, person: str | None) -> None:
        if self.is_gone:
            raise Problem("no-such-game")
        if not self.watch and not self.seats_of(person):
            raise Problem("not-your-game")

    def check_room_for(self, person: str | None) -> None:
        """Whoever has a seat can come; others as long as there is room."""
        if self.seats_of(person):
            return
        if sum(not self.seats_of(watcher.person) for watcher in self.watchers) >= SPECTATORS:
            raise Problem("too-many-pages")

    def view_of(self, person: str | None) -> View:
        """The game from the person's seat that plays now or next; a spectator's, if there may be some."""
        self.check_may_see(person)
        mine = self.seats_of(person)
        if not mine:
            return self.game.view(None)
        turn = mine[0] if self.game.over else self.game.seat
        return self.game.view(min(mine, key=lambda seat: (seat - turn) % len(self.seats)))

    def state_for(self, person: str | None) -> State:
        game = self.game
        view = self.view_of(person)
        seed = game.deal.seed or ""
        seats = seat_states(self.seats, game.players, person)
        for seat, state in enumerate(seats):
            self.keeper.tell_presence(seat, state)
        return State(
            game=self.id,
            version=self.version,
            view=WireView.of(view),
            preset=game.rules.name,
            seats=seats,
            aids=self.aids,
            pace=self.pace,
            turns=game.turns,
            watching=view.me is None,
            turn_left=self.keeper.turn_left(),
            next_game=self.next_game,
            seed_hash=sha256(seed.encode()).hexdigest(),
            seed=seed if game.over else None,
        )

    def text_for(self, person: str | None) -> str:
        """The state as it goes over the wire. All spectators get the same: it is encoded once for all of them."""
        if self.seats_of(person):
            return _encode(self.state_for(person)).decode()
        self.check_may_see(person)
        told, until, text = self._for_spectators
        if self._told > told or time.monotonic() > until:
            state = self.state_for(person)
            # What is left of a turn, or until a bot stands in, is told in tenths of a second.
            has_clock = state.turn_left is not None or any(seat.stand_in_in is not None for seat in state.seats)
            until = time.monotonic() + 0.1 if has_clock else math.inf
            text = _encode(state).decode()
            self._for_spectators = self._told, until, text
        return text

    def enter(self, watcher: Watcher) -> None:
        """A page was opened."""
        was_here = self.is_here(watcher.person)
        self.watchers.add(watcher)
        watcher.changed.set()  # The first state goes out at once.
        if not was_here and self.seats_of(watcher.person):
            self.tell()
            self.note_presence(watcher.person)

    def exit(self, watcher: Watcher) -> None:
        """A page was closed, or its connection is lost."""
        self.watchers.discard(watcher)
        if not self.is_here(watcher.person) and self.seats_of(watcher.person):
            self.note_presence(watcher.person)

    def note_presence(self, person: str) -> None:
        """Let the other processes know who is here; all of them read it again then."""
        if self._store.is_closing:
            return
        self.spawn(self._note_presence(person))

    async def _note_presence(self, person: str) -> None:
        """As often as it takes, for the page may be back before it was noted that it went."""
        while not self.is_gone and not self._stopped:
            is_here = self.is_here(person)
            note = presence.note(self.id, person, self._store.process, is_here)
            try:
                since = await self._store.write(note, self._store.to_others(self.id, "seats"), alone=False)
                self.seats = tuple(
                    who._replace(away_since=since) if who.person == person else who for who in self.seats
                )
                self.seating += 1
                if not is_here:
                    self.tell()
                await self.see_to_it()
            except Problem as problem:
                log.warning("in game %s it cannot be noted who is here: %s", self.id, problem)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if is_here == self.is_here(person):
                return

    async def look_around(self) -> None:
        """Whoever sits here may wait for someone who went elsewhere, and whose process did not know that."""
        if any(self.seats_of(watcher.person) for watcher in self.watchers):
            await self.see_to_it()

    async def see_to_it(self) -> None:
        """Note when something is due now, if that has changed: whoever notes it sees to it."""
        if self._store.is_alone:
            self.is_mine = True
        for _ in range(_TRIES):
            if self.game.over:  # There, all that may be due is the rating.
                break
            known, due = self.due, self.keeper.due_at(self.game, self.turn_ends)
            if (due is None) == (known is None) and abs((due or 0.0) - (known or 0.0)) <= _MOMENT:
                break
            note = presence.note_due(self.id, self._store.process, known, due)
            if await self._store.write(note, self._store.to_others(self.id, "seats"), alone=False):
                self.due, self.is_mine = due, True
                self.seating += 1
                break
            # Another process noted something that we have not heard of yet: with what it knew, look again.
            await self.read_seating()
        self.keeper.wake()

    async def act(self, person: str, act: Act) -> Done:
        """Do what a person decided, or raise a `Problem` and change nothing."""
        if act.seat not in self.seats_of(person) or self.seats[act.seat].has_left:
            raise Problem("not-your-seat")
        if done := self._versions.get(act.id):
            return Done(act.id, done)  # Sent twice, it happens once.
        try:
            action = parse_action(act.action)
        except ParseError as error:
            raise Problem("bad-message", str(error)) from None
        async with self.lock:
            if act.version > self.version:
                await self.read_again()  # Seen on another process, which told us nothing yet.
            if done := self._versions.get(act.id):
                return Done(act.id, done)
            if act.version != self.version:
                raise Problem("stale")
            if act.seat != self.game.seat and not self.game.over:
                raise Problem("not-your-turn")
            try:
                await self.do(action, act.id)
            except Taken:
                await self.read_again()
                if done := self._versions.get(act.id):
                    return Done(act.id, done)
                raise Problem("stale") from None
            except IllegalAction as error:
                raise Problem("not-allowed", refusal=error.refusal) from None
        return Done(act.id, self.version)

    async def do(self, action: Action, action_id: str | None) -> None:
        """Check, store, then show. Under the lock."""
        after = self.game.apply(action)
        line = json.dumps(event_to_json(after.log[-1]), separators=(",", ":"))
        turn_ends = self.turn_ends
        if self.turn_limit is not None and not isinstance(after.log[-1], Drew):
            turn_ends = None if after.over else time.time() + self.turn_limit
        due = self.keeper.due_at(after, turn_ends)
        self._appending = self.version + 1
        preset = after.rules.name or ""
        entry = Entry(self.id, self.version, line, action_id, after.over, digest(after), turn_ends, due, preset)
        try:
            await self._store.append(entry)
        finally:
            self._appending = 0
        self.game, self.turn_ends, self.due = after, turn_ends, due
        ACTIONS.labels("itself" if action_id is None else "person").inc()
        if after.over:
            ENDED.inc()
        if action_id is not None:
            self._versions[action_id] = self.version
        self.is_mine = True
        self.tell()

    async def rate(self) -> None:
        """Let the game count, which is over."""
        async with self._store.rating, self.lock:
            await self._store.write(ratings.rate(self.id), alone=False)
            self.due = None

    def hear(self, change: Change) -> None:
        if change.kind == "said":
            self.spawn(self._hear_phrase(change.version))
        else:
            super().hear(change)

    def due_after(self, game: Game, turn_ends: float | None) -> float | None:
        return self.keeper.due_at(game, turn_ends)

    async def _hear_phrase(self, number: int) -> None:
        try:
            said = await self._store.read(phrases.find(number))
        except Problem:
            return  # A phrase that is lost does no harm.
        if said is not None:
            for watcher in self.watchers:
                watcher.heard.append(said)
                watcher.changed.set()

    def tell(self) -> None:  # Wake whoever watches, and what goes by itself.
        self._told += 1
        for watcher in self.watchers:
            watcher.changed.set()
        self.keeper.wake()

    def stop(self) -> None:
        self._stopped = True
        self.keeper.stop()

    def drop(self) -> None:
        """Nobody wants it any more: part what refers to each other, for garbage is seldom looked for (`garbage.py`)."""
        self.keeper.stop()
        del self.keeper

    async def hint(self, person: str, caller: str, asked: str, version: int) -> Hint:
        """A good placement for the person whose turn it is."""
        view = self.view_of(person)
        if not self.aids:
            raise Problem("aids-off")
        if version != self.version:
            raise Problem("stale")
        if view.me is None or view.me != view.seat or view.over or self.seats[view.me].has_left:
            raise Problem("not-your-turn")
        if not any(isinstance(action, Place) for action in view.actions):
            raise Problem("nothing-to-choose")
        found = await self._queue.do(caller, partial(estimate, view, seconds=_HINT_SECONDS))
        best = found[0]
        if not self.seats[view.me].had_hint:
            if not await self._store.write(ratings.note_hint(self.id, view.me), alone=False):
                raise Problem("stale")  # It is over, and counts as it was played.
            self.seats = tuple(
                who._replace(had_hint=True) if seat == view.me else who for seat, who in enumerate(self.seats)
            )
        return Hint(asked, version, str(best.placement), round(best.value, 4), round(best.error, 4))

    async def set_pace(self, person: str, asked: str, pace: bool) -> Done:
        self._check_playing(person)
        await self._store.set_pace(self.id, pace)
        self.pace = pace
        self.tell()
        return Done(asked, self.version)

    async def say(self, person: str, asked: str, phrase: Phrase) -> Done:
        """A phrase to everybody at the table."""
        self._check_playing(person)
        now = time.monotonic()
        if now - self._said.get(person, -_BETWEEN_PHRASES) < _BETWEEN_PHRASES:
            raise Problem("too-fast")
        self._said[person] = now
        seat = self.seats_of(person)[0]
        await self._store.write(
            phrases.add(self.id, seat, phrase), lambda number: (Change("said", self.id, number),), alone=False
        )
        return Done(asked, self.version)

    async def leave(self, person: str, asked: str) -> Done:
        """Go for good: a bot plays on."""
        self._check_seated(person)
        if self.game.over:
            return Done(asked, self.version)
        await self._store.leave(self.id, person)
        self.seats = tuple(who._replace(has_left=True) if who.person == person else who for who in self.seats)
        self.is_mine = True
        self.tell()
        return Done(asked, self.version)

    def _check_seated(self, person: str) -> None:
        if not self.seats_of(person):
            raise Problem("not-your-game")

    def _check_playing(self, person: str) -> None:
        """Refuse players who left for good or were banned."""
        self._check_seated(person)
        if all(self.seats[seat].has_left for seat in self.seats_of(person)):
            raise Problem("not-your-seat")


def digest(game: Game) -> dict[str, Any]:
    """What a list of games shows of one."""
    return {
        "seat": game.seat,
        "winners": list(game.winners),
        "scores": list(game.scores),
        "tiles": len(game.table),
    }


def seat_states(seats: Iterable[SeatRow], players: Iterable[str], person: str | None) -> list[SeatState]:
    """The seats as one person sees them: nobody learns another's id."""
    return [
        SeatState(
            kind="bot" if who.bot else "person",
            name=name,
            mine=person is not None and who.person == person,
            bot=who.bot,
            level=find(who.bot).level if who.bot else None,
            has_left=who.has_left,
        )
        for who, name in zip(seats, players, strict=True)
    ]
