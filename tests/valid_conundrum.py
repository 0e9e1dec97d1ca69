"""Checks that a conundrum is valid, and that the oracle agrees with its solutions."""

from __future__ import annotations

from chromino import Table
from chromino.conundrum import Conundrum
from tests.oracle import Oracle


def assert_valid(conundrum: Conundrum) -> None:
    """The table is legal, every tile is there only once, and the solutions are the places that the oracle finds."""
    first, *rest = conundrum.table.laid
    table = Table().lay(first)
    for placement in rest:
        assert table.refusal(placement) is None
        table = table.place(placement)
    tiles = [placement.tile for placement in conundrum.table.laid]
    assert len(set(tiles)) == len(tiles)
    assert not set(tiles) & set(conundrum.tiles)
    for tile, places in conundrum.solutions.items():
        assert set(map(str, places)) == Oracle(str(conundrum.table)).placements(str(tile))
