"""Seats of a game, and the chairs they grow out of while people gather."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from chromino.messages.bounds import Face


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a seat: a person by id, or a bot by name. Neither: the person was erased, and a bot plays on."""

    person: str | None
    bot: str | None
    has_left: bool = False
    """A person who went for good: a bot plays on."""
    away_since: float | None = None
    """When the last page of this person's was closed; None while one is open."""
    is_program: bool = False
    """Someone who has said that a program of theirs plays for them."""
    face: Face | None = None
    """The one that this person chose, if any."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat to be: a person, a bot, or free for whoever comes."""

    kind: Literal["person", "bot", "free"]
    name: str = ""
    person: str | None = None
    level: int | None = None
    """Of a bot."""
    away_since: float | None = None
    is_program: bool = False
    commitment: str | None = None
    """To this person's part of the deal; empty: to be given anew. None if they don't take part in it. Someone with
    several chairs has it at the first one."""
    part: str | None = field(default=None, repr=False)
    """Once it's revealed."""
    face: Face | None = None
    """The one that this person chose, if any."""


FREE = Chair("free")


class _HasPerson(Protocol):
    @property
    def person(self) -> str | None: ...


Place = TypeVar("Place", bound=_HasPerson)


def seats_of(places: tuple[Place, ...], person: str | None) -> list[int]:
    """The numbers of the seats or chairs that a person has."""
    return [number for number, who in enumerate(places) if person is not None and who.person == person]
