"""Calls about how games went: reviews, practice, and which bot to play next."""

from __future__ import annotations

import logging

from starlette.requests import Request

from chromino.bots import BOTS, find
from chromino.errors import ChrominoError
from chromino.messages.reviews import (
    GameReview,
    PathRung,
    PathUp,
    PlaceValue,
    Practice,
    PracticeLesson,
    ReviewChoice,
    ReviewGains,
    ReviewStep,
    ReviewValue,
    WhichReview,
)
from chromino.messages.views import WireView
from chromino.review import Cause, Choice, Exercise, Measure, Step, Value, climb, measures
from chromino.seated.shown import seat_states
from chromino.server.database.store import FINISHED, ListedGame
from chromino.server.http.calls import caller_of
from chromino.server.people.identity import person_of
from chromino.server.people.people import games_against_bots
from chromino.server.problems import Problem
from chromino.server.services import services

_LATEST_GAMES = 8  # How many of the latest games to take positions from.
_MAX_POSITIONS = 12  # Positions to practice at once.
_MAX_GAMES = 200  # Finished games to consider.
_LEVELS: dict[str, int | None] = {bot.name: bot.level for bot in BOTS}

log = logging.getLogger(__name__)


async def game_review(request: Request, asked: WhichReview) -> GameReview:
    """The review of a seat, mine by default, with the given measure or the default one."""
    live = await services(request).games.get(request.path_params["game"])
    person = await person_of(request, services(request).store)
    live.check_may_see(person)
    if not live.table.game.over:
        raise Problem("not-over")
    mine = (live.table.seats_of(person) or [0])[0]
    seat = mine if asked.seat is None else asked.seat
    if seat >= len(live.table.seats):
        raise Problem("bad-seats", f"there is no seat {seat}")
    possible = measures(live.table.game)
    measure = possible[0] if asked.measure is None else Measure(asked.measure)
    if measure not in possible:
        raise Problem("bad-rules", "this game has no points")
    reviews = services(request).reviews
    found = await reviews.of(caller_of(request), live.id, live.table.game, seat, measure)
    return GameReview(
        game=live.id,
        seat=seat,
        seats=seat_states(live.table.seats, live.table.game.players, person),
        measure=measure.value,
        measures=[one.value for one in possible],
        fair=found.fair,
        result=found.result,
        gains=ReviewGains(**{kind.value: _part(found.gain(kind)) for kind in Cause}),
        cost=_part(found.cost),
        steps=list(map(_step, found.steps)),
        choices=list(map(_choice, found.choices)),
    )


async def practice(request: Request, _body: None) -> Practice:
    """Positions from my latest games; each call reviews only one new game, since that takes a moment."""
    person = await person_of(request, services(request).store)
    reviews = services(request).reviews
    mine = [] if person is None else await _finished(request, person)
    lessons: list[PracticeLesson] = []
    waiting, has_looked = 0, False
    for row, seat in mine:
        is_new = not reviews.has_lessons(row.id, seat)
        if is_new and has_looked:
            waiting += 1
            continue
        try:
            live = await services(request).games.get(row.id)
            found = await reviews.lessons(caller_of(request), row.id, live.table.game, seat)
        except (Problem, ChrominoError) as problem:  # A damaged game must not hide the others.
            log.warning("can't practice game %s: %s", row.id, problem)
            continue
        has_looked |= is_new
        lessons += (_lesson(row.id, one) for one in found)
    lessons.sort(key=lambda one: one.cost, reverse=True)
    return Practice(lessons[:_MAX_POSITIONS], waiting)


async def _finished(request: Request, person: str) -> list[tuple[ListedGame, int]]:
    """My latest finished games against others, and my seat in each of them."""
    store = services(request).store
    found = []
    for row in await store.games_of(person, _MAX_GAMES, FINISHED):
        mine = [seat for seat, who in enumerate(row.seats) if who.person == person and not who.has_left]
        if len(mine) == 1 and len(row.seats) > 1:
            found.append((row, mine[0]))
    return found[:_LATEST_GAMES]


async def path_up(request: Request, _body: None) -> PathUp:
    """Which bots I've mastered in two-player games, and which one to play next."""
    store = services(request).store
    person = await person_of(request, store)
    games = [] if person is None else await store.read(games_against_bots(person, _MAX_GAMES))
    found = climb((level, won) for bot, won in games if (level := _LEVELS.get(bot)))
    rungs = [
        PathRung(find(rung.level).name, rung.level, rung.played, rung.won, rung.is_mastered) for rung in found.rungs
    ]
    return PathUp(rungs, found.next)


def _lesson(game: str, found: Exercise) -> PracticeLesson:
    values = [PlaceValue(str(one.placement), round(one.value, 4), round(one.error, 4)) for one in found.values]
    played = next(one.value for one in found.values if one.placement == found.played)
    return PracticeLesson(
        game=game,
        version=len(found.view.log),
        cost=round(found.values[0].value - played, 4),
        view=WireView.of(found.view),
        played=str(found.played),
        values=values,
    )


def _part(value: Value) -> ReviewValue:
    return ReviewValue(round(value.mean, 4), round(value.error, 4))


def _step(step: Step) -> ReviewStep:
    return ReviewStep(step.kind.value, step.since, step.until, _part(step.before), _part(step.after))


def _choice(choice: Choice) -> ReviewChoice:
    return ReviewChoice(
        version=choice.version,
        options=choice.options,
        before=_part(choice.before),
        chosen=str(choice.chosen),
        value=_part(choice.value),
        best=str(choice.best),
        best_value=_part(choice.best_value),
        cost=round(choice.cost, 4),
        error=round(choice.error, 4),
        clear=choice.is_clear,
    )
