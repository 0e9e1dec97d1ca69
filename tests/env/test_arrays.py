"""The arrays show what a view shows, and nothing more."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box

from chromino import Action, Draw, Drew, Pass, Passed, Place, Placement, Rules, Tile, View
from chromino.env import (
    ACTION,
    COLOR,
    PLAYER,
    RULES,
    TABLE,
    TILES,
    TURN,
    TURN_PAGE,
    ChrominoEnv,
    Observation,
    table_grid,
)
from chromino.env.arrays import arrays_space
from chromino.scoring import points
from tests.env.playing import played
from tests.helpers import VARIANTS, with_open_hands

LETTERS = {number: letter for letter, number in COLOR.items()}


def placement(colors: Any, x: int, y: int, down: int) -> Placement:
    return Placement("".join(LETTERS[int(color)] for color in colors), int(x), int(y), bool(down))


def action(row: Any) -> Action:
    if row[ACTION.KIND] == 1:
        colors = row[[ACTION.FIRST, ACTION.MIDDLE, ACTION.LAST]]
        laid = placement(colors, row[ACTION.X], row[ACTION.Y], row[ACTION.DOWN])
        assert TILES[row[ACTION.TILE] - 1] is laid.tile
        return Place(laid)
    assert not row[1:].any()
    forced: dict[int, Action] = {2: Draw(), 3: Pass()}
    return forced[int(row[ACTION.KIND])]


def tiles(flags: Any) -> set[Tile]:
    return {TILES[number] for number in np.flatnonzero(flags)}


def assert_agrees(seen: Observation, view: View) -> None:
    """Compare every array with the view, the slow way."""
    parts, seats, me = seen["observation"], len(view.players), view.me
    assert me is not None
    around = [(me + place) % seats for place in range(seats)]

    rows = parts["actions"][parts["actions"][:, ACTION.KIND] > 0]
    assert [action(row) for row in rows] == list(view.actions)
    assert seen["action_mask"].sum() == len(view.actions)
    assert seen["action_mask"][: len(view.actions)].all()
    for row, possible in zip(rows, view.actions, strict=True):
        if isinstance(possible, Place):
            scoring = view.rules.scoring
            assert row[ACTION.CONTACTS] == len(view.table.contacts(possible.placement))
            assert row[ACTION.POINTS] == (sum(points(view.table, possible.placement, scoring)) if scoring else 0)

    laid = parts["table"][: len(view.table)]
    assert not parts["table"][len(view.table) :].any()
    assert tuple(placement(row[1:4], *row[4:7]) for row in laid) == view.table.laid
    placed_by = {event.placement: event.seat for event in view.log if not isinstance(event, Drew | Passed)}
    assert laid[0, TABLE.BY] == 0
    assert [around[row[TABLE.BY] - 1] for row in laid[1:]] == [placed_by[laid] for laid in view.table.laid[1:]]

    assert [tiles(flags) for flags in parts["hands"]] == [set(view.hands[seat] or ()) for seat in around]
    known = {laid.tile for laid in view.table.laid} | {tile for hand in view.hands for tile in hand or ()}
    assert tiles(parts["unseen"]) == set(view.rules.tiles) - known

    players = parts["players"]
    assert players[:, PLAYER.TILES].tolist() == [view.hand_sizes[seat] for seat in around]
    assert players[:, PLAYER.POINTS].tolist() == [view.scores[seat] for seat in around]
    assert players[:, PLAYER.BEGAN].tolist() == [int(seat == view.first) for seat in around]
    assert players[:, PLAYER.MOVES].tolist() == [int(seat == view.seat) for seat in around]
    assert players[:, PLAYER.STUCK].tolist() == [stuck(view, seat) for seat in around]
    drawn = 0 if view.drawn is None else 1 + TILES.index(view.drawn)
    pages = int(bool(view.actions))
    turn = [view.bag_count, len(view.table), view.draws, drawn, 0, pages, int(view.over)]
    assert parts["turn"].tolist() == turn


def stuck(view: View, seat: int) -> int:
    """How many tiles were on the table when the seat last drew or passed."""
    found, laid = 0, 1
    for event in view.log:
        if isinstance(event, Drew | Passed):
            found = laid if event.seat == seat else found
        else:
            laid += 1
    return found


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_match_views(variant: str, players: int) -> None:
    env = ChrominoEnv(VARIANTS[variant], players)
    for state in played(env, seed=players):
        for seat, agent in enumerate(env.possible_agents):
            assert_agrees(env.observe(agent), state.game.view(seat))
        assert env.observation_space(agent).contains(env.last()[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_hidden_tiles_make_no_difference_to_observations(variant: str) -> None:
    env = ChrominoEnv(VARIANTS[variant], 3)
    for number, state in enumerate(played(env, seed=5)):
        if number % 4 == 0:
            for agent in env.possible_agents:
                other = state.sample(agent, seed=number)
                np.testing.assert_equal(other.observe(agent), state.observe(agent))
                assert other.game.view(env.possible_agents.index(agent)) == state.game.view(
                    env.possible_agents.index(agent)
                )


@pytest.mark.parametrize("size", [1, 8, 33, 120])
def test_a_grid_shows_every_square(size: int) -> None:
    env = ChrominoEnv("junior", 4)
    *_, _end = played(env, seed=2)
    table = env.game.table
    grid, left, top = table_grid(env.last()[0]["observation"], size)
    for x in range(size):
        for y in range(size):
            color = table.color_at((left + x, top + y))
            assert grid[y, x] == (COLOR[color] if color else 0)
    if size == 120:
        assert np.count_nonzero(grid) == 3 * len(table)
        ys, xs = map(np.unique, np.nonzero(grid))
        assert abs(xs[0] - (size - 1 - xs[-1])) <= 1
        assert abs(ys[0] - (size - 1 - ys[-1])) <= 1


def test_samples_differ_in_what_is_hidden() -> None:
    env = ChrominoEnv()
    env.reset(seed=1)
    assert len({env.sample("player_0", seed).game for seed in range(5)}) == 5


@pytest.mark.parametrize("variant", VARIANTS)
def test_different_rules_have_different_numbers(variant: str) -> None:
    def numbers(rules: Rules) -> list[int]:
        env = ChrominoEnv(rules)
        env.reset(seed=1)
        found: list[int] = env.last()[0]["observation"]["rules"].tolist()
        return found

    rules = VARIANTS[variant]
    mine = numbers(rules)
    assert all((numbers(other) == mine) == (other == rules) for other in VARIANTS.values())
    assert mine[RULES.DRAW_LIMIT] == (rules.draw_limit or 0)


def test_the_numbers_for_rules_have_kept_their_order_since_version_1_0() -> None:
    assert len(RULES) == len(fields(Rules))
    assert (RULES.CHAMELEONS, RULES.DRAW_LIMIT, RULES.ENDS, RULES.ENDING) == (0, 2, 4, 6)
    for rules, numbers in {
        Rules.classic(): [1, 8, 1, 0, 0, 0, 0],
        Rules.junior(): [1, 8, 1, 0, 1, 0, 0],
        Rules.expert(): [1, 8, 1, 0, 0, 1, 0],
        Rules.scoring_c(): [0, 8, 1, 0, 0, 4, 2],
        with_open_hands(Rules.preset("classic", draw_limit=None, hand_size=9, ending="one_more_turn")): [
            1,
            9,
            0,
            1,
            0,
            0,
            1,
        ],
        Rules.preset("classic", draw_limit=81): [1, 8, 0, 0, 0, 0, 0],
    }.items():
        env = ChrominoEnv(rules)
        env.reset(seed=1)
        seen = env.last()[0]["observation"]["rules"]
        assert (seen.tolist(), seen.dtype) == (numbers, np.int16)
        space = arrays_space(rules, 2)["rules"]
        assert isinstance(space, Box)
        assert space.low.tolist() == [0, 1, 0, 0, 0, 0, 0]
        assert space.high.tolist() == [1, 80, 80, 1, 1, 4, 2]


def test_a_very_long_table_fits_in_the_observation() -> None:
    env = ChrominoEnv(Rules.preset("junior", hand_size=9), 8)
    env.reset(seed=1)
    while not env.game.over:
        rows = env.last()[0]["observation"]["actions"][: len(env.legal)]
        env.step(int(rows[:, ACTION.X].argmax()))
        assert env.observation_space("player_0").contains(env.observe("player_0"))
    table = env.last()[0]["observation"]["table"]
    laid = table[table[:, TABLE.TILE] > 0]
    assert laid[:, TABLE.X].max() > 120
    assert tuple(placement(row[1:4], *row[4:7]) for row in laid) == env.game.table.laid


def crowded() -> ChrominoEnv:
    """An environment with all tiles in one hand, so that there are more places than an observation has rows."""
    env = ChrominoEnv(Rules.preset("junior", hand_size=79), 1)
    env.reset(seed=1)
    return env


def test_pages_show_every_legal_action_and_wrap_around_once() -> None:
    env = crowded()
    everything = env.game.actions()
    assert len(everything) > TURN_PAGE
    pages = int(env.last()[0]["observation"]["turn"][TURN.PAGES])
    for turned in range(2 * pages):
        seen = env.last()[0]
        assert env.observation_space("player_0").contains(seen)
        assert seen["observation"]["turn"][TURN.TURNED] == turned
        count = len(env.legal)
        first = turned % pages * TURN_PAGE
        assert [action(row) for row in seen["observation"]["actions"][:count]] == everything[first : first + count]
        assert seen["action_mask"].sum() == count + (turned < 2 * pages - 1)
        if turned < 2 * pages - 1:
            env.step(TURN_PAGE)
    assert everything[-1] in env.legal
    before = env.game
    with pytest.raises(ValueError, match="action 255 isn't possible for player_0: the mask allows 0 to"):
        env.step(TURN_PAGE)
    env.step(env.number(everything[-1]))
    assert env.game == before.apply(everything[-1])
    assert env.last()[0]["observation"]["turn"][TURN.TURNED] == 0


def test_number_finds_an_action_on_another_page() -> None:
    env = crowded()
    wanted = env.game.actions()[-1]
    steps = 0
    while env.game.log == ():
        env.step(env.number(wanted))
        steps += 1
    assert env.game.log[0].action == wanted
    assert steps == 2
