"""Reviews in memory: each is worked out once, beside the loop and beside the bots, who must not wait for it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from chromino.game import Game
from chromino.review import Lesson, Measure, Review, lesson, review
from chromino.server.desk import Desk

T = TypeVar("T")
K = TypeVar("K")

_KEPT = 200
_LESSONS = 3  # Of one game.


class Reviews:
    """The latest ones; whoever asks while one is in the making waits for the same."""

    def __init__(self) -> None:
        self.desk = Desk("review")
        self._reviews: OrderedDict[tuple[str, int, Measure], asyncio.Future[Review]] = OrderedDict()
        self._lessons: OrderedDict[tuple[str, int], asyncio.Future[list[Lesson]]] = OrderedDict()

    def has_lessons(self, name: str, seat: int) -> bool:
        found = self._lessons.get((name, seat))
        return found is not None and found.done()

    async def of(self, asker: str, name: str, game: Game, seat: int, measure: Measure) -> Review:
        """The review of a game that is over, by its id."""
        key = name, seat, measure
        return await self._once(self._reviews, key, asker, lambda: review(game, seat, measure=measure))

    async def lessons(self, asker: str, name: str, game: Game, seat: int) -> list[Lesson]:
        """What cost most in it, to be practiced."""
        found = await self.of(asker, name, game, seat, Measure.WIN)

        def work() -> list[Lesson]:
            return [lesson(game, choice.version) for choice in found.costliest(_LESSONS)]

        return await self._once(self._lessons, (name, seat), asker, work)

    async def _once(self, kept: OrderedDict[K, asyncio.Future[T]], key: K, asker: str, work: Callable[[], T]) -> T:
        future = kept.get(key)
        if future is None or (future.done() and (future.cancelled() or future.exception())):
            future = kept[key] = asyncio.ensure_future(self.desk.do(asker, work))
            if len(kept) > _KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return await asyncio.shield(future)  # Whoever goes away does not take it from the others.
