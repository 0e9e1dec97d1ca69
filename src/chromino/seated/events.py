"""What can happen around a game. Replaying these events rebuilds a table, as a log rebuilds a game."""

from __future__ import annotations

from dataclasses import dataclass

from chromino.events import Event
from chromino.game import Game
from chromino.messages.bounds import Face
from chromino.messages.deals import DealKind

# While people gather.


@dataclass(frozen=True, slots=True)
class Sat:
    """Someone took a chair, or another name or face."""

    chair: int
    person: str
    name: str
    away_since: float | None
    """None if their page is open already."""
    is_program: bool = False
    commitment: str | None = None
    """To their part of the deal."""
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class StoodUp:
    """Someone gave up their chair. If it was the host, the next person is."""

    person: str


@dataclass(frozen=True, slots=True)
class ChairFreed:
    """The host sent someone away, or a bot."""

    chair: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    chair: int
    level: int
    name: str


@dataclass(frozen=True, slots=True)
class HostChanged:
    """The host had been away for too long."""

    person: str


@dataclass(frozen=True, slots=True)
class Committed:
    """Someone has chosen another part of the deal, and shows its hash."""

    person: str
    commitment: str


@dataclass(frozen=True, slots=True)
class DealBegan:
    """The host wants to begin: now everyone reveals their part."""


@dataclass(frozen=True, slots=True)
class DealStopped:
    """The host doesn't wait for the missing parts. Everyone commits anew."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """Someone's part, which fits what they committed to."""

    person: str
    part: str


@dataclass(frozen=True, slots=True)
class Began:
    """The tiles were dealt. From here on, the table is a game."""

    game: Game
    at: float
    deal: DealKind


# Before and after.


@dataclass(frozen=True, slots=True)
class Came:
    """A person's first page was opened."""

    person: str
    at: float


@dataclass(frozen=True, slots=True)
class Went:
    """A person's last page was closed."""

    person: str
    at: float


# While a game is played.


@dataclass(frozen=True, slots=True)
class Moved:
    """An event of the game itself, decided by a person (who gave it an id), a bot or the rules."""

    event: Event
    at: float
    action_id: str | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Someone went for good; a bot plays on."""

    person: str
    at: float


@dataclass(frozen=True, slots=True)
class PaceSet:
    pace: bool


@dataclass(frozen=True, slots=True)
class Spoke:
    """Someone said a phrase to the table."""

    person: str
    phrase: str
    at: float


@dataclass(frozen=True, slots=True)
class TimeGivenBack:
    """No server was running for so many seconds, and so no clock either."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Rated:
    """The game counts in the ratings now."""


@dataclass(frozen=True, slots=True)
class RematchBegan:
    game: str
    """Its id."""


GatheringEvent = (
    Sat
    | StoodUp
    | ChairFreed
    | BotSeated
    | HostChanged
    | Committed
    | DealBegan
    | DealStopped
    | Revealed
    | Began
    | Came
    | Went
)
GameEvent = Moved | Came | Went | Left | PaceSet | Spoke | TimeGivenBack | Rated | RematchBegan
