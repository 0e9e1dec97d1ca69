"""What a placement earns, and what leftover tiles cost (rule 6.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chromino.rules import Scoring
from chromino.table import Table
from chromino.tiles import ALL_TILES, Kind, Placement, Tile

# In Expert and A, a tile's value is its number of colors. In B and C, it depends on the kind, and a chameleon is worth
# as much as a three-color tile.
_BY_COLORS = {Kind.ONE_COLOR: 1, Kind.PLAIN: 2, Kind.SYMMETRIC: 2, Kind.THREE_COLOR: 3, Kind.CHAMELEON: 3}
_BY_KIND = {Kind.ONE_COLOR: 1, Kind.PLAIN: 2, Kind.SYMMETRIC: 3, Kind.THREE_COLOR: 4, Kind.CHAMELEON: 4}
_VALUES = {"expert": _BY_COLORS, "a": _BY_COLORS, "b": _BY_KIND, "c": _BY_KIND}
_AS_LAID = {
    scoring: {way: values[tile.kind] for tile in ALL_TILES for way in tile.ways} for scoring, values in _VALUES.items()
}
"""The same values by a placement's colors. This is for speed: points are counted for every legal placement."""


def value(tile: Tile, scoring: Scoring) -> int:
    """What a tile is worth: 1 to 3 points in Expert and A, 1 to 4 in B and C.

    >>> value(Tile.parse("BRB"), "expert"), value(Tile.parse("BRB"), "b")
    (2, 3)
    """
    return _VALUES[scoring][tile.kind]


def points(table: Table, placement: Placement, scoring: Scoring) -> tuple[int, ...]:
    """The points that a placement would earn, as the terms of a sum.

    >>> points(Table.parse("RRR@0,0>"), Placement.parse("RRG@0,1>"), "expert")
    (2, 1)
    """
    return points_with(table, placement, table.neighbors(placement), scoring)


def points_with(
    table: Table, placement: Placement, neighbors: Sequence[tuple[int, bool]], scoring: Scoring
) -> tuple[int, ...]:
    """Like `points`, for callers that already have `table.neighbors(placement)`."""
    values, laid = _AS_LAID[scoring], table.laid
    own = values[placement.colors]
    if scoring in ("expert", "a"):  # Each tile that the placement touches counts once, however many contacts there are.
        touched = dict.fromkeys([index for index, _ in neighbors])
        return (own, *[values[laid[index].colors] for index in touched])
    parts = [(values[laid[index].colors], short) for index, short in neighbors]
    return tuple([own * other if short and scoring == "c" else own + other for other, short in parts])


def costs(hand: Iterable[Tile], scoring: Scoring) -> tuple[int, ...]:
    """What each tile left in hand costs at the end: nothing in Expert, its value in A, B and C.

    >>> costs([Tile.parse("RRR"), Tile.parse("BRB")], "b")
    (1, 3)
    """
    return tuple(0 if scoring == "expert" else value(tile, scoring) for tile in hand)
