"""Colors, tiles and placements: the pieces of the game and their text forms (rules 1 and 4.1).

A tile is written as its three squares, `GRB`. A placement is written as the tile's squares in the order they're placed,
the position of the first one, and the direction: `BGR@0,-2>` (right) or `BGR@0,-2v` (down). Whether a
placement is legal depends on the table (see table.py).
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import combinations, product
from operator import attrgetter
from typing import ClassVar, NamedTuple, Self

from chromino.errors import ParseError

COLORS = "RGBYP"
WILD = "*"
COLOR_NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple", WILD: "wild"}

Square = tuple[int, int]
"""A square's position: x grows to the right, y grows downward."""


class Kind(StrEnum):
    """The five kinds of tiles (1.3, 1.4)."""

    ONE_COLOR = "one-color"
    PLAIN = "plain"
    SYMMETRIC = "symmetric"
    THREE_COLOR = "three-color"
    CHAMELEON = "chameleon"


class Tile:
    """One of the 85 possible tiles; each exists only once, so `is`, `==` and `hash` agree and are fast.

    >>> Tile.parse("BRG")
    Tile.parse('GRB')
    >>> Tile.parse("RGB") is Tile.parse("BGR")
    True
    """

    __slots__ = ("colors", "kind", "number", "ways")

    colors: str
    """The three squares in canonical order: the end that's first in `COLORS` comes first."""
    ways: tuple[str, ...]
    """The ways to place it: the canonical order, then the reverse if that looks different (4.5)."""
    kind: Kind
    number: int
    """The index in `ALL_TILES`, by which tiles are sorted."""

    _known: ClassVar[dict[str, Tile]] = {}

    def __init__(self) -> None:
        raise TypeError("tiles can't be created, only looked up: use Tile.parse")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tile can't be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a tile can't be changed: {name}")

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile with these three squares, read from either end.

        >>> Tile.parse("R*G").kind
        <Kind.CHAMELEON: 'chameleon'>
        """
        try:
            return cls._known[text]
        except (KeyError, TypeError):
            raise ParseError(_why_not_a_tile(text)) from None

    @property
    def is_chameleon(self) -> bool:
        """Does it have a wild center?"""
        return self.kind is Kind.CHAMELEON

    def __str__(self) -> str:
        return self.colors

    def __repr__(self) -> str:
        return f"Tile.parse({self.colors!r})"

    def __lt__(self, other: Tile) -> bool:
        return self.number < other.number

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Tile.parse, (self.colors,)


def parse_tiles(texts: object) -> tuple[Tile, ...]:
    """The tiles in a list of strings, as in JSON."""
    if not isinstance(texts, list | tuple):
        raise ParseError(f"{_quoted(texts)} isn't a list of tiles")
    return tuple(map(Tile.parse, texts))


def _kind(colors: str) -> Kind:
    first, middle, last = colors
    if middle == WILD:
        return Kind.CHAMELEON
    color_count = len(set(colors))
    if color_count == 2:
        return Kind.SYMMETRIC if first == last else Kind.PLAIN
    return Kind.ONE_COLOR if color_count == 1 else Kind.THREE_COLOR


def _why_not_a_tile(text: object) -> str:
    letters = f"letters from {' '.join(COLORS)}"
    if not isinstance(text, str) or len(text) != 3:
        return f"{_quoted(text)} isn't a tile: write three {letters}, like GRB"
    if text[1] == WILD and text[0] == text[2] and text[0] in COLORS:
        return f"{_quoted(text)} isn't a tile: the ends of a chameleon must have two different colors, like P*R"
    if WILD in (text[0], text[2]):
        return f"{_quoted(text)} isn't a tile: only the center of a tile can be wild, like P*R"
    if text != text.upper() and text.upper() in Tile._known:
        return f"{_quoted(text)} isn't a tile: write it in capitals, {text.upper()}"
    return f"{_quoted(text)} isn't a tile: its squares must be {letters}, or * in the center of a chameleon"


def _quoted(text: object) -> str:
    """The value as Python writes it, shortened to fit into a message."""
    shown = repr(text)
    return shown if len(shown) <= 40 else f"{shown[:36]}…{shown[0]}"


def _make(colors: str, number: int) -> Tile:
    """Create a tile; only used at import."""
    tile = object.__new__(Tile)
    ways = (colors,) if colors == colors[::-1] else (colors, colors[::-1])
    for name, value in {"colors": colors, "ways": ways, "kind": _kind(colors), "number": number}.items():
        object.__setattr__(tile, name, value)
    Tile._known.update(dict.fromkeys(ways, tile))
    return tile


def _all_tiles() -> tuple[Tile, ...]:
    ordered = [
        first + middle + last
        for first, last, middle in product(COLORS, COLORS, COLORS)
        if COLORS.index(first) <= COLORS.index(last)
    ]
    kinds = list(Kind)
    classic = sorted(ordered, key=lambda colors: kinds.index(_kind(colors)))
    chameleons = [first + WILD + last for first, last in combinations(COLORS, 2)]
    return tuple(_make(colors, number) for number, colors in enumerate(classic + chameleons))


ALL_TILES = _all_tiles()
"""Every possible tile: the 75 classic ones by kind, then the ten possible chameleons."""

CLASSIC_TILES = ALL_TILES[:75]
CHAMELEONS = tuple(Tile.parse(text) for text in ("P*R", "P*Y", "G*R", "G*B", "Y*B"))
"""The five chameleons in the box (1.4)."""


def sorted_hand(hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles of a hand, in the order in which hands are shown."""
    return tuple(sorted(hand, key=attrgetter("number")))


_PLACEMENT = re.compile(r"(?P<colors>...)@(?P<x>0|-?[1-9]\d{0,8}),(?P<y>0|-?[1-9]\d{0,8})(?P<direction>[>v])", re.ASCII)


class Placement(NamedTuple):
    """Three colors as placed, from the left or from the top: `Placement.parse("BGR@0,-2>")`.

    Placements are named tuples because the move generator makes millions of them. The constructor doesn't check the
    colors; `parse` does.
    """

    colors: str
    x: int
    y: int
    down: bool

    @classmethod
    def parse(cls, text: str) -> Placement:
        """Read a placement's text; there's only one way to write each placement.

        >>> Placement.parse("BGR@0,-2>").squares
        ((0, -2), (1, -2), (2, -2))
        """
        match = _PLACEMENT.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ParseError(
                f"{_quoted(text)} isn't a placement: write the tile as placed, "
                "@x,y and > (right) or v (down), like BGR@0,-2>"
            )
        Tile.parse(match["colors"])
        return cls(match["colors"], int(match["x"]), int(match["y"]), match["direction"] == "v")

    @property
    def tile(self) -> Tile:
        """The tile that's placed."""
        return Tile.parse(self.colors)

    @property
    def squares(self) -> tuple[Square, Square, Square]:
        """The squares that the tile covers, in the order of `colors`."""
        _, x, y, down = self
        if down:
            return (x, y), (x, y + 1), (x, y + 2)
        return (x, y), (x + 1, y), (x + 2, y)

    def __str__(self) -> str:
        return f"{self.colors}@{self.x},{self.y}{'v' if self.down else '>'}"

    def __repr__(self) -> str:
        return f"Placement.parse({str(self)!r})"
