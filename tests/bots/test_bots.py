"""Bots play every variant, use only what their seat may see, and say clearly what they can't do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from chromino import Draw, Place, Rules
from chromino.bots import BOTS, Bot, BotError, Playouts, estimate, find, kernel
from chromino.bots.awkward import awkward
from chromino.bots.features import features
from chromino.bots.linear import WEIGHTS, family
from tests.helpers import VARIANTS, game_of, position, states, unseen, with_open_hands, with_swapped_tiles

LEVELS = [bot for bot in BOTS if bot.level]
# The same bots with a fixed number of playouts: just as good for these tests, and reproducible on any machine.
REPRODUCIBLE = [
    *(bot for bot in BOTS if not isinstance(bot.pick, Playouts)),
    Bot("few", "", Playouts(worlds=4)),
    Bot("few without inference", "", Playouts(worlds=4, inference=False, eliminate=False)),
]


def test_bots_can_be_found_by_name_or_level() -> None:
    assert [bot.level for bot in LEVELS] == [1, 2, 3, 4, 5]
    assert len({bot.name for bot in BOTS}) == len(BOTS)
    assert all(bot.about.endswith(".") for bot in BOTS)
    for bot in BOTS:
        assert find(bot.name) is bot
        assert bot.level is None or find(bot.level) is find(str(bot.level)) is bot
    assert find("MC40").name == "mc40"


@pytest.mark.parametrize("name", ["", "6", "0", "None", "stockfish", None])
def test_an_unknown_bot_is_refused(name: Any) -> None:
    with pytest.raises(BotError, match="choose from 1 or snail, 2 or hedgehog"):
        find(name)


@pytest.mark.heavy
@pytest.mark.parametrize("players", [1, 3, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("bot", REPRODUCIBLE, ids=lambda bot: bot.name)
def test_every_bot_plays_every_variant_to_the_end(bot: Bot, name: str, players: int) -> None:
    rng = Random(players)
    game = game_of(VARIANTS[name], players, seed=players)
    while not game.over:
        game = game.apply(bot.choose(game.view(game.seat), rng))
    assert game.log


@pytest.mark.parametrize("bot", LEVELS, ids=lambda bot: bot.name)
def test_every_level_plays_a_game_at_full_strength(bot: Bot) -> None:
    game = game_of(Rules.expert(), 3, seed=bot.level or 0)
    rng = Random(1)
    while not game.over:
        game = game.apply(bot.choose(game.view(game.seat), rng))
    assert game.winners


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["classic", "expert", "no draw limit", "junior", "hands of two"])
@pytest.mark.parametrize("bot", REPRODUCIBLE, ids=lambda bot: bot.name)
def test_hidden_tiles_do_not_change_a_bots_choice(bot: Bot, name: str) -> None:
    """Hidden tiles are swapped; given the same random numbers, the bot must still choose the same action."""
    rng = Random(4)
    compared = 0
    for game in states(VARIANTS[name], 3, seed=5):
        if len(game.actions()) > 1:
            hidden = unseen(game, game.seat)
            other = with_swapped_tiles(game, dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True)))
            choice = bot.choose(game.view(game.seat), Random(9))
            assert bot.choose(other.view(game.seat), Random(9)) == choice
            compared += 1
    assert compared > 0


def test_a_bot_asked_at_the_wrong_time_says_so() -> None:
    *_, over = states(Rules.classic(), 2, seed=1)
    for bot in LEVELS:
        with pytest.raises(BotError, match="the game is over"):
            bot.choose(over.view(0), Random(1))
        game = game_of(Rules.classic(), 2, seed=1, first=0)
        with pytest.raises(BotError, match="it's seat 0's turn"):
            bot.choose(game.view(1), Random(1))
        with pytest.raises(BotError, match="it's seat 0's turn"):
            bot.choose(game.view(None), Random(1))


@pytest.mark.parametrize("budget", [{"seconds": 0}, {"seconds": -1}, {"worlds": 0}, {"seconds": float("nan")}])
def test_an_empty_budget_is_refused(budget: Any) -> None:
    with pytest.raises(BotError, match="playouts need more than 0 seconds and at least 1 world"):
        Playouts(**budget)


def test_forced_actions_need_no_thought() -> None:
    drawing = position("RRR@0,0>", ["BBB", "YYY"], bag="GGG")
    for bot in BOTS:
        assert bot.choose(drawing.view(0), Random(1)) == Draw()


def test_the_snail_keeps_its_chameleons_and_places_its_most_awkward_tile() -> None:
    game = position("RRR@0,0> RGB@0,2v", ["RRR RRG G*R", "BBB"], bag="YYY")
    action = find(1).choose(game.view(0), Random(1))
    assert isinstance(action, Place)
    options = {tile: len(game.table.placements(tile)) for tile in game.hand(0) if not tile.is_chameleon}
    assert options[action.placement.tile] == min(options.values())
    assert awkward(game.view(0), [action.placement], Random(1)) == action.placement


def test_the_hedgehog_blocks_an_open_hand() -> None:
    """The hedgehog sees the next player's hand, and leaves room for as few of those tiles as possible."""
    for game in states(with_open_hands(Rules.classic()), 2, seed=7):
        if len(game.actions()) > 1:
            action = find(2).choose(game.view(game.seat), Random(1))
            assert isinstance(action, Place)
            other = game.hand(1 - game.seat)
            left = {
                place: sum(game.table.lay(place.placement).fits(tile) for tile in other)
                for place in game.actions()
                if isinstance(place, Place)
            }
            assert left[action] == min(left.values())


