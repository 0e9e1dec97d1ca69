"""Blocks the next player: as few as possible of the tiles they may have should fit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.bots.features import Features, best, features
from chromino.tiles import Placement
from chromino.view import View


def blocking(view: View, places: Sequence[Placement], rng: Random) -> Placement:
    """Pick the placement that leaves the next player the fewest tiles to place, or me the most in solo games. Points
    count too."""
    is_solo = len(view.players) == 1

    def merit(numbers: Features) -> float:
        return numbers.points + (numbers.mine_can if is_solo else -numbers.next_can) - 0.05 * numbers.ease

    return best(places, map(merit, features(view, places)), rng)
