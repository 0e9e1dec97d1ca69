"""Whole pictures: a table on a background, hands with names, a game as a spectator sees it, and a card for links.

The only words they normally show are names, so they work in every language. Labels for screen readers are in English.
A game is drawn from a spectator's view, so hidden tiles can't end up in its picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from chromino.draw.look import SIZE, VIVID, Look
from chromino.draw.parts import ring, small_tile, tile_shapes
from chromino.draw.shapes import Drawing, Group, Path, Rect, Shape, Stroke, Text
from chromino.draw.svg import table_drawing
from chromino.draw.words import listed, winners_words
from chromino.events import Placed
from chromino.table import Table
from chromino.tiles import Placement, Square, Tile
from chromino.view import View

CARD = (1200, 630)  # The size of a link's preview, in pixels.

_MARGIN = 20
_ROW_HEIGHT = 48
_MIN_WIDTH = 13 * SIZE  # This leaves room for names and hands below a small table.
_TWO_COLUMN_WIDTH = 26 * SIZE  # Below a table this wide, all seats are in two columns, not just five or more.
_WORDMARK_WIDTH = 262  # Of a tile and the word "Chromino".
_MAX_LETTERS = 100  # The maximum number of letters to look at: names in records can have any length.
_FONT_SIZE, _SIDE = 20, 24  # The size of letters, and of the squares of tiles in a hand.


@dataclass(frozen=True, slots=True)
class Row:
    """A row below a table: one seat's name, number and hand."""

    name: str
    number: int | None = None
    """The seat's points, or its number of tiles."""
    hand: tuple[Tile | None, ...] = ()
    """None is a face-down tile."""
    won: bool = False
    is_next: bool = False
    fallback: str = ""
    """What to write if no font has the letters of the name."""


def framed_table_drawing(
    table: Table,
    *,
    places: Iterable[Placement] = (),
    wrong: Iterable[Square] = (),
    last: Placement | None = None,
    rows: Sequence[Row] = (),
    title: str | None = None,
) -> Drawing:
    """A table on a background, with hands below it."""
    drawing = table_drawing(table, places=places, wrong=wrong, last=last, title=title)
    seats = [Group(seat_rows(rows, *area_below(drawing, len(rows))))] if rows else []
    return framed(drawing, seats, len(rows))


def hands_drawing(rows: Sequence[Row]) -> Drawing:
    """Hands with their players' names, without a table."""
    width = max(_MIN_WIDTH, *(14 * _FONT_SIZE + len(row.hand) * _tile_width() for row in rows))
    height = _rows_per_column(width, len(rows)) * _ROW_HEIGHT + 2 * _MARGIN
    background = Rect(0, 0, width, height, 18, "paper")
    label = f"Chromino tiles held by {listed([row.name for row in rows])}"
    return Drawing(0, 0, width, height, (background, *seat_rows(rows, _MARGIN, _MARGIN, width - 2 * _MARGIN)), label)


def game_drawing(view: View) -> Drawing:
    """A game as everyone may see it: the table, with the last tile marked, and the seats below it."""
    return framed_table_drawing(view.table, last=last_placed(view), rows=rows_of(view), title=view_words(view))


def rows_of(view: View) -> list[Row]:
    """A row for each seat, in order."""
    return [
        Row(
            name,
            view.scores[seat] if view.rules.scoring else view.hand_sizes[seat],
            (None,) * view.hand_sizes[seat] if (hand := view.hands[seat]) is None else hand,
            won=seat in view.winners,
            is_next=not view.over and seat == view.seat,
            fallback=f"Player {seat + 1}",
        )
        for seat, name in enumerate(view.players)
    ]


def view_words(view: View) -> str:
    """What the picture of a game shows."""
    tiles = f"Chromino table with {len(view.table)} tile{'' if len(view.table) == 1 else 's'}"
    return f"{tiles}. {winners_words(view.players, view.winners)}" if view.over else tiles


def last_placed(view: View) -> Placement | None:
    """The last tile placed, if any."""
    return next((event.placement for event in reversed(view.log) if isinstance(event, Placed)), None)


# A table on a background, with rows below it.


def area_below(drawing: Drawing, rows: int) -> tuple[float, float, float]:
    """The left edge, the top edge and the width of the rows below a table."""
    width = max(drawing.width, _MIN_WIDTH) if rows else drawing.width
    return drawing.left - (width - drawing.width) / 2, drawing.top + drawing.height + _MARGIN, width


