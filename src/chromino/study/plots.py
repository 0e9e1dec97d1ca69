"""The plots of a study, made of the same shapes as all our pictures (`chromino.draw`).

Each interval is a line through its value, and the value is also shown as text: nothing depends on color alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from chromino.draw.parts import small_tile
from chromino.draw.shapes import Circle, Drawing, Line, Path, Rect, Shape, Stroke, Text
from chromino.study.estimates import Estimate, quantile
from chromino.tiles import Tile

_WIDTH = 480.0
_SIZE = 14.0  # The font size: still readable when a phone shows the whole plot.
_ROW_HEIGHT = 26.0
_MARGIN = 14.0


@dataclass(frozen=True, slots=True)
class Row:
    """An estimate with its label and, optionally, the individual values behind it and a tile as an example."""

    label: str
    estimate: Estimate
    dots: tuple[float, ...] = ()
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Rows with the same scale."""

    title: str
    rows: Sequence[Row]
    percent: bool = True
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Estimates in turn order."""

    title: str
    estimates: Sequence[Estimate]


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return self.left + min(max(part, 0.0), 1.0) * (self.right - self.left)


def intervals(title: str, sections: Sequence[Section], *, middle: float = 0.0, shared: bool = False) -> Drawing:
    """Rows of values with their intervals; a line marks `middle`. If `shared`, all sections have the same scale."""
    shapes: list[Shape] = []
    labels = max(_text_width(row.label) + (66 if row.tile else 0) for section in sections for row in section.rows)
    left = _MARGIN + labels + 14
    texts = [_value_text(row.estimate, section) for section in sections for row in section.rows]
    right = _WIDTH - _MARGIN - max(map(_text_width, texts)) - 10
    all_rows = [row for section in sections for row in section.rows]
    y = _MARGIN
    for section in sections:
        low, high = _limits(all_rows if shared else section.rows, middle)
        scale = _Scale(low, high, left, right)
        y += _SIZE
        shapes.append(Text(left, y, section.title, _SIZE, "ink", is_bold=True))
        y += 8
        bottom = y + len(section.rows) * _ROW_HEIGHT
        if low <= middle <= high:
            shapes.append(Line(((scale(middle), y), (scale(middle), bottom)), Stroke("muted", 1, (3, 3))))
        for row in section.rows:
            shapes += _row(row, section, y + _ROW_HEIGHT / 2, scale)
            y += _ROW_HEIGHT
        shapes += _axis(scale, y, section.percent)
        y += 34
    return _drawing(title, shapes, y - 8)


def _row(row: Row, section: Section, y: float, scale: _Scale) -> list[Shape]:
    baseline = y + _SIZE * 0.35
    label_end = scale.left - 14
    shapes: list[Shape] = [Text(label_end, baseline, row.label, _SIZE, "ink", anchor="end")]
    if row.tile is not None:
        shapes.append(small_tile(row.tile, _MARGIN, y - 9, 18))
    shapes += [Circle(scale(dot), y, 2.2, "muted") for dot in row.dots]
    shapes += _interval(scale, row.estimate, y)
    text = _value_text(row.estimate, section)
    shapes.append(Text(_WIDTH - _MARGIN, baseline, text, _SIZE, "ink", anchor="end"))
    return shapes


def _interval(scale: _Scale, estimate: Estimate, y: float) -> list[Shape]:
    if not isfinite(estimate.low + estimate.high):
        return []
    low, high = scale(estimate.low), scale(estimate.high)
    ends = [Line(((x, y - 4), (x, y + 4)), Stroke("ink", 1.5)) for x in (low, high)]
    return [Line(((low, y), (high, y)), Stroke("ink", 1.5)), *ends, Circle(scale(estimate.value), y, 3.6, "ink")]


def histograms(title: str, rows: Sequence[tuple[str, Counter[int]]], caption: str) -> Drawing:
    """A histogram for each row, all on the same scale; a line marks the median."""
    left, right = _MARGIN + max(_text_width(label) for label, _ in rows) + 14, _WIDTH - _MARGIN - 30
    high = max(quantile(counts, 0.995) for _, counts in rows) + 1
    step = _tick(0, high)
    scale = _Scale(0, ceil(high / step) * step, left, right)
    width = max(1, round(scale.high / 80))
    shapes: list[Shape] = []
    y = _MARGIN
    for label, counts in rows:
        height, y = 40.0, y + 46
        bars: Counter[int] = Counter()
        for number, count in counts.items():
            bars[number // width * width] += count
        most = max(bars.values())
        shapes.append(Text(left - 14, y - 4, label, _SIZE, "ink", anchor="end"))
        last = min(max(bars), int(scale.high) - width)
        tops = [
            f"V{y - height * bars[start] / most:.1f}H{scale(start + width):.1f}"
            for start in range(min(bars), last + 1, width)
        ]
        outline = " ".join([f"M{scale(min(bars)):.1f} {y:.1f}", *tops, f"V{y:.1f}Z"])
        shapes.append(Path(outline, Stroke("ink", 1), "wash"))
        middle = quantile(counts, 0.5)
        x = scale(middle + 0.5)
        shapes.append(Line(((x, y - height - 2), (x, y)), Stroke("ink", 1.5)))
        shapes.append(Text(_WIDTH - _MARGIN, y - 4, str(middle), _SIZE, "ink", anchor="end"))
    shapes.append(Text(_WIDTH - _MARGIN, _MARGIN + 4, "median", _SIZE * 0.85, "muted", anchor="end"))
    shapes += _axis(scale, y + 4, percent=False, caption=caption)
    return _drawing(title, shapes, y + 44)


def panels(title: str, plots: Sequence[Panel]) -> Drawing:
    """Small plots side by side, with the same scale; the line at 1 is a fair share."""
    known = [each for panel in plots for each in panel.estimates if isfinite(each.low + each.high)]
    low, high = (pick([edge for each in known for edge in (each.low, each.high)] + [1.0]) for pick in (min, max))
    room = max((high - low) * 0.08, 0.01)
    low, high = low - room, high + room
    height, left = 120.0, _MARGIN + 34
    columns = min(len(plots), 4)
    width = (_WIDTH - _MARGIN - left) / columns
    shapes: list[Shape] = []
    for number, panel in enumerate(plots):
        x, top = left + number % columns * width, _MARGIN + number // columns * (height + 62)
        scale = _Scale(low, high, top + 24 + height, top + 24)
        shapes.append(Text(x + width / 2, top + 12, panel.title, _SIZE, "ink", anchor="middle", is_bold=True))
        shapes.append(Line(((x + 4, scale(1)), (x + width - 4, scale(1))), Stroke("muted", 1, (3, 3))))
        if number % columns == 0:
            step = _tick(low, high)
            shapes += [
                Text(x - 2, scale(tick) + 5, _short(tick, step), _SIZE * 0.85, "muted", anchor="end")
                for tick in _ticks(low, high, step)
            ]
        gap = (width - 16) / len(panel.estimates)
        for place, estimate in enumerate(panel.estimates):
            center = x + 8 + gap * (place + 0.5)
            if isfinite(estimate.low + estimate.high):
                shapes.append(Line(((center, scale(estimate.low)), (center, scale(estimate.high))), Stroke("ink", 1.5)))
                shapes.append(Circle(center, scale(estimate.value), 3.2, "ink"))
            shapes.append(Text(center, top + height + 40, str(place + 1), _SIZE * 0.85, "muted", anchor="middle"))
    rows = ceil(len(plots) / columns)
    bottom = _MARGIN + rows * (height + 62)
    shapes.append(Text(left, bottom + 2, "turn order; dashed: a fair share", _SIZE * 0.85, "muted"))
    return _drawing(title, shapes, bottom + 14)


def _limits(rows: Sequence[Row], middle: float) -> tuple[float, float]:
    """The limits of a scale that fits all intervals, all dots and the middle."""
    edges = [edge for row in rows for edge in (row.estimate.low, row.estimate.high, *row.dots) if isfinite(edge)]
    low, high = min([*edges, middle]), max([*edges, middle])
    step = _tick(low, high)
    return floor(low / step) * step, max(ceil(high / step) * step, (floor(low / step) + 1) * step)


def _tick(low: float, high: float) -> float:
    """A round distance between tick marks, so that there are about four of them."""
    raw = max((high - low) / 4, 1e-4)
    size = 10.0 ** floor(log10(raw))
    return next((size * part for part in (1, 2, 5) if size * part >= raw), size * 10)


def _ticks(low: float, high: float, step: float) -> list[float]:
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _axis(scale: _Scale, y: float, percent: bool, caption: str = "") -> list[Shape]:
    step = _tick(scale.low, scale.high)
    shapes: list[Shape] = [Line(((scale.left, y), (scale.right, y)), Stroke("muted"))]
    for tick in _ticks(scale.low, scale.high, step):
        text = f"{_short(100 * tick, 100 * step)}%" if percent else _short(tick, step)
        shapes.append(Line(((scale(tick), y), (scale(tick), y + 4)), Stroke("muted")))
        shapes.append(Text(scale(tick), y + 18, text, _SIZE * 0.85, "muted", anchor="middle"))
    if caption:
        shapes.append(Text(scale.right, y + 34, caption, _SIZE * 0.85, "muted", anchor="end"))
    return shapes


def _short(number: float, step: float) -> str:
    digits = max(0, -floor(log10(step) + 1e-9))
    text = f"{number:.{digits}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{digits}f}"


def _value_text(estimate: Estimate, section: Section) -> str:
    format_value = estimate.percent if section.percent else estimate.number
    return format_value(signed=section.signed)


def _text_width(text: str) -> float:
    """The approximate width of a text."""
    return len(text) * _SIZE * 0.58


def _drawing(title: str, shapes: Sequence[Shape], height: float) -> Drawing:
    background = Rect(0, 0, _WIDTH, height, 8, "paper")
    return Drawing(0, 0, _WIDTH, height, (background, *shapes), title)
