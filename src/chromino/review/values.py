"""What a position is worth to a seat: its part of the win, or its points, if everyone plays on at random from here.

Hidden tiles are dealt by chance, in every way that agrees with what the seat has seen, each as likely as any other;
then each placement is as likely as any other, and each tile of the bag. So a value is a mean, and playouts estimate it
with a standard error. Values of this kind follow from each other: that of a position in which the seat must choose is
the mean of the values of its placements, and that before a draw the mean over the tiles that may come.
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

_STARTS = 4  # Worlds that are dealt on their own; each is then stirred from playout to playout.
# It is the number of playouts that counts, so that the same seed gives the same values. The time is far more than they
# take, but for tables that do not fit into the kernel's window.
_SECONDS = 0.5
_TURN_COST = 0.0  # Solo, a bot counts turns as well; a person is told the plain chance to run out.


class Measure(StrEnum):
    """What a value counts."""

    WIN = "win"
    """Parts of a win: 1 for winning, a part of it for winning together. Solo, running out is winning."""
    POINTS = "points"
    """Points at the end: how many more than the best of the others, or below zero how many fewer. Solo, one's own."""


@dataclass(frozen=True, slots=True)
class Value:
    """Of a measure: a mean, and its standard error."""

    mean: float
    error: float = 0.0

    @classmethod
    def of(cls, estimate: Estimate, measure: Measure) -> Value:
        """The part of an estimate that is in this measure."""
        if measure is Measure.POINTS:
            return cls(estimate.margin, estimate.margin_error)
        return cls(estimate.value, estimate.error)


def outcome(game: Game, seat: int, measure: Measure) -> float:
    """What a seat had in the end."""
    return float(margin(game, seat)) if measure is Measure.POINTS else share(game, seat, _TURN_COST)


def worth(view: View, me: int, playouts: int, rng: Random, measure: Measure = Measure.WIN) -> Value:
    """What the position is worth to `me`; all that is not in the view is dealt by chance."""
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
    """What each placement is worth, so many playouts each, in the same worlds."""
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
    """All placements, the best first: with so many playouts in all, most of them for those that are close."""
    sums = kernel.playouts(
        inferred_world(view, rng),
        places,
        seed=rng.getrandbits(64),
        seconds=_SECONDS,
        most=max(32, 2 * playouts // len(places)),  # Half of the placements or more are given up early.
        eliminate=True,
        by_margin=measure is Measure.POINTS,
        turn_cost=_TURN_COST,
    )
    found = [Estimate.of(place, one) for place, one in zip(places, sums, strict=True)]
    longest = max(one.playouts for one in found)  # What was given up early may have been lucky until then.
    return sorted(found, key=lambda one: (one.playouts == longest, Value.of(one, measure).mean), reverse=True)
