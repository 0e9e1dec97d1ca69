"""Games in memory: who watches them, and the one way an action happens.

An action is checked, stored, acknowledged and shown, in that order. What goes by itself (bots, passes, limits that run
out, people who are away) is in `keeper.py`. A game is kept here while someone watches it or something is due; the
database has it always.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

from chromino.bots import estimate, find
from chromino.errors import ChrominoError, IllegalAction, ParseError
from chromino.events import Action, Drew, Place, event_to_json, parse_action
from chromino.game import Game
from chromino.server.keeper import Keeper
from chromino.server.messages import Act, Done, Hint, Phrase, Said, SeatState, State
from chromino.server.problems import Problem
from chromino.server.store import GameRow, SeatRow, Store, Taken
from chromino.view import View

_HINT_SECONDS = 0.05
_BETWEEN_PHRASES = 1.0  # Seconds.

log = logging.getLogger(__name__)


class Watcher:
    """A page that is open: to be told when the game has changed, and what was said."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.changed = asyncio.Event()
        self.heard: deque[Said] = deque(maxlen=10)


class LiveGame:
    """One game with its seats and watchers."""

    def __init__(self, row: GameRow, store: Store, thinkers: ThreadPoolExecutor, grace: float) -> None:
        self.id = row.id
        self.watchers: set[Watcher] = set()
        self.is_gone = False
        self.thinkers = thinkers
        self.lock = asyncio.Lock()
        self._store = store
        self._said: dict[str, float] = {}
        self._load(row)
        self.keeper = Keeper(self, grace)

    def _load(self, row: GameRow) -> None:
        try:
            self.game = Game.replay([row.header, *row.events])
            for who in row.seats:
                if who.bot is not None:
                    find(who.bot)
        except ChrominoError as error:
            log.warning("game %s cannot be replayed: %s", row.id, error)
            raise Problem("broken-game") from None
        self.aids = row.aids
        self.pace = row.pace
        self.watch = row.watch
        self.turn_limit = row.turn_limit
        self.next_game = row.next_game
        self.seats = row.seats
        self.turn_began = row.turn_began
        self._versions = {action_id: seq + 1 for seq, action_id in enumerate(row.action_ids) if action_id is not None}

    @property
    def is_idle(self) -> bool:
        """Does nobody watch, and is nothing due?"""
        return not self.watchers and self.keeper.is_idle

    @property
    def version(self) -> int:
        """How many events have happened."""
        return len(self.game.log)

    def seats_of(self, person: str | None) -> list[int]:
        return [seat for seat, who in enumerate(self.seats) if person is not None and who.person == person]

    def is_here(self, person: str) -> bool:
        """Has this person a page open?"""
        return any(watcher.person == person for watcher in self.watchers)

    def check_may_see(self, person: str | None) -> None:
        if self.is_gone:
            raise Problem("no-such-game")
        if not self.watch and not self.seats_of(person):
            raise Problem("not-your-game")

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
            view=view.to_json(),
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

    def enter(self, watcher: Watcher) -> None:
        """A page was opened."""
        was_here = self.is_here(watcher.person)
        self.watchers.add(watcher)
        watcher.changed.set()  # The first state goes out at once.
        if not was_here:
            self.keeper.came(watcher.person)
            self.tell()

    def exit(self, watcher: Watcher) -> None:
        """A page was closed, or its connection is lost."""
        self.watchers.discard(watcher)
        if not self.is_here(watcher.person):
            self.keeper.went(watcher.person)
            self.tell()

    async def act(self, person: str, act: Act) -> Done:
        """Do what a person decided, or raise a `Problem` and change nothing."""
        if done := self._versions.get(act.id):
            return Done(act.id, done)  # Sent twice, it happens once.
        if act.seat not in self.seats_of(person):
            raise Problem("not-your-seat")
        try:
            action = parse_action(act.action)
        except ParseError as error:
            raise Problem("bad-message", str(error)) from None
        async with self.lock:
            if done := self._versions.get(act.id):
                return Done(act.id, done)
            if act.version != self.version:
                raise Problem("stale")
            if act.seat != self.game.seat and not self.game.over:
                raise Problem("not-your-turn")
            try:
                await self.do(action, act.id)
            except Taken:
                await self.reload()
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
        await self._store.append(self.id, self.version, line, action_id, after.over, digest(after))
        self.game = after
        if not isinstance(after.log[-1], Drew):
            self.turn_began = time.time()
        if action_id is not None:
            self._versions[action_id] = self.version
        self.tell()

    async def reload(self) -> None:
        """The database has something newer: read it."""
        row = await self._store.game(self.id)
        if row is None:
            raise Problem("no-such-game")
        self._load(row)
        self.tell()

    def tell(self) -> None:
        """Wake whoever watches, and what goes by itself."""
        for watcher in self.watchers:
            watcher.changed.set()
        self.keeper.wake()

    async def hint(self, person: str, asked: str, version: int) -> Hint:
        """A good placement for the person whose turn it is."""
        view = self.view_of(person)
        if not self.aids:
            raise Problem("aids-off")
        if version != self.version:
            raise Problem("stale")
        if view.me is None or view.me != view.seat or view.over:
            raise Problem("not-your-turn")
        if not any(isinstance(action, Place) for action in view.actions):
            raise Problem("nothing-to-choose")
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self.thinkers, lambda: estimate(view, seconds=_HINT_SECONDS))
        best = found[0]
        return Hint(asked, version, str(best.placement), round(best.value, 4), round(best.error, 4))

    async def set_pace(self, person: str, asked: str, pace: bool) -> Done:
        self._check_seated(person)
        await self._store.set_pace(self.id, pace)
        self.pace = pace
        self.tell()
        return Done(asked, self.version)

    def say(self, person: str, asked: str, phrase: Phrase) -> Done:
        """A phrase to everybody at the table."""
        self._check_seated(person)
        now = time.monotonic()
        if now - self._said.get(person, -_BETWEEN_PHRASES) < _BETWEEN_PHRASES:
            raise Problem("too-fast")
        self._said[person] = now
        for watcher in self.watchers:
            watcher.heard.append(Said(self.seats_of(person)[0], phrase))
            watcher.changed.set()
        return Done(asked, self.version)

    async def leave(self, person: str, asked: str) -> Done:
        """Go for good: a bot plays on."""
        self._check_seated(person)
        await self._store.leave(self.id, person)
        self.seats = tuple(who._replace(has_left=True) if who.person == person else who for who in self.seats)
        self.tell()
        return Done(asked, self.version)

    def _check_seated(self, person: str) -> None:
        if not self.seats_of(person):
            raise Problem("not-your-game")


