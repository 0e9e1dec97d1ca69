"""A table as rows of text cells, three characters per square.

A horizontal tile is connected, `Y──*──R`; a vertical one is a column of single letters. Marks put a
few characters, such as the number of a place, on free squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chromino.table import Table
from chromino.tiles import Square

_CONNECTORS = ((" ", "─"), ("─", "─"), ("─", " "))
_MARGIN = 1
_NUMBERED = 5  # Every fifth column has a number: 15 characters are enough for the longest one.


class Cell(NamedTuple):
    """A piece of text, and the color (or WILD) behind it; None except on tiles. On squares, it's three characters."""

    text: str
    color: str | None = None
    is_mark: bool = False


def grid(table: Table, marks: Mapping[Square, str] | None = None) -> list[list[Cell]]:
    """The table row by row, with column numbers at the top and row numbers on the left."""
    cells = {square: Cell(f"{mark:^3}", is_mark=True) for square, mark in (marks or {}).items()}
    for placement in table.laid:
        for square, color, (before, after) in zip(placement.squares, placement.colors, _CONNECTORS, strict=True):
            text = f" {color} " if placement.down else before + color + after
            cells[square] = Cell(text, color)
    if not cells:
        return []
    left, right = min(x for x, _ in cells) - _MARGIN, max(x for x, _ in cells) + _MARGIN
    top, bottom = min(y for _, y in cells) - _MARGIN, max(y for _, y in cells) + _MARGIN
    number_width = max(len(str(top)), len(str(bottom)))
    header = [Cell(" " * number_width + _column_numbers(left, right))]
    rows = [
        [Cell(f"{y:>{number_width}}"), *(cells.get((x, y), Cell(" · ")) for x in range(left, right + 1))]
        for y in range(top, bottom + 1)
    ]
    return [header, *rows]


def _column_numbers(left: int, right: int) -> str:
    line = ""
    for x in range(left, right + 1):
        if x % _NUMBERED == 0:
            number = str(x)
            line = line.ljust(3 * (x - left) + 1 - len(number) // 2) + number
    return line


def table_text(table: Table, marks: Mapping[Square, str] | None = None) -> str:
    """The table in plain characters.

    >>> print(table_text(Table.parse("Y*R@0,0> GRR@1,1>")))
          0
    -1 ·  ·  ·  ·  ·  ·
     0 ·  Y──*──R  ·  ·
     1 ·  ·  G──R──R  ·
     2 ·  ·  ·  ·  ·  ·
    """
    rows = ("".join(cell.text for cell in row).rstrip() for row in grid(table, marks))
    return "\n".join(rows)
