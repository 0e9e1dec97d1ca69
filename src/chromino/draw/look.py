"""The look of all pictures: colors, textures, sizes and the two themes.

The colors are distinct in normal vision and in the three kinds of color blindness we test (protan, deutan, tritan). The
textures work without color: red has diagonals, green dots, blue waves, yellow plus signs, and purple diamonds; a wild
center is a spiral in all five colors. The page has the same look, defined in `web/css/tokens.css` and
`web/js/table/tile_art.js`; docs/look.md explains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from chromino.draw.shapes import Circle, Path, Stroke
from chromino.tiles import WILD

SIZE = 40  # The side of a cell, in the drawing's units.
GAP = 0.7  # Between the edge of a tile's cells and its body.
EDGE_HEIGHT = 1.2  # The height of the edge below the body.
BODY_RADIUS = 8.8  # The radius of the body's corners.
INSET = 2.8  # From the edge of a cell to the colored square.
SQUARE_RADIUS = 6  # The radius of the colored square's corners.
SIDE = SIZE - 2 * INSET  # The side of the colored square.
SHADOWS = ((1.6, 2.4), (0.8, 1.8), (0.0, 1.4))
"""The layers of a tile's shadow: how far each one extends beyond the tile, and how far down it's shifted."""

BODY, BODY_EDGE = "#FFFCF4", "#D8CFBC"
FRAME_EDGE = "#8A8A8A"
"""The outline of a tile without a shadow."""
WILD_EDGE = "#E2D9C6"
SHADOW = "#2B211014"
SHINE = "#FFFFFF66"
MARK, MARK_EDGE = "#23212B", "#FFFCF4"
"""Places and mistakes are marked in ink, which isn't any tile's color, with a paper-colored outline."""

_THIRDS = (6.2, 17.2, 28.2)
_NINE_POINTS = [(x, y) for y in _THIRDS for x in _THIRDS]

TEXTURES = {
    "R": "M0 8.6 8.6 0H12.2L0 12.2ZM0 24.6 24.6 0H28.2L0 28.2Z"
    "M6.2 34.4 34.4 6.2V9.8L9.8 34.4ZM22.2 34.4 34.4 22.2V25.8L25.8 34.4Z",
    "G": "".join(f"M{x} {y}h0" for x, y in _NINE_POINTS),
    "B": "".join(
        f"M0 {y - 2:.1f}q2.15 0 4.3 2t4.3 2 4.3-2 4.3-2 4.3 2 4.3 2 4.3-2 4.3-2" for y in (6.9, 13.8, 20.7, 27.6)
    ),
    "Y": "".join(f"M{x} {y - 3.2:.1f}v6.4M{x - 3.2:.1f} {y}h6.4" for x, y in _NINE_POINTS),
    "P": "".join(f"M{x} {y - 5.5:.1f}l5.5 5.5-5.5 5.5-5.5-5.5Z" for x, y in _NINE_POINTS),
}
"""The path drawn on a square of each color, inside the square and relative to its upper left corner.

An SVG pattern would be shorter, but browsers print each patterned square as a bitmap, so a page of conundrums
took five megabytes.
"""
SPIRAL = {"R": 0, "Y": 0.28, "G": 0.5, "B": 0.75, "P": 1}
"""The colors of a wild square, each with its position from the upper left (0) to the lower right (1)."""
DOT = Circle(0, 0, 1.1, "dot")
"""What's drawn at the corners of squares on the bare table."""


@dataclass(frozen=True, slots=True)
class Look:
    """How tiles are drawn."""

    palette: Mapping[str, str]
    inks: Mapping[str, str]
    """The color of the texture on each color; empty if there are no textures."""
    line: float = 2.4
    dot: float = 5.4
    """The widths of the textures' lines and dots."""
    is_flat: bool = False
    """No shadows or gradients, for paper and for pictures with few colors."""

    def texture(self, color: str) -> Path:
        """The texture on a square of this color."""
        if color == "R":
            return Path(TEXTURES[color], fill=self.inks[color])
        width = self.dot if color == "G" else self.line
        return Path(TEXTURES[color], Stroke(self.inks[color], width, is_round=color in "GY"))


VIVID = Look(
    {"R": "#DE2F25", "G": "#4BCF9D", "B": "#1D79D3", "Y": "#FFDF2E", "P": "#4A1585", WILD: "#FFFFFF"},
    {"R": "#CD281F", "G": "#3FBD8D", "B": "#196DC1", "Y": "#EECD24", "P": "#5C2997"},
)
PLAIN = replace(VIVID, inks={})
DISTINCT = Look(
    {"R": "#AE352E", "G": "#1DD0A3", "B": "#5E7DC5", "Y": "#FFEE36", "P": "#53218A", WILD: "#FFFFFF"},
    {"R": "#F0A9A3", "G": "#055B46", "B": "#17285A", "Y": "#7A6A00", "P": "#C9A8F0"},
    line=1.6,
    dot=4,
)
FLAT = replace(VIVID, is_flat=True)
PRINT = replace(DISTINCT, is_flat=True)
"""For paper. In black and white, the textures alone tell the colors apart."""


class Theme(StrEnum):
    """Light, dark, or the same as the viewer's system. Only SVG can follow it; PNG and GIF fall back to light."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"

    @property
    def roles(self) -> Mapping[str, str]:
        """The color of each role."""
        return _DARK if self is Theme.DARK else _LIGHT


_LIGHT = {
    "paper": "#FBF8F1",
    "wash": "#F3EDE0",
    "table": "#E1D7C1",
    "light": "#EFE8D8",
    "dot": "#C6BBA4",
    "halo": "#FFFFFF",
    "ink": "#23212B",
    "muted": "#5F5B66",
}
_DARK = {
    "paper": "#14171E",
    "wash": "#262C38",
    "table": "#151A22",
    "light": "#222834",
    "dot": "#39414F",
    "halo": "#F4F1EA",
    "ink": "#F4F1EA",
    "muted": "#B5B2BC",
}


def color_of(paint: str, theme: Theme) -> str:
    """The color of a paint in this theme."""
    return theme.roles.get(paint, paint)


def mixed(color: str, other: str, share: float) -> str:
    """A mixture of two colors, with this share of the second one."""
    parts = zip(bytes.fromhex(color[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02X}" for one, two in parts)


def spiral_color(position: float, palette: Mapping[str, str]) -> str:
    """The color of a wild square's spiral at this position between the upper left (0) and the lower right (1)."""
    stops = list(SPIRAL.items())
    for (color, start), (other, end) in pairwise(stops):
        if position <= end:
            return mixed(palette[color], palette[other], max(0.0, position - start) / (end - start))
    return palette["P"]
