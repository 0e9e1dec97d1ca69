"""What goes over the wire about reviews and practice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Version
from chromino.messages.games import SeatState
from chromino.messages.views import WireView

Measured = Literal["win", "points"]

_USUAL = "What the values count; without it, parts of a win, or points where one plays for them."


@dataclass(frozen=True, slots=True)
class WhichReview:
    """Behind the "?" of a review's address."""

    seat: Annotated[int, Bounds(ge=0, le=7, description="Whose game it is; without it, mine.")] | None = None
    measure: Annotated[Measured, Bounds(description=_USUAL)] | None = None


@dataclass(frozen=True, slots=True)
class ReviewValue:
    """A value in the measure of the review, or what something gave: with its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class ReviewGains:
    """What each cause gave."""

    deal: ReviewValue
    draw: ReviewValue
    choice: ReviewValue
    others: ReviewValue


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """A change, from after so many events to after so many."""

    kind: Literal["deal", "draw", "choice", "others"]
    """The cause."""
    since: Version
    until: Version
    before: ReviewValue
    after: ReviewValue


@dataclass(frozen=True, slots=True)
class ReviewChoice:
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


@dataclass(frozen=True, slots=True)
class GameReview:
    """How a game went for a seat; see docs/learn.md."""

    game: str
    seat: int
    seats: list[SeatState]
    measure: Measured
    """What all values count."""
    measures: list[Measured]
    """What can be asked for, the usual first."""
    fair: float
    result: float
    gains: ReviewGains
    """With `fair` they add up to `result`."""
    cost: ReviewValue
    """What the best choices would have given more."""
    steps: list[ReviewStep]
    choices: list[ReviewChoice]


@dataclass(frozen=True, slots=True)
class PlaceValue:
    """A placement with its value, and that one's standard error."""

    placement: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class PracticeLesson:
    """A choice of mine that cost much, to be made again."""

    game: str
    version: Version
    cost: float
    view: WireView
    """What I could know then."""
    played: str
    values: list[PlaceValue]
    """Each placement, the best first."""


@dataclass(frozen=True, slots=True)
class Practice:
    """Choices to be made again."""

    lessons: list[PracticeLesson]
    """The most expensive first."""
    waiting: int
    """Games that were not looked at yet: ask again."""


@dataclass(frozen=True, slots=True)
class PathRung:
    """My latest games against one bot alone."""

    bot: str
    level: int
    played: int
    won: int
    mastered: bool


@dataclass(frozen=True, slots=True)
class PathUp:
    """The bots, from the easiest, and the one to play next."""

    rungs: list[PathRung]
    next: int
    """The level to play."""
