"""Work on conundrums, in a helper process."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from chromino.conundrum import Conundrum
from chromino.conundrum.grading import difficulty
from chromino.conundrum.making import daily
from chromino.errors import ChrominoError, ParseError
from chromino.messages.conundrums import AskConundrumHint, AskedTile, ConundrumHint, ConundrumText, Judged, TryPlacement
from chromino.messages.views import WireRefusal
from chromino.server.problems import Problem
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, Placement

_BOX_SIZE = len(CLASSIC_TILES) + len(CHAMELEONS)
_MAX_TILES = 8  # Tiles to place.
_TILE_LENGTH = 3  # In squares.
_MAX_WIDTH = _TILE_LENGTH * _BOX_SIZE  # In squares: all tiles in the box, end to end.
_MARGIN = 2  # Squares shown around the place in a hint's first step.


def of_the_day(day: date, grade: int) -> ConundrumText:
    return _text(daily(day, grade))


def look(text: str) -> ConundrumText:
    """What a conundrum asks, and how hard it is."""
    return _text(_parsed(text))


def judge(tried: TryPlacement) -> Judged:
    """Is this placement right? If not, it's refused, as in a game."""
    known = [parsed_placement(text) for text in tried.found]
    attempt = _parsed(tried.conundrum).attempt(parsed_placement(tried.placement), known)
    return Judged(attempt.verdict.value, WireRefusal.of(attempt.refusal) if attempt.refusal else None)


def hint(message: AskConundrumHint) -> ConundrumHint:
    """A hint in three steps: an area around a place not found yet, its row or column, and one of its squares."""
    conundrum = _parsed(message.conundrum)
    missing = conundrum.missing(parsed_placement(place) for place in message.found)
    if not missing:
        raise Problem("nothing-to-choose")
    place = missing[0]
    width, height = (1, _TILE_LENGTH) if place.down else (_TILE_LENGTH, 1)
    if message.step == 1:
        extra = 2 * _MARGIN
        return ConundrumHint(str(place.tile), place.x - _MARGIN, place.y - _MARGIN, width + extra, height + extra)
    if message.step == 2:
        return _line(conundrum, place)
    x, y = place.squares[1]
    return ConundrumHint(str(place.tile), x, y, 1, 1)


def missing(text: str, found: list[str]) -> list[str]:
    """The places that haven't been found yet."""
    return [str(place) for place in _parsed(text).missing(parsed_placement(place) for place in found)]


def parsed_placement(text: str) -> Placement:
    try:
        return Placement.parse(text)
    except ParseError as error:
        raise Problem("bad-conundrum", str(error)) from None


def _line(conundrum: Conundrum, place: Placement) -> ConundrumHint:
    """The row or column of a place, with room for a tile beyond each end of the table."""
    (left, right), (top, bottom) = _extent(conundrum.table.laid)
    extra = 2 * _TILE_LENGTH + 1
    if place.down:
        return ConundrumHint(str(place.tile), place.x, top - _TILE_LENGTH, 1, bottom - top + extra)
    return ConundrumHint(str(place.tile), left - _TILE_LENGTH, place.y, right - left + extra, 1)


def _extent(laid: Sequence[Placement]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The range of columns and the range of rows on the table."""
    squares = [square for placement in laid for square in placement.squares]
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    return (min(xs), max(xs)), (min(ys), max(ys))


def _text(conundrum: Conundrum) -> ConundrumText:
    rated = difficulty(conundrum)
    return ConundrumText(
        conundrum=str(conundrum),
        table=str(conundrum.table),
        asked=[AskedTile(str(tile), count) for tile, count in conundrum.counts.items()],
        grade=rated.grade,
        score=rated.score,
        reasons=dict(rated.reasons),
    )


def _parsed(text: str) -> Conundrum:
    _check_size(text)
    try:
        return Conundrum.parse(text)
    except ChrominoError as error:
        raise Problem("bad-conundrum", str(error)) from None


def _check_size(text: str) -> None:
    """Check the size before doing any work, since the work grows with the table."""
    table, _, tiles = text.partition("?")
    laid, asked = [parsed_placement(word) for word in table.split()], tiles.split()
    if len(laid) > _BOX_SIZE:
        raise Problem("bad-conundrum", f"the box has {_BOX_SIZE} tiles, but there are more on this table")
    if len(asked) > _MAX_TILES:
        raise Problem("bad-conundrum", f"a conundrum can have at most {_MAX_TILES} tiles to place, not {len(asked)}")
    if laid and max(last - first for first, last in _extent(laid)) >= _MAX_WIDTH:
        raise Problem(
            "bad-conundrum", f"these tiles are too far apart: a table can't be wider than {_MAX_WIDTH} squares"
        )
