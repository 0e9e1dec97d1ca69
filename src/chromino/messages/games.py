"""Games: begin one, list them, and the messages of a game's WebSocket.

Each message to a client is whole: an older version can be dropped, and a lost one does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, Face, Level, Name, SeatNumber, TurnLimit, Version
from chromino.messages.deals import Commitment, DealKind, DealTerms
from chromino.messages.views import RuleChoices, WireRefusal, WireView

ActionId = Annotated[str, Bounds(min_length=8, max_length=64, pattern=r"^[0-9A-Za-z_-]+$(?!\n)")]


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """Who takes this seat: you, another person on the same device, or a bot."""

    kind: Literal["me", "here", "bot"]
    name: Name
    level: Level | None = None
    """Of a bot."""
    face: Face | None = None
    """Of a person; none: pages pick one by the name."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to begin at once."""

    seats: Annotated[list[SeatChoice], Bounds(min_length=1, max_length=8)]
    rules: RuleChoices = field(default_factory=dict)
    first: SeatNumber | None = None
    """The seat that begins; none: by chance."""
    aids: bool = True
    """May players use aids: hints, lit places, the tracker?"""
    pace: bool = True
    """Do bots take a natural moment?"""
    turn_limit: TurnLimit | None = None
    rated: bool = False
    """Does it count? Then it needs a turn limit of an hour or less, eight tiles in each hand, and no aids."""
    commitment: Commitment | None = None
    """To your part of the deal: the game begins when you reveal it. Without one, the server deals alone, at once."""


@dataclass(frozen=True, slots=True)
class WhichRematch:
    """Behind the "?" of the address of a rematch."""

    commitment: Annotated[
        str, Bounds(max_length=64, pattern=r"^([0-9a-f]{64})?$(?!\n)", description="to your part of the deal")
    ] = ""


@dataclass(frozen=True, slots=True)
class Created:
    """A new game or gathering, by its id."""

    game: str
    deal: DealTerms | None = None
    """If the game begins only when all who sit there have revealed their parts of the deal."""


@dataclass(slots=True)
class SeatState:
    """A seat as its neighbors see it."""

    kind: Literal["person", "bot"]
    name: str
    mine: bool
    """Does the reader play it?"""
    bot: str | None = None
    level: int | None = None
    present: bool = True
    """Is this person's page open?"""
    has_left: bool = False
    """Gone for good; a bot plays on."""
    stand_in_in: float | None = None
    """Seconds until a bot stands in for someone who is away; 0 while it does."""
    program: bool = False
    """Has this person said that a program of theirs plays?"""
    face: Face | None = None
    """If this person has chosen one."""


@dataclass(frozen=True, slots=True)
class State:
    """The whole game as the reader may see it."""

    type: Literal["state"] = field(default="state", init=False)
    game: str
    version: Version
    view: WireView
    """Seen from the reader's seat that plays now or next."""
    preset: str | None
    seats: list[SeatState]
    aids: bool
    pace: bool
    turns: int
    watching: bool
    """Has the reader no seat?"""
    turn_left: float | None
    """Seconds left of a turn that is limited, when this was sent."""
    next_game: str | None
    """The rematch, once somebody wants one."""
    seed_hash: str
    """SHA-256 of the seed's text, published before the first turn."""
    seed: str | None
    """Shown when the game is over, so that anyone can check the deal."""
    deal: DealKind
    """Who picked it: players and server jointly, the server alone, or the person who gave a fixed seed."""
    rated: bool = False
    """Does it count in the ratings, for everyone and however it ends?"""
    places: list[int] | None = None
    """Where each seat ends in the ratings, once a rated game is over."""
    points: list[int] | None = None
    """What each of the view's actions would earn, if they are placements and points count."""


@dataclass(frozen=True, slots=True)
class WhichGames:
    """Behind the "?" of the address of my games."""

    after: Annotated[str, Bounds(max_length=100, description="where the page before ended: its `next`")] = ""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A line of "My games"."""

    game: str
    created: str
    updated: str
    preset: str | None
    players: list[str]
    seats: list[SeatState]
    over: bool
    seat: int
    """Whose turn it is."""
    winners: list[int]
    scores: list[int]
    tiles: int
    """How many lie on the table."""
    rated: bool = False
    table: str = ""
    """Placements in the order laid; empty for games that were last played before lists had a picture of the table."""


@dataclass(frozen=True, slots=True)
class Wins:
    """How many games by these rules I finished, and how many of them I won."""

    preset: str | None
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class MyGames:
    """A page of my games: first those in progress, then the finished ones, each with the latest first."""

    games: list[GameSummary]
    wins: list[Wins]
    """Of all my games, not just of this page."""
    next: str | None
    """What to send as `after` to get the next page; none if this is the last one."""


@dataclass(frozen=True, slots=True)
class Act:
    """Place, draw or pass; decided on `version`, with an id of its own: sent twice, it happens once."""

    type: Literal["act"] = field(default="act", init=False)
    id: ActionId
    version: Version
    seat: SeatNumber
    action: Annotated[str, Bounds(max_length=40)]


@dataclass(frozen=True, slots=True)
class AskHint:
    """A good placement, please."""

    type: Literal["hint"] = field(default="hint", init=False)
    id: ActionId
    version: Version


@dataclass(frozen=True, slots=True)
class SetPace:
    """Shall bots take a natural moment?"""

    type: Literal["pace"] = field(default="pace", init=False)
    id: ActionId
    pace: bool


Phrase = Literal[
    "hello",
    "good-luck",
    "your-turn",
    "well-played",
    "oh-no",
    "thanks",
    "sorry",
    "moment",
    "one-more",
    "bye",
    "laugh",
    "heart",
]
"""What can be said: a child may read it, in any language."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say a phrase to the table."""

    type: Literal["say"] = field(default="say", init=False)
    id: ActionId
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Leave:
    """Go for good; a bot plays on."""

    type: Literal["leave"] = field(default="leave", init=False)
    id: ActionId


FromClient = Act | AskHint | SetPace | Say | Leave


@dataclass(frozen=True, slots=True)
class Done:
    """The action is stored, or the wish is granted."""

    type: Literal["done"] = field(default="done", init=False)
    id: str
    version: Version


@dataclass(frozen=True, slots=True)
class Hint:
    """A good placement, with its estimated value and that one's standard error."""

    type: Literal["hint"] = field(default="hint", init=False)
    id: str
    version: Version
    placement: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said a phrase."""

    type: Literal["said"] = field(default="said", init=False)
    seat: SeatNumber
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed, and why."""

    type: Literal["refused"] = field(default="refused", init=False)
    id: str | None
    code: str
    text: str
    refusal: WireRefusal | None = None
    """For a code `not-allowed`: reason, squares and contacts to blame."""


ToClient = State | Done | Hint | Said | Refused


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The answer to a request that was refused."""

    code: str
    text: str
    refusal: WireRefusal | None = None
