"""Colors, tiles and placements: the pieces of the game and their text forms (rules 1 and 4.1).

A tile is written as its three squares, `GRB`; a placement as the squares as laid, where the first one
lies, and the direction: `BGR@0,-2>` (right) or `BGR@0,-2v` (down). Whether a placement is allowed is the
table's business, not this module's.
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
"""Where a square lies: x grows to the right, y grows downward."""


class Kind(StrEnum):
    """The five kinds of tiles (1.3, 1.4)."""

    ONE_COLOR = "one-color"
    PLAIN = "plain"
    SYMMETRIC = "symmetric"
    THREE_COLOR = "three-color"
    CHAMELEON = "chameleon"


class Tile:
    """One of the 85 possible tiles; each exists once, so `is`, `==` and `hash` agree and are fast.

    >>> Tile.parse("BRG")
    Tile.parse('GRB')
    >>> Tile.parse("RGB") is Tile.parse("BGR")
    True
    """

    __slots__ = ("colors", "kind", "number", "ways")

    colors: str
    """The three squares in canonical order: of the two ends, the one first in `COLORS` stands first."""
    ways: tuple[str, ...]
    """As laid: the canonical order, then the reverse if it looks different (4.5)."""
    kind: Kind
    number: int
    """Place in `ALL_TILES`: gives tiles an order to sort by."""

    _known: ClassVar[dict[str, Tile]] = {}

    def __init__(self) -> None:
        raise TypeError("tiles are not made, they are looked up: use Tile.parse")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tile cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a tile cannot be changed: {name}")

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile with these three squares, read from either end.

        >>> Tile.parse("R*G").kind
        <Kind.CHAMELEON: 'chameleon'>
        """
        try:
            return cls._known[text]
        except (KeyError, TypeError):
            raise ParseError(_why_no_tile(text)) from None

    @property
    def is_chameleon(self) -> bool:
        """Has it a wild center?"""
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
    """The tiles of a list of texts, as JSON has them."""
    if not isinstance(texts, list | tuple):
        raise ParseError(f"{_quoted(texts)} is not a list of tiles")
    return tuple(map(Tile.parse, texts))


def _kind(colors: str) -> Kind:
    first, middle, last = colors
    if middle == WILD:
        return Kind.CHAMELEON
    different = len(set(colors))
    if different == 2:
        return Kind.SYMMETRIC if first == last else Kind.PLAIN
    return Kind.ONE_COLOR if different == 1 else Kind.THREE_COLOR


def _why_no_tile(text: object) -> str:
    letters = f"letters of {' '.join(COLORS)}"
    if not isinstance(text, str) or len(text) != 3:
        return f"{_quoted(text)} is not a tile: a tile is three {letters}, like GRB"
    if text[1] == WILD and text[0] == text[2] and text[0] in COLORS:
        return f"{_quoted(text)} is not a tile: the ends of a chameleon have two different colors, like P*R"
    if WILD in (text[0], text[2]):
        return f"{_quoted(text)} is not a tile: only the center of a tile can be wild, like P*R"
    if text != text.upper() and text.upper() in Tile._known:
        return f"{_quoted(text)} is not a tile: write it in capitals, {text.upper()}"
    return f"{_quoted(text)} is not a tile: its squares are {letters}, or * in the center of a chameleon"


def _quoted(text: object) -> str:
    """What was given, short enough to be shown in one line."""
    shown = repr(text)
    return shown if len(shown) <= 40 else f"{shown[:36]}…{shown[0]}"


def _make(colors: str, number: int) -> Tile:
    """One of the tiles there are: this is their only maker, and it runs at import alone."""
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
"""Every tile there can be: the 75 classic ones by kind, then the ten possible chameleons."""

CLASSIC_TILES = ALL_TILES[:75]
CHAMELEONS = tuple(Tile.parse(text) for text in ("P*R", "P*Y", "G*R", "G*B", "Y*B"))
"""The five chameleons in the box (1.4)."""


def sorted_hand(hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The same tiles in the order that all hands are shown in."""
    return tuple(sorted(hand, key=attrgetter("number")))


_PLACEMENT = re.compile(r"(?P<colors>...)@(?P<x>0|-?[1-9]\d{0,8}),(?P<y>0|-?[1-9]\d{0,8})(?P<direction>[>v])", re.ASCII)


class Placement(NamedTuple):
    """Three colors as laid, from the left or from the top: `Placement.parse("BGR@0,-2>")`.

    A named tuple, because the move generator makes them by the million. Made by hand, its colors are
    taken on trust; `parse` checks them.
    """

    colors: str
    x: int
    y: int
    down: bool

    @classmethod
    def parse(cls, text: str) -> Placement:
        """Read the one text that each placement has.

        >>> Placement.parse("BGR@0,-2>").squares
        ((0, -2), (1, -2), (2, -2))
        """
        found = _PLACEMENT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise ParseError(
                f"{_quoted(text)} is not a placement: write the tile as laid, "
                "@x,y and > (right) or v (down), like BGR@0,-2>"
            )
        Tile.parse(found["colors"])
        return cls(found["colors"], int(found["x"]), int(found["y"]), found["direction"] == "v")

    @property
    def tile(self) -> Tile:
        """The tile that is laid."""
        return Tile.parse(self.colors)

    @property
    def squares(self) -> tuple[Square, Square, Square]:
        """The squares it covers, in the order of `colors`."""
        _, x, y, down = self
        if down:
            return (x, y), (x, y + 1), (x, y + 2)
        return (x, y), (x + 1, y), (x + 2, y)

    def __str__(self) -> str:
        return f"{self.colors}@{self.x},{self.y}{'v' if self.down else '>'}"

    def __repr__(self) -> str:
        return f"Placement.parse({str(self)!r})"
