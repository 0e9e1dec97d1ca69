"""Is a conundrum valid, according to the oracle rather than the engine?"""

from __future__ import annotations

from chromino import Table
from chromino.conundrum import Conundrum
from tests.oracle import Oracle


def assert_real(conundrum: Conundrum) -> None:
    """Legal placements, each tile once, none of the tiles to place on the table, and the same places as the oracle."""
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
