"""Whose result in a game can count in the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chromino.seated.seats import Seat


def rated_players(seats: Sequence[Seat]) -> dict[int, str]:
    """The players by seat: people as `p:ID`, bots as `b:NAME`.

    Not those who left, nor those with several seats, who would play against themselves. A bot counts once, where it
    sits first: how it ends against the others says as much as if it sat there alone.
    """
    people = Counter(who.person for who in seats)
    found: dict[int, str] = {}
    for number, who in enumerate(seats):
        if who.bot is not None and f"b:{who.bot}" not in found.values():
            found[number] = f"b:{who.bot}"
        elif who.person is not None and people[who.person] == 1 and not who.has_left:
            found[number] = f"p:{who.person}"
    return found


def may_count(seats: Sequence[Seat]) -> bool:
    """Are there at least two players, so that one can be better?"""
    return len(rated_players(seats)) > 1
