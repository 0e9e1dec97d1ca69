"""Reviews in memory: each is worked out once, in a helper process, so that neither bots nor pictures wait for it."""

from __future__ import annotations

from functools import partial

from chromino.game import Game
from chromino.review import Choice, Exercise, Measure, Review, exercise, review
from chromino.server.work.made_once import MadeOnce
from chromino.server.work.work_queue import WorkQueue

_KEPT = 200
_LESSONS = 3  # Of one game.
_SECONDS = 60.0  # That a review may take.


class Reviews:
    """The latest ones."""

    def __init__(self) -> None:
        self.queue = WorkQueue(_SECONDS)
        self._reviews: MadeOnce[tuple[str, int, Measure], Review] = MadeOnce(_KEPT)
        self._lessons: MadeOnce[tuple[str, int], list[Exercise]] = MadeOnce(_KEPT)

    def has_lessons(self, name: str, seat: int) -> bool:
        return self._lessons.is_ready((name, seat))

    async def of(self, caller: str, name: str, game: Game, seat: int, measure: Measure) -> Review:
        """The review of a game that is over, by its id."""
        work = partial(review, game, seat, measure=measure)
        return await self._reviews.get((name, seat, measure), partial(self.queue.do, caller, work))

    async def lessons(self, caller: str, name: str, game: Game, seat: int) -> list[Exercise]:
        """What cost most in it, to be practiced."""
        found = await self.of(caller, name, game, seat, Measure.WIN)
        work = partial(_lessons_of, game, found.costliest(_LESSONS))
        return await self._lessons.get((name, seat), partial(self.queue.do, caller, work))


def _lessons_of(game: Game, choices: list[Choice]) -> list[Exercise]:
    return [exercise(game, choice.version, reviewed=choice) for choice in choices]
