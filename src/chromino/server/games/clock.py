"""Performs a game's automatic actions when they're due: see `chromino.seated.automatic`.

For each game, one task waits for the next action, performs it, and looks for another. Every change to the game wakes
the task. If several processes have a game in memory, the process that recorded the action's due time performs it. If
that process dies, another one finds the overdue game (`process_watch.py`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from chromino.events import Action, Pass
from chromino.game import Game
from chromino.seated.automatic import LONGEST_PAUSE, AutomaticAction, answer_delay, next_automatic_action
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import move
from chromino.server.database.store import Taken
from chromino.server.operating.metrics import THINKING, timed
from chromino.server.problems import Problem

if TYPE_CHECKING:
    from chromino.server.games.live_game import LiveGame

_RETRY_SECONDS = 1.0  # How long to wait before trying again after a failure.

log = logging.getLogger(__name__)


class Clock:
    """Performs the automatic actions of one game."""

    def __init__(self, live: LiveGame, grace: float) -> None:
        self._live = live
        self.grace = grace
        self._cached: tuple[SeatedGame, AutomaticAction | None] | None = None
        """The last table that was checked, and its next automatic action."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def is_idle(self) -> bool:
        return self._task is None or self._task.done()

    def wake(self) -> None:
        """Look again for the next automatic action, because something has changed."""
        self._changed.set()
        if self.is_idle and self._next() is not None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Stop for good."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()

    def due_at(self, table: SeatedGame) -> float | None:
        """When the next automatic action is due; None if nothing is due until a person acts."""
        action = self._automatic(table)
        return None if action is None else max(action.at, self._live.now())

    def _next(self) -> AutomaticAction | None:
        live = self._live
        if self._stopped or not live.acts_next:
            return None
        return self._automatic(live.table)

    def _automatic(self, table: SeatedGame) -> AutomaticAction | None:
        """The next automatic action. It's cached because each move needs it twice: to be stored, and to be shown."""
        if self._cached is None or self._cached[0] is not table:
            self._cached = table, next_automatic_action(table, self.grace)
        return self._cached[1]

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            due = self._next()
            if due is None:
                return
            try:
                await self._wait_and_do(due)
            except Problem as problem:
                log.warning("an automatic action in game %s has to wait: %s", self._live.id, problem)
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # Whatever went wrong, the game must go on.
                log.exception("an automatic action in game %s failed", self._live.id)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _wait_and_do(self, due: AutomaticAction) -> None:
        """Wait, then perform the action if it's still due."""
        live, game = self._live, self._live.table.game
        if due.is_rating:
            await live.rate()
            return
        wait = due.at - self._live.now()
        if not due.by_clock:
            wait = min(wait, LONGEST_PAUSE)  # Clocks may be set back, or differ between machines.
        if due.by_clock and wait > 0:
            try:
                await asyncio.wait_for(self._changed.wait(), wait)
            except TimeoutError:
                live.notify()  # Everyone sees that time is up. The next pass of the loop then acts.
            return
        action = await self._choice(due, game, wait)
        async with live.lock:
            current = self._next()
            if live.table.game is not game or current is None or (current.by_clock and current.at > live.now()):
                return  # Something else has happened, or the person is back.
            try:
                await live.append(move(live.table, action, self._live.now()))
            except Taken:
                await live.read_again()
        if live.table.game is game:  # Nothing has changed: maybe the game was deleted.
            await asyncio.sleep(_RETRY_SECONDS)

    async def _choice(self, due: AutomaticAction, game: Game, seconds: float) -> Action:
        """Wait for at least `seconds`, and return the action. Bots may take slightly longer."""
        if due.bot is None:
            await asyncio.sleep(seconds)
            return Pass()
        loop = asyncio.get_running_loop()
        started_at = loop.time()
        with timed(THINKING.labels(due.bot.name)):
            action = await self._live.bot_threads.choose(self._live.caller, due.bot, game.view(game.seat))
        thinking_time = loop.time() - started_at
        await asyncio.sleep(answer_delay(due.bot, seconds, thinking_time) - thinking_time)
        return action
