"""Reviews a finished game from one seat's point of view: what the seat gained or lost, step by step.

The value of the seat's position starts at what any seat can expect before the deal, and ends at the result. Each change
on the way has one cause: the deal, a draw, a choice, or what the others did. The changes add up to the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from random import Random

from chromino.bots import kernel
from chromino.bots.bot import placements
from chromino.errors import ChrominoError
from chromino.events import Drew, Event, Placed
from chromino.game import Game
from chromino.review.values import Measure, Value, after_each, compared, outcome, worth
from chromino.tiles import Placement

PLAYOUTS = 400_000 if kernel.COMPILED else 3_000
"""The total number of playouts for one review."""
# How playouts are split: to compare all placements, to estimate the best and the chosen one, and to estimate positions.
_TO_COMPARE, _FOR_BOTH, _FOR_POSITIONS = 0.3, 0.35, 0.35
_ENOUGH = 10_000  # Playouts for one value: its error is then half a percent, or a tenth of a point.
_CLEAR = 2.0  # A difference is clear if it's more than this many standard errors.
_LEAST = {Measure.WIN: 0.01, Measure.POINTS: 0.5}  # Smaller costs aren't worth mentioning.


class ReviewError(ChrominoError):
    """This game, or this choice, can't be reviewed."""


class Cause(StrEnum):
    """Why a value changed."""

    DEAL = "deal"
    """The starting hand, and who goes first."""
    DRAW = "draw"
    CHOICE = "choice"
    OTHERS = "others"
    """What the others did, and what that revealed about their tiles."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change in value between two points in the game; `since` and `until` are numbers of events."""

    kind: Cause
    since: int
    until: int
    before: Value
    after: Value

    @property
    def gain(self) -> float:
        return self.after.mean - self.before.mean


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice among several placements."""

    measure: Measure
    version: int
    """How many events had happened before the choice."""
    options: int
    before: Value
    """The mean value of all placements."""
    chosen: Placement
    value: Value
    best: Placement
    best_value: Value

    @property
    def cost(self) -> float:
        """How much better the best placement is than the chosen one. By chance, it may be slightly below zero."""
        return self.best_value.mean - self.value.mean

    @property
    def error(self) -> float:
        """The standard error of the cost."""
        return 0.0 if self.best == self.chosen else float((self.best_value.error**2 + self.value.error**2) ** 0.5)

    @property
    def is_clear(self) -> bool:
        """Is the best placement better by enough, and with enough certainty?"""
        return self.cost > max(_CLEAR * self.error, _LEAST[self.measure])


@dataclass(frozen=True, slots=True)
class Review:
    """How a game went for a seat."""

    seat: int
    measure: Measure
    """What the values measure."""
    fair: float
    """What any seat can expect before the deal."""
    result: float
    """What the seat ended up with."""
    steps: tuple[Step, ...]
    choices: tuple[Choice, ...]

    def gain(self, *kinds: Cause) -> Value:
        """The total gain from steps with these causes. For all causes together, it's `result - fair`."""
        total = sum(each.gain for each in self.steps if each.kind in kinds)
        variance = 0.0
        # The end of one step is the start of the next, so between two steps with these causes, errors cancel out.
        for step, following in pairwise((None, *self.steps, None)):
            if step and step.kind in kinds and not (following and following.kind in kinds):
                variance += step.after.error**2
            if following and following.kind in kinds and not (step and step.kind in kinds):
                variance += following.before.error**2
        return Value(total, variance**0.5)

    @property
    def cost(self) -> Value:
        """The costs of all choices that clearly cost something, added up."""
        clear = [choice for choice in self.choices if choice.is_clear]
        return Value(sum(choice.cost for choice in clear), sum(choice.error**2 for choice in clear) ** 0.5)

    def costliest(self, most: int = 5) -> list[Choice]:
        """The choices that clearly cost something, costliest first."""
        ranked = sorted(self.choices, key=lambda choice: choice.cost, reverse=True)
        return [choice for choice in ranked if choice.is_clear][:most]


def measures(game: Game) -> tuple[Measure, ...]:
    """The measures that a game can be reviewed in. The first is the default: points in solo games that have them.

    >>> from chromino import Rules
    >>> [measure.value for measure in measures(Game.start(Rules.expert(), ["Ada", "Bob"], seed=7))]
    ['win', 'points']
    """
    if game.rules.scoring is None:
        return (Measure.WIN,)
    return (Measure.POINTS, Measure.WIN) if len(game.players) == 1 else (Measure.WIN, Measure.POINTS)


