"""Playouts: try every placement in many possible worlds, finish the games at random, and pick the one that wins most.

With inference, the worlds are consistent with everything seen so far: each time a player drew or passed, they
couldn't place anything. Candidates that are clearly worse are dropped early, so the others get more time.
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
from chromino.bots.linear import linear, merits
from chromino.bots.twin import PlayoutSums
from chromino.bots.worlds import inferred_world, shuffled_world
from chromino.tiles import Placement
from chromino.view import View

_NO_LIMIT = 10**9
_SPREAD = 0.25  # The largest possible variance of a playout's result.
_PRIOR_ERROR = 0.03  # The standard error of the tuned sum.


@dataclass(frozen=True, slots=True)
class PlayingOut:
    """Picks by playouts, until it runs out of CPU seconds or worlds.

    Without the compiled kernel, there isn't time for enough playouts to beat the tuned sum, so the sum decides.
    """

    seconds: float = 3600.0
    worlds: int = _NO_LIMIT
    inference: bool = True
    eliminate: bool = True
    prior: bool = True
    """Does the tuned sum have a say? The fewer playouts there are, the more it counts."""

    def __post_init__(self) -> None:
        if not self.seconds > 0 or self.worlds < 1:
            raise BotError(f"playouts need time: {self.seconds} s and {self.worlds} games aren't enough")

    def __call__(self, view: View, places: Sequence[Placement], rng: Random) -> Placement:
        if not kernel.COMPILED:
            return linear(view, places, rng)
        end = thread_time() + self.seconds
        prior = merits(view, places) if self.prior else None
        found = self.estimates(view, places, rng, end)
        return best(places, _weighed(found, prior) if prior else [estimate.value for estimate in found], rng)

    def estimates(
        self, view: View, places: Sequence[Placement], rng: Random, end: float | None = None
    ) -> list[Estimate]:
        """The value of each placement, with its error; `end` is when to stop, by this thread's CPU clock."""
        if end is None:
            end = thread_time() + self.seconds
        make_world = inferred_world if self.inference else shuffled_world
        world = make_world(view, rng)
        sums = kernel.playouts(
            world,
            places,
            seed=rng.getrandbits(64),
            seconds=max(end - thread_time(), 1e-6),
            most=self.worlds,
            eliminate=self.eliminate,
        )
        return [Estimate.of(place, found) for place, found in zip(places, sums, strict=True)]


def _weighed(found: Sequence[Estimate], prior: Sequence[float]) -> list[float]:
    """Playouts and the tuned sum together, each weighted by how certain it is.

    The sum compares the placements of one position, in the same unit as playouts: fractions of a win.
    """
    level = sum(estimate.value for estimate in found) / len(found) - sum(prior) / len(prior)
    certainty = 1 / _PRIOR_ERROR**2
    return [
        (estimate.value * estimate.playouts / _SPREAD + (level + merit) * certainty)
        / (estimate.playouts / _SPREAD + certainty)
        for estimate, merit in zip(found, prior, strict=True)
    ]


class Estimate(NamedTuple):
    """What playouts say about a placement."""

    placement: Placement
    value: float
    """How often it wins; a shared win counts as a fraction."""
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
    found = PlayingOut(seconds=seconds, eliminate=False).estimates(view, placements(view), Random(seed))
    return sorted(found, key=lambda one: one.value, reverse=True)
