"""Messages about reviews and practice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Version
from chromino.messages.games import SeatState
from chromino.messages.views import WireView

Measured = Literal["win", "points"]

_MEASURE = "What the values measure; by default, points in solo games that have them, otherwise shares of a win."


@dataclass(frozen=True, slots=True)
class WhichReview:
    """The query string for a review."""

    seat: Annotated[int, Bounds(ge=0, le=7, description="The seat to review; by default, yours.")] | None = None
    measure: Annotated[Measured, Bounds(description=_MEASURE)] | None = None


@dataclass(frozen=True, slots=True)
class ReviewValue:
    """A value or a gain in the review's measure, with its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class ReviewGains:
    """What the seat gained from each cause."""

    deal: ReviewValue
    draw: ReviewValue
    choice: ReviewValue
    others: ReviewValue


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """A change in value between two points in the game; `since` and `until` count events."""

    kind: Literal["deal", "draw", "choice", "others"]
    """The cause."""
    since: Version
    until: Version
    before: ReviewValue
    after: ReviewValue


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    """A choice among several placements."""

    version: Version
    options: int
    before: ReviewValue
    """The mean value of all placements."""
    chosen: str
    value: ReviewValue
    best: str
    best_value: ReviewValue
    cost: float
    error: float
    """The standard error of the cost."""
    clear: bool
    """Is the best placement clearly better?"""


@dataclass(frozen=True, slots=True)
class GameReview:
    """How a game went for a seat; see docs/learn.md."""

    game: str
    seat: int
    seats: list[SeatState]
    measure: Measured
    """What all values measure."""
    measures: list[Measured]
    """The available measures, the default first."""
    fair: float
    """What any seat can expect before the deal."""
    result: float
    gains: ReviewGains
    """The gains and `fair` add up to `result`."""
    cost: ReviewValue
    """How much more the best choices would have gained."""
    steps: list[ReviewStep]
    choices: list[ReviewChoice]


@dataclass(frozen=True, slots=True)
class PlaceValue:
    """A placement with its value and standard error."""

    placement: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class PracticePosition:
    """A choice of yours that cost a lot, to try again."""

    game: str
    version: Version
    cost: float
    view: WireView
    """What you could know at the time."""
    played: str
    values: list[PlaceValue]
    """Each placement, best first."""


@dataclass(frozen=True, slots=True)
class Practice:
    """Choices to try again."""

    positions: list[PracticePosition]
    """The costliest choices first."""
    waiting: int
    """How many games haven't been reviewed yet; ask again later."""


@dataclass(frozen=True, slots=True)
class LadderRung:
    """Your latest two-player games against one bot."""

    bot: str
    level: int
    played: int
    won: int
    mastered: bool


@dataclass(frozen=True, slots=True)
class BotLadder:
    """The bots, easiest first, and the one to play next."""

    rungs: list[LadderRung]
    next: int
    """The level to play next."""
