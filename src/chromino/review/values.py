"""What a position is worth to a seat: its part of the win, if everyone plays on at random from here.

Hidden tiles are dealt by chance, in every way that agrees with what the seat has seen, each as likely as any other;
then each placement is as likely as any other, and each tile of the bag. So a value is a mean, and playouts estimate it
with a standard error. Values of this kind follow from each other: that of a position in which the seat must choose is
the mean of the values of its placements, and that before a draw the mean over the tiles that may come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from chromino.bots import kernel
from chromino.bots.playing_out import Estimate
from chromino.bots.worlds import inferred_world, inferred_worlds
from chromino.tiles import Placement
from chromino.view import View

_STARTS = 4  # Worlds that are dealt on their own; each is then stirred from playout to playout.
# It is the number of playouts that counts, so that the same seed gives the same values. The time is far more than they
# take, but for tables that do not fit into the kernel's window.
_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Value:
    """A part of a win, and its standard error."""

    mean: float
    error: float = 0.0


def worth(view: View, me: int, playouts: int, rng: Random) -> Value:
    """What the position is worth to `me`, whose view it is."""
    total = (0, 0.0, 0.0, 0.0, 0.0)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        found = kernel.prospects(world, me, seed=rng.getrandbits(64), most=max(1, playouts // _STARTS))
        total = kernel.added(total, found)
    played, shares, squares, _, _ = total
    mean = shares / played
    return Value(mean, (max(squares / played - mean * mean, 0) / played) ** 0.5)


def after_each(view: View, places: Sequence[Placement], playouts: int, rng: Random) -> list[Value]:
    """What each placement is worth, so many playouts each, in the same worlds."""
    totals = [(0, 0.0, 0.0, 0.0, 0.0)] * len(places)
    for world in islice(inferred_worlds(view, rng), _STARTS):
        most = max(1, playouts // _STARTS)
        found = kernel.playouts(world, places, seed=rng.getrandbits(64), seconds=_SECONDS, most=most, eliminate=False)
        totals = [kernel.added(total, sums) for total, sums in zip(totals, found, strict=True)]
    estimates = [Estimate.of(place, total) for place, total in zip(places, totals, strict=True)]
    return [Value(estimate.value, estimate.error) for estimate in estimates]


def compared(view: View, places: Sequence[Placement], playouts: int, rng: Random) -> list[Estimate]:
    """All placements, the best first: with so many playouts in all, most of them for those that are close."""
    most = max(32, 2 * playouts // len(places))  # Half of the placements or more are given up early.
    sums = kernel.playouts(
        inferred_world(view, rng), places, seed=rng.getrandbits(64), seconds=_SECONDS, most=most, eliminate=True
    )
    found = [Estimate.of(place, one) for place, one in zip(places, sums, strict=True)]
    longest = max(one.playouts for one in found)  # What was given up early may have been lucky until then.
    return sorted(found, key=lambda one: (one.playouts == longest, one.value), reverse=True)
