"""The games in memory."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from chromino.server.database.store import Change, Store
from chromino.server.games.live_game import LiveGame
from chromino.server.operating.metrics import GAMES
from chromino.server.problems import Problem
from chromino.server.work.bot_threads import BotThreads
from chromino.server.work.work_queue import WorkQueue

_IDLE_SECONDS = 10.0  # How long an unwatched game stays in memory after the last request for it.

log = logging.getLogger(__name__)


class LiveGames:
    """The games that someone is watching, or in which something is in progress. The database has all games."""

    def __init__(self, store: Store, bot_threads: BotThreads, queue: WorkQueue, grace: float) -> None:
        self._store = store
        self._bot_threads = bot_threads
        self._queue = queue
        self._grace = grace
        self._games: dict[str, LiveGame] = {}
        self._loading: dict[str, bool] = {}
        """Games being loaded, and whether they've changed in the meantime."""
        self._replaying = asyncio.Lock()
        """A replay takes a few milliseconds, so games are replayed one at a time, with other work in between."""

    def __len__(self) -> int:
        return len(self._games)

    async def get(self, game: str) -> LiveGame:
        """Get a game from memory or the database, without starting its clock."""
        while True:
            live = self._games.get(game)
            if live is None:
                live = await self._load(game)
            live.last_requested = monotonic()
            await live.catch_up()
            if self._games.get(game) is live:  # It may have been dropped in the meantime.
                return live

    async def _load(self, game: str) -> LiveGame:
        async with self._replaying:
            if live := self._games.get(game):
                return live  # Another caller loaded the game first, and memory must hold only one copy.
            self._loading[game] = False
            try:
                await self._store.follow(game)
                row = await self._store.game(game)
                if row is None:
                    raise Problem("no-such-game")
                live = LiveGame(row, self._store, self._bot_threads, self._queue, self._grace)
                self._games[game] = live
            finally:
                has_changed = self._loading.pop(game)
                if game not in self._games:
                    self._store.unfollow(game)
            if has_changed:
                live.hear(Change("game", game))  # What we've read may be outdated.
            await asyncio.sleep(0)
            return live

    async def start_clock(self, game: str) -> None:
        """Start a game's clock: bots play and turns expire, even if nobody is there."""
        live = await self.get(game)
        live.acts_next = True
        live.clock.wake()

    async def take_over(self, game: str, due: float) -> None:
        """Take over an overdue game. After the time `due`, other processes may take it over from us."""
        try:
            live = await self.get(game)
            live.due, live.acts_next = due, True
            live.times_recorded += 1
            await live.record_due()
        except Problem as problem:
            log.warning("can't continue game %s: %s", game, problem)

    def hear(self, change: Change) -> None:
        """Pass on a change, made here or in another process, to the games it affects."""
        if change.kind == "all":
            for live in self._games.values():
                live.hear(change)
        elif affected := self._games.get(change.id):
            affected.hear(change)
        for game in self._loading:
            if change.kind == "all" or change.id == game:
                self._loading[game] = True

    def stop(self) -> None:
        """Stop all automatic actions, because the server is stopping."""
        for live in self._games.values():
            live.stop()

    def drop_idle(self) -> None:
        """Drop idle games from memory. They're still in the database."""
        cutoff = monotonic() - _IDLE_SECONDS
        for game, live in list(self._games.items()):
            if live.is_gone or (live.is_idle and live.last_requested < cutoff):
                del self._games[game]
                live.drop()
                self._store.unfollow(game)
        GAMES.set(len(self._games))
