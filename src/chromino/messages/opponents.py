"""People you can play with: those you've played with, invitations to a table, and looking for an opponent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Face, Name, SeatNumber
from chromino.messages.deals import DealTerms
from chromino.messages.views import RuleChoices


@dataclass(frozen=True, slots=True)
class Someone:
    """A person you've played with, who had this seat in a game that you both finished."""

    game: Annotated[str, Bounds(max_length=22)]
    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class HideSomeone:
    """Hide a person you've played with: they can't invite you, and you're never paired with them. They won't know."""

    game: Annotated[str, Bounds(max_length=22)]
    seat: SeatNumber
    hidden: bool = True
    """Set it to false to show them again."""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person you've played with, with the name and face they had then."""

    game: str
    """The latest game that you both finished; together with `seat`, it says who this person is."""
    seat: int
    name: str
    face: Face | None
    played: str
    """When that game ended."""
    hidden: bool = False
    invited: Literal["waiting", "declined"] | None = None
    """The state of your invitation to the table you asked about, if you're its host."""


@dataclass(frozen=True, slots=True)
class TableInvitation:
    """An invitation to a table, from someone you've played with."""

    game: str
    """The table."""
    name: str
    """The host's name."""
    face: Face | None
    preset: str | None
    """Null for custom rules."""
    turn_limit: int | None
    rated: bool


@dataclass(frozen=True, slots=True)
class MyPeople:
    """The people you've played with, latest first, and your current invitations."""

    people: list[KnownPerson]
    invitations: list[TableInvitation]


@dataclass(frozen=True, slots=True)
class WhichPeople:
    """The query string for the people you've played with."""

    table: Annotated[str, Bounds(max_length=22, description="Your table, to find out whom you've invited there.")] = ""


@dataclass(frozen=True, slots=True)
class Seek:
    """Look for someone to play with. Repeat this call every two seconds, or the search ends."""

    name: Name
    face: Face | None = None
    rules: RuleChoices = field(default_factory=dict)
    """You're paired with someone who wants the same rules."""
    rated: bool = False
    anew: bool = False
    """Is this a new search? Otherwise, the last one continues."""


@dataclass(frozen=True, slots=True)
class SeekState:
    """How far along a search is: still looking; seated with an opponent, while tiles are being dealt; or playing."""

    seconds: int
    """How long you've been looking."""
    game: str | None = None
    """The table where you play against your opponent."""
    deal: DealTerms | None = None
    """The terms for your part of the deal, as at any table. Null if there's no table yet, or the game has started."""
