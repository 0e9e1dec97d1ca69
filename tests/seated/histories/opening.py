"""How histories open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any, NamedTuple

from chromino import Game, Rules
from chromino.seated import Chair, Gathering, Seat, SeatedGame
from tests.seated.histories.timekeeper import DAY

NAMES = ("ada", "bob", "cleo", "dee")


class Opening(NamedTuple):
    """The table that a history opens with, who's there, and the first scenes."""

    chairs: int
    bots: int
    start: str
    hand_size: int
    limit: int | None
    aids: bool
    pace: bool
    watch: bool
    rated: bool
    here: tuple[bool, ...]
    """Which of the people are here from the start."""
    scenes: tuple[str, ...]
    seed: int


_BOTH = [False, True]
SCENES = ["away", "slow", "gone", "odd"]
OPENINGS: dict[str, Sequence[Any]] = {
    "chairs": [1, 1, 2, 2, 3, 4],
    "bots": [0, 1, 1],
    "start": ["gathering", "game", "game", "rematch"],
    "hand_size": [1, 2, 3, 4],
    "limit": [None, None, 10, 90, 90, 90, 2 * DAY],
    "aids": _BOTH,
    "pace": _BOTH,
    "watch": _BOTH,
    "rated": [False, False, True],
    "here": [*product(_BOTH, repeat=len(NAMES))],
    "scenes": [(), *permutations(SCENES, 2)],
    "seed": range(10**6),
}
"""What to choose from."""


def opened_gathering(how: Opening, now: float) -> Gathering:
    """A table that Ada has opened for friends."""
    host = Chair("person", "Ada", "id-of-ada", away_since=now)
    return Gathering(
        id="a-game",
        host="id-of-ada",
        chairs=(host, *[Chair("free")] * (how.chairs - 1)),
        rules=_rules(how),
        aids=how.aids,
        pace=how.pace,
        watch=how.watch,
        turn_limit=how.limit,
        entropy="entropy",
    )


def opened_game(how: Opening, now: float) -> SeatedGame:
    """A game that has just been dealt. It may be rated even if it shouldn't: clocks and ratings have to work."""
    seats = [Seat(f"id-of-{name}", None, away_since=now) for name in NAMES[: how.chairs]]
    seats += [Seat(None, "snail")] * how.bots
    game = Game.start(_rules(how), [f"Player {number}" for number in range(len(seats))], how.seed)
    table = SeatedGame.begin("a-game", game, tuple(seats), now, how.aids, how.pace, how.watch, how.limit)
    return replace(table, rated=how.rated and how.start == "game", latecomers=not how.rated)


def _rules(how: Opening) -> Rules:
    return Rules.preset("classic", hand_size=how.hand_size)  # Hands are small, so that games end.
