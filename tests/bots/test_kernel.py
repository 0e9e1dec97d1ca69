"""Compares the kernel and its twin with the rules engine, move by move.

Without a compiler, the twin takes the kernel's place here too, and must pass the same tests.
"""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from chromino import ALL_TILES, Draw, Game, Pass, Place, Placement, Rules, Table, Tile
from chromino.bots import kernel
from chromino.bots.bot import placements
from chromino.bots.kernel import twin
from chromino.bots.kernel.slot_classes import CLASS_OF, WAYS
from chromino.bots.kernel.twin import share
from chromino.bots.worlds import inferred_world, shuffled_world
from tests.helpers import VARIANTS, assert_same_state, game_of, more, position, states


def engine_counts(game: Game) -> list[int]:
    return [len(game.table.placements(tile, game.rules)) for tile in ALL_TILES]


def replayed(game: Game, events: list[Placement | Tile | None]) -> list[Game]:
    """The states of a game after each of these events; the engine refuses illegal ones."""
    found = []
    for event in events:
        if isinstance(event, Placement):
            game = game.apply(Place(event))
        elif isinstance(event, Tile):
            assert event in game.bag
            bag = (event, *(tile for tile in game.bag if tile is not event))
            game = dataclasses.replace(game, bag=bag).apply(Draw())
        else:
            game = game.apply(Pass())
        found.append(game)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("name", VARIANTS)
def test_random_games_follow_the_rules_move_by_move(name: str) -> None:
    rules = VARIANTS[name]
    checked = 0
    for players in (1, 2, 3, 8):
        start = game_of(rules, players, seed=players)
        events, shares, margins, escaped = kernel.position(start).play_on(players)
        for game in replayed(start, events):
            if fits_window(game.table):
                assert kernel.position(game).counts() == engine_counts(game)
            checked += 1
        if not escaped:
            assert game.over
            assert shares == pytest.approx([share(game, seat) for seat in range(players)])
            assert margins == pytest.approx([twin.margin(game, seat) for seat in range(players)])
    assert checked > 50


def fits_window(table: Table) -> bool:
    squares = [square for placement in table.laid for square in placement.squares]
    return all(max(axis) - min(axis) < 50 for axis in zip(*squares, strict=True))


@pytest.mark.parametrize("name", VARIANTS)
def test_counts_are_right_after_each_placement(name: str) -> None:
    later = (game for seed in range(2, 9) for game in list(states(VARIANTS[name], 3, seed))[4:])
    game = next(game for game in later if len(game.actions()) > 1)
    places = placements(game.view(game.seat))
    before, after = kernel.counts_before_and_after(game, places)
    assert before == twin.Position(game).counts()
    assert after == twin.Position(game).counts_after(places)
    for place, counts in zip(places, after, strict=True):
        table = game.table.lay(place)
        assert counts == [len(table.placements(tile, game.rules)) for tile in ALL_TILES]


def test_slot_classes_are_right() -> None:
    assert len(CLASS_OF) == 15**3
    assert WAYS[0] == bytes(85)
    assert len(set(WAYS)) == len(WAYS) == 248


@pytest.mark.heavy
@pytest.mark.parametrize(
    "name",
    [
        "classic",
        "junior",
        "hands of two",
        *map(more, ("expert", "scoring_c", "one more turn")),
    ],
)
def test_playouts_agree_with_the_twin(name: str) -> None:
    """The two estimates differ by a few standard errors at most."""
    for players in (2, 3):
        game = next(game for game in list(states(VARIANTS[name], players, seed=6))[6:] if len(game.actions()) > 1)
        view = game.view(game.seat)
        places = placements(view)[:3]
        for deal in (shuffled_world, inferred_world):
            world = deal(view, Random(1))
            most = 4000 if kernel.COMPILED else 80  # Without a compiler, the twin is compared with itself.
            fast = kernel.playouts(world, places, seed=1, seconds=60, max_worlds=most, eliminate=False)
            slow, _ = twin.Position(world.game).playouts(places, world.hidden, world.may_be_in_bag, 1, 60, 40, False)
            for (n, total, squares, *_), (m, other, *_) in zip(fast, slow, strict=True):
                error = ((squares / n - (total / n) ** 2) * (1 / n + 1 / m)) ** 0.5
                assert abs(total / n - other / m) < 4.5 * error + 1e-9


@pytest.mark.parametrize("turn_cost", [0.0, 0.001])
def test_solo_turns_cost_the_same_in_the_kernel_and_its_twin(turn_cost: float) -> None:
    """Without a cost, the result is the plain chance of placing every tile."""
    view = game_of(Rules.preset("classic", hand_size=3), 1, seed=2).view(0)
    world = inferred_world(view, Random(1))
    most = 4000 if kernel.COMPILED else 100
    n, total, squares, *_ = kernel.prospects(world, 0, seed=1, max_worlds=most, turn_cost=turn_cost)
    slow = twin.Position(world.game, turn_cost)
    (m, other, *_), _ = slow.prospects(0, world.hidden, world.may_be_in_bag, 1, 60)
    error = ((squares / n - (total / n) ** 2) * (1 / n + 1 / m)) ** 0.5
    assert abs(total / n - other / m) < 4.5 * error
    assert (total == int(total)) == (turn_cost == 0)  # Without a cost, the total is a number of wins.


