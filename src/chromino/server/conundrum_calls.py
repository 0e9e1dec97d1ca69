"""Calls about conundrums. Nothing is kept: each carries the whole conundrum and what was found so far."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from chromino.conundrum import Conundrum
from chromino.conundrum.grading import GRADES, difficulty
from chromino.conundrum.making import daily
from chromino.errors import ChrominoError, ParseError
from chromino.server import people
from chromino.server.calls import apart, with_person
from chromino.server.conundrum_messages import (
    AskConundrumHint,
    Asked,
    ConundrumHint,
    ConundrumText,
    Judged,
    LookAtConundrum,
    Missing,
    SolvedConundrum,
    SolvedTimes,
    TryPlacement,
)
from chromino.server.identity import person_of
from chromino.server.problems import Problem
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, Placement

_FIRST_DAY = date(2026, 1, 1)
_BOX = len(CLASSIC_TILES) + len(CHAMELEONS)
_MARGIN = 2  # Squares around the place, in the first step of a hint.


async def of_the_day(request: Request, _body: None) -> ConundrumText:
    """The conundrum of a day and a grade, derived from the date."""
    try:
        day = date.fromisoformat(request.path_params["day"])
        grade = int(request.path_params["grade"])
    except ValueError:
        raise Problem("no-such-page") from None
    _check_day(day, grade, "no-such-page")
    return await apart(request, lambda: _text(_daily(day, grade)))


async def look(request: Request, asked: LookAtConundrum) -> ConundrumText:
    """Any conundrum: what it asks, and how hard it is."""
    return await apart(request, lambda: _text(_parsed(asked.conundrum)))


async def judge(request: Request, tried: TryPlacement) -> Judged:
    """Is a place right? If not, the same refusal as in play."""

    def work() -> Judged:
        known = [_placement(text) for text in tried.found]
        found = _parsed(tried.conundrum).attempt(_placement(tried.placement), known)
        return Judged(found.verdict.value, found.refusal.to_json() if found.refusal else None)

    return await apart(request, work)


async def hint(request: Request, asked: AskConundrumHint) -> ConundrumHint:
    """In three steps: an area around a place that is missing, its row or column, one of its squares."""
    return await apart(request, lambda: _hint(asked))


def _hint(asked: AskConundrumHint) -> ConundrumHint:
    missing = _missing(asked.conundrum, asked.found)
    if not missing:
        raise Problem("nothing-to-choose")
    place = missing[0]
    width, height = (1, 3) if place.down else (3, 1)
    if asked.step == 1:
        size = 2 * _MARGIN
        return ConundrumHint(str(place.tile), place.x - _MARGIN, place.y - _MARGIN, width + size, height + size)
    if asked.step == 2:
        return _line(_parsed(asked.conundrum), place)
    x, y = place.squares[1]
    return ConundrumHint(str(place.tile), x, y, 1, 1)


def _line(conundrum: Conundrum, place: Placement) -> ConundrumHint:
    """The row that the place lies in, or the column, from one end of the table to the other."""
    squares = [square for laid in conundrum.table.laid for square in laid.squares]
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    if place.down:
        return ConundrumHint(str(place.tile), place.x, min(ys) - 3, 1, max(ys) - min(ys) + 7)
    return ConundrumHint(str(place.tile), min(xs) - 3, place.y, max(xs) - min(xs) + 7, 1)


async def give_up(request: Request, asked: AskConundrumHint) -> Missing:
    """All that is missing."""
    missing = await apart(request, lambda: _missing(asked.conundrum, asked.found))
    return Missing([str(place) for place in missing])


async def solved(request: Request, done: SolvedConundrum) -> Response:
    """Remember a conundrum of the day that was solved; that it was is checked."""
    try:
        day = date.fromisoformat(done.day)
    except ValueError:
        raise Problem("bad-conundrum") from None
    _check_day(day, done.grade, "bad-conundrum")
    conundrum = await apart(request, lambda: _daily(day, done.grade))
    if conundrum.missing(_placement(text) for text in done.found):
        raise Problem("bad-conundrum", "some places are missing")
    store = request.app.state.store

    async def answer(person: str) -> SolvedTimes:
        await store.write(people.add_solved(person, done.day, done.grade, done.seconds))
        return SolvedTimes(await store.read(people.solved_by(person)))

    return await with_person(request, answer)


async def my_solved(request: Request, _body: None) -> SolvedTimes:
    store = request.app.state.store
    person = await person_of(request, store)
    return SolvedTimes({} if person is None else await store.read(people.solved_by(person)))


def _check_day(day: date, grade: int, otherwise: str) -> None:
    """There is one for each day up to tomorrow, which has come in some places."""
    if not _FIRST_DAY <= day <= datetime.now(UTC).date() + timedelta(days=1) or grade not in GRADES:
        raise Problem(otherwise)


@lru_cache(maxsize=2000)
def _daily(day: date, grade: int) -> Conundrum:
    """Made once: everybody asks for the same ones."""
    return daily(day, grade)


def _missing(text: str, found: list[str]) -> tuple[Placement, ...]:
    return _parsed(text).missing(_placement(place) for place in found)


def _text(conundrum: Conundrum) -> ConundrumText:
    found = difficulty(conundrum)
    return ConundrumText(
        conundrum=str(conundrum),
        table=str(conundrum.table),
        asked=[Asked(str(tile), count) for tile, count in conundrum.counts.items()],
        grade=found.grade,
        score=found.score,
        reasons=dict(found.reasons),
    )


def _parsed(text: str) -> Conundrum:
    try:
        found = Conundrum.parse(text)
    except ChrominoError as error:
        raise Problem("bad-conundrum", str(error)) from None
    if len(found.table.laid) > _BOX:
        raise Problem("bad-conundrum", f"the box has {_BOX} tiles, and more lie on this table")
    return found


def _placement(text: str) -> Placement:
    try:
        return Placement.parse(text)
    except ParseError as error:
        raise Problem("bad-conundrum", str(error)) from None
