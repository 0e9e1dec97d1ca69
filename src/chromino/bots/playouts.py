"""Playouts: try every placement in many possible worlds, finish the games at random, and pick the placement that wins
most often.

With inference, the worlds are consistent with everything seen so far: when a player drew or passed, none of their tiles
could be placed. Candidates that are clearly worse are dropped early, so the others get more time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import NamedTuple

from chromino.bots import kernel
from chromino.bots.bot import BotError, placements
from chromino.bots.features import best
from chromino.bots.kernel.twin import PlayoutSums
from chromino.bots.linear import linear, merits
from chromino.bots.worlds import inferred_world, shuffled_world
from chromino.tiles import Placement
from chromino.view import View

_NO_LIMIT = 10**9
_MAX_VARIANCE = 0.25  # Of a playout's result, which is between 0 and 1.
_PRIOR_ERROR = 0.03  # The standard error of the tuned sum.


@dataclass(frozen=True, slots=True)
class Playouts:
    """Picks a placement by playouts, up to a limit of CPU seconds or worlds.

    Without the compiled kernel, there's no time for enough playouts to beat the tuned sum, so the sum decides.
    """

    seconds: float = 3600.0
    worlds: int = _NO_LIMIT
    inference: bool = True
    eliminate: bool = True
    prior: bool = True
    """Is the tuned sum (see linear.py) factored in, too? The fewer playouts there are, the more it counts."""

    def __post_init__(self) -> None:
        if not self.seconds > 0 or self.worlds < 1:
            limits = f"{self.seconds:g} seconds and {self.worlds} worlds"
            raise BotError(f"playouts need more than 0 seconds and at least 1 world, not {limits}")

    def __call__(self, view: View, places: Sequence[Placement], rng: Random) -> Placement:
        if not kernel.COMPILED:
            return linear(view, places, rng)
        end = thread_time() + self.seconds
        prior = merits(view, places) if self.prior else None
        estimates = self.estimates(view, places, rng, end)
        values = _combined(estimates, prior) if prior else [estimate.value for estimate in estimates]
        return best(places, values, rng)

    def estimates(
        self, view: View, places: Sequence[Placement], rng: Random, end: float | None = None
    ) -> list[Estimate]:
        """The value of each placement, with its error; `end` is when to stop, by this thread's CPU clock."""
        if end is None:
            end = thread_time() + self.seconds
        make_world = inferred_world if self.inference else shuffled_world
        world = make_world(view, rng)  # The kernel gets all other worlds from this one, by swapping hidden tiles.
        sums = kernel.playouts(
            world,
            places,
            seed=rng.getrandbits(64),
            seconds=max(end - thread_time(), 1e-6),
            max_worlds=self.worlds,
            eliminate=self.eliminate,
        )
        return [Estimate.of(place, results) for place, results in zip(places, sums, strict=True)]


def _combined(estimates: Sequence[Estimate], prior: Sequence[float]) -> list[float]:
    """Combine the playouts with the tuned sums, each weighted by how certain it is.

    The tuned sums compare placements in the same unit as playouts, fractions of a win, but from a different zero point.
    """
    offset = sum(estimate.value for estimate in estimates) / len(estimates) - sum(prior) / len(prior)
    certainty = 1 / _PRIOR_ERROR**2
    return [
        (estimate.value * estimate.playouts / _MAX_VARIANCE + (offset + merit) * certainty)
        / (estimate.playouts / _MAX_VARIANCE + certainty)
        for estimate, merit in zip(estimates, prior, strict=True)
    ]


class Estimate(NamedTuple):
    """What playouts say about a placement."""

    placement: Placement
    value: float
    """How often the placement wins; a shared win counts as a fraction."""
    error: float
    """The standard error of the value."""
    margin: float
    """The average lead at the end, in points or tiles."""
    margin_error: float
    playouts: int

    @classmethod
    def of(cls, placement: Placement, sums: PlayoutSums) -> Estimate:
        """Compute the means and their standard errors from the sums."""
        played, shares, share_squares, margins, margin_squares = sums
        if played == 0:
            return cls(placement, 0.0, 1.0, 0.0, float("inf"), 0)
        value, margin = shares / played, margins / played
        error = (max(share_squares / played - value * value, 0) / played) ** 0.5
        margin_error = (max(margin_squares / played - margin * margin, 0) / played) ** 0.5
        return cls(placement, value, error, margin, margin_error, played)


def estimate(view: View, *, seconds: float, seed: int = 0) -> list[Estimate]:
    """Each placement's estimated value with its standard error, best first, for hints and reviews.

    >>> from chromino import Game, Rules
    >>> view = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0).view(0)
    >>> hint = estimate(view, seconds=0.01)[0]
    >>> 0 <= hint.value <= 1
    True
    """
    if not placements(view):
        raise BotError("there's nothing to choose: no tile can be placed, or it isn't this seat's turn")
    estimates = Playouts(seconds=seconds, eliminate=False).estimates(view, placements(view), Random(seed))
    return sorted(estimates, key=lambda result: result.value, reverse=True)
