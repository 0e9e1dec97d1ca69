"""A tuned sum: what a placement leaves to others and to me, weighed by what it is worth in thousands of games.

The weights are fitted by `python -m chromino.study.weights`, which says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.bots.features import Features, best, features
from chromino.tiles import Placement
from chromino.view import View

WEIGHTS = {
    "race of two": Features(
        -0.0750, 0.2449, 0.0218, 0.0285, -0.0145, 0.0086, -0.0055, 0.0143, 0.0314, -0.0007, 0.0369, 0
    ),
    "race of many": Features(
        -0.0212, 0.0949, -0.0232, 0.0108, -0.0181, 0.0031, -0.0085, 0.0170, 0.0393, 0.0005, 0.0418, 0
    ),
    "points by tile": Features(
        -0.0448, 0.0846, -0.0346, 0.0220, -0.0076, -0.0079, 0.0030, 0.0257, 0.0567, 0.0289, 0.0434, 0.2773
    ),
    "points by contact": Features(
        -0.0733, 0.1192, 0.0012, 0.0279, -0.0060, 0.0016, -0.0075, 0.0, 0.0589, 0.0365, 0.0365, 0.0759
    ),
}


def family(view: View) -> str:
    """Which weights go with a game."""
    if view.rules.scoring is None:
        return "race of two" if len(view.players) <= 2 else "race of many"
    return "points by tile" if view.rules.scoring in ("expert", "a") else "points by contact"


def linear(view: View, places: Sequence[Placement], rng: Random) -> Placement:
    """The placement with the largest weighed sum."""
    weights = WEIGHTS[family(view)]

    def merit(numbers: Features) -> float:
        return sum(weight * number for weight, number in zip(weights, numbers, strict=True))

    return best(places, map(merit, features(view, places)), rng)
