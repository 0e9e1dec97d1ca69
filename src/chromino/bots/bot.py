"""What a bot is: a name, and a way to pick one of several placements. The rules decide everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from chromino.errors import ChrominoError
from chromino.events import Action, Place
from chromino.tiles import Placement
from chromino.view import View

Pick = Callable[[View, Sequence[Placement], Random], Placement]
"""Picks one of two or more placements, based on what a seat may know."""


class BotError(ChrominoError):
    """A bot can't be found, has nothing to choose, or can't play with these settings."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A player that sees a `View` and nothing else."""

    name: str
    about: str
    """How it plays, in one line."""
    pick: Pick
    level: int | None = None
    """From 1, the weakest, to 5; None for a reference bot."""
    tick: float = 0.005
    """In seconds. Bots answer on multiples of their tick, so timing doesn't reveal whether they had a choice. On an
    ordinary machine, they nearly always decide within one tick."""

    def choose(self, view: View, rng: Random) -> Action:
        """Choose one of the view's actions; the same random numbers give the same choice.

        Bots with a time limit for playouts may choose differently on a slow machine, because they play fewer games.
        """
        if view.over:
            raise BotError("the game is over, so there's nothing to choose")
        if not view.actions:
            raise BotError(f"it's seat {view.seat}'s turn, so seat {view.me} has nothing to choose")
        places = placements(view)
        if len(places) < 2:
            return view.actions[0]
        return Place(self.pick(view, places, rng))


def placements(view: View) -> list[Placement]:
    """The placements that the view allows; none if the player must draw or pass."""
    return [action.placement for action in view.actions if isinstance(action, Place)]
