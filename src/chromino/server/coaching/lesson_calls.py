"""Calls about the lesson. Nothing is stored: each call contains all actions so far in a step."""

from __future__ import annotations

from functools import cache

from starlette.requests import Request

from chromino.errors import ParseError
from chromino.game import Game
from chromino.lessons import LEARNER, LESSONS, Lesson, attempt
from chromino.messages.lessons import Lessons, LessonState, LessonTried, TryLesson
from chromino.messages.views import WireContact, WireRefusal, WireView
from chromino.server.problems import Problem


async def lessons(_request: Request, _body: None) -> Lessons:
    """All steps of the lesson, in order."""
    return _all_lessons()


@cache
def _all_lessons() -> Lessons:
    return Lessons([LessonState(lesson.name, lesson.extra, *_shown(lesson, lesson.position)) for lesson in LESSONS])


async def try_lesson(request: Request, tried: TryLesson) -> LessonTried:
    """Judge the last action. If it's wrong, it's refused as in a game."""
    name = request.path_params["lesson"]
    lesson = next((lesson for lesson in LESSONS if lesson.name == name), None)
    if lesson is None:
        raise Problem("no-such-page")
    try:
        result = attempt(lesson, tried.actions)
    except ParseError as error:
        raise Problem("bad-message", str(error)) from None
    view, offers = _shown(lesson, result.game)
    return LessonTried(
        verdict=result.verdict,
        view=view,
        offers=offers,
        refusal=WireRefusal.of(result.refusal) if result.refusal else None,
        contacts=[WireContact.of(contact) for contact in result.contacts],
        points=list(result.points),
    )


def _shown(lesson: Lesson, game: Game) -> tuple[WireView, list[str]]:
    return WireView.of(game.view(LEARNER)), list(map(str, lesson.offers(game)))
