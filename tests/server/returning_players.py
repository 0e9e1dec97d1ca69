"""People who play fast through `chromino.client`, and come back no matter what happens to the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import monotonic

from chromino.client import CallRefused, Client, ClientError, Http, OpenGame, must_decide
from chromino.messages.games import State
from tests.server.ledger import Ledger

_THINKING = 0.05  # Seconds, on average: these people are fast.
_AFTER_REFUSAL = 0.2  # Seconds.


@dataclass
class World:
    """What everyone shares: the server, random numbers, and the ledger."""

    http: Http
    rng: Random
    ledger: Ledger = field(default_factory=Ledger)
    complaints: list[str] = field(default_factory=list)
    up_since: float = field(default_factory=monotonic)
    """When the server last started to answer."""
    slowest_return: float = 0.0
    slowest_answer: float = 0.0
    """Seconds from an action to its acknowledgment."""
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set for a moment when an action is sent."""
    plays: bool = True
    """Whether people still make moves."""
    resent: int = 0
    """Actions that were sent again, because there was no answer."""
    ids: int = 0

    def new_id(self) -> str:
        self.ids += 1
        return f"{self.ids:012x}"


class Person:
    """Someone who plays one game after another, fast."""

    def __init__(self, world: World, name: str, on_change: Callable[[int, bool], None]) -> None:
        self.world = world
        self.name = name
        self.client = Client(world.http)
        self._on_change = on_change
        """Told of each version, and whether the game is over."""
        self._opened: OpenGame | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_answered(self) -> bool:
        return self._opened is None or self._opened.all_answered

    @property
    def away(self) -> float | None:
        """How many seconds this person has been away although the server is answering; None if they're here."""
        since = None if self._opened is None else self._opened.lost_since
        return None if since is None else monotonic() - max(since, self.world.up_since)

    async def go(self, game: str) -> None:
        await self.leave()
        self._task = asyncio.create_task(self._play(game))

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _play(self, game: str) -> None:
        try:
            async with self.client.play(game, self._see) as self._opened:
                try:
                    await self._act(game, self._opened)
                finally:
                    self.world.resent += self._opened.resent
        except ClientError as error:
            self.world.complaints.append(f"game {game} is gone: {error}")

    async def _act(self, game: str, opened: OpenGame) -> None:
        world, since = self.world, 0
        while True:
            await opened.state_when(partial(_is_due, since))
            await asyncio.sleep(world.rng.expovariate(1 / _THINKING))
            state = opened.state
            if state is None or not _is_due(since, state) or not world.plays:
                continue
            name = world.new_id()
            world.sent.set()
            world.sent.clear()
            began = monotonic()
            try:
                since = await opened.act(state, world.rng.choice(state.view.actions), name)
                world.slowest_answer = max(world.slowest_answer, monotonic() - began)
                world.ledger.done(game, name, since)
            except CallRefused as error:
                world.ledger.refuse(game, name, error.code)
                await asyncio.sleep(_AFTER_REFUSAL)

    def _see(self, state: State) -> None:
        if (away := self.away) is not None:
            self.world.slowest_return = max(self.world.slowest_return, away)
        self._on_change(state.version, state.view.over)


def _is_due(since: int, state: State) -> bool:
    return state.version >= since and must_decide(state)
