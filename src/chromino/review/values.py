"""What a position is worth to a seat: its share of the win, or its points, if everyone plays at random from here.

Hidden tiles are dealt at random, consistent with what the seat has seen. Then all placements are equally likely, and
so are all tiles of the bag. So a value is a mean, and playouts estimate it with a standard error. Values are
consistent: before a choice, a position's value is the mean of its placements' values, and before a draw it's the
mean over the tiles that may come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from random import Random

from chromino.bots import kernel
from chromino.bots.playing_out import Estimate
from chromino.bots.twin import margin, share
from chromino.bots.worlds import inferred_world, inferred_worlds
from chromino.game import Game
from chromino.tiles import Placement
from chromino.view import View

_STARTS = 4  # Worlds dealt independently; each is then shuffled from playout to playout.
# The number of playouts decides, so the same seed gives the same values. The time limit is far more than they
# take, except for tables that don't fit into the kernel's window.
_SECONDS = 0.5
_TURN_COST = 0.0  # In solo games bots also count turns; people see the plain chance of running out.


class Measure(StrEnum):
    """What a value counts."""

    WIN = "win"
    """Parts of a win: 1 for a win, a part of it for a shared win. In solo games, running out is winning."""
    POINTS = "points"
    """Points at the end: the lead over the best other player, or below zero the gap. In solo games, your own."""


@dataclass(frozen=True, slots=True)
class Value:
    """A mean in some measure, and its standard error."""

    mean: float
    error: float = 0.0

    @classmethod
    def of(cls, estimate: Estimate, measure: Measure) -> Value:
        """The part of an estimate in this measure."""
        if measure is Measure.POINTS:
            return cls(estimate.margin, estimate.margin_error)
        return cls(estimate.value, estimate.error)


def outcome(game: Game, seat: int, measure: Measure) -> float:
    """What a seat had in the end."""
    return float(margin(game, seat)) if measure is Measure.POINTS else share(game, seat, _TURN_COST)


def worth(view: View, me: int, playouts: int, rng: Random, measure: Measure = Measure.WIN) -> Value:
    """What the position is worth to `me`; everything not in the view is dealt at random."""
    total = (0, 0.0, 0.0, 0.0, 0.0)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        found = kernel.prospects(
            world, me, seed=rng.getrandbits(64), most=max(1, playouts // _STARTS), turn_cost=_TURN_COST
        )
        total = kernel.added(total, found)
    played, shares, share_squares, margins, margin_squares = total
    of, squares = (margins, margin_squares) if measure is Measure.POINTS else (shares, share_squares)
    mean = of / played
    return Value(mean, (max(squares / played - mean * mean, 0) / played) ** 0.5)


def after_each(
    view: View, places: Sequence[Placement], playouts: int, rng: Random, measure: Measure = Measure.WIN
) -> list[Value]:
    """What each placement is worth, with this many playouts each, in the same worlds."""
    totals = [(0, 0.0, 0.0, 0.0, 0.0)] * len(places)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        found = kernel.playouts(
            world,
            places,
            seed=rng.getrandbits(64),
            seconds=_SECONDS,
            most=max(1, playouts // _STARTS),
            eliminate=False,
            turn_cost=_TURN_COST,
        )
        totals = [kernel.added(total, sums) for total, sums in zip(totals, found, strict=True)]
    estimates = [Estimate.of(place, total) for place, total in zip(places, totals, strict=True)]
    return [Value.of(estimate, measure) for estimate in estimates]


def compared(
    view: View, places: Sequence[Placement], playouts: int, rng: Random, measure: Measure = Measure.WIN
) -> list[Estimate]:
    """All placements, best first; most of the playouts go to those that are close."""
    sums = kernel.playouts(
        inferred_world(view, rng),
        places,
        seed=rng.getrandbits(64),
        seconds=_SECONDS,
        most=max(32, 2 * playouts // len(places)),  # At least half of the placements are dropped early.
        eliminate=True,
        by_margin=measure is Measure.POINTS,
        turn_cost=_TURN_COST,
    )
    found = [Estimate.of(place, one) for place, one in zip(places, sums, strict=True)]
    longest = max(one.playouts for one in found)  # Those dropped early may just have been lucky.
    return sorted(found, key=lambda one: (one.playouts == longest, Value.of(one, measure).mean), reverse=True)
