"""The bitboards' frame: nothing is lost or wrapped around when a table grows past its edge, square by square."""

from __future__ import annotations

from itertools import product

import pytest

from chromino import IllegalPlacement, Placement, Table, Tile
from tests.oracle import Oracle

pytestmark = pytest.mark.rules

TILES = [Tile.parse(text) for text in ("RRR", "RRG", "GRG", "G*R")]


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1)], ids=["right", "left", "down", "up"])
@pytest.mark.parametrize("down", [False, True], ids=["across", "down"])
def test_boards_grow_square_by_square(dx: int, dy: int, down: bool) -> None:
    """Tiles side by side, or end to end, far beyond the first frame."""
    step = 3 if (dx != 0) != down else 1
    table = Table()
    for number in range(24 if step == 1 else 10):
        table = table.lay(Placement("RRR", dx * step * number, dy * step * number, down))
        oracle, tile = Oracle(str(table)), TILES[number % len(TILES)]
        expected = oracle.placements(str(tile))
        assert {str(placement) for placement in table.placements(tile)} == expected
        assert table.fits(tile) == bool(expected)


def test_boards_grow_back_and_forth() -> None:
    """Tiles alternate between two sides, so they keep leaving the frame."""
    table = Table()
    for number in range(16):
        side = 3 * number * (-1) ** number
        table = table.lay(Placement("GRR", side, 2 * side, number % 3 == 0))
    oracle = Oracle(str(table))
    for tile in TILES:
        assert {str(placement) for placement in table.placements(tile)} == oracle.placements(str(tile))


@pytest.mark.parametrize("dx", [1, -1])
def test_boards_grow_in_steps(dx: int) -> None:
    """A staircase with two tiles in each step: one pair ends exactly at the frame's edge, with places beyond it."""
    table = Table()
    for number in range(25):
        for row in (2 * number, 2 * number + 1):
            table = table.lay(Placement("RRR", dx * number, row, down=False))
        if number > 18:
            oracle = Oracle(str(table))
            assert {str(placement) for placement in table.placements(TILES[0])} == oracle.placements("RRR")


@pytest.mark.parametrize("text", ["GRR@0,0>", "GRR@0,0> RRG@1,1v RYR@3,0v", "RRR@0,0> RRG@16,0> GRG@-16,0v"])
def test_exactly_the_placements_found_are_legal(text: str) -> None:
    """Tries every place around the tiles, and beyond the frame on every side."""
    table = Table.parse(text)
    for tile in TILES:
        places = set(table.placements(tile))
        for colors, x, y, down in product(tile.ways, range(-42, 43), [*range(-25, -16), *range(-5, 8)], (False, True)):
            placement = Placement(colors, x, y, down)
            if placement in places:
                table.place(placement)
            else:
                with pytest.raises(IllegalPlacement):
                    table.place(placement)