def test_features_describe_the_table_after_a_placement() -> None:
    game = position("RRR@0,0>", ["RRG BBB", "RRB"], bag="YYY PPP")
    view = game.view(0)
    places = [action.placement for action in game.actions() if isinstance(action, Place)]
    for place, numbers in zip(places, features(view, places), strict=True):
        table = game.table.lay(place)
        assert numbers.next_placeable == table.fits(game.hand(1)[0])  # Bob's last tile is open.
        assert numbers.next_stuck == 1 - numbers.next_placeable
        assert numbers.mine_stuck == (not table.fits(game.hand(0)[1]))
        assert numbers.plain == 1
        assert numbers.points == 0
    assert features(position("RRR@0,0>", ["RRG", "GGG"], rules=Rules.expert()).view(0), places[:1])[0].points == 0.3


def test_every_variant_has_weights() -> None:
    for rules in VARIANTS.values():
        for players in (1, 2, 3):
            assert family(game_of(rules, players, seed=1).view(0)) in WEIGHTS


def test_playouts_find_the_placement_that_blocks_the_last_tile() -> None:
    """The opponent's last tile is open. If some placements leave no room for that tile, playouts choose one of them."""
    found = 0
    for seed in range(40):
        for game in states(Rules.preset("classic", hand_size=3), 2, seed):
            other = game.hand(1 - game.seat)
            places = [action.placement for action in game.actions() if isinstance(action, Place)]
            if len(other) == 1 and not other[0].is_chameleon and len(places) > 1 and len(game.hand(game.seat)) > 2:
                blocks = {place for place in places if not game.table.lay(place).fits(other[0])}
                if blocks and len(blocks) < len(places):
                    judge = Bot("judge", "", Playouts(worlds=2000, eliminate=False))
                    action = judge.choose(game.view(game.seat), Random(1))
                    assert isinstance(action, Place)
                    assert action.placement in blocks
                    found += 1
    assert found > 3


def test_estimates_are_sorted_and_come_with_errors() -> None:
    game = game_of(Rules.expert(), 3, seed=3, first=0)
    found = estimate(game.view(0), seconds=0.05, seed=2)
    assert {one.placement for one in found} == {
        action.placement for action in game.actions() if isinstance(action, Place)
    }
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
    for one in found:
        assert 0 <= one.value <= 1
        assert one.playouts > 0
        assert 0 <= one.error < 0.5
        assert one.margin_error >= 0
    with pytest.raises(BotError, match="more than 0 seconds"):
        estimate(game.view(0), seconds=0)
    with pytest.raises(BotError, match="nothing to choose"):
        estimate(game.view(1), seconds=0.1)


def test_without_a_compiler_the_tuned_sum_replaces_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "COMPILED", False)
    view = game_of(Rules.classic(), 2, seed=1, first=0).view(0)
    assert find(5).choose(view, Random(1)) == find(3).choose(view, Random(1))
    assert all(one.playouts > 0 for one in estimate(view, seconds=0.001))
