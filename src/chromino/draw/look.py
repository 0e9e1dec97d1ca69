"""The look of all pictures: colors, textures, sizes and the two themes. Nothing else says what a tile looks like.

The colors stay apart for every kind of color vision, and the textures make them needless: red has diagonals,
green dots, blue waves, yellow plus signs, purple diamonds; a wild center is a spiral on white. The page has the
same in `web/css/base.css` and `web/js/art.js`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Texture:
    """One cell, which fills a square again and again."""

    width: int
    height: int
    mark: Path | Circle


def _lines(color: str, d: str) -> Path:
    return Path(d, Stroke(INK[color], 1.4))


TEXTURES = {
    "R": Texture(10, 10, _lines("R", "M-2 12 12-2M-2 2 2-2M8 12 12 8")),
    "G": Texture(10, 10, Circle(5, 5, 1.9, INK["G"])),
    "B": Texture(12, 8, _lines("B", "M0 4q3-4 6 0t6 0")),
    "Y": Texture(12, 12, _lines("Y", "M6 3v6M3 6h6")),
    "P": Texture(12, 12, _lines("P", "M6 2 10 6 6 10 2 6Z")),
}


GROUND = Texture(SIZE, SIZE, Circle(SIZE / 2, SIZE / 2, 1.6, "dot"))
"""The bare table: a dot in the middle of each square."""


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
