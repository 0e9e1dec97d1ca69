"""Calls about the lesson. Nothing is stored: each call contains all actions so far in a step."""

from __future__ import annotations

from functools import cache

from starlette.requests import Request

from chromino.errors import ParseError
from chromino.game import Game
from chromino.lessons import LEARNER, STEPS, LessonStep, attempt
from chromino.messages.lessons import Lesson, StepState, StepTried, TryStep
from chromino.messages.views import WireContact, WireRefusal, WireView
from chromino.server.problems import Problem


async def lesson(_request: Request, _body: None) -> Lesson:
    """All steps of the lesson, in order."""
    return _whole_lesson()


@cache
def _whole_lesson() -> Lesson:
    return Lesson([StepState(step.name, step.extra, *_shown(step, step.position)) for step in STEPS])


async def try_step(request: Request, tried: TryStep) -> StepTried:
    """Judge the last action. If it's illegal, it's refused as in a game."""
    name = request.path_params["step"]
    step = next((step for step in STEPS if step.name == name), None)
    if step is None:
        raise Problem("no-such-page")
    try:
        result = attempt(step, tried.actions)
    except ParseError as error:
        raise Problem("bad-message", str(error)) from None
    view, offers = _shown(step, result.game)
    return StepTried(
        verdict=result.verdict,
        view=view,
        offers=offers,
        refusal=WireRefusal.of(result.refusal) if result.refusal else None,
        contacts=[WireContact.of(contact) for contact in result.contacts],
        points=list(result.points),
    )


def _shown(step: LessonStep, game: Game) -> tuple[WireView, list[str]]:
    return WireView.of(game.view(LEARNER)), list(map(str, step.offers(game)))
