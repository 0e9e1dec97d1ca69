"""Messages about conundrums."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Level
from chromino.messages.views import WireRefusal

ConundrumField = Annotated[str, Bounds(max_length=4000)]
PlacementField = Annotated[str, Bounds(max_length=40)]
FoundField = Annotated[list[PlacementField], Bounds(max_length=200)]


@dataclass(frozen=True, slots=True)
class AskedTile:
    """A tile, and how many places it has."""

    tile: str
    count: int


@dataclass(frozen=True, slots=True)
class ConundrumText:
    """A conundrum without its solutions."""

    conundrum: str
    table: str
    asked: list[AskedTile]
    grade: int
    score: float
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class LookAtConundrum:
    """A conundrum to look at."""

    conundrum: ConundrumField


@dataclass(frozen=True, slots=True)
class TryPlacement:
    """A placement to try, given the places found so far."""

    conundrum: ConundrumField
    placement: PlacementField
    found: FoundField = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Judged:
    """Is the placement right, and if not, why not?"""

    verdict: Literal["right", "wrong", "found", "not-asked"]
    refusal: WireRefusal | None = None


@dataclass(frozen=True, slots=True)
class AskConundrumHint:
    """Ask for help with finding one of the places that are still missing. Each step reveals more."""

    conundrum: ConundrumField
    found: FoundField = field(default_factory=list)
    step: Literal[1, 2, 3] = 1


@dataclass(frozen=True, slots=True)
class GiveUpConundrum:
    """Ask for all places that are still missing."""

    conundrum: ConundrumField
    found: FoundField = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConundrumHint:
    """The tile to place, and the squares to look at, as a rectangle."""

    tile: str
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SolvedConundrum:
    """A daily conundrum that you've solved, and how long it took."""

    day: Annotated[str, Bounds(pattern=r"^\d{4}-\d\d-\d\d$(?!\n)")]
    grade: Level
    seconds: Annotated[int, Bounds(ge=0, le=10**7)]
    found: FoundField


@dataclass(frozen=True, slots=True)
class SolvedTimes:
    """How many seconds you took, by day and grade, like "2026-11-15/3"."""

    times: dict[str, int]


@dataclass(frozen=True, slots=True)
class MissingPlaces:
    """The places that haven't been found."""

    places: list[str]
