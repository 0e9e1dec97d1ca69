"""The seats of a game, and the chairs of a gathering, which become seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from chromino.messages.bounds import Face


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a seat: a person by id, or a bot by name. If neither, the person was erased, and a bot plays."""

    person: str | None
    bot: str | None
    has_left: bool = False
    """Has this person left for good? A bot plays for them."""
    away_since: float | None = None
    """When this person closed their last page; None while one is open."""
    is_program: bool = False
    """Has this person declared that a program plays for them?"""
    face: Face | None = None
    """The face that this person chose, if any."""
    taken_at: int = 0
    """How many events there were when this person took over from a bot, if they did."""


@dataclass(frozen=True, slots=True)
class Latecomer:
    """Someone waiting for the rematch."""

    person: str
    name: str
    is_program: bool = False
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Chair:
    """A future seat: for a person or a bot, or still free."""

    kind: Literal["person", "bot", "free"]
    name: str = ""
    person: str | None = None
    level: int | None = None
    """A bot's level."""
    away_since: float | None = None
    is_program: bool = False
    commitment: str | None = None
    """The commitment to this person's part of the deal; empty if a new one is needed, None if they contribute nothing.
    If someone has several chairs, the commitment is on the first one."""
    part: str | None = field(default=None, repr=False)
    """This person's part of the deal, once it's been revealed."""
    face: Face | None = None
    """The face that this person chose, if any."""

    @property
    def contributes(self) -> bool:
        """Does this chair contribute a part of the deal?"""
        return self.commitment is not None

    @property
    def is_undecided(self) -> bool:
        """Is a commitment still missing? In a rematch, that means they haven't accepted."""
        return self.commitment == ""


FREE = Chair("free")


class _HasPerson(Protocol):
    @property
    def person(self) -> str | None: ...


SeatOrChair = TypeVar("SeatOrChair", bound=_HasPerson)


def seats_of(seats_or_chairs: tuple[SeatOrChair, ...], person: str | None) -> list[int]:
    """The numbers of the seats or chairs that a person has."""
    if person is None:
        return []
    return [number for number, who in enumerate(seats_or_chairs) if who.person == person]
