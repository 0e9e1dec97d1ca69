"""Drawings as pixels. Importing this module loads Pillow.

Each shape is painted at four times its size and scaled down, which smooths its edges. Large shapes are painted in
bands, to save memory. Text needs none of this, since Pillow draws smooth letters.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import NamedTuple

from PIL import Image, ImageChops, ImageColor, ImageDraw

from chromino.draw import fonts
from chromino.draw.look import DOT, SIZE, VIVID, Theme, color_of, spiral_color
from chromino.draw.shapes import (
    Box,
    Circle,
    Drawing,
    Group,
    Line,
    Point,
    Rect,
    Shape,
    SimpleShape,
    Stroke,
    Text,
    Texture,
    outlines,
)

_ZOOM = 4  # Shapes are painted this many times larger, then scaled down.
_BAND = 256  # Rows of pixels to paint at once.
_LONGEST_SIDE = 4000  # Pixels.
_TRANSLUCENT_LENGTH = 9  # The length of a translucent color, like #2B211014.

Color = tuple[int, int, int]


class Transform(NamedTuple):
    """Converts the units of shapes to pixels."""

    scale: float
    x: float
    y: float

    def apply(self, point: Point) -> Point:
        return point[0] * self.scale + self.x, point[1] * self.scale + self.y

    def inside(self, group: Group) -> Transform:
        """The transform for the shapes of a group."""
        if group.at is None:
            return self
        x, y, scale = group.at
        return Transform(self.scale * scale, *self.apply((x, y)))


def png(drawing: Drawing, theme: Theme = Theme.LIGHT, scale: float = 2) -> bytes:
    """The drawing as a PNG file, with this many pixels per unit, or fewer if the drawing is very large."""
    out = io.BytesIO()
    canvas(drawing, theme, scale).image.save(out, "png")
    return out.getvalue()


def canvas(drawing: Drawing, theme: Theme, scale: float) -> Canvas:
    """Paint a drawing on a new canvas."""
    scale = min(scale, _LONGEST_SIDE / drawing.width, _LONGEST_SIDE / drawing.height)
    size = max(1, round(drawing.width * scale)), max(1, round(drawing.height * scale))
    result = Canvas(Image.new("RGBA", size), theme, Transform(scale, -drawing.left * scale, -drawing.top * scale))
    for shape in drawing.shapes:
        result.paint(shape)
    return result


class Canvas:
    """Pixels that shapes are painted on, one by one."""

    def __init__(self, image: Image.Image, theme: Theme, transform: Transform) -> None:
        self.image = image
        self._theme = theme
        self._transform = transform

    def copy(self) -> Canvas:
        return Canvas(self.image.copy(), self._theme, self._transform)

    def paint(self, shape: Shape) -> None:
        self._paint(shape, self._transform, 1.0)

    def _paint(self, shape: Shape, transform: Transform, opacity: float) -> None:
        if isinstance(shape, Text):
            self._write(shape, transform)
        elif isinstance(shape, Rect) and shape.fill == "glow":
            self._paint_glow(shape, transform)
        elif isinstance(shape, Rect) and shape.fill and not shape.stroke and _is_large(shape, transform):
            self._paint_large(shape, shape.fill, transform)
        elif not isinstance(shape, Group):
            self._paint_layer((shape,), transform, opacity)
        else:
            inside, opacity = transform.inside(shape), opacity * shape.opacity
            simple = tuple(part for part in shape.shapes if not isinstance(part, Group | Text))
            if 1 < len(simple) == len(shape.shapes):  # Paint something like a tile in one layer.
                self._paint_layer(simple, inside, opacity)
            else:
                for part in shape.shapes:
                    self._paint(part, inside, opacity)

    def _paint_large(self, shape: Rect, paint: str, transform: Transform) -> None:
        """Paint a large shape, such as a background. Only its corners need smoothing."""
        left, top = (round(edge) for edge in transform.apply((shape.x, shape.y)))
        right, bottom = (round(edge) for edge in transform.apply((shape.x + shape.width, shape.y + shape.height)))
        round_rows = ceil(shape.radius * transform.scale) + 1
        for first, end in ((top - 1, top + round_rows), (bottom - round_rows, bottom + 1)):
            self._paint_layer((shape,), transform, 1, (first, end))
        top, bottom = top + round_rows, bottom - round_rows
        if paint == "ground":
            moved = Transform(transform.scale, transform.x - left, transform.y - top)
            self.image.paste(_ground_patch(moved, (right - left, bottom - top), self._theme), (left, top))
        else:
            self.image.paste(_rgb(paint, self._theme), (left, top, right, bottom))

    def _paint_glow(self, shape: Rect, transform: Transform) -> None:
        """Paint light on a table: brightest in the middle, and fading toward the edges."""
        left, top = (round(edge) for edge in transform.apply((shape.x, shape.y)))
        right, bottom = (round(edge) for edge in transform.apply((shape.x + shape.width, shape.y + shape.height)))
        mask = ImageChops.invert(Image.radial_gradient("L")).resize((right - left, bottom - top))
        self.image.paste(_rgb("light", self._theme), (left, top, right, bottom), mask)

    def _paint_layer(
        self, shapes: tuple[SimpleShape, ...], transform: Transform, opacity: float, rows: tuple[int, int] | None = None
    ) -> None:
        """Paint shapes together; if `rows` is given, paint only those rows of pixels."""
        left, top, right, bottom = _pixel_box(shapes, transform)
        if rows is not None:
            top, bottom = max(top, rows[0]), min(bottom, rows[1])
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(right, self.image.width), min(bottom, self.image.height)
        for start in range(top, bottom, _BAND):
            end = min(start + _BAND, bottom)
            if right > left:
                magnified = Transform(
                    transform.scale * _ZOOM,
                    (transform.x - left) * _ZOOM,
                    (transform.y - start) * _ZOOM,
                )
                layer = _painted(shapes, magnified, (right - left, end - start), self._theme)
                if opacity < 1:
                    layer.putalpha(layer.getchannel("A").point(lambda alpha: round(alpha * opacity)))
                self.image.alpha_composite(layer, (left, start))

    def _write(self, text: Text, transform: Transform) -> None:
        size = max(1, round(text.size * transform.scale))
        pieces = fonts.runs(text.text, size, is_bold=text.is_bold, fallback=text.fallback)
        widths = [font.getlength(piece) for font, piece in pieces]
        x, y = transform.apply((text.x, text.y))
        x -= sum(widths) * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
        draw = ImageDraw.Draw(self.image)
        for (font, piece), width in zip(pieces, widths, strict=True):
            draw.text((round(x), round(y)), piece, _rgb(text.fill, self._theme), font, anchor="ls")
            x += width


def _painted(shapes: tuple[SimpleShape, ...], transform: Transform, size: tuple[int, int], theme: Theme) -> Image.Image:
    """Paint shapes on a new layer of this size, with smooth edges."""
    layer = Image.new("RGBA", (size[0] * _ZOOM, size[1] * _ZOOM))
    draw = ImageDraw.Draw(layer)
    for shape in shapes:
        lines = [[transform.apply(point) for point in line] for line in outlines(shape)]
        fill = shape.path.fill if isinstance(shape, Texture) else None if isinstance(shape, Line) else shape.fill
        if fill is not None:
            for line in lines:
                _fill(layer, draw, line, fill, transform, theme)
        stroke = None if isinstance(shape, Circle) else shape.stroke
        if stroke is not None:
            for line in lines:
                _draw_line(draw, line, stroke, transform.scale, theme)
    return layer.reduce(_ZOOM)


def _fill(
    layer: Image.Image, draw: ImageDraw.ImageDraw, outline: list[Point], paint: str, transform: Transform, theme: Theme
) -> None:
    if paint == "gloss" or len(paint) == _TRANSLUCENT_LENGTH:
        _blend(layer, outline, paint)
        return
    if paint != "ground":
        draw.polygon(outline, fill=_rgb(paint, theme))
        return
    mask = Image.new("1", layer.size)
    ImageDraw.Draw(mask).polygon(outline, fill=1)
    if box := mask.getbbox():
        left, top, right, bottom = box
        background = _bare_table(
            Transform(transform.scale, transform.x - left, transform.y - top), (right - left, bottom - top), theme
        )
        layer.paste(background, (left, top), mask.crop(box))


def _blend(layer: Image.Image, outline: list[Point], paint: str) -> None:
    """Fill with a translucent color."""
    left, top = (floor(min(point[axis] for point in outline)) for axis in (0, 1))
    right, bottom = (ceil(max(point[axis] for point in outline)) + 1 for axis in (0, 1))
    opacity = 255 if paint == "gloss" else int(paint[7:], 16)
    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in outline], fill=opacity)
    if paint == "gloss":
        mask = ImageChops.multiply(mask, _gloss().resize(mask.size))
    layer.paste((255, 255, 255) if paint == "gloss" else _rgb(paint, Theme.LIGHT), (left, top), mask)


@lru_cache(maxsize=1)
def _gloss() -> Image.Image:
    """White at 20% opacity at the top, fading to nothing at 60% of the height."""
    column = Image.new("L", (1, 100))
    for y in range(60):
        column.putpixel((0, y), round(51 * (1 - y / 60)))
    return column


def _bare_table(transform: Transform, size: tuple[int, int], theme: Theme) -> Image.Image:
    """A piece of the bare table."""
    piece = Image.new("RGBA", size, _rgb("table", theme))
    draw = ImageDraw.Draw(piece)
    side = SIZE * transform.scale
    for column in range(floor(-transform.x / side) - 1, ceil((size[0] - transform.x) / side) + 2):
        for row in range(floor(-transform.y / side) - 1, ceil((size[1] - transform.y) / side) + 2):
            square = Transform(transform.scale, transform.x + column * side, transform.y + row * side)
            (dot,) = outlines(DOT)
            draw.polygon([square.apply(point) for point in dot], fill=_rgb(DOT.fill, theme))
    return piece


def _is_large(shape: Rect, transform: Transform) -> bool:
    """Is this shape so large that we smooth only its corners? For a bare table, each square must also be a whole number
    of pixels wide."""
    has_whole_pixels = shape.fill != "ground" or float(SIZE * transform.scale).is_integer()
    return has_whole_pixels and min(shape.width, shape.height) * transform.scale > _BAND / 2


def _ground_patch(transform: Transform, size: tuple[int, int], theme: Theme) -> Image.Image:
    """A piece of the bare table, with its dots at the same positions as in the whole drawing."""
    side = round(SIZE * transform.scale)
    cell = _bare_table(Transform(transform.scale * _ZOOM, 0, 0), (side * _ZOOM, side * _ZOOM), theme).reduce(_ZOOM)
    row = Image.new("RGBA", (size[0], side))
    for x in range(round(transform.x) % side - side, size[0], side):
        row.paste(cell, (x, 0))
    patch = Image.new("RGBA", size)
    for y in range(round(transform.y) % side - side, size[1], side):
        patch.paste(row, (0, y))
    return patch


def _draw_line(draw: ImageDraw.ImageDraw, line: list[Point], stroke: Stroke, scale: float, theme: Theme) -> None:
    width = max(1, round(stroke.width * scale))
    if stroke.paint == "wild":
        _draw_spiral(draw, line, width)
        return
    color = _rgb(stroke.paint, theme)
    pieces = _dashed(line, stroke.dash[0] * scale, stroke.dash[1] * scale) if stroke.dash else [line]
    for piece in pieces:
        draw.line(piece, color, width, joint="curve")
        if stroke.is_round:
            for x, y in (piece[0], piece[-1]):
                draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=color)
        elif piece[0] == piece[-1]:  # The line is closed, so its ends need a joint too.
            draw.line([piece[-2], piece[0], piece[1]], color, width, joint="curve")


def _draw_spiral(draw: ImageDraw.ImageDraw, line: list[Point], width: int) -> None:
    """Draw a line whose colors change from upper left to lower right."""
    left, top = (min(point[axis] for point in line) for axis in (0, 1))
    right, bottom = (max(point[axis] for point in line) for axis in (0, 1))
    for (x, y), end in pairwise(line):
        color = spiral_color(((x - left) / (right - left) + (y - top) / (bottom - top)) / 2, VIVID.palette)
        draw.line([(x, y), end], color, width)
        draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=color)


def _dashed(line: list[Point], dash: float, gap: float) -> Iterator[list[Point]]:
    """The pieces of a dashed line."""
    piece: list[Point] = [line[0]]
    remaining, is_drawn = dash, True
    for end in line[1:]:
        start = piece[-1]
        while (length := hypot(end[0] - start[0], end[1] - start[1])) > remaining:
            ratio = remaining / length
            start = start[0] + (end[0] - start[0]) * ratio, start[1] + (end[1] - start[1]) * ratio
            if is_drawn:
                yield [*piece, start]
            piece, is_drawn = [start], not is_drawn
            remaining = dash if is_drawn else gap
        remaining -= length
        piece.append(end)
    if is_drawn and len(piece) > 1:
        yield piece


def _pixel_box(shapes: tuple[SimpleShape, ...], transform: Transform) -> tuple[int, int, int, int]:
    """The box of pixels that contains these shapes."""
    boxes = [_box(shape, transform) for shape in shapes if not isinstance(shape, Texture)]  # Textures stay inside.
    return (
        floor(min(box[0] for box in boxes)) - 1,
        floor(min(box[1] for box in boxes)) - 1,
        ceil(max(box[2] for box in boxes)) + 1,
        ceil(max(box[3] for box in boxes)) + 1,
    )


def _box(shape: SimpleShape, transform: Transform) -> Box:
    stroke = None if isinstance(shape, Circle) else shape.stroke
    edge = stroke.width / 2 * transform.scale if stroke is not None else 0
    points = [transform.apply(point) for line in outlines(shape) for point in line]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge


def _rgb(paint: str, theme: Theme) -> Color:
    red, green, blue, *_ = ImageColor.getrgb(color_of(paint, theme))
    return red, green, blue