def test_playouts_are_repeatable_and_stop_at_their_limit() -> None:
    view = game_of(Rules.classic(), 2, seed=1, first=0).view(0)
    world = inferred_world(view, Random(1))
    places = placements(view)
    once = kernel.playouts(world, places, seed=5, seconds=60, max_worlds=20, eliminate=False)
    assert once == kernel.playouts(world, places, seed=5, seconds=60, max_worlds=20, eliminate=False)
    assert once != kernel.playouts(world, places, seed=6, seconds=60, max_worlds=20, eliminate=False)
    assert {played for played, *_ in once} == {20}


def test_playouts_return_an_answer_even_with_a_tiny_time_limit() -> None:
    view = game_of(Rules.classic(), 2, seed=1, first=0).view(0)
    world = inferred_world(view, Random(1))
    found = kernel.playouts(world, placements(view), seed=5, seconds=1e-9, max_worlds=10**9, eliminate=True)
    assert all(1 <= played <= 64 for played, *_ in found)


def test_stirring_respects_what_is_known() -> None:
    """No matter how often hidden tiles are swapped, a player who drew has no tile that they could have placed."""
    for game in states(Rules.preset("classic", draw_limit=2), 3, seed=8):
        view = game.view(0)
        world = inferred_world(view, Random(1))
        swapped, places = twin.with_hidden_tiles_swapped(world.game, world.hidden, world.may_be_in_bag, Random(2))
        everything = [*swapped.bag, *(tile for hand in swapped.hands for tile in hand)]
        assert sorted(everything) == sorted([*game.bag, *(tile for hand in game.hands for tile in hand)])
        assert all(place.tile in place.allowed for place in places)
        assert set(swapped.bag) <= world.may_be_in_bag
        assert swapped.hands[0] == world.game.hands[0]
        assert list(map(len, swapped.hands)) == list(map(len, game.hands))


def test_tables_larger_than_the_window_are_left_to_the_twin() -> None:
    line = " ".join(f"RRR@{x},0>" for x in range(0, 60, 3))
    game = position(line, ["RRG BBB", "RRB YYY"], bag="GGG")
    assert isinstance(kernel.position(game), twin.Position)
    places = placements(game.view(0))
    assert kernel.counts_before_and_after(game, places)[1] == twin.Position(game).counts_after(places)
    world = shuffled_world(game.view(0), Random(1))
    assert kernel.playouts(world, places[:2], seed=1, seconds=60, max_worlds=3, eliminate=False)[0][0] == 3


def test_a_game_that_leaves_the_window_is_finished_by_the_twin() -> None:
    """The table reaches the edge of the window, so some placements fall outside the window."""
    line = " ".join(f"RRR@{x},0>" for x in range(0, 54, 3))
    game = position(line, ["RRG RRB", "RRY YYY"], bag="GGG")
    places = placements(game.view(0))
    ends = [place for place in places if place.x < 0 or place.x > 51]
    assert ends
    _, counts = kernel.counts_before_and_after(game, ends)
    assert counts == twin.Position(game).counts_after(ends)
    found = kernel.playouts(
        shuffled_world(game.view(0), Random(1)), ends, seed=1, seconds=60, max_worlds=5, eliminate=False
    )
    assert all(played >= 1 for played, *_ in found)


def test_several_threads_can_play_at_once() -> None:
    view = game_of(Rules.classic(), 4, seed=1, first=0).view(0)
    world = inferred_world(view, Random(1))

    def work(seed: int) -> object:
        return kernel.playouts(world, placements(view), seed=seed, seconds=60, max_worlds=30, eliminate=False)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(work, range(8)))
    assert together == [work(seed) for seed in range(8)]


def test_worlds_agree_with_the_view() -> None:
    for players in (1, 2, 5):
        for game in states(Rules.classic(), players, seed=3):
            view = game.view(game.seat)
            shuffled = shuffled_world(view, Random(1)).game
            assert shuffled.hands[game.seat] == game.hands[game.seat]
            assert shuffled.scores == game.scores
            assert (shuffled.first_out, shuffled.over, shuffled.turns) == (game.first_out, game.over, game.turns)
            assert sorted(shuffled.bag + sum(shuffled.hands, ())) == sorted(game.bag + sum(game.hands, ()))
            inferred = inferred_world(view, Random(1)).game
            assert_same_state(Game.replay(inferred.record), inferred)
