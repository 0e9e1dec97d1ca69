"""The look of all pictures: colors, textures, sizes and the two themes. Nothing else says what a tile looks like.

The colors stay apart for every kind of color vision, and the textures make them needless: red has diagonals,
green dots, blue waves, yellow plus signs, purple diamonds; a wild center is a spiral on white. The page has the
same in `web/css/base.css` and `web/js/table/tile_art.js`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from chromino.draw.shapes import Circle, Path, Stroke
from chromino.tiles import WILD

PALETTE = {"R": "#AE352E", "G": "#1DD0A3", "B": "#5E7DC5", "Y": "#FFEE36", "P": "#53218A", WILD: "#FFFFFF"}
INK = {"R": "#F0A9A3", "G": "#055B46", "B": "#17285A", "Y": "#7A6A00", "P": "#C9A8F0"}
"""What the texture of each color is drawn with."""
FRAME, FRAME_EDGE, SQUARE_EDGE = "#FFFFFF", "#8A8A8A", "#3A3A3A"
MARK = "#D6006C"
"""Of places and mistakes: far from all five colors."""

SIZE = 40  # Of a square, in units of the drawing.
GAP = 1.5  # Between the frame of a tile and the edge of its squares' cells.
INSET = 4  # From the edge of a cell to the colored square.
SIDE = SIZE - 2 * INSET  # Of the colored square.


def _texture(color: str, d: str, width: float = 1.4, *, is_round: bool = False) -> Path:
    return Path(d, Stroke(INK[color], width, is_round=is_round))


_NINE = [(x, y) for y in (6, 16, 26) for x in (6, 16, 26)]

TEXTURES = {
    "R": _texture("R", "M1 11 11 1M1 21 21 1M3 29 29 3M11 31 31 11M21 31 31 21"),
    "G": _texture("G", "".join(f"M{x} {y}h0" for x, y in _NINE), 3.8, is_round=True),
    "B": _texture("B", "".join(f"M4 {y}q3-4 6 0t6 0 6 0 6 0" for y in (5.5, 12.5, 19.5, 26.5))),
    "Y": _texture("Y", "".join(f"M{x} {y - 3}v6M{x - 3} {y}h6" for x, y in _NINE)),
    "P": _texture("P", "".join(f"M{x} {y - 4}l4 4-4 4-4-4Z" for x, y in _NINE)),
}
"""What is drawn on a square of each color, whole and inside of it, from its upper left corner on.

Not as an SVG pattern, though shorter: browsers print each patterned square as a picture of its own, and a page of
conundrums had five megabytes.
"""
DOT = Circle(SIZE / 2, SIZE / 2, 1.6, "dot")
"""In the middle of each square of the bare table."""


class Theme(StrEnum):
    """Light, dark, or as the viewer's system has it (only SVG can; else it is light)."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"

    @property
    def roles(self) -> Mapping[str, str]:
        """The color of each role."""
        return _DARK if self is Theme.DARK else _LIGHT


_LIGHT = {
    "bg": "#F4F0E8",
    "table": "#E2DCCF",
    "dot": "#CDC5B5",
    "ink": "#22202A",
    "muted": "#57525F",
    "accent": "#53218A",
    "soft": "#E9DEF5",
    "gold": "#B98900",
}
_DARK = {
    "bg": "#171A21",
    "table": "#0F1218",
    "dot": "#262C38",
    "ink": "#F0EEF5",
    "muted": "#B6B2C3",
    "accent": "#C9ABF7",
    "soft": "#35284D",
    "gold": "#FFD24A",
}


def color_of(paint: str, theme: Theme) -> str:
    """A paint as a color."""
    return theme.roles.get(paint, paint)
