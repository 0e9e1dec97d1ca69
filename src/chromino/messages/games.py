"""Games: starting one, listing them, and the messages of a game's WebSocket.

Each message to a client is complete: the client can drop older versions, and a lost message does no harm.
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
    """A bot's level."""
    face: Face | None = None
    """A person's face; if it's null, pages pick one based on the name."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to start at once."""

    seats: Annotated[list[SeatChoice], Bounds(min_length=1, max_length=8)]
    rules: RuleChoices = field(default_factory=dict)
    first: SeatNumber | None = None
    """The seat that goes first; null if chance decides."""
    aids: bool = True
    """Can players use hints, highlighted places and the tracker?"""
    pace: bool = True
    """Do bots pause naturally before they play?"""
    turn_limit: TurnLimit | None = None
    rated: bool = False
    """Is the game rated? If so, it needs a turn limit of an hour or less, eight or more tiles per hand, and no aids."""
    commitment: Commitment | None = None
    """The hash of your part of the deal, which you reveal to start the game. If it's null, the server deals at once."""


@dataclass(frozen=True, slots=True)
class WhichRematch:
    """The query string for a rematch."""

    commitment: Annotated[
        str, Bounds(max_length=64, pattern=r"^([0-9a-f]{64})?$(?!\n)", description="The hash of your part of the deal.")
    ] = ""
    """The hash of your part of the deal. If it's empty, you contribute nothing, but the others are still asked to."""


@dataclass(frozen=True, slots=True)
class Created:
    """The id of a new game or gathering."""

    game: str
    deal: DealTerms | None = None
    """Present if the game starts only when everyone has revealed their part of the deal."""


@dataclass(slots=True)
class SeatState:
    """A seat as everyone at the table sees it."""

    kind: Literal["person", "bot"]
    name: str
    mine: bool
    """Does the reader play this seat?"""
    bot: str | None = None
    level: int | None = None
    present: bool = True
    """Is this person's page open?"""
    has_left: bool = False
    """Have they left for good? A bot plays for them."""
    stand_in_in: float | None = None
    """Seconds until a bot stands in for someone who's away; 0 while one does."""
    away_for: int | None = None
    """How many seconds this person's page has been closed."""
    program: bool = False
    """Has this person declared that a program plays for them?"""
    face: Face | None = None
    """This person's face, if they've chosen one."""


@dataclass(frozen=True, slots=True)
class SeatToTake:
    """A bot's seat that the reader can take over."""

    seat: SeatNumber
    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Someone who's waiting for the rematch."""

    name: str
    mine: bool
    program: bool = False
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Latecomers:
    """What people who came after the deal can still do."""

    seats: list[SeatToTake]
    can_wait: bool
    """Can the reader join the rematch?"""
    waiting: list[Waiting]
    over: bool
    watch: bool
    """Can the reader watch?"""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A bot's seat to take over."""

    seat: SeatNumber
    name: Name
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Join the rematch under this name."""

    name: Name
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole game as the reader may see it."""

    type: Literal["state"] = field(default="state", init=False)
    game: str
    version: Version
    view: WireView
    """The view of the reader's seat; if the reader has several, of the one that plays now or next."""
    preset: str | None
    seats: list[SeatState]
    aids: bool
    pace: bool
    turns: int
    watching: bool
    """Is the reader a spectator?"""
    turn_left: float | None
    """If turns are limited, how many seconds were left in this turn when the message was sent."""
    next_game: str | None
    """The rematch, once someone has asked for one."""
    seed_hash: str
    """SHA-256 of the seed's text, published before the first turn."""
    seed: str | None
    """Shown once the game is over, so anyone can check the deal."""
    deal: DealKind
    """Who picked the seed: the players and the server together, the server alone, or one person."""
    latecomers: Latecomers
    rated: bool = False
    """Does the game count toward everyone's rating, however it ends?"""
    ranks: list[int] | None = None
    """Each seat's rank in this game, as the ratings count it, once a rated game is over."""
    can_take_back: bool = False
    """Can the reader take back their last turn?"""
    turn_limit: int | None = None
    """In seconds."""
    stood_in: list[int] = field(default_factory=list)
    """The log indices of placements that a bot made for a person who was away, too slow, or gone."""
    stand_in: str | None = None
    """The bot that stands in at this table."""
    played_for_me: list[int] = field(default_factory=list)
    """The placements in `stood_in` that a bot has made for the reader since the reader's own last action."""
    costs: list[list[int]] | None = None
    """What each tile left in `view.hands` cost, once the game is over, if leftover tiles cost points."""
    points: list[int] | None = None
    """How many points each of the view's actions would earn, if they're placements and the game has scoring."""


@dataclass(frozen=True, slots=True)
class WhichGames:
    """The query string for your games."""

    after: Annotated[str, Bounds(max_length=100, description="where the previous page ended: its `next`")] = ""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A line in "My games"."""

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
    """How many tiles are on the table."""
    rated: bool = False
    table: str = ""
    """Placements in the order they were made; empty for games last played before lists had pictures of tables."""


@dataclass(frozen=True, slots=True)
class Wins:
    """How many games with these rules you've finished, and how many of those you've won."""

    preset: str | None
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class MyGames:
    """A page of your games: those in progress first, then the finished ones, latest first in each group."""

    games: list[GameSummary]
    wins: list[Wins]
    """Counted over all your games, not just this page."""
    next: str | None
    """Send this as `after` to get the next page; null if this page is the last one."""


@dataclass(frozen=True, slots=True)
class Act:
    """Place, draw or pass, based on `version`. Each action has its own id, so if it's sent twice, it happens once."""

    type: Literal["act"] = field(default="act", init=False)
    id: ActionId
    version: Version
    seat: SeatNumber
    action: Annotated[str, Bounds(max_length=40)]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Go back to your last turn, in an unrated game against bots."""

    type: Literal["take-back"] = field(default="take-back", init=False)
    id: ActionId
    version: Version


@dataclass(frozen=True, slots=True)
class AskForHint:
    """Ask for a good placement."""

    type: Literal["hint"] = field(default="hint", init=False)
    id: ActionId
    version: Version


@dataclass(frozen=True, slots=True)
class SetPace:
    """Should bots pause naturally before they play?"""

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
"""The phrases that people can say: they're kid-friendly and work in any language."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say a phrase to the table."""

    type: Literal["say"] = field(default="say", init=False)
    id: ActionId
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave for good; a bot takes over."""

    type: Literal["leave"] = field(default="leave", init=False)
    id: ActionId


FromClient = Act | TakeBack | AskForHint | SetPace | Say | Leave


@dataclass(frozen=True, slots=True)
class Done:
    """The action has been stored, or the request has been carried out."""

    type: Literal["done"] = field(default="done", init=False)
    id: str
    version: Version


@dataclass(frozen=True, slots=True)
class Hint:
    """A good placement, with its estimated value and standard error."""

    type: Literal["hint"] = field(default="hint", init=False)
    id: str
    version: Version
    placement: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Said:
    """Someone said a phrase."""

    type: Literal["said"] = field(default="said", init=False)
    seat: SeatNumber
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Refused:
    """The server refused a request: nothing has changed, and `text` says why."""

    type: Literal["refused"] = field(default="refused", init=False)
    id: str | None
    code: str
    text: str
    refusal: WireRefusal | None = None
    """For the code `not-allowed`: the reason, squares and contacts."""


ToClient = State | Done | Hint | Said | Refused


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The answer to a request that was refused."""

    code: str
    text: str
    refusal: WireRefusal | None = None