def framed(drawing: Drawing, row_shapes: Iterable[Shape], rows: int, look: Look = VIVID) -> Drawing:
    """The table on a background, with a margin, and room for this many rows below it."""
    left, _, width = area_below(drawing, rows)
    light = () if look.is_flat else (Rect(left, drawing.top, width, drawing.height, 14, "glow"),)
    height = drawing.height + (_rows_per_column(width, rows) * _ROW_HEIGHT + _MARGIN if rows else 0)
    return Drawing(
        left - _MARGIN,
        drawing.top - _MARGIN,
        width + 2 * _MARGIN,
        height + 2 * _MARGIN,
        (
            Rect(left - _MARGIN, drawing.top - _MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN, 18, "paper"),
            Rect(left, drawing.top, width, drawing.height, 14, "ground"),
            *light,
            *drawing.shapes,
            *row_shapes,
        ),
        drawing.label,
    )


def _columns(width: float, rows: int) -> int:
    return 2 if rows > 4 or (rows > 1 and width >= _TWO_COLUMN_WIDTH) else 1


def _rows_per_column(width: float, rows: int) -> int:
    """How many rows are in each column."""
    return -(-rows // _columns(width, rows))


def _tile_width() -> float:
    return 3 * _SIDE + 4


def seat_rows(
    rows: Sequence[Row], x: float, y: float, width: float, *, animations: Sequence[str] = ()
) -> tuple[Shape, ...]:
    """Names with numbers and hands; winners get a crown, which may be animated."""
    shapes: list[Shape] = []
    for number, row in enumerate(rows):
        left, top, row_width = _row_area(number, len(rows), x, y, width)
        shapes += _row(row, left, top, row_width, animations[number] if animations else None)
    return tuple(shapes)


def _row_area(row: int, rows: int, x: float, y: float, width: float) -> tuple[float, float, float]:
    """A row's left edge, its top edge and its width."""
    columns = _columns(width, rows)
    lines = _rows_per_column(width, rows)
    row_width = (width - (columns - 1) * _MARGIN) / columns
    return x + row // lines * (row_width + _MARGIN), y + row % lines * _ROW_HEIGHT, row_width


def number_text(number: int, row: int, rows: int, x: float, y: float, width: float) -> Text:
    """A row's number, in the same place as in `seat_rows`."""
    return _number(number, *_row_area(row, rows, x, y, width))


def _number(number: int, x: float, y: float, width: float) -> Text:
    return Text(x + width - 14, y + _ROW_HEIGHT / 2 + 7, str(number), _FONT_SIZE, "ink", "end", is_bold=True)


def _row(row: Row, x: float, y: float, width: float, animation: str | None) -> list[Shape]:
    middle = y + _ROW_HEIGHT / 2
    shapes: list[Shape] = []
    if row.won:
        box = Rect(x, y + 2, width, _ROW_HEIGHT - 4, 10, "wash")
        shapes.append(Group((box, crown(x + 12, middle - 10, 20)), name="won", animation=animation))
    elif row.is_next:
        shapes.append(Path(f"M{x + 15} {middle - 9}L{x + 29} {middle}L{x + 15} {middle + 9}Z", fill="ink"))
    room = width - 100
    starts, end = _fan(row.hand, room - min(room / 2, text_width(row.name) * _FONT_SIZE + 20))
    name = fitted(row.name, _FONT_SIZE, room - end - (10 if end else 0))
    is_bold = row.won and not animation
    shapes.append(Text(x + 42, middle + 7, name, _FONT_SIZE, "ink", is_bold=is_bold, fallback=row.fallback))
    if row.number is not None:
        shapes.append(_number(row.number, x, y, width))
    left = x + width - 58 - end
    for tile, start in zip(row.hand, starts, strict=True):
        shapes.append(small_tile(tile, left + start, middle - _SIDE / 2, _SIDE))
    return shapes


def _fan(hand: Sequence[Tile | None], room: float) -> tuple[list[float], float]:
    """Where each tile starts, and where the last one ends. Tiles overlap if there isn't enough room."""
    widths = [_tile_width() if tile else _SIDE / 3 + 3 for tile in hand]
    starts = [sum(widths[:number]) for number in range(len(widths))]
    if not starts or starts[-1] == 0:
        return starts, sum(widths)
    ratio = max(0.0, min(1.0, (room - widths[-1]) / starts[-1]))
    return [start * ratio for start in starts], starts[-1] * ratio + widths[-1]


def crown(x: float, y: float, side: float) -> Path:
    """The winner's crown."""
    points = [(0, 0.25), (0.27, 0.52), (0.5, 0.08), (0.73, 0.52), (1, 0.25), (0.88, 0.9), (0.12, 0.9)]
    d = "L".join(f"{x + side * px:.1f} {y + side * py:.1f}" for px, py in points)
    return Path(f"M{d}Z", Stroke("ink", 1.5), "ink")


def text_width(text: str) -> float:
    """A generous estimate of a text's width, in letter heights: we don't know the viewer's fonts."""
    wide = sum(east_asian_width(letter) in "FW" for letter in text)
    zero_width = sum(bool(combining(letter)) for letter in text)
    return wide * 1.05 + (len(text) - wide - zero_width) * 0.62


def fitted(text: str, size: float, width: float) -> str:
    """The text, or as much of it as fits."""
    text = text[:_MAX_LETTERS]
    if text_width(text) * size <= width:
        return text
    while text and text_width(text + "…") * size > width:
        text = text[:-1]
    return text.rstrip() + "…"


# The preview card of a link.

_SAMPLE_TABLE = (
    "B*Y@0,0> BBY@-1,-1> YYP@2,-1> BRB@-1,0v G*B@-2,-2v YRY@3,0v P*Y@-3,-3v GYB@-4,-2v RYR@4,1v BGY@0,2> BBB@-2,3> "
    "YGY@-5,-3v GYR@-6,-2v YBP@-5,-4> PRR@5,-1v RGY@-7,-3v RGB@-4,2> GPR@6,-2v"
)


def card_drawing(table: Table, last: Placement | None, rows: Sequence[Row], label: str) -> Drawing:
    """A table above one line of names. It's as large as possible, with whole pixels per square."""
    width, height = CARD
    strip = 104
    drawing = table_drawing(table)
    room_x, room_y = width - 60, height - strip - 20
    side = int(min(SIZE * 2, room_x * SIZE / drawing.width, room_y * SIZE / drawing.height))
    scale = side / SIZE
    x = round((width - drawing.width * scale) / 2 - drawing.left * scale)
    y = round((height - strip - drawing.height * scale) / 2 - drawing.top * scale)
    tiles: list[Shape] = [*(tile_shapes(placement) for placement in table.laid), *([ring(last)] if last else ())]
    shapes: list[Shape] = [
        Group((Rect(-x / scale, -y / scale, width / scale, (height - strip) / scale, 0, "ground"),), at=(x, y, scale)),
        Rect(0, 0, width, height - strip, 0, "glow"),
        *([Group(tuple(tiles), at=(x, y, scale))] if len(table) else ()),
        Rect(0, height - strip, width, strip, 0, "paper"),
        Rect(0, height - strip, width, 2, 0, "dot"),
        *_wordmark(width - 40 if rows else width / 2 + _WORDMARK_WIDTH / 2, height - strip / 2),
        *_names(rows, 40, height - strip / 2, width - 360),
    ]
    return Drawing(0, 0, width, height, tuple(shapes), label)


def game_card(view: View) -> Drawing:
    """The card for a game."""
    return card_drawing(view.table, last_placed(view), rows_of(view), view_words(view))


def general_card() -> Drawing:
    """The card for any other link, with a nice-looking table."""
    return card_drawing(Table.parse(_SAMPLE_TABLE), None, (), "Chromino")


def _wordmark(right: float, middle: float) -> list[Shape]:
    text = Text(right, middle + 12, "Chromino", 34, "ink", "end", is_bold=True)
    return [text, small_tile(Tile.parse("G*R"), right - _WORDMARK_WIDTH, middle - 13, 26)]


def _names(rows: Sequence[Row], x: float, middle: float, width: float) -> list[Shape]:
    """All names on one line, winners first. If there are many, the letters get smaller and long names are cut short."""
    ordered = sorted(rows, key=lambda row: not row.won)
    for size, longest in _SIZES:
        names = [fitted(row.name, 1, longest) for row in ordered]
        words = [name + _number_suffix(row) for name, row in zip(names, ordered, strict=True)]
        widths = [text_width(text) * size + (size * 1.25 if row.won else 0) + size * 0.65
                  for text, row in zip(words, ordered, strict=True)]  # fmt: skip
        if sum(widths) <= width:
            break
    shapes: list[Shape] = []
    for row, text, full_width in zip(ordered, words, widths, strict=True):
        crown_width = size * 1.25 if row.won else 0
        if row.won:
            shapes.append(crown(x, middle - size * 0.62, size))
        fallback = row.fallback + (f": {row.number}" if row.number is not None else "")
        shapes.append(
            Text(x + crown_width, middle + size * 0.36, text, size, "ink", is_bold=row.won, fallback=fallback)
        )
        x += full_width
    return shapes


def _number_suffix(row: Row) -> str:
    return "" if row.number is None else f" {row.number}"


_SIZES = ((34, 26), (30, 26), (30, 9), (26, 9), (26, 6), (22, 6), (22, 4), (18, 4), (16, 3))
"""Letter sizes, each with the maximum length of a name in letter heights; the first one that fits is used."""
