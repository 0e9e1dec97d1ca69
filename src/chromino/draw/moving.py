"""A whole game as an animation: an animated SVG, and the frames of a GIF (`gif.py`).

The frame is as large as the final table needs, so nothing jumps. Tiles appear one by one, and the final table stays
for a while. With reduced motion, you only see the final table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chromino.draw.look import FLAT, Theme
from chromino.draw.parts import laid, ring
from chromino.draw.scenes import Row, below, framed, number_text, rows_of, seat_rows, view_words
from chromino.draw.shapes import Drawing, Group, Shape, Text
from chromino.draw.svg import drawing_svg, table_drawing
from chromino.events import Drew, Event, Placed
from chromino.view import View

STEP = 0.7  # Seconds per tile.
REST = 4.0  # Seconds that the final table stays before the animation starts over.


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a placement: how many tiles are on the table, and each seat's points or number of tiles."""

    tiles: int
    numbers: tuple[int, ...]


def moments(view: View) -> list[Moment]:
    """The start, and the moment after each placement; the last moment has the final numbers."""
    numbers = list(_at_the_start(view))
    found = [Moment(1, tuple(numbers))]
    for event in view.log:
        numbers[event.seat] += _change(event, bool(view.rules.scoring))
        if isinstance(event, Placed):
            found.append(Moment(found[-1].tiles + 1, tuple(numbers)))
    last = view.scores if view.rules.scoring else view.hand_sizes
    found[-1] = replace(found[-1], numbers=last)
    return found


def _at_the_start(view: View) -> Iterator[int]:
    """Each seat's number at the start: no points, or the number of tiles dealt."""
    for seat, left in enumerate(view.hand_sizes):
        tiles = (_change(event, scoring=False) for event in view.log if event.seat == seat)
        yield 0 if view.rules.scoring else left - sum(tiles)


def _change(event: Event, scoring: bool) -> int:
    match event:
        case Placed(points=points):
            return sum(points) if scoring else -1
        case Drew():
            return 0 if scoring else 1
    return 0


def _stage(view: View) -> tuple[Drawing, list[Row], tuple[float, float, float]]:
    """The final table, the seats without anything that changes, and where the seats start."""
    bare = table_drawing(view.table, title=view_words(view))
    rows = [replace(row, number=None, hand=(), won=False, is_next=False) for row in rows_of(view)]
    return bare, rows, below(bare, len(rows))


# SVG.


def animated_svg(view: View, theme: Theme = Theme.AUTO) -> str:
    """A document that plays the game in a loop, without a script."""
    found = moments(view)
    duration = len(found) * STEP + REST
    bare, rows, where = _stage(view)
    style: list[str] = []

    def shown(name: str, first: int, end: int | None) -> str:
        """Animate something that's visible from one moment to another, or to the end; returns the class."""
        begin = 100 * first * STEP / duration
        steps = f"0%{{opacity:{0 if first else 1}}}"
        if first:
            steps += f"{begin:.2f}%{{opacity:0}}{begin + 100 * STEP / 4 / duration:.2f}%{{opacity:1}}"
        if end is not None:
            gone = 100 * end * STEP / duration
            steps += f"{gone:.2f}%{{opacity:1}}{gone + 0.01:.2f}%,100%{{opacity:0}}"
        rest = "" if end is None else f".{name}{{opacity:0}}"
        style.append(f"@keyframes {name}{{{steps}}}{rest}.{name}{{animation:{name} {duration:.1f}s linear infinite}}")
        return name

    tiles: list[Shape] = [
        laid(placement, shown(f"t{number}", number, None) if number else None)
        for number, placement in enumerate(view.table.laid)
    ]
    last = len(found) - 1
    rings: list[Shape] = [
        ring(placement, shown(f"r{number}", number, number + 1 if number < last else None))
        for number, placement in enumerate(view.table.laid)
        if number
    ]
    crowned = [replace(row, won=end.won) for row, end in zip(rows, rows_of(view), strict=True)]
    moves = [shown(f"w{seat}", last, None) if row.won else "" for seat, row in enumerate(crowned)]
    seats = seat_rows(crowned, *where, moves=moves)
    numbers: list[Shape] = []
    for seat in range(len(rows)):
        for first, end, number in _spans([moment.numbers[seat] for moment in found]):
            text = number_text(number, seat, len(rows), *where)
            always = first == 0 and end is None
            name = None if always else shown(f"n{seat}-{first}", first, end)
            numbers.append(Group((text,), moves=name))
    style.append("@media (prefers-reduced-motion:reduce){*{animation:none!important}}")
    drawing = framed(replace(bare, shapes=(*tiles, *rings)), [*seats, *numbers], len(rows))
    return drawing_svg(drawing, theme, "".join(style))


def _spans(numbers: list[int]) -> Iterator[tuple[int, int | None, int]]:
    """The spans during which a number stays the same; None means to the end."""
    first = 0
    for moment in range(1, len(numbers)):
        if numbers[moment] != numbers[first]:
            yield first, moment, numbers[first]
            first = moment
    yield first, None, numbers[first]


# GIF.


def frames(view: View) -> tuple[Drawing, list[tuple[Shape, ...]]]:
    """The background, and each moment's tile and marks; the tiles stay, but the marks only last for a moment."""
    found = moments(view)
    bare, rows, where = _stage(view)
    ground = framed(replace(bare, shapes=()), (), len(rows), FLAT)
    ends = rows_of(view)
    steps: list[tuple[Shape, ...]] = []
    for number, moment in enumerate(found):
        is_end = number == len(found) - 1
        now = [replace(row, won=is_end and end.won) for row, end in zip(rows, ends, strict=True)]
        tile = view.table.laid[number]
        texts: list[Text] = [number_text(each, seat, len(rows), *where) for seat, each in enumerate(moment.numbers)]
        marks = (ring(tile),) if number else ()
        steps.append((laid(tile, look=FLAT), Group((*marks, *seat_rows(now, *where), *texts), name="marks")))
    return ground, steps
