"""The simple bot plays what it may, and keeps chameleons."""

from __future__ import annotations

from random import Random

import pytest

from chromino import Draw, Place
from chromino.bots import simple
from tests.helpers import VARIANTS, game_of, position


@pytest.mark.parametrize("name", VARIANTS)
def test_it_plays_every_variant_to_the_end(name: str) -> None:
    rng = Random(1)
    for players in (1, 2, 8):
        game = game_of(VARIANTS[name], players, seed=players)
        while not game.over:
            game = game.apply(simple(game.view(game.seat), rng))
        assert game.log


def test_it_keeps_chameleons_and_places_the_awkward_tile() -> None:
    game = position("RRR@0,0> RGB@0,2v", ["RRR RRG G*R", "BBB"], bag="YYY")
    action = simple(game.view(0), Random(1))
    assert isinstance(action, Place)
    options = {tile: len(game.table.placements(tile)) for tile in game.hand(0) if not tile.is_chameleon}
    assert options[action.placement.tile] == min(options.values())


def test_it_draws_when_it_must() -> None:
    assert simple(position("RRR@0,0>", ["BBB", "YYY"], bag="GGG").view(0), Random(1)) == Draw()


def test_the_same_random_numbers_give_the_same_choice() -> None:
    view = game_of(VARIANTS["classic"], 2, seed=1, first=0).view(0)
    assert simple(view, Random(3)) == simple(view, Random(3))
