"""Positions to practice on: what a seat saw, and what each placement was worth."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chromino.bots import kernel
from chromino.bots.bot import placements
from chromino.bots.playouts import Estimate
from chromino.events import Placed
from chromino.game import Game
from chromino.review.reviewing import Choice, ReviewError
from chromino.review.values import compared
from chromino.tiles import Placement
from chromino.view import View

_PLAYOUTS = 40_000 if kernel.COMPILED else 400


@dataclass(frozen=True, slots=True)
class Position:
    """A choice to try again, as the seat saw it."""

    view: View
    """Only what the seat could know."""
    played: Placement
    values: tuple[Estimate, ...]
    """Each placement, best first."""


def practice_position(
    game: Game, version: int, *, reviewed: Choice | None = None, playouts: int = _PLAYOUTS, seed: int = 0
) -> Position:
    """The position before a choice in a game; `version` is how many events had happened before it.

    If you pass the choice from a review, its values are used for the played and the best placement.
    """
    event = game.log[version] if version in range(len(game.log)) else None
    if not isinstance(event, Placed):
        raise ReviewError(f"event {version} isn't a placement (the first event is 0)")
    moment = Game.dealt(game.rules, game.players, game.deal)
    for earlier in game.log[:version]:
        moment = moment.apply(earlier.action)
    view = moment.view(moment.seat)
    places = placements(view)
    if len(places) < 2:
        raise ReviewError(f"there was no choice after {version} events: only one placement was possible")
    estimates = compared(view, places, playouts, Random(f"{seed} position {version}"))
    return Position(view, event.placement, tuple(_as_reviewed(estimates, reviewed) if reviewed else estimates))


def _as_reviewed(estimates: list[Estimate], reviewed: Choice) -> list[Estimate]:
    """Use the review's values, and rank nothing above its best placement: what seems better here was just lucky."""
    known = {reviewed.chosen: reviewed.value, reviewed.best: reviewed.best_value}
    best = reviewed.best_value.mean
    values = [
        estimate._replace(value=known[estimate.placement].mean, error=known[estimate.placement].error)
        if estimate.placement in known
        else estimate._replace(value=min(estimate.value, best))
        for estimate in estimates
    ]
    return sorted(values, key=lambda estimate: (estimate.placement == reviewed.best, estimate.value), reverse=True)
