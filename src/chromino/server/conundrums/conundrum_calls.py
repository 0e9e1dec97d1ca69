"""Calls about conundrums. Only solving times are stored: each call has the conundrum and all places found so far."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from chromino.conundrum.grading import GRADES
from chromino.messages.conundrums import (
    AskConundrumHint,
    ConundrumHint,
    ConundrumText,
    GiveUpConundrum,
    Judged,
    LookAtConundrum,
    MissingPlaces,
    SolvedConundrum,
    SolvedTimes,
    TryPlacement,
)
from chromino.server.conundrums import conundrum_work, solved_times
from chromino.server.http.calls import caller_of, in_helper, with_person
from chromino.server.people.identity import person_of
from chromino.server.problems import Problem
from chromino.server.services import services

_FIRST_DAY = date(2026, 1, 1)


async def of_the_day(request: Request, _body: None) -> ConundrumText:
    """The conundrum for a given day and grade, derived from the date."""
    return await _daily(request, request.path_params["day"], request.path_params["grade"], "no-such-page")


async def look(request: Request, message: LookAtConundrum) -> ConundrumText:
    """Any conundrum: what it asks, and how hard it is."""
    return await in_helper(request, partial(conundrum_work.look, message.conundrum))


async def judge(request: Request, tried: TryPlacement) -> Judged:
    """Is this placement right? If not, it's refused, as in a game."""
    return await in_helper(request, partial(conundrum_work.judge, tried))


async def hint(request: Request, message: AskConundrumHint) -> ConundrumHint:
    """A hint in three steps: an area around a missing place, then its row or column, then one of its squares."""
    return await in_helper(request, partial(conundrum_work.hint, message))


async def give_up(request: Request, message: GiveUpConundrum) -> MissingPlaces:
    """All missing places."""
    return MissingPlaces(await in_helper(request, partial(conundrum_work.missing, message.conundrum, message.found)))


async def solved(request: Request, solution: SolvedConundrum) -> Response:
    """Check the solution of a daily conundrum, and remember that it was solved."""
    daily = await _daily(request, solution.day, str(solution.grade), "bad-conundrum")
    if await in_helper(request, partial(conundrum_work.missing, daily.conundrum, solution.found)):
        raise Problem("bad-conundrum", "some places are missing")
    store = services(request).store

    async def answer(person: str) -> SolvedTimes:
        await store.write(solved_times.add(person, solution.day, solution.grade, solution.seconds))
        return SolvedTimes(await store.read(solved_times.of(person)))

    return await with_person(request, answer)


async def my_solved(request: Request, _body: None) -> SolvedTimes:
    store = services(request).store
    person = await person_of(request, store)
    return SolvedTimes({} if person is None else await store.read(solved_times.of(person)))


async def _daily(request: Request, day: str, grade: str, problem: str) -> ConundrumText:
    """A daily conundrum, computed once. Tomorrow's is available, because in some time zones it's tomorrow already."""
    try:
        key = date.fromisoformat(day), int(grade)
    except ValueError:
        raise Problem(problem) from None
    if not _FIRST_DAY <= key[0] <= datetime.now(UTC).date() + timedelta(days=1) or key[1] not in GRADES:
        raise Problem(problem)
    cache = services(request).daily
    queue = services(request).queue
    work = partial(conundrum_work.of_the_day, *key)
    return await cache.get(key, partial(queue.do, caller_of(request), work))
