"""The way up: which bot to play next, given your latest games against one bot at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chromino.bots import BOTS

LATEST = 10
"""How many of the latest games count at each level."""
_ENOUGH = 5  # Games to play before you can move up.
_TO_GO_UP = 0.6  # The share of wins it takes to move up.
_LEVELS = [bot.level for bot in BOTS if bot.level]


@dataclass(frozen=True, slots=True)
class Rung:
    """Your latest games at one level."""

    level: int
    played: int
    won: int

    @property
    def is_mastered(self) -> bool:
        return self.played >= _ENOUGH and self.won >= _TO_GO_UP * self.played


@dataclass(frozen=True, slots=True)
class Climb:
    rungs: tuple[Rung, ...]
    next: int
    """The level to play next."""


def climb(games: Iterable[tuple[int, bool]]) -> Climb:
    """Say which level to play next, given the level of each game, latest first, and whether you won it.

    That's the level above the highest one you've mastered or, if you haven't mastered any, the one you played last.

    >>> climb([(3, True)] * 6 + [(3, False)] * 4).next
    4
    """
    results: dict[int, list[bool]] = {level: [] for level in _LEVELS}
    last = None
    for level, won in games:
        last = last or level
        if len(results[level]) < LATEST:
            results[level].append(won)
    rungs = tuple(Rung(level, len(won), sum(won)) for level, won in results.items())
    mastered = [rung.level for rung in rungs if rung.is_mastered]
    return Climb(rungs, min(max(mastered) + 1, max(_LEVELS)) if mastered else last or min(_LEVELS))
