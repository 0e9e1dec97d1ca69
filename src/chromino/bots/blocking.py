"""Blocks the next player: tries to leave no place for the tiles they may have."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chromino.bots.features import Features, best, features
from chromino.tiles import Placement
from chromino.view import View


def blocking(view: View, places: Sequence[Placement], rng: Random) -> Placement:
    """Pick the placement after which the fewest of the next player's tiles fit. Points count, too.

    In solo games, pick the one after which the most of the player's own tiles fit.
    """
    is_solo = len(view.players) == 1

    def merit(numbers: Features) -> float:
        return numbers.points + (numbers.mine_placeable if is_solo else -numbers.next_placeable) - 0.05 * numbers.ease

    return best(places, map(merit, features(view, places)), rng)
