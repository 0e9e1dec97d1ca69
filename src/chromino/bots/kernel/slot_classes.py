"""The kernel's lookup tables: codes of cells, classes of slots, and how each tile fits each class.

A slot is three cells in a line. The tables follow from rules 4.1 to 4.5 alone, and are computed once, at import, in
plain Python.
"""

from __future__ import annotations

from itertools import product

from chromino.tiles import ALL_TILES, COLORS, WILD

# A free cell that demands no color has code 0, 1 or 2: its number of neighbors (2 means two or more). A cell with one
# neighbor, of color number c, has code 3 + c. A cell with several neighbors that allow only color c has code 8 + c. A
# dead cell accepts only a wild center, and an occupied cell accepts nothing.
_ONE, _MORE, _DEAD, OCCUPIED = 3, 8, 13, 14
CODES = 15

COLOR_NUMBERS = {color: number for number, color in enumerate(COLORS + WILD)}


def _next_code(code: int, color: str) -> int:
    """The code of a cell after a square of this color is placed next to it; an occupied cell stays occupied."""
    number = COLOR_NUMBERS[color]
    if code >= _DEAD:
        return code
    if code < _ONE:  # No color demanded yet.
        if color == WILD:
            return min(code + 1, 2)
        return (_ONE if code == 0 else _MORE) + number
    demanded = _demanded(code)
    return _MORE + demanded if color in (COLORS[demanded], WILD) else _DEAD


def _demanded(code: int) -> int:
    """The number of the color that a cell with this code demands."""
    return code - (_ONE if code < _MORE else _MORE)


def _neighbor_count(code: int) -> int:
    """How many neighbors a free cell has; 2 means two or more."""
    if code < _ONE:
        return code
    return 1 if code < _MORE else 2


def _takes(code: int, color: str) -> bool:
    """Can a square of this color go on a cell with this code?"""
    if code == OCCUPIED:
        return False
    if code < _ONE or color == WILD:
        return True
    return code != _DEAD and COLORS[_demanded(code)] == color


# A set of ways to place tiles is an integer: bit 2n is tile n as written, and bit 2n + 1 is the same tile reversed.
_ALL_WAYS = [(2 * tile.number + turned, way) for tile in ALL_TILES for turned, way in enumerate(tile.ways)]


def _takers(position: int, code: int) -> int:
    """The ways to place tiles whose first, middle or last square (`position`) can go on a cell with this code."""
    return sum(1 << bit for bit, way in _ALL_WAYS if _takes(code, way[position]))


def _classes() -> tuple[bytes, list[bytes]]:
    """The class of every combination of three codes, and how each tile fits each class. Class 0 accepts no tile."""
    first, middle, last = ([_takers(position, code) for code in range(CODES)] for position in range(3))
    class_numbers = {0: 0}
    class_of = bytearray()
    for a, b, c in product(range(CODES), repeat=3):
        is_usable = OCCUPIED not in (a, b, c) and _neighbor_count(a) + _neighbor_count(b) + _neighbor_count(c) >= 2
        ways = first[a] & middle[b] & last[c] if is_usable else 0
        class_of.append(class_numbers.setdefault(ways, len(class_numbers)))
    return bytes(class_of), [bytes(ways >> 2 * tile.number & 3 for tile in ALL_TILES) for ways in class_numbers]


NEXT_CODE = bytes(_next_code(code, color) for code in range(CODES) for color in COLORS + WILD)
"""Indexed by code and color number: the code of a cell after it gets a neighbor of that color."""

CLASS_OF, WAYS = _classes()
"""`CLASS_OF` has the class of a slot, indexed by its three codes as digits in base 15. For each class, `WAYS` has a
byte per tile: 0 if the tile doesn't fit, 1 if it fits as written, 2 if it fits reversed, and 3 for both."""