def review(game: Game, seat: int, *, measure: Measure | None = None, playouts: int = PLAYOUTS, seed: int = 0) -> Review:
    """Review a finished game, in the default measure or one of `measures`; the same seed gives the same review.

    >>> from chromino import Rules
    >>> game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
    >>> while not game.over:
    ...     game = game.apply(game.actions()[0])
    >>> reviewed = review(game, 0, playouts=1000)
    >>> abs(reviewed.fair + reviewed.gain(*Cause).mean - reviewed.result) < 1e-9
    True
    """
    if not game.over:
        raise ReviewError("you can only review a game that's over")
    if seat not in range(len(game.players)):
        raise ReviewError(f"there is no seat {seat}; seats go from 0 to {len(game.players) - 1}")
    if measure is None:
        measure = measures(game)[0]
    if measure not in measures(game):
        raise ReviewError("this game has no points: review the chance of winning instead")
    moments = list(_moments(game))
    mine = [(version, event) for version, event in enumerate(game.log) if event.seat == seat]
    chosen = {version for version, event in mine if _is_choice(moments[version], event)}
    drawn = {version for version, event in mine if isinstance(event, Drew)}
    for_positions = min(_ENOUGH, int(playouts * _FOR_POSITIONS / (1 + len(chosen) + 2 * len(drawn))))
    for_both = min(_ENOUGH, int(playouts * _FOR_BOTH / (2 * len(chosen) or 1)))
    to_compare = min(2 * _ENOUGH, int(playouts * _TO_COMPARE / (len(chosen) or 1)))

    def value_at(version: int) -> Value:
        return worth(moments[version].view(seat), seat, for_positions, Random(f"{seed} value {version}"), measure)

    fair = expected(moments[0], measure, for_positions, seed)
    now = value_at(0)
    steps = [Step(Cause.DEAL, 0, 0, fair, now)]
    choices = []
    since = 0
    for version, event in mine:
        if version not in chosen and version not in drawn:
            continue  # Forced actions change nothing.
        if any(other.seat != seat for other in game.log[since:version]):
            before, now = now, value_at(version)
            steps.append(Step(Cause.OTHERS, since, version, before, now))
        before, since = now, version + 1
        if isinstance(event, Placed):
            choice = judged(moments[version], event.placement, before, version, measure, to_compare, for_both, seed)
            choices.append(choice)
            now = choice.value
            steps.append(Step(Cause.CHOICE, version, since, before, now))
        else:
            now = value_at(since)
            steps.append(Step(Cause.DRAW, version, since, before, now))
    result = Value(outcome(game, seat, measure))
    steps.append(Step(Cause.OTHERS, since, len(game.log), now, result))
    return Review(seat, measure, fair.mean, result.mean, tuple(steps), tuple(choices))


def expected(start: Game, measure: Measure, playouts: int, seed: int) -> Value:
    """What any seat can expect if it knows only the first tile on the table, and not who goes first.

    Usually, we don't need to estimate it: it's a fair share of the win or, with two players, no lead in points.
    Otherwise, it's what a spectator would expect for a seat, averaged over all seats.
    """
    seats = len(start.players)
    if measure is Measure.WIN and seats > 1:
        return Value(1 / seats)
    if seats == 2:
        return Value(0.0)
    unseen = replace(start.view(None), hands=(None,) * seats, dealt=(None,) * seats)  # Even if hands are open.
    values = [worth(unseen, seat, playouts // seats, Random(f"{seed} fair {seat}"), measure) for seat in range(seats)]
    return Value(sum(value.mean for value in values) / seats, sum(value.error**2 for value in values) ** 0.5 / seats)


def judged(
    moment: Game,
    chosen: Placement,
    before: Value,
    version: int,
    measure: Measure,
    to_compare: int,
    for_both: int,
    seed: int,
) -> Choice:
    """Compare all placements to find the best one, then estimate the best and the chosen placement again.

    The highest of many estimates is partly luck, so we don't use it. New playouts are right on average.
    """
    view = moment.view(moment.seat)
    places = placements(view)
    best = compared(view, places, to_compare, Random(f"{seed} best {version}"), measure)[0].placement
    both = [chosen] if best == chosen else [chosen, best]
    values = after_each(view, both, for_both * 2 // len(both), Random(f"{seed} both {version}"), measure)
    return Choice(measure, version, len(places), before, chosen, values[0], best, values[-1])


def _moments(game: Game) -> Iterator[Game]:
    """The game at the start, and after each event."""
    moment = Game.dealt(game.rules, game.players, game.deal)
    yield moment
    for event in game.log:
        moment = moment.apply(event.action)
        yield moment


def _is_choice(moment: Game, event: Event) -> bool:
    return isinstance(event, Placed) and len(moment.actions()) > 1
