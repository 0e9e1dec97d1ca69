"""Bitboards: find every legal place for a tile with a few operations on big integers.

A board is an integer with one bit per square. All boards of a table share a frame: rows of `stride` bits, so shifting
by 1 moves one square right, and shifting by `stride` moves one row down. The frame keeps a margin around the tiles,
wide enough that a tile touching one of them can't wrap into the next row.

There's a board for the squares that share at least one edge with a tile, one for those that share at least two, and one
for each color, with the squares where that color can go because they're free and not next to another color. A tile
`abc` then fits across at every bit of

    reach & open[a] & open[b] >> 1 & open[c] >> 2

where `reach` has a bit for each place where a tile, whatever its colors, would have at least two contacts. This repeats
rules 4.1 to 4.4 for speed; `Table.refusal` is slower, but says why a placement isn't allowed. Tests make sure that the
two agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from chromino.tiles import COLORS, WILD, Placement, Tile

_MARGIN = 4  # A tile that touches another extends up to three squares beyond it, and its neighbors one more.
_SPARE = 20  # Free squares on each side of a new frame, so that most games never need a second frame.


class _Frame(NamedTuple):
    """Says which bit stands for which square."""

    left: int
    top: int
    stride: int
    rows: int

    @classmethod
    def enclosing(cls, placements: Iterable[Placement]) -> _Frame:
        squares = [square for placement in placements for square in placement.squares]
        columns, rows = zip(*squares, strict=True)
        left, top = min(columns) - _SPARE, min(rows) - _SPARE
        return cls(left, top, max(columns) + _SPARE - left + 1, max(rows) + _SPARE - top + 1)

    def has_room_for(self, placement: Placement) -> bool:
        _, x, y, down = placement
        column, row = x - self.left, y - self.top
        last_column, last_row = (column, row + 2) if down else (column + 2, row)
        return min(column, row) >= _MARGIN and last_column + _MARGIN < self.stride and last_row + _MARGIN < self.rows

    def bit(self, x: int, y: int) -> int:
        return (y - self.top) * self.stride + x - self.left


class _Stamp(NamedTuple):
    """The bits that one tile adds to the boards; bit 0 is one row above its first square."""

    neighbors: int
    """The eight squares that share an edge with the tile."""
    blocked: Mapping[str, int]
    """For each color, the squares where it can't go because of this tile."""


@lru_cache(maxsize=4096)
def _stamp(colors: str, down: bool, stride: int) -> _Stamp:
    step, side = (stride, 1) if down else (1, stride)
    squares = [stride + step * n for n in range(3)]
    ends = [(squares[0] - step, colors[0]), (squares[2] + step, colors[2])]
    sides = [(square + shift, color) for square, color in zip(squares, colors, strict=True) for shift in (-side, side)]
    body = sum(1 << square for square in squares)
    blocked = {
        new_color: body | sum(1 << square for square, color in ends + sides if color not in (new_color, WILD))
        for new_color in COLORS
    }
    return _Stamp(sum(1 << square for square, _ in ends + sides), blocked | {WILD: body})


class _Lines(NamedTuple):
    """The boards for one direction. Each has a bit for the first square of every place where a given color can be the
    tile's first, middle or last square. The places of a tile are the AND of three of these boards; `first` also makes
    sure that there are two contacts."""

    down: bool
    first: Mapping[str, int]
    middle: Mapping[str, int]
    last: Mapping[str, int]


class Boards:
    """The boards of one table. They're immutable; `with_tile` returns new ones."""

    __slots__ = ("_frame", "_lines", "_near", "_near_two", "_open")

    def __init__(self, frame: _Frame, near: int, near_two: int, open_to: Mapping[str, int]) -> None:
        self._frame = frame
        self._near = near  # The squares that share at least one edge with a tile.
        self._near_two = near_two  # The squares that share at least two.
        self._open = open_to  # For each color, the squares where it can go.
        self._lines: tuple[_Lines, _Lines] | None = None

    @classmethod
    def of(cls, placements: Iterable[Placement]) -> Boards:
        """Boards in a new frame around these placements (at least one)."""
        placements = list(placements)
        frame = _Frame.enclosing(placements)
        boards = cls(frame, 0, 0, dict.fromkeys(COLORS + WILD, (1 << frame.stride * frame.rows) - 1))
        for placement in placements:
            boards = boards._stamped(placement)
        return boards

    def with_tile(self, placement: Placement, before: Iterable[Placement]) -> Boards:
        """The boards after `placement`; `before` lists the earlier placements, in case the frame has to grow."""
        if self._frame.has_room_for(placement):
            return self._stamped(placement)
        return Boards.of([*before, placement])

    def _stamped(self, placement: Placement) -> Boards:
        colors, x, y, down = placement
        frame = self._frame
        stamp = _stamp(colors, down, frame.stride)
        corner = frame.bit(x, y - 1)
        neighbors = stamp.neighbors << corner
        return Boards(
            frame,
            self._near | neighbors,
            self._near_two | self._near & neighbors,
            # `a ^ (a & b)` is `a & ~b` without negative numbers, which take Python twice as long.
            {color: board ^ (board & stamp.blocked[color] << corner) for color, board in self._open.items()},
        )

    def places(self, tile: Tile) -> list[Placement]:
        """Every legal placement of the tile: across, then down. In each direction, the tile as written comes before its
        reverse, each row by row."""
        left, top, stride, _ = self._frame
        placements: list[Placement] = []
        for down, first, middle, last in self._lines or self._make_lines():
            for a, b, c in tile.ways:
                bits = first[a] & middle[b] & last[c]
                while bits:
                    lowest = bits & -bits
                    row, column = divmod(lowest.bit_length() - 1, stride)
                    placements.append(tuple.__new__(Placement, (a + b + c, column + left, row + top, down)))
                    bits ^= lowest
        return placements

    def allows(self, placement: Placement) -> bool:
        """Is this placement legal? This is faster than finding all `places` of its tile, or explaining why not."""
        (a, b, c), x, y, down = placement
        left, top, stride, _ = self._frame
        if x < left or x + 2 >= left + stride or y < top:
            return False
        first, step = self._frame.bit(x, y), stride if down else 1
        second, third = first + step, first + 2 * step
        open_to, near, two = self._open, self._near, self._near_two
        if not (open_to[a] >> first & open_to[b] >> second & open_to[c] >> third & 1):
            return False
        contacts = (near >> first & 1) + (near >> second & 1) + (near >> third & 1)
        return contacts > 1 or bool((two >> first | two >> second | two >> third) & 1)

    def fits(self, tile: Tile) -> bool:
        """Does the tile have any legal placement?"""
        for _, first, middle, last in self._lines or self._make_lines():
            for a, b, c in tile.ways:
                if first[a] & middle[b] & last[c]:
                    return True
        return False

    def _make_lines(self) -> tuple[_Lines, _Lines]:
        """Compute the lines for both directions; called on first use."""
        self._lines = self._lines_along(False, 1), self._lines_along(True, self._frame.stride)
        return self._lines

    def _lines_along(self, down: bool, step: int) -> _Lines:
        near, two, open_to = self._near, self._near_two, self._open
        near_1, near_2 = near >> step, near >> 2 * step
        reach = two | two >> step | two >> 2 * step | near & near_1 | near & near_2 | near_1 & near_2
        return _Lines(
            down,
            {color: reach & open_to[color] for color in COLORS},
            {color: board >> step for color, board in open_to.items()},
            {color: open_to[color] >> 2 * step for color in COLORS},
        )
