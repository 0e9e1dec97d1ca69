"""What a position is worth to a seat: its share of the win, or its points, if everyone plays at random from now on.

Hidden tiles are dealt at random, consistent with what the seat has seen. From then on, all placements are equally
likely, and so are all tiles in the bag. A value is the mean over all ways to continue. Playouts estimate it, with a
standard error. Values are consistent: before a choice, a position's value is the mean of its placements' values, and
before a draw, it's the mean over the tiles that may be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from random import Random

from chromino.bots import kernel
from chromino.bots.kernel.twin import margin, share
from chromino.bots.playouts import Estimate
from chromino.bots.worlds import inferred_world, inferred_worlds
from chromino.game import Game
from chromino.tiles import Placement
from chromino.view import View

_STARTS = 4  # How many worlds are dealt independently; each is then shuffled from playout to playout.
# The number of playouts is the limit, so the same seed gives the same values. This time limit is far more than the
# playouts take, except on tables that don't fit in the kernel's window.
_SECONDS = 0.5
_TURN_COST = 0.0  # In solo games, bots also count turns, but people see the plain chance of running out.


class Measure(StrEnum):
    """What a value measures."""

    WIN = "win"
    """Shares of a win: 1 for a win, a fraction for a shared win. In solo games, running out of tiles is winning."""
    POINTS = "points"
    """Points ahead of the best opponent at the end, below zero if behind. In solo games, your own points."""


@dataclass(frozen=True, slots=True)
class Value:
    """A mean in some measure, and its standard error."""

    mean: float
    error: float = 0.0

    @classmethod
    def of(cls, estimate: Estimate, measure: Measure) -> Value:
        """An estimate's value in this measure."""
        if measure is Measure.POINTS:
            return cls(estimate.margin, estimate.margin_error)
        return cls(estimate.value, estimate.error)


def outcome(game: Game, seat: int, measure: Measure) -> float:
    """What a seat ended up with."""
    return float(margin(game, seat)) if measure is Measure.POINTS else share(game, seat, _TURN_COST)


def worth(view: View, me: int, playouts: int, rng: Random, measure: Measure = Measure.WIN) -> Value:
    """What the position is worth to `me`; everything that isn't in the view is dealt at random."""
    total = (0, 0.0, 0.0, 0.0, 0.0)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        sums = kernel.prospects(
            world, me, seed=rng.getrandbits(64), max_worlds=max(1, playouts // _STARTS), turn_cost=_TURN_COST
        )
        total = kernel.added(total, sums)
    played, shares, share_squares, margins, margin_squares = total
    values, squares = (margins, margin_squares) if measure is Measure.POINTS else (shares, share_squares)
    mean = values / played
    return Value(mean, (max(squares / played - mean * mean, 0) / played) ** 0.5)


def after_each(
    view: View, places: Sequence[Placement], playouts: int, rng: Random, measure: Measure = Measure.WIN
) -> list[Value]:
    """What each placement is worth, with this many playouts for each, all in the same worlds."""
    totals = [(0, 0.0, 0.0, 0.0, 0.0)] * len(places)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        results = kernel.playouts(
            world,
            places,
            seed=rng.getrandbits(64),
            seconds=_SECONDS,
            max_worlds=max(1, playouts // _STARTS),
            eliminate=False,
            turn_cost=_TURN_COST,
        )
        totals = [kernel.added(total, sums) for total, sums in zip(totals, results, strict=True)]
    estimates = [Estimate.of(place, total) for place, total in zip(places, totals, strict=True)]
    return [Value.of(estimate, measure) for estimate in estimates]


def compared(
    view: View, places: Sequence[Placement], playouts: int, rng: Random, measure: Measure = Measure.WIN
) -> list[Estimate]:
    """All placements, best first. Most playouts are spent on those that are close to the best."""
    sums = kernel.playouts(
        inferred_world(view, rng),
        places,
        seed=rng.getrandbits(64),
        seconds=_SECONDS,
        max_worlds=max(32, 2 * playouts // len(places)),  # Assumes that half of the placements are dropped early.
        eliminate=True,
        by_margin=measure is Measure.POINTS,
        turn_cost=_TURN_COST,
    )
    estimates = [Estimate.of(place, total) for place, total in zip(places, sums, strict=True)]
    # A placement that was dropped early may only seem better, so those with the most playouts come first.
    most = max(each.playouts for each in estimates)
    return sorted(estimates, key=lambda each: (each.playouts == most, Value.of(each, measure).mean), reverse=True)
