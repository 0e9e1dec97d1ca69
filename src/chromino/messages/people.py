"""Oneself: on another device, and on the leaderboards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Face, Name

COOKIE = "chromino"
"""Its value is the secret of a person."""

Family = Literal["classic", "junior", "expert", "points"]
"""Rules that are rated together."""


Board = Literal["people", "bots"]
"""A leaderboard of people, and one of bots: the built-in ones, and those of others."""


@dataclass(frozen=True, slots=True)
class OneTimeCode:
    """Type it on another device, and that one is mine, too."""

    code: str


@dataclass(frozen=True, slots=True)
class RecoveryCode:
    """Brings me back on any device, as often as I like, until I make another one. It's shown this once."""

    code: str


@dataclass(frozen=True, slots=True)
class ClaimCode:
    """A code from another device, or a recovery code. Case, spaces and dashes don't matter."""

    code: Annotated[str, Bounds(max_length=80)]


@dataclass(frozen=True, slots=True)
class Account:
    """Where I'm signed in."""

    devices: int
    """This one included; 0 for someone without an identity."""
    recovery_made: str | None
    """When I made my recovery code, if I have one."""
    face: Face | None = None
    """The one I chose last."""


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """The face that I have from now on: on the leaderboards, and on my other devices."""

    face: Face


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A line of a leaderboard."""

    place: int
    """Among those who are listed; equal for those who share it."""
    kind: Literal["person", "bot", "program"]
    """A bot is built in; a program is somebody's own."""
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
    face: Face | None = None
    """Of a person who has chosen one."""


@dataclass(frozen=True, slots=True)
class WhichBoard:
    """Behind the "?" of the address of a leaderboard."""

    board: Annotated[Board, Bounds(description="Of people, or of bots.")] = "people"


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best of a family of rules, by what is certain: rating less uncertainty."""

    family: Family
    players: list[RatedPlayer]
    known: bool
    """Has the reader an identity, and can be listed?"""
    listed_as: str | None
    """The reader's name on the leaderboards."""
    board: Board = "people"


@dataclass(frozen=True, slots=True)
class BeListed:
    """My name on the leaderboards."""

    name: Name | None
    """None: not to be listed."""
