"""Reviews in memory: each is computed once, in a helper process, so neither bots nor pictures wait for it."""

from __future__ import annotations

from functools import partial

from chromino.game import Game
from chromino.review import Choice, Exercise, Measure, Review, exercise, review
from chromino.server.work.made_once import MadeOnce
from chromino.server.work.work_queue import WorkQueue

_KEPT = 200
_LESSONS = 3  # Of one game.
_LESSONS_SHARE = 10  # Each takes a tenth of a review's playouts.
_SECONDS = 60.0  # That a review may take.


class Reviews:
    """The latest reviews."""

    def __init__(self, playouts: int) -> None:
        self.queue = WorkQueue(_SECONDS)
        self._playouts = playouts
        self._reviews: MadeOnce[tuple[str, int, Measure], Review] = MadeOnce(_KEPT)
        self._lessons: MadeOnce[tuple[str, int], list[Exercise]] = MadeOnce(_KEPT)

    def has_lessons(self, name: str, seat: int) -> bool:
        return self._lessons.is_ready((name, seat))

    async def of(self, caller: str, name: str, game: Game, seat: int, measure: Measure) -> Review:
        """The review of a finished game, by its id."""
        work = partial(review, game, seat, measure=measure, playouts=self._playouts)
        return await self._reviews.get((name, seat, measure), partial(self.queue.do, caller, work))

    async def lessons(self, caller: str, name: str, game: Game, seat: int) -> list[Exercise]:
        """Its most expensive choices, for practice."""
        found = await self.of(caller, name, game, seat, Measure.WIN)
        work = partial(_lessons_of, game, found.costliest(_LESSONS), self._playouts // _LESSONS_SHARE)
        return await self._lessons.get((name, seat), partial(self.queue.do, caller, work))


def _lessons_of(game: Game, choices: list[Choice], playouts: int) -> list[Exercise]:
    return [exercise(game, choice.version, reviewed=choice, playouts=playouts) for choice in choices]