class LiveGames:
    """The games that are in memory now."""

    def __init__(self, store: Store, thinkers: ThreadPoolExecutor, grace: float) -> None:
        self._store = store
        self._thinkers = thinkers
        self._grace = grace
        self._games: dict[str, LiveGame] = {}

    async def get(self, game: str) -> LiveGame:
        """A game, from memory or from the database."""
        if found := self._games.get(game):
            found.keeper.wake()
            return found
        row = await self._store.game(game)
        if row is None:
            raise Problem("no-such-game")
        # Someone else may have read it meanwhile: one game has one place in memory.
        live = self._games.setdefault(game, LiveGame(row, self._store, self._thinkers, self._grace))
        live.keeper.wake()
        self._forget_idle(but=game)
        return live

    async def wake_limited(self) -> None:
        """After a start: clocks run, whether somebody looks or not."""
        for game in await self._store.games_with_limits():
            try:
                await self.get(game)
            except Problem as problem:
                log.warning("game %s does not go on: %s", game, problem)

    async def forget(self, games: Iterable[str]) -> None:
        """Games that were changed in the database by other ways: read them again, or drop them."""
        for game in games:
            if live := self._games.get(game):
                try:
                    await live.reload()
                except Problem:
                    live.is_gone = True
                    live.keeper.stop()
                    live.tell()
                    del self._games[game]

    def stop(self) -> None:
        """The server ends: nothing goes by itself any more."""
        for live in self._games.values():
            live.keeper.stop()

    def _forget_idle(self, but: str) -> None:
        for game in [game for game, live in self._games.items() if game != but and live.is_idle]:
            del self._games[game]


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
