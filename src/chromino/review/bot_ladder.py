"""The bot ladder: which bot to play next, based on your latest two-player games against each bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chromino.bots import BOTS

LATEST = 10
"""How many of the latest games count at each level."""
_WINS_NEEDED = 6  # How many of them you have to win to move up.
_LEVELS = [bot.level for bot in BOTS if bot.level]


@dataclass(frozen=True, slots=True)
class Rung:
    """Your latest games at one level."""

    level: int
    played: int
    won: int

    @property
    def is_mastered(self) -> bool:
        return self.won >= _WINS_NEEDED


@dataclass(frozen=True, slots=True)
class Climb:
    """Your games at each level, and what to play next."""

    rungs: tuple[Rung, ...]
    next: int
    """The level to play next."""


def climb(games: Iterable[tuple[int, bool]]) -> Climb:
    """Say which level to play next. Each game is given by its level and whether you won it, latest first.

    The next level is one above the highest level you've mastered. If you haven't mastered any, it's the level of your
    latest game.

    >>> climb([(3, True)] * 6 + [(3, False)] * 4).next
    4
    """
    results: dict[int, list[bool]] = {level: [] for level in _LEVELS}
    latest = None
    for level, won in games:
        latest = latest or level
        if len(results[level]) < LATEST:
            results[level].append(won)
    rungs = tuple(Rung(level, len(wins), sum(wins)) for level, wins in results.items())
    mastered = [rung.level for rung in rungs if rung.is_mastered]
    return Climb(rungs, min(max(mastered) + 1, max(_LEVELS)) if mastered else latest or min(_LEVELS))
