"""API calls for looking back at games: reviews, practice, and which bot to play next."""

from __future__ import annotations

import logging

from starlette.requests import Request

from chromino.bots import BOTS, find
from chromino.errors import ChrominoError
from chromino.messages.reviews import (
    BotLadder,
    GameReview,
    LadderRung,
    PlaceValue,
    Practice,
    PracticePosition,
    ReviewChoice,
    ReviewGains,
    ReviewStep,
    ReviewValue,
    WhichReview,
)
from chromino.messages.views import WireView
from chromino.review import Cause, Choice, Measure, Position, Step, Value, climb, measures
from chromino.seated.shown import seat_states
from chromino.server.coaching.games_against_bots import games_against_bots
from chromino.server.database.store import FINISHED, ListedGame
from chromino.server.http.calls import caller_of, requested_game
from chromino.server.people.identity import person_of
from chromino.server.problems import Problem
from chromino.server.services import services

_LATEST_GAMES = 8  # How many of the latest games to take positions from.
_MAX_POSITIONS = 12  # Positions to practice at once.
_MAX_GAMES = 200  # Finished games to consider.
_LEVELS: dict[str, int | None] = {bot.name: bot.level for bot in BOTS}

log = logging.getLogger(__name__)


async def game_review(request: Request, message: WhichReview) -> GameReview:
    """Review a game from one seat's point of view. By default, that's the caller's seat."""
    live = await requested_game(request)
    person = await person_of(request, services(request).store)
    live.check_may_see(person)
    if not live.table.game.over:
        raise Problem("not-over")
    own_seat = (live.table.seats_of(person) or [0])[0]
    seat = own_seat if message.seat is None else message.seat
    if seat >= len(live.table.seats):
        raise Problem("bad-seats", f"there is no seat {seat}")
    available = measures(live.table.game)
    measure = available[0] if message.measure is None else Measure(message.measure)
    if measure not in available:
        raise Problem("bad-rules", "this game has no points")
    reviews = services(request).reviews
    review = await reviews.of(caller_of(request), live.id, live.table.game, seat, measure)
    return GameReview(
        game=live.id,
        seat=seat,
        seats=seat_states(live.table.seats, live.table.game.players, person),
        measure=measure.value,
        measures=[each.value for each in available],
        fair=review.fair,
        result=review.result,
        gains=ReviewGains(**{kind.value: _value(review.gain(kind)) for kind in Cause}),
        cost=_value(review.cost),
        steps=list(map(_step, review.steps)),
        choices=list(map(_choice, review.choices)),
    )


async def practice(request: Request, _body: None) -> Practice:
    """Positions from the caller's latest games. Each call reviews at most one new game, since that takes a while."""
    person = await person_of(request, services(request).store)
    reviews = services(request).reviews
    mine = [] if person is None else await _finished(request, person)
    positions: list[PracticePosition] = []
    waiting, has_reviewed = 0, False
    for row, seat in mine:
        is_new = not reviews.has_positions(row.id, seat)
        if is_new and has_reviewed:
            waiting += 1
            continue
        try:
            live = await services(request).games.get(row.id)
            found = await reviews.positions(caller_of(request), row.id, live.table.game, seat)
        except (Problem, ChrominoError) as problem:  # A damaged game must not hide the others.
            log.warning("can't get practice positions from game %s: %s", row.id, problem)
            continue
        has_reviewed |= is_new
        positions += (_position(row.id, position) for position in found)
    positions.sort(key=lambda position: position.cost, reverse=True)
    return Practice(positions[:_MAX_POSITIONS], waiting)


async def _finished(request: Request, person: str) -> list[tuple[ListedGame, int]]:
    """Someone's latest finished games against others, and their seat in each game."""
    store = services(request).store
    games = []
    for row in await store.games_of(person, _MAX_GAMES, FINISHED):
        mine = [seat for seat, who in enumerate(row.seats) if who.person == person and not who.has_left]
        if len(mine) == 1 and len(row.seats) > 1:
            games.append((row, mine[0]))
    return games[:_LATEST_GAMES]


async def bot_ladder(request: Request, _body: None) -> BotLadder:
    """Which bots the caller has mastered in two-player games, and which one to play next."""
    store = services(request).store
    person = await person_of(request, store)
    games = [] if person is None else await store.read(games_against_bots(person, _MAX_GAMES))
    path = climb((level, won) for bot, won in games if (level := _LEVELS.get(bot)))
    rungs = [
        LadderRung(find(rung.level).name, rung.level, rung.played, rung.won, rung.is_mastered) for rung in path.rungs
    ]
    return BotLadder(rungs, path.next)


def _position(game: str, position: Position) -> PracticePosition:
    values = [PlaceValue(str(each.placement), round(each.value, 4), round(each.error, 4)) for each in position.values]
    played = next(each.value for each in position.values if each.placement == position.played)
    return PracticePosition(
        game=game,
        version=len(position.view.log),
        cost=round(position.values[0].value - played, 4),
        view=WireView.of(position.view),
        played=str(position.played),
        values=values,
    )


def _value(value: Value) -> ReviewValue:
    return ReviewValue(round(value.mean, 4), round(value.error, 4))


def _step(step: Step) -> ReviewStep:
    return ReviewStep(step.kind.value, step.since, step.until, _value(step.before), _value(step.after))


def _choice(choice: Choice) -> ReviewChoice:
    return ReviewChoice(
        version=choice.version,
        options=choice.options,
        before=_value(choice.before),
        chosen=str(choice.chosen),
        value=_value(choice.value),
        best=str(choice.best),
        best_value=_value(choice.best_value),
        cost=round(choice.cost, 4),
        error=round(choice.error, 4),
        clear=choice.is_clear,
    )
