"""Gatherings, where people meet before a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from chromino.messages.bounds import MAX_NAME_LENGTH, Bounds, Face, Level, Name, SeatNumber, TurnLimit, Version
from chromino.messages.deals import Commitment, DealTerms
from chromino.messages.games import Refused
from chromino.messages.views import RuleChoices, WireRules


@dataclass(frozen=True, slots=True)
class ChairChoice:
    """Who gets this chair: the host, another person on the same device, a bot, or anyone who joins."""

    kind: Literal["me", "here", "bot", "free"]
    name: Annotated[str, Bounds(max_length=MAX_NAME_LENGTH)] = ""
    level: Level | None = None
    face: Face | None = None
    """A person's face; if it's null, pages pick one based on the name."""


@dataclass(frozen=True, slots=True)
class NewGathering:
    """A table to open, for people to join before the game starts."""

    chairs: Annotated[list[ChairChoice], Bounds(min_length=1, max_length=8)]
    rules: RuleChoices = field(default_factory=dict)
    first: SeatNumber | None = None
    aids: bool = True
    pace: bool = True
    watch: bool = True
    """Are spectators allowed?"""
    public: bool = False
    """Is the table in the lobby?"""
    turn_limit: TurnLimit | None = None
    rated: bool = False
    """Is the game rated? If so, it needs a turn limit of an hour or less, eight or more tiles per hand, and no aids."""
    commitment: Commitment | None = None
    """The hash of your part of the deal; if it's null, you contribute nothing."""
    latecomers: bool = True
    """Can people who come after the deal take over a bot's seat? Never in a rated game."""


@dataclass(frozen=True, slots=True)
class Arrange:
    """The rules, settings, and number of seats that the host wants."""

    seats: Annotated[int, Bounds(ge=2, le=8)]
    rules: RuleChoices = field(default_factory=dict)
    aids: bool = True
    pace: bool = True
    watch: bool = True
    """Are spectators allowed?"""
    public: bool = False
    """Is the table in the lobby?"""
    turn_limit: TurnLimit | None = None
    rated: bool = False
    """Is the game rated? An unrated table can only become rated before anyone else has joined."""
    latecomers: bool = True
    """Can people who come after the deal take over a bot's seat?"""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat, or change your name or face."""

    name: Name
    commitment: Commitment | None = None
    """The hash of your part of the deal; if it's null, you contribute nothing."""
    face: Face | None = None
    """If it's null, you keep the face you have here, if any."""


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """The seat to free."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class FillSeat:
    """The seat to give to a bot."""

    seat: SeatNumber
    level: Level
    name: Name


@dataclass(frozen=True, slots=True)
class ChairState:
    """A chair in a gathering."""

    kind: Literal["person", "bot", "free"]
    name: str
    mine: bool
    host: bool
    level: int | None = None
    program: bool = False
    """Has this person declared that a program plays for them?"""
    deal: Literal["waiting", "committed", "revealed"] | None = None
    """The state of this person's part of the deal; null if they contribute nothing."""
    face: Face | None = None
    """This person's face, if they've chosen one."""


@dataclass(frozen=True, slots=True)
class GatheringState:
    """A gathering as one person sees it, with or without a chair."""

    type: Literal["gathering"] = field(default="gathering", init=False)
    game: str
    version: Version
    chairs: list[ChairState]
    host: bool
    """Is the reader the host?"""
    rules: WireRules
    preset: str | None
    watch: bool
    public: bool
    turn_limit: int | None
    deal: DealTerms
    rated: bool = False
    """Will the game count in the ratings, for everyone and however it ends?"""
    aids: bool = True
    """Will there be hints and other aids?"""
    pace: bool = True
    """Will bots pause naturally before they play?"""
    latecomers: bool = True
    """Will people who come after the deal be able to take over a bot's seat? Never in a rated game."""
    offer: Literal["minute", "day"] | None = None
    """How long people have to accept this rematch, from when it was offered; null if nobody still has to answer."""
    can_let_in: bool = True
    """Can this game be opened to latecomers? It can't if it's rated or has open hands."""


@dataclass(frozen=True, slots=True)
class RematchOffer:
    """A rematch that's waiting for your answer."""

    game: str
    """The rematch's table."""
    by: str
    """The name of the person who's offering the rematch."""
    left: float
    """Seconds until the rematch starts without you."""


@dataclass(frozen=True, slots=True)
class Offers:
    """Offers that others have made you; those that end soonest come first."""

    rematches: list[RematchOffer]


@dataclass(frozen=True, slots=True)
class Begun:
    """The gathering is over: the game has started, or everyone has left."""

    type: Literal["begun"] = field(default="begun", init=False)
    game: str
    begun: bool


FromGathering = GatheringState | Begun | Refused
"""What a gathering's socket sends."""


Reach = Literal["device", "network", "anywhere"]
"""Who can open a link: only this device, only devices on the same network, or everyone."""


@dataclass(frozen=True, slots=True)
class TableLink:
    """A link to send to friends."""

    url: str
    reach: Reach


@dataclass(frozen=True, slots=True)
class GameLink:
    """A link to share a finished game."""

    url: str
    """The game's replay or, if that isn't open to everyone, the home page."""
    reach: Reach


@dataclass(frozen=True, slots=True)
class Lobby:
    """The tables that are open to anyone."""

    gatherings: list[GatheringState]
