"""A whole game as an animation: an animated SVG, and the frames of a GIF (`gif.py`).

The frame is as large as the final table needs, so nothing jumps. Tiles appear one by one, and the final table stays
for a while. In the SVG, viewers who prefer reduced motion see only the final table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chromino.draw.look import FLAT, Theme
from chromino.draw.parts import ring, tile_shapes
from chromino.draw.scenes import Row, area_below, framed, number_text, rows_of, seat_rows, view_words
from chromino.draw.shapes import Drawing, Group, Shape, Text
from chromino.draw.svg import drawing_svg, table_drawing
from chromino.events import Drew, Event, Placed
from chromino.view import View

STEP = 0.7  # Seconds per tile.
REST = 4.0  # Seconds that the final table stays before the animation starts over.


def moments(view: View) -> list[tuple[int, ...]]:
    """Each seat's points or number of tiles at the start and after each placement; the last moment has the final
    numbers."""
    numbers = list(_start_numbers(view))
    game_moments = [tuple(numbers)]
    for event in view.log:
        numbers[event.seat] += _change(event, bool(view.rules.scoring))
        if isinstance(event, Placed):
            game_moments.append(tuple(numbers))
    game_moments[-1] = view.scores if view.rules.scoring else view.hand_sizes
    return game_moments


def _start_numbers(view: View) -> Iterator[int]:
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


def _static_parts(view: View) -> tuple[Drawing, list[Row], tuple[float, float, float]]:
    """The final table, the seats without anything that changes during the game, and the area below the table."""
    table = table_drawing(view.table, title=view_words(view))
    rows = [replace(row, number=None, hand=(), won=False, is_next=False) for row in rows_of(view)]
    return table, rows, area_below(table, len(rows))


# SVG.


def animated_svg(view: View, theme: Theme = Theme.AUTO) -> str:
    """An SVG document that plays the game in a loop, without a script."""
    game_moments = moments(view)
    duration = len(game_moments) * STEP + REST
    table, rows, area = _static_parts(view)
    style: list[str] = []

    def animate(name: str, first: int, end: int | None) -> str:
        """Animate something that's visible from one moment to another, or to the end, and return its CSS class."""
        start = 100 * first * STEP / duration
        steps = f"0%{{opacity:{0 if first else 1}}}"
        if first:
            steps += f"{start:.2f}%{{opacity:0}}{start + 100 * STEP / 4 / duration:.2f}%{{opacity:1}}"
        if end is not None:
            hidden = 100 * end * STEP / duration
            steps += f"{hidden:.2f}%{{opacity:1}}{hidden + 0.01:.2f}%,100%{{opacity:0}}"
        hide = "" if end is None else f".{name}{{opacity:0}}"
        style.append(f"@keyframes {name}{{{steps}}}{hide}.{name}{{animation:{name} {duration:.1f}s linear infinite}}")
        return name

    tiles: list[Shape] = [
        tile_shapes(placement, animate(f"t{number}", number, None) if number else None)
        for number, placement in enumerate(view.table.laid)
    ]
    last = len(game_moments) - 1
    rings: list[Shape] = [
        ring(placement, animate(f"r{number}", number, number + 1 if number < last else None))
        for number, placement in enumerate(view.table.laid)
        if number
    ]
    rows_with_winners = [replace(row, won=end.won) for row, end in zip(rows, rows_of(view), strict=True)]
    animations = [animate(f"w{seat}", last, None) if row.won else "" for seat, row in enumerate(rows_with_winners)]
    seats = seat_rows(rows_with_winners, *area, animations=animations)
    numbers: list[Shape] = []
    for seat in range(len(rows)):
        for first, end, number in _spans([numbers_then[seat] for numbers_then in game_moments]):
            text = number_text(number, seat, len(rows), *area)
            is_constant = first == 0 and end is None
            name = None if is_constant else animate(f"n{seat}-{first}", first, end)
            numbers.append(Group((text,), animation=name))
    style.append("@media (prefers-reduced-motion:reduce){*{animation:none!important}}")
    drawing = framed(replace(table, shapes=(*tiles, *rings)), [*seats, *numbers], len(rows))
    return drawing_svg(drawing, theme, "".join(style))


def _spans(numbers: list[int]) -> Iterator[tuple[int, int | None, int]]:
    """For each span in which a number stays the same: its start, its end (None for the last span), and the number."""
    first = 0
    for moment in range(1, len(numbers)):
        if numbers[moment] != numbers[first]:
            yield first, moment, numbers[first]
            first = moment
    yield first, None, numbers[first]


# GIF.


def frames(view: View) -> tuple[Drawing, list[tuple[Shape, ...]]]:
    """The background, and the tile and marks of each moment: tiles stay, but marks disappear after their moment."""
    game_moments = moments(view)
    table, rows, area = _static_parts(view)
    background = framed(replace(table, shapes=()), (), len(rows), FLAT)
    ends = rows_of(view)
    steps: list[tuple[Shape, ...]] = []
    for number, numbers in enumerate(game_moments):
        is_end = number == len(game_moments) - 1
        rows_now = [replace(row, won=is_end and end.won) for row, end in zip(rows, ends, strict=True)]
        tile = view.table.laid[number]
        texts: list[Text] = [number_text(each, seat, len(rows), *area) for seat, each in enumerate(numbers)]
        marks = (ring(tile),) if number else ()
        steps.append((tile_shapes(tile, look=FLAT), Group((*marks, *seat_rows(rows_now, *area), *texts), name="marks")))
    return background, steps
