"""Picks a legal placement at random, with equal probability: the baseline for all other bots."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.tiles import Placement
from chromino.view import View


def uniform(view: View, places: Sequence[Placement], rng: Random) -> Placement:  # noqa: ARG001
    """Pick a placement at random."""
    return rng.choice(places)
