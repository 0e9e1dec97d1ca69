"""Any legal placement, each as likely as any other: the reference for all others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.tiles import Placement
from chromino.view import View


def uniform(view: View, places: Sequence[Placement], rng: Random) -> Placement:  # noqa: ARG001
    """One of the placements by chance."""
    return rng.choice(places)
