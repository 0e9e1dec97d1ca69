"""A simple bot: gets rid of awkward tiles, and keeps chameleons, which fit almost anywhere, for later."""

from __future__ import annotations

from collections import Counter
from random import Random

from chromino.events import Action, Place
from chromino.view import View


def simple(view: View, rng: Random) -> Action:
    """One of the view's actions: of the tiles that can be placed, the one with the fewest places."""
    places = [action for action in view.actions if isinstance(action, Place)]
    if not places:
        return view.actions[0]
    options = Counter(action.placement.tile for action in places)

    def ease(action: Place) -> tuple[bool, int]:
        tile = action.placement.tile
        return tile.is_chameleon, options[tile]

    easiest = min(map(ease, places))
    return rng.choice([action for action in places if ease(action) == easiest])
