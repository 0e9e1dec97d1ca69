"""Samples: full games that are consistent with a view and with everything seen so far."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from chromino import Deal, Draw, Game, Pass, Placement, Rules, Tile
from chromino.events import Place
from chromino.sampling import Sampler
from tests.helpers import VARIANTS, assert_same_state, game_of, more, states, tiles, with_open_hands

pytestmark = pytest.mark.rules


@pytest.mark.heavy
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [3, more(1), more(2), more(8)])
def test_a_sample_gives_the_same_view_and_could_have_been_played(name: str, players: int) -> None:
    rng = Random(players)
    for game in islice(states(VARIANTS[name], players, seed=players), 0, None, 3):
        for seat in {None, 0, players - 1}:
            view = game.view(seat)
            sample = view.sample(rng)
            assert sample.view(seat) == view
            # Replaying checks the inference too: a draw is refused where a tile could have been placed.
            assert_same_state(Game.replay(sample.record), sample)
            assert bool(sample.actions()) != sample.over


def test_the_same_random_numbers_give_the_same_sample() -> None:
    view = game_of(Rules.classic(), 4, seed=1).view(2)
    assert view.sample(Random(5)) == view.sample(Random(5))
    assert view.sample(Random(5)) != view.sample(Random(6))


def test_every_hidden_tile_is_as_likely_as_any_other_at_the_start() -> None:
    view = game_of(Rules.classic(), 2, seed=1).view(0)
    sampler, rng = Sampler(view), Random(1)
    counts = Counter(tile for _ in range(3000) for tile in sampler.sample(rng).hand(1))
    expected = 3000 * 8 / 71
    assert len(counts) == 71
    assert all(0.75 * expected < count < 1.25 * expected for count in counts.values())


def dealt(hands: list[str], bag: str, rules: Rules) -> Game:
    """A game that begins with `R*P` on the table, these hands and these next tiles in the bag."""
    start = Tile.parse("R*P")
    known = [tiles(hand) for hand in hands]
    taken = {start, *(tile for hand in known for tile in hand), *tiles(bag)}
    rest = [tile for tile in rules.tiles if tile not in taken]
    deal = Deal(0, start, tuple(known), (*tiles(bag), *rest))
    return Game.dealt(rules, ["Ada", "Bob"][: len(hands)], deal)


def test_a_player_who_draws_could_not_place_anything() -> None:
    game = dealt(["GGB GGG GGY", "BBY YYB YBG"], "GBB", Rules.preset("classic", hand_size=3))
    assert game.actions() == [Draw()]
    game = game.apply(Draw()).apply(Pass())
    for seed in range(200):
        hand = game.view(1).sample(Random(seed)).hand(0)
        assert not any(game.table.fits(tile) for tile in hand)


def test_a_lone_chameleon_is_remembered_and_exempt() -> None:
    """Ada shows a chameleon that would fit, must draw, and keeps it: everyone knows that she still has it."""
    game = dealt(["R*G PPR", "BBY YYB"], "GGY GGB", Rules.preset("classic", hand_size=2))
    game = game.apply(
        next(
            action for action in game.actions() if isinstance(action, Place) and not action.placement.tile.is_chameleon
        )
    )
    assert game.hand(0) == tiles("R*G")
    while not (game.seat == 0 and len(game.hand(0)) > 1):
        assert not game.over
        game = game.apply(game.actions()[-1])
    for seed in range(100):
        assert Tile.parse("R*G") in game.view(1).sample(Random(seed)).hand(0)


def test_samples_follow_the_true_odds_on_a_small_case() -> None:
    """Ada drew a tile and passed, so it doesn't fit the table: all tiles that don't fit are equally likely."""
    rules = Rules.preset("classic", hand_size=1)
    game = dealt(["GGG", "BBB"], "YYY GGB", rules)
    game = game.apply(Draw()).apply(Pass())
    view = game.view(1)
    possible = [
        tile
        for tile in rules.tiles
        if not game.table.fits(tile) and tile not in (Tile.parse("GGG"), Tile.parse("BBB"), Tile.parse("R*P"))
    ]
    sampler, rng = Sampler(view), Random(2)
    kept = Counter(tile for _ in range(4000) for tile in sampler.sample(rng).hand(0) if tile is not Tile.parse("GGG"))
    assert set(kept) == set(possible)
    expected = 4000 / len(possible)
    assert all(0.5 * expected < count < 1.6 * expected for count in kept.values())


def test_open_hands_leave_only_the_order_of_the_bag_to_chance() -> None:
    game = game_of(with_open_hands(Rules.classic()), 3, seed=4)
    sample = game.view(None).sample(Random(1))
    assert sample.hands == game.hands
    assert sample.bag != game.bag
    assert sorted(sample.bag) == sorted(game.bag)
    assert Placement.parse(str(sample.table)) == game.deal.start_placement


def test_samples_are_found_even_if_much_drawing_leaves_few_possible_deals() -> None:
    """In this game, a first guess often leads to a dead end."""
    for game in states(VARIANTS["no draw limit"], 2, seed=5):
        sampler = Sampler(game.view(None))
        for seed in range(3):
            sample = sampler.sample(Random(seed))
            assert sample.view(None) == game.view(None)
            assert_same_state(Game.replay(sample.record), sample)
