"""What goes over the wire about conundrums."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from chromino.server.messages import Level

ConundrumField = Annotated[str, Meta(max_length=4000)]
PlacementField = Annotated[str, Meta(max_length=40)]
FoundField = Annotated[list[PlacementField], Meta(max_length=200)]


class Asked(Struct):
    """A tile with its number of places."""

    tile: str
    count: int


class ConundrumText(Struct):
    """A conundrum without its solutions."""

    conundrum: str
    table: str
    asked: list[Asked]
    grade: int
    score: float
    reasons: dict[str, int]


class LookAtConundrum(Struct, forbid_unknown_fields=True):
    conundrum: ConundrumField


class TryPlacement(Struct, forbid_unknown_fields=True):
    conundrum: ConundrumField
    placement: PlacementField
    found: FoundField = []


class Judged(Struct):
    verdict: Literal["right", "wrong", "found", "not-asked"]
    refusal: dict[str, Any] | None = None


class AskConundrumHint(Struct, forbid_unknown_fields=True):
    conundrum: ConundrumField
    found: FoundField = []
    step: Literal[1, 2, 3] = 1


class ConundrumHint(Struct):
    """A box of squares to look at."""

    tile: str
    x: int
    y: int
    width: int
    height: int


class SolvedConundrum(Struct, forbid_unknown_fields=True):
    """All places of the conundrum of a day, and how long it took to find them."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$(?!\n)")]
    grade: Level
    seconds: Annotated[int, Meta(ge=0, le=10**7)]
    found: FoundField


class SolvedTimes(Struct):
    """Seconds by day and grade, like "2026-11-15/3"."""

    times: dict[str, int]


class Missing(Struct):
    places: list[str]
