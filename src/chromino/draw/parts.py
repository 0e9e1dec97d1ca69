"""Tiles and marks as shapes, where they lie on the table."""

from __future__ import annotations

from math import cos, pi, sin

from chromino.draw.look import FRAME, FRAME_EDGE, GAP, INSET, MARK, PALETTE, SIDE, SIZE, SQUARE_EDGE, TEXTURES
from chromino.draw.shapes import Group, Line, Path, Rect, Shape, Stroke, Texture
from chromino.tiles import WILD, Placement, Square, Tile


def laid(placement: Placement, moves: str | None = None) -> Group:
    """A tile on the table."""
    frame = _frame(placement, FRAME, Stroke(FRAME_EDGE))
    return Group((frame, *_squares(placement)), name="tile", title=str(placement), moves=moves)


def place(placement: Placement) -> Group:
    """A tile that could lie there."""
    frame = _frame(placement, None, Stroke(MARK, 2.5, (5, 4)))
    return Group((Group(tuple(_squares(placement)), opacity=0.5), frame), name="place")


def ring(placement: Placement, moves: str | None = None) -> Group:
    """Around the tile that was laid last."""
    return Group((_frame(placement, None, Stroke("accent", 3)),), name="last", moves=moves)


def cross(square: Square) -> tuple[Path, Path]:
    """A square to blame."""
    x, y = (coordinate * SIZE for coordinate in square)
    near, far = 9, SIZE - 9
    lines = f"M{x + near} {y + near}L{x + far} {y + far}M{x + far} {y + near}L{x + near} {y + far}"
    return Path(lines, Stroke("#FFFFFF", 8, is_round=True)), Path(lines, Stroke(MARK, 4, is_round=True))


def lying(tile: Tile) -> Placement:
    """Where a tile lies that is alone."""
    return Placement(tile.colors, 0, 0, down=False)


def small(tile: Tile | None, x: float, y: float, side: float) -> Group:
    """A tile of a hand, lying, with squares of this side; None: one that stands, seen from behind."""
    if tile is not None:
        return Group((laid(lying(tile)),), at=(x, y, side / SIZE))
    return Group((Rect(x + 1, y, side / 3, side, 2, "accent"),), name="back")


def _frame(placement: Placement, fill: str | None, stroke: Stroke) -> Rect:
    columns, rows = (1, 3) if placement.down else (3, 1)
    x, y = placement.x * SIZE + GAP, placement.y * SIZE + GAP
    return Rect(x, y, columns * SIZE - 2 * GAP, rows * SIZE - 2 * GAP, 7, fill, stroke)


def _squares(placement: Placement) -> list[Shape]:
    shapes: list[Shape] = []
    for square, color in zip(placement.squares, placement.colors, strict=True):
        x, y = (coordinate * SIZE + INSET for coordinate in square)
        shapes.append(Rect(x, y, SIDE, SIDE, 5, PALETTE[color], Stroke(SQUARE_EDGE)))
        middle = x + SIDE / 2, y + SIDE / 2
        shapes.append(_spiral(*middle) if color == WILD else Texture(color, TEXTURES[color], x, y))
    return shapes


def _spiral(x: float, y: float) -> Line:
    """Two and a half turns around the center of a square."""
    steps = 40
    points = tuple(
        (x + 12 * n / steps * cos(5 * pi * n / steps), y + 12 * n / steps * sin(5 * pi * n / steps))
        for n in range(steps + 1)
    )
    return Line(points, Stroke(SQUARE_EDGE, 2.4, is_round=True))
