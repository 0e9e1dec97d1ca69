"""Plays awkward tiles first: those that fit in the fewest places. Chameleons, which fit almost anywhere, come last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from chromino.tiles import Placement
from chromino.view import View


def awkward(view: View, places: Sequence[Placement], rng: Random) -> Placement:  # noqa: ARG001
    """Pick a random place for the most awkward tile."""
    options = Counter(place.tile for place in places)

    def ease(place: Placement) -> tuple[bool, int]:
        return place.tile.is_chameleon, options[place.tile]

    least = min(map(ease, places))
    return rng.choice([place for place in places if ease(place) == least])
