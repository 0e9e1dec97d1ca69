"""What goes over the wire about reviews and practice."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from chromino.server.messages import SeatState, Version


class WhichReview(Struct):
    """Behind the "?" of a review's address."""

    seat: Annotated[int, Meta(ge=0, le=7, description="Whose game it is; without it, mine.")] | UnsetType = UNSET
    measure: (
        Annotated[
            Literal["win", "points"],
            Meta(description="What the values count; without it, parts of a win, or points where one plays for them."),
        ]
        | UnsetType
    ) = UNSET


class ReviewValue(Struct):
    """A value in the measure of the review, or what something gave: with its standard error."""

    mean: float
    error: float


class ReviewStep(Struct):
    """A change, from after so many events to after so many."""

    kind: str
    """The cause: "deal", "draw", "choice" or "others"."""
    since: Version
    until: Version
    before: ReviewValue
    after: ReviewValue


class ReviewChoice(Struct):
    """One of several placements was chosen."""

    version: Version
    options: int
    before: ReviewValue
    """Of any of them, by chance."""
    chosen: str
    value: ReviewValue
    best: str
    best_value: ReviewValue
    cost: float
    error: float
    """Of the cost."""
    clear: bool
    """Is it sure that the best one is better?"""


class GameReview(Struct):
    """How a game went for a seat; see docs/learn.md."""

    game: str
    seat: int
    seats: list[SeatState]
    measure: Literal["win", "points"]
    """What all values count."""
    measures: list[Literal["win", "points"]]
    """What can be asked for, the usual first."""
    fair: float
    result: float
    gains: dict[str, ReviewValue]
    """By cause; with `fair` they add up to `result`."""
    cost: ReviewValue
    """What the best choices would have given more."""
    steps: list[ReviewStep]
    choices: list[ReviewChoice]


class PlaceValue(Struct):
    placement: str
    value: float
    error: float


class PracticeLesson(Struct):
    """A choice of mine that cost much, to be made again."""

    game: str
    version: Version
    cost: float
    view: dict[str, Any]
    """What I could know then."""
    played: str
    values: list[PlaceValue]
    """Each placement, the best first."""


class Practice(Struct):
    lessons: list[PracticeLesson]
    """The most expensive first."""
    waiting: int
    """Games that were not looked at yet: ask again."""


class PathRung(Struct):
    """My latest games against one bot alone."""

    bot: str
    level: int
    played: int
    won: int
    mastered: bool


class PathUp(Struct):
    rungs: list[PathRung]
    next: int
    """The level to play."""
