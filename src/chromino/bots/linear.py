"""Adds up what a placement leaves for the other players and for the bot itself, weighted by how much each part mattered
in thousands of games. We call the result the tuned sum.

`python -m chromino.study.weights` fits the weights; its docstring explains how.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.bots.features import Features, best, features
from chromino.tiles import Placement
from chromino.view import View

WEIGHTS = {
    "race of two": Features(
        -0.0645, 0.2462, 0.0102, 0.0267, -0.0157, 0.0113, -0.0061, 0.0168, 0.0289, -0.0025, 0.0361, 0.0000
    ),
    "race of many": Features(
        -0.0287, 0.0882, -0.0199, 0.0082, -0.0167, 0.0069, -0.0065, 0.0172, 0.0409, 0.0003, 0.0426, 0.0000
    ),
    "points by tile": Features(
        -0.0438, 0.0836, -0.0353, 0.0273, -0.0075, -0.0146, -0.0044, 0.0314, 0.0534, 0.0297, 0.0410, 0.2744
    ),
    "points by contact": Features(
        -0.0652, 0.1262, -0.0024, 0.0263, -0.0045, 0.0026, -0.0068, 0.0000, 0.0581, 0.0370, 0.0338, 0.0740
    ),
    "junior": Features(
        -0.0538, 0.2430, -0.0630, 0.0201, -0.1067, 0.0678, 0.0006, 0.0301, 0.0415, -0.0007, 0.0397, 0.0000
    ),
}


def family(view: View) -> str:
    """The name of the weights to use for a game."""
    if view.rules.joining == "ends":
        return "junior"
    if view.rules.scoring is None:
        return "race of two" if len(view.players) <= 2 else "race of many"
    return "points by tile" if view.rules.scoring in ("expert", "a") else "points by contact"


def merits(view: View, places: Sequence[Placement]) -> list[float]:
    """Each placement's tuned sum. Differences between sums estimate differences in winning chances."""
    weights = WEIGHTS[family(view)]
    return [
        sum(weight * number for weight, number in zip(weights, numbers, strict=True))
        for numbers in features(view, places)
    ]


def linear(view: View, places: Sequence[Placement], rng: Random) -> Placement:
    """Pick the placement with the largest tuned sum."""
    return best(places, merits(view, places), rng)
