"""Leaderboards over the wire, as types."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from chromino.server.messages import Name
from chromino.server.people.ratings import Family


class RatedPlayer(Struct):
    """A line of a leaderboard."""

    place: int
    """Among those who are listed; equal for those who share it."""
    kind: Literal["person", "bot"]
    name: str | None
    """A bot's, or the one that somebody chose; none for a reader who is not listed."""
    level: int | None
    """Of a bot."""
    rating: int
    uncertainty: int
    """The true strength is hardly ever further from the rating than this."""
    games: int
    mine: bool
    """Is this the reader?"""


class Leaderboard(Struct):
    """The best of a family of rules, by what is certain: rating less uncertainty."""

    family: Family
    players: list[RatedPlayer]
    known: bool
    """Has the reader an identity, and can be listed?"""
    listed_as: str | None
    """The reader's name on the leaderboards."""


class BeListed(Struct, forbid_unknown_fields=True):
    name: Name | None
    """None: not to be listed."""
