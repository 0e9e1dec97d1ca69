"""Positions to practice on: what a seat saw, and what each placement would have been worth."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chromino.bots import kernel
from chromino.bots.bot import placements
from chromino.bots.playing_out import Estimate
from chromino.game import Game
from chromino.review.reviewing import ReviewError
from chromino.review.values import compared
from chromino.tiles import Placement
from chromino.view import View

_PLAYOUTS = 40_000 if kernel.COMPILED else 400


@dataclass(frozen=True, slots=True)
class Lesson:
    """A choice to be made again."""

    view: View
    """What the seat could know, and nothing else."""
    played: Placement
    values: tuple[Estimate, ...]
    """Each placement, the best first."""


def lesson(game: Game, version: int, *, playouts: int = _PLAYOUTS, seed: int = 0) -> Lesson:
    """The choice that was made after so many events of a game."""
    if version not in range(len(game.log)):
        raise ReviewError(f"nothing was chosen after {version} events: the game has {len(game.log)}")
    moment = Game.dealt(game.rules, game.players, game.deal)
    for event in game.log[:version]:
        moment = moment.apply(event.action)
    view = moment.view(moment.seat)
    places = placements(view)
    if len(places) < 2:
        raise ReviewError(f"nothing was chosen after {version} events: there was one thing to do")
    action = game.log[version].action
    found = compared(view, places, playouts, Random(f"{seed} lesson {version}"))
    return Lesson(view, getattr(action, "placement"), tuple(found))  # noqa: B009
