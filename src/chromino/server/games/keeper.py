"""What goes by itself in a game: bots' turns, passes, limits that run out, bots that stand in, and its rating.

One task a game waits for what is due next, does it, and looks again; it is woken by each change. Of several processes
that have a game in memory, the one that noted when something is due sees to it; if it dies, the caretaker of another
finds the game by its time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, NamedTuple

from chromino.bots import Bot, find
from chromino.events import Action, Drew, Pass
from chromino.game import Game
from chromino.messages.games import SeatState
from chromino.server.database.store import Taken
from chromino.server.operating.metrics import THINKING, timed
from chromino.server.people import ratings
from chromino.server.problems import Problem

if TYPE_CHECKING:
    from chromino.server.games.live import LiveGame

_MOMENT = 0.9  # Seconds that a bot is seen thinking, so that people can follow.
_GLANCE = 0.5  # The same after it drew a tile.
_NEWS = 1.6  # The time to read that one passes.
_RETRY_SECONDS = 1.0  # After something failed in a turn that goes by itself.
_OVER_DAYS = 24 * 3600  # A turn limit from which nobody is expected to sit and wait.
_STAND_IN = find(3)  # Plays well enough for anybody, and fast.

log = logging.getLogger(__name__)


class Due(NamedTuple):
    """Something that goes by itself."""

    bot: Bot | None
    """Who plays; None: it is a pass."""
    seconds: float
    """Until then."""
    by_clock: bool = False
    """Is a person's time running, who may still act or come back?"""
    is_rating: bool = False
    """The game is over, and is to be rated."""


class Keeper:
    """Keeps one game going."""

    def __init__(self, live: LiveGame, grace: float) -> None:
        self._live = live
        self._grace = grace
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def is_idle(self) -> bool:
        return self._task is None or self._task.done()

    def wake(self) -> None:
        """Something has changed: look again."""
        self._changed.set()
        if self.is_idle and self._next() is not None:
            self._task = asyncio.get_running_loop().create_task(self._keep())

    def stop(self) -> None:
        """The game is gone."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()

    # Who is there.

    def tell_presence(self, seat: int, state: SeatState) -> None:
        """Fill in what the others see of someone who is away."""
        person = self._live.seats[seat].person
        state.present = person is None or self._is_present(person)
        if self._is_awaited() and not state.present and not state.has_left:
            state.stand_in_in = round(max(0.0, self._stand_in_at(seat) - time.time()), 1)

    def turn_left(self) -> float | None:
        """Seconds left of this turn, if it is limited."""
        ends = self._live.turn_ends
        return None if ends is None or self._live.game.over else round(max(0.0, ends - time.time()), 1)

    def _is_present(self, person: str) -> bool:
        live = self._live
        return live.is_here(person) or any(who.person == person and who.away_since is None for who in live.seats)

    def _is_awaited(self) -> bool:
        """Does somebody sit and wait for somebody else? Not alone, not with all away, and not in a game over days."""
        live = self._live
        people = {who.person for who in live.seats if who.person is not None and not who.has_left}
        somebody = any(self._is_present(person) for person in people)
        return somebody and len(people) > 1 and (live.turn_limit is None or live.turn_limit < _OVER_DAYS)

    def _stand_in_at(self, seat: int) -> float:
        since = self._live.seats[seat].away_since
        return (time.time() if since is None else since) + self._grace

    # What is due.

    def due_at(self, game: Game, turn_ends: float | None) -> float | None:
        """When something goes by itself next, once the game is such; None if a person decides, and has all the time."""
        if game.over:
            return time.time() if ratings.may_count(self._live.seats) else None
        due = self._due(game, turn_ends)
        return None if due is None else time.time() + due.seconds

    def _next(self) -> Due | None:
        if self._stopped or not self._live.is_mine:
            return None
        return self._due(self._live.game, self._live.turn_ends)

    def _due(self, game: Game, turn_ends: float | None) -> Due | None:
        live = self._live
        if game.over:
            return None if live.due is None else Due(None, 0.0, is_rating=True)
        who = live.seats[game.seat]
        if who.bot is not None:
            return Due(find(who.bot), self._moment(game))
        if who.has_left or who.person is None:
            return Due(_STAND_IN, self._moment(game))
        if game.actions() == [Pass()]:
            return Due(None, _NEWS if live.pace else 0.0)
        times = [] if turn_ends is None else [turn_ends]
        if self._is_awaited() and not self._is_present(who.person):
            times.append(self._stand_in_at(game.seat))
        return Due(_STAND_IN, max(0.0, min(times) - time.time()), by_clock=True) if times else None

    def _moment(self, game: Game) -> float:
        if not self._live.pace:
            return 0.0
        return _GLANCE if game.log and isinstance(game.log[-1], Drew) else _MOMENT

    async def _keep(self) -> None:
        while True:
            self._changed.clear()
            due = self._next()
            if due is None:
                return
            try:
                await self._wait_and_do(due)
            except Problem as problem:
                log.warning("a turn in game %s that goes by itself must wait: %s", self._live.id, problem)
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # Whatever it is, the game must go on.
                log.exception("a turn in game %s that goes by itself failed", self._live.id)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _wait_and_do(self, due: Due) -> None:
        """Wait, and if it is still due then, act."""
        live, game = self._live, self._live.game
        if due.is_rating:
            await live.rate()
            return
        if due.by_clock and due.seconds > 0:
            try:
                await asyncio.wait_for(self._changed.wait(), due.seconds)
            except TimeoutError:
                live.tell()  # Everybody sees that the time is up.
            return
        action = await self._choice(due.bot, game, due.seconds)
        async with live.lock:
            now = self._next()
            if live.game is not game or now is None or (now.by_clock and now.seconds > 0):
                return  # Something else happened, or the person is back.
            try:
                await live.do(action, None)
            except Taken:
                await live.read_again()

    async def _choice(self, bot: Bot | None, game: Game, seconds: float) -> Action:
        """What is done after so many seconds, or, by a bot, a little later."""
        if bot is None:
            await asyncio.sleep(seconds)
            return Pass()
        loop = asyncio.get_running_loop()
        began = loop.time()
        with timed(THINKING.labels(bot.name)):
            action = await self._live.thinkers.choose(self._live.caller, bot, game.view(game.seat))
        thought = loop.time() - began
        await asyncio.sleep(answers_after(bot, seconds, thought) - thought)
        return action


def answers_after(bot: Bot, seconds: float, thought: float) -> float:
    """When a bot answers that has thought for so long, if it may not before `seconds`.

    It answers on a beat that is longer than it thinks: else anyone could tell by the time whether it had a choice.
    """
    return max(seconds, math.ceil(thought / bot.beat) * bot.beat)
