"""Reviews in memory: each review is computed once, in a helper process, so neither bots nor pictures wait for it."""

from __future__ import annotations

from functools import partial

from chromino.game import Game
from chromino.review import Choice, Measure, Position, Review, practice_position, review
from chromino.server.work.result_cache import ResultCache
from chromino.server.work.work_queue import WorkQueue

_CACHE_SIZE = 200  # Reviews to keep, and as many sets of positions.
_POSITIONS_PER_GAME = 3
_PLAYOUT_SHARE = 10  # Each position takes a tenth of a review's playouts.
_TIMEOUT = 60.0  # Seconds for one review.


class Reviews:
    """The latest reviews."""

    def __init__(self, playouts: int) -> None:
        self.queue = WorkQueue(_TIMEOUT)
        self._playouts = playouts
        self._reviews: ResultCache[tuple[str, int, Measure], Review] = ResultCache(_CACHE_SIZE)
        self._positions: ResultCache[tuple[str, int], list[Position]] = ResultCache(_CACHE_SIZE)

    def has_positions(self, game_id: str, seat: int) -> bool:
        return self._positions.is_ready((game_id, seat))

    async def of(self, caller: str, game_id: str, game: Game, seat: int, measure: Measure) -> Review:
        """The review of a seat in a finished game, from the cache if it's there."""
        work = partial(review, game, seat, measure=measure, playouts=self._playouts)
        return await self._reviews.get((game_id, seat, measure), partial(self.queue.do, caller, work))

    async def positions(self, caller: str, game_id: str, game: Game, seat: int) -> list[Position]:
        """The costliest choices in a game, for practice."""
        whole_review = await self.of(caller, game_id, game, seat, Measure.WIN)
        work = partial(
            _positions_of, game, whole_review.costliest(_POSITIONS_PER_GAME), self._playouts // _PLAYOUT_SHARE
        )
        return await self._positions.get((game_id, seat), partial(self.queue.do, caller, work))


def _positions_of(game: Game, choices: list[Choice], playouts: int) -> list[Position]:
    return [practice_position(game, choice.version, reviewed=choice, playouts=playouts) for choice in choices]
