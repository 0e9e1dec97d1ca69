"""Tiles and marks as shapes, at their places on the table."""

from __future__ import annotations

from math import cos, pi, sin

from chromino.draw.look import (
    BODY,
    BODY_EDGE,
    BODY_RADIUS,
    EDGE_HEIGHT,
    FRAME_EDGE,
    GAP,
    INSET,
    MARK,
    MARK_EDGE,
    SHADOW,
    SHADOWS,
    SHINE,
    SIDE,
    SIZE,
    SQUARE_RADIUS,
    VIVID,
    WILD_EDGE,
    Look,
    mixed,
)
from chromino.draw.shapes import Group, Line, Path, Rect, Shape, Stroke, Texture
from chromino.tiles import WILD, Placement, Square, Tile


def tile_shapes(placement: Placement, animation: str | None = None, look: Look = VIVID) -> Group:
    """A tile that lies on the table."""
    body = [_frame(placement, BODY, Stroke(FRAME_EDGE, 0.8))] if look.is_flat else _body(placement)
    return Group((*body, *_squares(placement, look)), name="tile", title=str(placement), animation=animation)


def ghost(placement: Placement, look: Look = VIVID) -> Group:
    """A tile that could be placed here."""
    frame = _frame(placement, None, Stroke(MARK, 2, (5, 4)))
    return Group((Group(tuple(_squares(placement, look)), opacity=0.5), frame), name="place")


def ring(placement: Placement, animation: str | None = None) -> Group:
    """A soft light around the last tile placed."""
    columns, rows = (1, 3) if placement.down else (3, 1)
    x, y, width, height = (SIZE * n for n in (placement.x, placement.y, columns, rows))
    light = Rect(x - 2.6, y - 2.6, width + 5.2, height + 5.2, 11.5, None, Stroke("halo", 2.6))
    return Group((light,), name="last", animation=animation)


def cross(square: Square) -> tuple[Path, Path]:
    """A cross on a square that doesn't match."""
    x, y = (coordinate * SIZE for coordinate in square)
    near, far = 9, SIZE - 9
    lines = f"M{x + near} {y + near}L{x + far} {y + far}M{x + far} {y + near}L{x + near} {y + far}"
    return Path(lines, Stroke(MARK_EDGE, 8, is_round=True)), Path(lines, Stroke(MARK, 4, is_round=True))


def at_origin(tile: Tile) -> Placement:
    """A placement for a tile that's drawn without a table."""
    return Placement(tile.colors, 0, 0, down=False)


def small_tile(tile: Tile | None, x: float, y: float, side: float, look: Look = VIVID) -> Group:
    """A horizontal tile with squares of this size, as in a hand; None is a face-down tile."""
    if tile is not None:
        return Group((tile_shapes(at_origin(tile), look=look),), at=(x, y, side / SIZE))
    return Group((Rect(x + 1, y, side / 3, side, 2, "ink"),), name="back")


def _frame(
    placement: Placement, fill: str | None, stroke: Stroke | None, reach: float = 0, shift_down: float = 0
) -> Rect:
    columns, rows = (1, 3) if placement.down else (3, 1)
    x, y = placement.x * SIZE + GAP - reach, placement.y * SIZE + GAP - reach + shift_down
    width, height = columns * SIZE - 2 * GAP + 2 * reach, rows * SIZE - 2 * GAP - EDGE_HEIGHT + 2 * reach
    return Rect(_rounded(x), _rounded(y), _rounded(width), _rounded(height), BODY_RADIUS + reach, fill, stroke)


def _body(placement: Placement) -> list[Rect]:
    """A tile's shadow, edge, and body, from bottom to top."""
    shadows = [_frame(placement, SHADOW, None, reach, shift_down) for reach, shift_down in SHADOWS]
    return [*shadows, _frame(placement, BODY_EDGE, None, 0, EDGE_HEIGHT), _frame(placement, BODY, None)]


def _squares(placement: Placement, look: Look) -> list[Shape]:
    shapes: list[Shape] = []
    for square, color in zip(placement.squares, placement.colors, strict=True):
        x, y = (_rounded(coordinate * SIZE + INSET) for coordinate in square)
        paint = look.palette[color]
        edge = WILD_EDGE if color == WILD else mixed(paint, "#000000", 0.16)
        shapes.append(Rect(x, y, SIDE, SIDE, SQUARE_RADIUS, paint, Stroke(edge, 0.8)))
        if color == WILD:
            shapes.append(_spiral(x + SIDE / 2, y + SIDE / 2))
            continue
        if look.inks:
            shapes.append(Texture(color, look.texture(color), x, y))
        if not look.is_flat:
            shapes.append(Rect(x, y, SIDE, SIDE, SQUARE_RADIUS, "gloss"))
            shapes.append(Rect(_rounded(x + 4.4), _rounded(y + 0.9), SIDE - 8.8, 1, 0.5, SHINE))
    return shapes


def _spiral(x: float, y: float) -> Line:
    """Two and a half turns around the center of a square."""
    steps = 60
    turns = ((0.6 + 11 * n / steps, 5.2 * pi * n / steps - 0.4) for n in range(steps + 1))
    points = tuple((x + radius * cos(angle), y + radius * sin(angle)) for radius, angle in turns)
    return Line(points, Stroke("wild", 3.4, is_round=True))


def _rounded(number: float) -> float:
    """Round off the noise of floating-point arithmetic."""
    return round(number, 2)
