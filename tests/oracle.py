"""A second opinion on legal placements: slow, obvious, and written from the rules, not from the engine.

The table is a dict of coordinates. Colors are letters, and `*` is wild. Tiles on the table are strings like `GRR@1,1>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Laid = dict[tuple[int, int], tuple[str, int]]
"""For each square, its color and the number of its tile."""

Slot = tuple[tuple[int, int], ...]
"""Three squares in a row."""


class Oracle:
    """One table, studied the slow way."""

    def __init__(self, table: str) -> None:
        self.squares: Laid = {}
        self.directions: list[str] = []
        for number, word in enumerate(table.split()):
            colors, x, y, direction = re.fullmatch(r"(...)@(-?\d+),(-?\d+)([>v])", word).groups()  # type: ignore[union-attr]
            for square, color in zip(slot(int(x), int(y), direction), colors, strict=True):
                assert square not in self.squares
                self.squares[square] = color, number
            self.directions.append(direction)

    def placements(self, tile: str, junior: bool = False) -> set[str]:
        """Every legal placement of a tile, as strings, by trying each place near the table."""
        return {
            text(colors, squares)
            for squares in self.slots()
            for colors in {tile, tile[::-1]}
            if self.is_legal(colors, squares, junior)
        }

    def slots(self) -> Iterator[Slot]:
        """Every three squares in a row in a box around the table."""
        xs, ys = [x for x, _ in self.squares], [y for _, y in self.squares]
        for y in range(min(ys) - 3, max(ys) + 4):
            for x in range(min(xs) - 3, max(xs) + 4):
                for direction in ">v":
                    yield slot(x, y, direction)

    def is_legal(self, colors: str, squares: Slot, junior: bool = False) -> bool:
        """May these colors be on these squares?"""
        if any(square in self.squares for square in squares):
            return False  # 4.1
        contacts = [
            (color, square, neighbor)
            for color, square in zip(colors, squares, strict=True)
            for neighbor in neighbors(square)
            if neighbor in self.squares
        ]
        for color, _, neighbor in contacts:
            other = self.squares[neighbor][0]
            if color != other and "*" not in (color, other):
                return False  # 4.3, 4.4
        if not junior:
            return len(contacts) >= 2  # 4.2
        return len(contacts) == 1 and self.joins(*contacts[0], ">" if squares[0][1] == squares[1][1] else "v")

    def joins(self, color: str, square: tuple[int, int], neighbor: tuple[int, int], direction: str) -> bool:
        """6.3: does this contact have a short edge or a wild center on each side?"""
        axis = ">" if square[1] == neighbor[1] else "v"  # The direction from one square to the other.
        other_color, number = self.squares[neighbor]
        new_side = color == "*" or axis == direction
        table_side = other_color == "*" or axis == self.directions[number]
        return new_side and table_side


def slot(x: int, y: int, direction: str) -> Slot:
    return tuple((x + n, y) if direction == ">" else (x, y + n) for n in range(3))


def neighbors(square: tuple[int, int]) -> Iterable[tuple[int, int]]:
    x, y = square
    return (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)


def text(colors: str, squares: Slot) -> str:
    (x, y), (_, second_y), _ = squares
    return f"{colors}@{x},{y}{'>' if y == second_y else 'v'}"
