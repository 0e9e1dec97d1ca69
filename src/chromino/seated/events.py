"""What can happen around a game. Replaying these events rebuilds a table, just as replaying a log rebuilds a game."""

from __future__ import annotations

from dataclasses import dataclass

from chromino.events import Event
from chromino.game import Game
from chromino.messages.bounds import Face
from chromino.messages.deals import DealKind
from chromino.rules import Rules
from chromino.seated.seats import Latecomer

# While people gather.


@dataclass(frozen=True, slots=True)
class Sat:
    """Someone sat down, or changed their name or face."""

    chair: int
    person: str
    name: str
    away_since: float | None
    """None if they already have a page open."""
    is_program: bool = False
    commitment: str | None = None
    """The commitment to their part of the deal."""
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class StoodUp:
    """Someone gave up their chair. If they were the host, the next person becomes host."""

    person: str


@dataclass(frozen=True, slots=True)
class ChairFreed:
    """The host removed a person or a bot."""

    chair: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    chair: int
    level: int
    name: str


@dataclass(frozen=True, slots=True)
class Arranged:
    """The host changed the rules and settings, or the number of chairs."""

    chairs: int
    rules: Rules
    aids: bool
    pace: bool
    watch: bool
    public: bool
    turn_limit: int | None
    rated: bool
    latecomers: bool


@dataclass(frozen=True, slots=True)
class OfferEnded:
    """The time to accept a rematch ran out: people who didn't accept lose their chairs, and the others play."""


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Someone else became host, because the host had been away for too long."""

    person: str


@dataclass(frozen=True, slots=True)
class Committed:
    """Someone committed to a new part of the deal by showing its hash. None: they contribute no part."""

    person: str
    commitment: str | None


@dataclass(frozen=True, slots=True)
class DealBegan:
    """The host started the deal: now everyone reveals their part."""


@dataclass(frozen=True, slots=True)
class DealStopped:
    """The host stopped waiting for the missing parts. Everyone has to commit again."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """Someone revealed their part, which matches their commitment."""

    person: str
    part: str


@dataclass(frozen=True, slots=True)
class Began:
    """The tiles were dealt. From now on, the table is a game."""

    game: Game
    at: float
    deal: DealKind


# Before and during a game.


@dataclass(frozen=True, slots=True)
class Arrived:
    """Someone arrived: they opened a page, and had none open before."""

    person: str
    at: float


@dataclass(frozen=True, slots=True)
class WentAway:
    """Someone went away: they closed the last page they had open."""

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
class TakenBack:
    """Someone took back their last turn. The game continues from there, as if the later events hadn't happened."""

    moves: int
    """How many events of the game remain."""
    at: float
    action_id: str | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Someone left for good; a bot takes over."""

    person: str
    at: float


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A latecomer took over a bot's seat."""

    seat: int
    person: str
    name: str
    at: float
    is_program: bool = False
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class StartedWaiting:
    """A latecomer asked to join the rematch."""

    who: Latecomer


@dataclass(frozen=True, slots=True)
class StoppedWaiting:
    person: str


@dataclass(frozen=True, slots=True)
class PaceSet:
    pace: bool


@dataclass(frozen=True, slots=True)
class WatchingAllowed:
    """The only person in a finished game shared it: now anyone with the link can see it."""


@dataclass(frozen=True, slots=True)
class Spoke:
    """Someone said a phrase to the table."""

    person: str
    phrase: str
    at: float


@dataclass(frozen=True, slots=True)
class TimeGivenBack:
    """No server was running for this many seconds, so they're added to the clock.

    They're negative if the clock was set back in the meantime. `as_of` makes sure that no turn gets more than its
    limit. A server does this to all games at once when it starts: see `extend_turns` in `server/database/presence.py`.
    """

    seconds: float


@dataclass(frozen=True, slots=True)
class Rated:
    """The game was counted in the ratings."""


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A rematch was offered. If there already is one, nothing changes: each game has only one."""

    game: str
    """The id of the rematch."""


@dataclass(frozen=True, slots=True)
class RematchEnded:
    """Nobody was left at the table for the rematch, so it's gone, and another one can be offered."""


GatheringEvent = (
    Sat
    | StoodUp
    | ChairFreed
    | BotSeated
    | Arranged
    | OfferEnded
    | HostChanged
    | Committed
    | DealBegan
    | DealStopped
    | Revealed
    | Began
    | Arrived
    | WentAway
)
GameEvent = (
    Moved
    | TakenBack
    | Arrived
    | WentAway
    | Left
    | SeatTaken
    | StartedWaiting
    | StoppedWaiting
    | PaceSet
    | WatchingAllowed
    | Spoke
    | TimeGivenBack
    | Rated
    | RematchOffered
    | RematchEnded
)
