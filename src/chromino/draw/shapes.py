"""What a drawing is made of: shapes and their paints. `svg.py` writes them as SVG, and `raster.py` as pixels.

A paint is a color (`#AE352E`, or `#2B211014` if it's translucent), a role of the theme (`ink`), the bare table
(`ground`), light on the table (`glow`) or on a square (`gloss`), or, for lines, all colors (`wild`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn."""

    paint: str
    width: float = 1
    dash: tuple[float, float] | None = None
    is_round: bool = False


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    fill: str | None = None
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float
    fill: str


@dataclass(frozen=True, slots=True)
class Line:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    stroke: Stroke


@dataclass(frozen=True, slots=True)
class Path:
    """An SVG path with only the commands M, L, H, V, Q, T and Z."""

    d: str
    stroke: Stroke | None = None
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Texture:
    """The path drawn on a square of this color; x and y are the square's upper left corner."""

    color: str
    path: Path
    x: float
    y: float

    @property
    def stroke(self) -> Stroke | None:
        return self.path.stroke


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is the baseline."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    is_bold: bool = False
    fallback: str = ""
    """What to write if no font has the letters of `text`."""


@dataclass(frozen=True, slots=True)
class Group:
    shapes: tuple[Shape, ...]
    name: str | None = None
    title: str | None = None
    opacity: float = 1.0
    at: tuple[float, float, float] | None = None
    """The x and y of the group's origin, and the scale of its units."""
    animation: str | None = None
    """The name of the group's animation; see `animation.py`."""


SimpleShape = Rect | Circle | Line | Path | Texture
Shape = SimpleShape | Text | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in a frame."""

    left: float
    top: float
    width: float
    height: float
    shapes: tuple[Shape, ...]
    label: str
    """What the drawing shows, in words."""


def outlines(shape: SimpleShape) -> list[tuple[Point, ...]]:
    """A shape's lines, each as a series of points. Closed lines end where they start."""
    match shape:
        case Rect(x, y, width, height, radius):
            return [_rounded(x, y, width, height, radius)]
        case Circle(x, y, radius):
            return [tuple(_arc(x, y, radius, 0, 4))]
        case Line(points):
            return [points]
        case Texture(_, path, x, y):
            return [tuple((x + right, y + down) for right, down in line) for line in _parsed(path.d)]
    return _parsed(shape.d)


def _arc(x: float, y: float, radius: float, quarter: int, quarters: int) -> Iterator[Point]:
    """The points of an arc that spans this many quarters of a circle, clockwise. Quarter 0 starts on the right."""
    steps = 8 * quarters
    for step in range(steps + 1):
        angle = (quarter + quarters * step / steps) * pi / 2
        yield x + radius * cos(angle), y + radius * sin(angle)


def _rounded(x: float, y: float, width: float, height: float, radius: float) -> tuple[Point, ...]:
    left, top, right, bottom = x + radius, y + radius, x + width - radius, y + height - radius
    corners = ((right, bottom, 0), (left, bottom, 1), (left, top, 2), (right, top, 3))
    points = [point for cx, cy, quarter in corners for point in _arc(cx, cy, radius, quarter, 1)]
    return (*points, points[0])


@lru_cache
def _parsed(d: str) -> list[tuple[Point, ...]]:
    return list(_lines(d))


_COMMAND = re.compile(r"([MLHVQTZ])([^MLHVQTZ]*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "T": 2}


def _lines(d: str) -> Iterator[tuple[Point, ...]]:
    """The lines of a path; curves become short straight pieces."""
    points: list[Point] = []
    control = (0.0, 0.0)
    for letter, rest in _COMMAND.findall(d):
        command = letter.upper()
        if command == "Z":
            points.append(points[0])
            continue
        numbers = [float(number) for number in _NUMBER.findall(rest)]
        count = _ARGUMENTS[command]
        for start in range(0, len(numbers), count):
            values = numbers[start : start + count]
            x, y = points[-1] if points else (0.0, 0.0)
            if command == "M" and start == 0:
                if points:
                    yield tuple(points)
                points = []
            if letter.islower():
                values = [value + (y if command == "V" or n % 2 else x) for n, value in enumerate(values)]
            if command == "H":
                values = [values[0], y]
            elif command == "V":
                values = [x, values[0]]
            if command in "QT":
                if command == "T":
                    values = [2 * x - control[0], 2 * y - control[1], *values]
                control = (values[0], values[1])
                points += _curve((x, y), control, (values[2], values[3]))
            else:
                points.append((values[0], values[1]))
    yield tuple(points)


def _curve(start: Point, control: Point, end: Point) -> Iterator[Point]:
    for step in range(1, 9):
        t = step / 8
        first, second, third = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield (
            first * start[0] + second * control[0] + third * end[0],
            first * start[1] + second * control[1] + third * end[1],
        )
