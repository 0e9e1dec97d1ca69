"""A table as SVG: tiles as in the box, every color with its own texture.

The colors stay apart for every kind of color vision, and the textures make them needless: red has diagonals,
green dots, blue waves, yellow plus signs, purple diamonds; a wild center is a spiral on white.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

from chromino.table import Table
from chromino.tiles import WILD, Placement, Square, Tile

PALETTE = {"R": "#AE352E", "G": "#1DD0A3", "B": "#5E7DC5", "Y": "#FFEE36", "P": "#53218A", WILD: "#FFFFFF"}

_SIZE = 40  # Of a square, in SVG units.
_GAP = 1.5  # Between the frame of a tile and the edge of its squares' cells.
_INSET = 4  # From the edge of a cell to the colored square.

# Each texture fills one cell of a pattern, stroked in _INK; `width` and `height` of the cell come first.
_TEXTURES = {
    "R": (10, 10, '<path d="M-2 12 12-2M-2 2 2-2M8 12 12 8"/>'),
    "G": (10, 10, '<circle cx="5" cy="5" r="1.9" fill="{ink}" stroke="none"/>'),
    "B": (12, 8, '<path d="M0 4q3-4 6 0t6 0"/>'),
    "Y": (12, 12, '<path d="M6 3v6M3 6h6"/>'),
    "P": (12, 12, '<path d="M6 2 10 6 6 10 2 6Z"/>'),
}
_INK = {"R": "#F0A9A3", "G": "#055B46", "B": "#17285A", "Y": "#7A6A00", "P": "#C9A8F0"}


def table_svg(
    table: Table, *, places: Iterable[Placement] = (), wrong: Iterable[Square] = (), title: str | None = None
) -> str:
    """A complete SVG document; `places` are drawn as ghosts, squares in `wrong` are struck out."""
    places = list(places)
    wrong = list(wrong)
    covered = [square for placement in [*table.laid, *places] for square in placement.squares] + wrong or [(0, 0)]
    left, right = min(x for x, _ in covered), max(x for x, _ in covered) + 1
    top, bottom = min(y for _, y in covered), max(y for _, y in covered) + 1
    width, height = (right - left + 1) * _SIZE, (bottom - top + 1) * _SIZE
    label = _escaped(title or f"Chromino table with {len(table)} tile{'' if len(table) == 1 else 's'}")
    body = [
        *(_tile(placement) for placement in table.laid),
        *(_place(placement) for placement in places),
        *(_cross(square) for square in wrong),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="{left * _SIZE - _SIZE // 2} {top * _SIZE - _SIZE // 2} {width} {height}" '
            f'role="img" aria-label="{label}">',
            f"<title>{label}</title>",
            f"<defs>{''.join(map(_pattern, _TEXTURES))}</defs>",
            *body,
            "</svg>",
            "",
        ]
    )


def tile_svg(tile: Tile) -> str:
    """One tile, lying, as a picture inside a page that has a table's picture too (which brings the textures)."""
    placement = Placement(tile.colors, 0, 0, down=False)
    return f'<svg viewBox="0 0 {3 * _SIZE} {_SIZE}" role="img" aria-label="{tile}">{_tile(placement)}</svg>'


def _pattern(color: str) -> str:
    width, height, shape = _TEXTURES[color]
    ink = _INK[color]
    return (
        f'<pattern id="chromino-{color}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f'<rect width="{width}" height="{height}" fill="{PALETTE[color]}"/>'
        f'<g fill="none" stroke="{ink}" stroke-width="1.4">{shape.format(ink=ink)}</g></pattern>'
    )


def _tile(placement: Placement) -> str:
    frame = _frame(placement, 'fill="#FFFFFF" stroke="#8A8A8A"')
    return f'<g class="tile"><title>{placement}</title>{frame}{_squares(placement)}</g>'


def _place(placement: Placement) -> str:
    frame = _frame(placement, 'fill="none" stroke="#D6006C" stroke-width="2.5" stroke-dasharray="5 4"')
    return f'<g class="place"><g opacity="0.5">{_squares(placement)}</g>{frame}</g>'


def _frame(placement: Placement, style: str) -> str:
    columns, rows = (1, 3) if placement.down else (3, 1)
    x, y = placement.x * _SIZE + _GAP, placement.y * _SIZE + _GAP
    width, height = columns * _SIZE - 2 * _GAP, rows * _SIZE - 2 * _GAP
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="7" {style}/>'


def _squares(placement: Placement) -> str:
    return "".join(_square(square, color) for square, color in zip(placement.squares, placement.colors, strict=True))


def _square(square: Square, color: str) -> str:
    x, y = (coordinate * _SIZE + _INSET for coordinate in square)
    side = _SIZE - 2 * _INSET
    fill = PALETTE[WILD] if color == WILD else f"url(#chromino-{color})"
    shape = f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="5" fill="{fill}" stroke="#3A3A3A"/>'
    return shape + _spiral(square) if color == WILD else shape


def _spiral(square: Square) -> str:
    """Two and a half turns around the center of the square."""
    x, y = ((coordinate + 0.5) * _SIZE for coordinate in square)
    steps = 40
    points = [
        (x + 12 * n / steps * cos(5 * pi * n / steps), y + 12 * n / steps * sin(5 * pi * n / steps))
        for n in range(steps + 1)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="#3A3A3A" stroke-width="2.4" stroke-linecap="round"/>'


def _cross(square: Square) -> str:
    x, y = (coordinate * _SIZE for coordinate in square)
    near, far = 9, _SIZE - 9
    lines = f"M{x + near} {y + near}L{x + far} {y + far}M{x + far} {y + near}L{x + near} {y + far}"
    strokes = (("#FFFFFF", 8), ("#D6006C", 4))
    return "".join(
        f'<path d="{lines}" stroke="{color}" stroke-width="{width}" stroke-linecap="round"/>'
        for color, width in strokes
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
