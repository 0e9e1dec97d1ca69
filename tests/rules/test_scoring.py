"""Rule 6.4: points."""

from __future__ import annotations

import pytest

from chromino import ALL_TILES, Kind, Placement, Table, Tile
from chromino.rules import Scoring
from chromino.scoring import costs, points, value
from tests.helpers import tiles

pytestmark = pytest.mark.rules


def earned(table: str, placement: str, scoring: Scoring) -> tuple[int, ...]:
    laid, placed = Table.parse(table), Placement.parse(placement)
    assert laid.refusal(placed) is None
    return points(laid, placed, scoring)


@pytest.mark.parametrize("scoring", ["expert", "a"])
def test_6_4_expert_values_are_the_number_of_colors(scoring: Scoring) -> None:
    for tile in ALL_TILES:
        expected = 3 if tile.is_chameleon else len(set(tile.colors))
        assert value(tile, scoring) == expected


@pytest.mark.parametrize("scoring", ["b", "c"])
def test_6_4_b_and_c_values_depend_on_the_kind(scoring: Scoring) -> None:
    expected = {Kind.ONE_COLOR: 1, Kind.PLAIN: 2, Kind.SYMMETRIC: 3, Kind.THREE_COLOR: 4, Kind.CHAMELEON: 4}
    assert all(value(tile, scoring) == expected[tile.kind] for tile in ALL_TILES)


@pytest.mark.parametrize("scoring", ["expert", "a"])
def test_6_4_expert_counts_every_tile_you_touch_once(scoring: Scoring) -> None:
    assert earned("RRR@0,0>", "RRG@1,1>", scoring) == (2, 1)  # Two contacts with one tile count it once.
    assert earned("GBR@0,0>", "BRY@1,1>", scoring) == (3, 3)
    assert earned("RRR@0,0> RBB@3,0>", "RRB@2,1>", scoring) == (2, 1, 2)


def test_6_4_b_adds_the_two_squares_of_each_contact() -> None:
    assert earned("RRR@0,0>", "RRG@1,1>", "b") == (3, 3)
    assert earned("R*G@0,0> YPB@3,2v", "GYP@2,1v", "b") == (8, 8, 8)
    assert earned("GRB@-3,0> PRB@0,-3v", "BRB@0,0>", "b") == (7, 7)


def test_6_4_c_multiplies_at_the_short_edges_of_the_placed_tile() -> None:
    assert earned("RRR@0,0>", "RRG@1,1>", "c") == (3, 3)
    assert earned("R*G@0,0> YPB@3,2v", "GYP@2,1v", "c") == (16, 8, 8)
    # The upper tile touches with its own short edge, but at a long edge of the placed one: a sum.
    assert earned("GRB@-3,0> PRB@0,-3v", "BRB@0,0>", "c") == (12, 7)


def test_6_4_leftover_tiles_cost_their_value_only_in_a_b_and_c() -> None:
    hand = tiles("RRR BBR BRB GBR G*R")
    assert costs(hand, "a") == (1, 2, 2, 3, 3)
    assert costs(hand, "b") == costs(hand, "c") == (1, 2, 3, 4, 4)
    assert costs(hand, "expert") == (0, 0, 0, 0, 0)
    assert costs([], "a") == ()


def test_6_4_a_chameleon_counts_as_three_colors() -> None:
    assert value(Tile.parse("Y*R"), "expert") == 3
    assert value(Tile.parse("Y*R"), "c") == 4
