"""Your identity, other devices, and the leaderboards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Face, Name

COOKIE = "chromino"
"""The cookie whose value is a person's secret."""

Family = Literal["classic", "junior", "expert", "points"]
"""Rules that are rated together."""


Listed = Literal["people", "bots"]
"""One leaderboard is for people. The other is for bots, both the built-in ones and people's own."""


@dataclass(frozen=True, slots=True)
class OneTimeCode:
    """A code that you enter on another device to link that device to you."""

    code: str


@dataclass(frozen=True, slots=True)
class RecoveryCode:
    """A code that signs you in on any device, as often as you like, until you make another. It's only shown once."""

    code: str


@dataclass(frozen=True, slots=True)
class ClaimCode:
    """A code from another device, or a recovery code. Case, spaces and dashes don't matter."""

    code: Annotated[str, Bounds(max_length=80)]


@dataclass(frozen=True, slots=True)
class Account:
    """Your devices, recovery code and face."""

    devices: int
    """How many devices are signed in, including this one; 0 if you have no identity."""
    recovery_made: str | None
    """When you made your recovery code, if you have one."""
    face: Face | None = None
    """The face you chose last."""


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """The face that you want from now on, on the leaderboards and on your other devices."""

    face: Face


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A line on a leaderboard."""

    place: int
    """The rank among those listed; tied players share a rank."""
    kind: Literal["person", "bot", "program"]
    """A bot is built in; a program is someone's own bot."""
    name: str | None
    """A bot's name, or the name a person chose; null for a reader who isn't listed."""
    level: int | None
    """A bot's level."""
    rating: int
    uncertainty: int
    """The true strength is hardly ever farther from the rating than this."""
    games: int
    mine: bool
    """Is this the reader?"""
    face: Face | None = None
    """A person's face, if they've chosen one."""


@dataclass(frozen=True, slots=True)
class WhichLeaderboard:
    """The query string for a leaderboard."""

    board: Annotated[Listed, Bounds(description="The leaderboard for people, or the one for bots.")] = "people"


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best players in a family of rules, by rating minus uncertainty."""

    family: Family
    players: list[RatedPlayer]
    known: bool
    """Does the reader have an identity, so they can be listed?"""
    listed_as: str | None
    """The reader's name on the leaderboards."""
    board: Listed = "people"


@dataclass(frozen=True, slots=True)
class BeListed:
    """Your name on the leaderboards."""

    name: Name | None
    """If it's null, you're taken off the leaderboards."""
