"""Takes the most points now, whatever comes later: the reference bot for games with scoring."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.bots.features import best
from chromino.scoring import points
from chromino.tiles import Placement
from chromino.view import View


def greedy(view: View, places: Sequence[Placement], rng: Random) -> Placement:
    """Pick the placement that earns the most points; in a race, any placement."""
    scoring = view.rules.scoring
    return best(places, (sum(points(view.table, place, scoring)) if scoring else 0 for place in places), rng)
