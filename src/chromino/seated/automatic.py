"""Automatic actions in a game, and when they happen: bot turns, passes, expired clocks, stand-in bots, ratings."""

from __future__ import annotations

import math
from dataclasses import dataclass

from chromino.bots import Bot, find
from chromino.events import Drew, Pass
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering

GRACE = 60.0
"""Seconds until a bot stands in for someone who's away."""

_PAUSE = 0.9  # How many seconds a bot pretends to think, so people can follow.
_PAUSE_AFTER_DRAW = 0.5  # How many seconds it pretends to think if it has just drawn a tile.
_PAUSE_BEFORE_PASS = 1.6  # How many seconds you get to read that you have to pass.
LONGEST_PAUSE = _PAUSE_BEFORE_PASS
MULTI_DAY_LIMIT = 24 * 3600
"""If the turn limit is at least this many seconds, nobody is expected to sit and wait."""

STAND_IN = find(3)
"""The usual stand-in, which plays fast and quite well."""

RATED_STAND_IN = find("random")
"""The stand-in for rated games, which plays badly, so nobody gains anything by letting a bot decide."""


@dataclass(frozen=True, slots=True)
class AutomaticAction:
    """An action that happens automatically, unless something else happens first."""

    at: float
    bot: Bot | None = None
    """The bot that decides; None if it's a pass or a rating."""
    is_rating: bool = False
    """Is the game over and due to be rated?"""
    by_clock: bool = False
    """Does it happen because a person's time runs out? Until then, they can still act or come back."""


def next_automatic_action(table: SeatedGame, grace: float = GRACE) -> AutomaticAction | None:
    """The next automatic action; None if the game is done, or if it's up to a person without a time limit."""
    game = table.game
    if game.over:
        return AutomaticAction(table.since, is_rating=True) if table.needs_rating else None
    who = table.seats[game.seat]
    if who.bot is not None:
        return AutomaticAction(table.since + _bot_pause(table), find(who.bot))
    if who.person is None or who.has_left:
        return AutomaticAction(table.since + _bot_pause(table), stand_in(table))
    if game.refusal(Pass()) is None:
        return AutomaticAction(table.since + (_PAUSE_BEFORE_PASS if table.pace else 0.0))
    times = [time for time in (table.turn_ends, stand_in_at(table, game.seat, grace)) if time is not None]
    return AutomaticAction(min(times), stand_in(table), by_clock=True) if times else None


def stand_in_at(table: SeatedGame, seat: int, grace: float = GRACE) -> float | None:
    """When a bot stands in for the person in this seat, if at all.

    Bots only stand in while someone else is waiting: not in solo games, not if everyone is away, and not in multi-day
    games.
    """
    who = table.seats[seat]
    if who.person is None or who.has_left or who.away_since is None:
        return None
    if not any(map(table.is_present, table.people)):
        return None
    return None if is_multi_day(table) else who.away_since + grace


def person_to_nudge(table: SeatedGame) -> str | None:
    """The person to notify that it's their turn, if they're away in a multi-day game."""
    who = table.seats[table.game.seat]
    if table.game.over or who.has_left or who.away_since is None or not is_multi_day(table):
        return None
    return who.person


def is_multi_day(table: Gathering | SeatedGame) -> bool:
    """Are turns so long that nobody is expected to sit and wait?"""
    return table.turn_limit is not None and table.turn_limit >= MULTI_DAY_LIMIT


def answer_delay(bot: Bot, seconds: float, thinking_time: float) -> float:
    """How many seconds a bot takes to answer: at least `seconds`, and at least as long as it spent thinking.

    Bots answer on multiples of their tick, which is longer than they usually think. That way, the timing doesn't reveal
    whether they had a choice.
    """
    return max(seconds, math.ceil(thinking_time / bot.tick) * bot.tick)


def stand_in(table: SeatedGame) -> Bot:
    """The bot that plays for someone who's away, too slow, or gone."""
    return RATED_STAND_IN if table.rated else STAND_IN


def _bot_pause(table: SeatedGame) -> float:
    if not table.pace:
        return 0.0
    return _PAUSE_AFTER_DRAW if table.game.log and isinstance(table.game.log[-1], Drew) else _PAUSE
