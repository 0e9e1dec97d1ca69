"""Games in memory: who watches them, what bots do in them, and the one way an action happens.

An action is checked, stored, acknowledged and shown, in that order. A game is kept here while someone watches it or a
bot plays; the database has it always.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from random import Random
from typing import Any

from chromino.bots import estimate, find
from chromino.errors import ChrominoError, IllegalAction, ParseError
from chromino.events import Action, Drew, Pass, Place, event_to_json, parse_action
from chromino.game import Game
from chromino.server.messages import Act, Done, Hint, SeatState, State
from chromino.server.problems import Problem
from chromino.server.store import GameRow, SeatRow, Store, Taken
from chromino.view import View

_MOMENT = 0.9  # Seconds that a bot is seen thinking, so that people can follow.
_GLANCE = 0.5  # The same after it drew a tile.
_NEWS = 1.6  # The time to read that one passes.
_HINT_SECONDS = 0.05
_RETRY_SECONDS = 1.0  # After the database failed in a bot's turn.

log = logging.getLogger(__name__)


class Watcher:
    """Someone to be told when a game has changed."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.changed = asyncio.Event()


class LiveGame:
    """One game with its seats and watchers."""

    def __init__(self, row: GameRow, store: Store, thinkers: ThreadPoolExecutor) -> None:
        self.id = row.id
        self.aids = row.aids
        self.pace = row.pace
        self.seats = row.seats
        self.watchers: set[Watcher] = set()
        self._store = store
        self._thinkers = thinkers
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None
        self._load(row)

    def _load(self, row: GameRow) -> None:
        try:
            self.game = Game.replay([row.header, *row.events])
            for who in row.seats:
                if who.bot is not None:
                    find(who.bot)
        except ChrominoError as error:
            log.warning("game %s cannot be replayed: %s", row.id, error)
            raise Problem("broken-game") from None
        self._versions = {action_id: seq + 1 for seq, action_id in enumerate(row.action_ids) if action_id is not None}

    @property
    def is_idle(self) -> bool:
        """Does nobody watch, and no bot play?"""
        return not self.watchers and (self._bots is None or self._bots.done())

    @property
    def version(self) -> int:
        """How many events have happened."""
        return len(self.game.log)

    def seats_of(self, person: str) -> list[int]:
        return [seat for seat, who in enumerate(self.seats) if who.person == person]

    def view_of(self, person: str) -> View:
        """The game from the person's seat that plays now or next."""
        mine = self.seats_of(person)
        if not mine:
            raise Problem("not-your-game")
        turn = mine[0] if self.game.over else self.game.seat
        return self.game.view(min(mine, key=lambda seat: (seat - turn) % len(self.seats)))

    def state_for(self, person: str) -> State:
        game = self.game
        view = self.view_of(person)
        seed = game.deal.seed or ""
        return State(
            game=self.id,
            version=self.version,
            view=view.to_json(),
            preset=game.rules.name,
            seats=seat_states(self.seats, game.players, person),
            aids=self.aids,
            pace=self.pace,
            turns=game.turns,
            seed_hash=sha256(seed.encode()).hexdigest(),
            seed=seed if game.over else None,
        )

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
        async with self._lock:
            if done := self._versions.get(act.id):
                return Done(act.id, done)
            if act.version != self.version:
                raise Problem("stale")
            if act.seat != self.game.seat and not self.game.over:
                raise Problem("not-your-turn")
            try:
                await self._do(action, act.id)
            except Taken:
                await self._reload()
                if done := self._versions.get(act.id):
                    return Done(act.id, done)
                raise Problem("stale") from None
            except IllegalAction as error:
                raise Problem("not-allowed", refusal=error.refusal) from None
        return Done(act.id, self.version)

    async def _do(self, action: Action, action_id: str | None) -> None:
        """Check, store, then show. Under the lock."""
        after = self.game.apply(action)
        line = json.dumps(event_to_json(after.log[-1]), separators=(",", ":"))
        await self._store.append(self.id, self.version, line, action_id, after.over, digest(after))
        self.game = after
        if action_id is not None:
            self._versions[action_id] = self.version
        self.tell()

    async def _reload(self) -> None:
        """Another process went on with this game: read what it did."""
        row = await self._store.game(self.id)
        if row is None:
            raise Problem("no-such-game")
        self._load(row)
        self.tell()

    def tell(self) -> None:
        """Wake whoever watches, and the bots if it is their turn."""
        for watcher in self.watchers:
            watcher.changed.set()
        self.wake()

    def wake(self) -> None:
        """Let what goes by itself go on, if it does not already."""
        if (self._bots is None or self._bots.done()) and self._goes_by_itself():
            self._bots = asyncio.get_running_loop().create_task(self._play_by_itself())

    def _goes_by_itself(self) -> bool:
        """Is it a bot's turn, or is passing all that a person can do?"""
        game = self.game
        return not game.over and (self.seats[game.seat].bot is not None or game.actions() == [Pass()])

    async def _play_by_itself(self) -> None:
        while self._goes_by_itself():
            game = self.game
            try:
                action, _ = await asyncio.gather(self._choice(game), self._moment(game))
                async with self._lock:
                    if self.game is game:
                        await self._do_or_reload(action)
            except Problem as problem:
                log.warning("a turn in game %s that goes by itself must wait: %s", self.id, problem)
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # Whatever it is, the game must go on.
                log.exception("a turn in game %s that goes by itself failed", self.id)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _do_or_reload(self, action: Action) -> None:
        try:
            await self._do(action, None)
        except Taken:
            await self._reload()

    async def _choice(self, game: Game) -> Action:
        name = self.seats[game.seat].bot
        if name is None:
            return Pass()
        view = game.view(game.seat)
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, find(name).choose, view, Random())

    async def _moment(self, game: Game) -> None:
        if not self.pace:
            return
        if self.seats[game.seat].bot is None:
            await asyncio.sleep(_NEWS)
        else:
            await asyncio.sleep(_GLANCE if game.log and isinstance(game.log[-1], Drew) else _MOMENT)

    async def hint(self, person: str, asked: str, version: int) -> Hint:
        """A good placement for the person whose turn it is."""
        view = self.view_of(person)
        if not self.aids:
            raise Problem("aids-off")
        if version != self.version:
            raise Problem("stale")
        if view.me != view.seat or view.over:
            raise Problem("not-your-turn")
        if not any(isinstance(action, Place) for action in view.actions):
            raise Problem("nothing-to-choose")
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thinkers, lambda: estimate(view, seconds=_HINT_SECONDS))
        best = found[0]
        return Hint(asked, version, str(best.placement), round(best.value, 4), round(best.error, 4))

    async def set_pace(self, person: str, asked: str, pace: bool) -> Done:
        if not self.seats_of(person):
            raise Problem("not-your-game")
        await self._store.set_pace(self.id, pace)
        self.pace = pace
        self.tell()
        return Done(asked, self.version)


class LiveGames:
    """The games that are in memory now."""

    def __init__(self, store: Store, thinkers: ThreadPoolExecutor) -> None:
        self._store = store
        self._thinkers = thinkers
        self._games: dict[str, LiveGame] = {}

    async def get(self, game: str) -> LiveGame:
        """A game, from memory or from the database."""
        if found := self._games.get(game):
            found.wake()
            return found
        row = await self._store.game(game)
        if row is None:
            raise Problem("no-such-game")
        # Someone else may have read it meanwhile: one game has one place in memory.
        live = self._games.setdefault(game, LiveGame(row, self._store, self._thinkers))
        live.wake()
        self._forget_idle(but=game)
        return live

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


def seat_states(seats: Iterable[SeatRow], players: Iterable[str], person: str) -> list[SeatState]:
    """The seats as one person sees them: nobody learns another's id."""
    return [
        SeatState(
            kind="bot" if who.bot else "person",
            name=name,
            mine=who.person == person,
            bot=who.bot,
            level=find(who.bot).level if who.bot else None,
        )
        for who, name in zip(seats, players, strict=True)
    ]
