"""What goes over the wire, as types: bodies of requests and answers, and the messages of a game's WebSocket.

Each message to a client is whole: an older version can be dropped, and a lost one does no harm.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from chromino.server.problems import Problem

T = TypeVar("T")

Name = Annotated[str, Meta(min_length=1, max_length=40, description="in one line")]
ActionId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[0-9A-Za-z_-]+$(?!\n)")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
Version = Annotated[int, Meta(ge=0, description="how many events have happened")]
Level = Annotated[int, Meta(ge=1, le=5)]


class SeatChoice(Struct, forbid_unknown_fields=True):
    """Who sits where: the one who asks, another person on the same device, or a bot."""

    kind: Literal["me", "here", "bot"]
    name: Name
    level: Level | None = None
    """Of a bot."""


class NewGame(Struct, forbid_unknown_fields=True):
    """A game to begin at once."""

    seats: Annotated[list[SeatChoice], Meta(min_length=1, max_length=8)]
    rules: dict[str, Any] = {}
    """Choices by name; one that is missing has its classic value."""
    first: SeatNumber | None = None
    """The seat that begins; none: by chance."""
    aids: bool = True
    """May players use aids: hints, lit places, the tracker?"""
    pace: bool = True
    """Do bots take a natural moment?"""


class RulesToCheck(Struct, forbid_unknown_fields=True):
    """Choices to look at before a game: what goes together with them?"""

    rules: dict[str, Any] = {}
    players: Annotated[int, Meta(ge=1, le=8)] = 2


class Option(Struct):
    """One value of one choice."""

    value: int | str | bool | None
    fits: bool
    why: str | None = None
    """The code of the reason, where it does not fit."""
    sets: dict[str, Any] = {}
    """Other choices that change with it."""


class Options(Struct):
    """Each choice with its values; `rules` are complete, and `preset` is their name if they have one."""

    rules: dict[str, Any]
    preset: str | None
    why: str | None
    """The code of the reason, if these rules and this number of players do not go together."""
    presets: dict[str, dict[str, Any]]
    """What each preset chooses."""
    choices: dict[str, list[Option]]


TurnLimit = Annotated[int, Meta(ge=5, le=7 * 24 * 3600, description="seconds")]


class ChairChoice(Struct, forbid_unknown_fields=True):
    """Who shall sit where: the host, another person beside him, a bot, or whoever comes."""

    kind: Literal["me", "here", "bot", "free"]
    name: Annotated[str, Meta(max_length=40)] = ""
    level: Level | None = None


class NewGathering(Struct, forbid_unknown_fields=True):
    """People to be found before a game begins."""

    chairs: Annotated[list[ChairChoice], Meta(min_length=1, max_length=8)]
    rules: dict[str, Any] = {}
    first: SeatNumber | None = None
    aids: bool = True
    pace: bool = True
    watch: bool = True
    """May others look on?"""
    public: bool = False
    """Is it in the lobby?"""
    turn_limit: TurnLimit | None = None


class Sit(Struct, forbid_unknown_fields=True):
    name: Name


class SeatOnly(Struct, forbid_unknown_fields=True):
    seat: SeatNumber


class FillSeat(Struct, forbid_unknown_fields=True):
    seat: SeatNumber
    level: Level
    name: Name


class ChairState(Struct):
    kind: Literal["person", "bot", "free"]
    name: str
    mine: bool
    host: bool
    level: int | None = None


class GatheringState(Struct, tag_field="type", tag="gathering"):
    """A gathering as one of its people, or a guest, sees it."""

    game: str
    version: Version
    chairs: list[ChairState]
    host: bool
    """Is the reader the host?"""
    rules: dict[str, Any]
    preset: str | None
    watch: bool
    public: bool
    turn_limit: int | None


class Begun(Struct, tag_field="type", tag="begun"):
    """The gathering is over: the game has begun, or nobody is left."""

    game: str
    begun: bool


class Lobby(Struct):
    gatherings: list[GatheringState]


class OneTimeCode(Struct):
    code: str


class ClaimCode(Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=40)]


class CheckRecord(Struct, forbid_unknown_fields=True):
    """A record to be looked at."""

    record: Annotated[str, Meta(max_length=60_000)]


class DrawRecord(Struct, forbid_unknown_fields=True):
    """A picture of a record, at its end or after so many events."""

    record: Annotated[str, Meta(max_length=60_000)]
    kind: Literal["svg", "png", "gif", "animated"]
    move: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    theme: Literal["light", "dark", "auto"] = "auto"


class WhichPicture(Struct):
    """Behind the "?" of a picture's address."""

    theme: Annotated[
        Literal["light", "dark", "auto"],
        Meta(description="Light, dark, or as the viewer's system has it; what is made of pixels is light then."),
    ] = "auto"


class WhichTiles(Struct):
    """Behind the "?" of the address of all tiles."""

    chameleons: Annotated[Literal["true", "false"], Meta(description="Are the chameleons in the box?")] = "true"


class Checked(Struct):
    """The record as the rules replay it: the view of someone who sees all, when it was over."""

    over: bool
    winners: list[int]
    scores: list[int]
    preset: str | None


class Tiles(Struct):
    """All tiles of an edition, by kind."""

    kinds: dict[str, list[str]]


class Created(Struct):
    game: str


class SeatState(Struct):
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


class State(Struct, tag_field="type", tag="state"):
    """The whole game as the reader may see it."""

    game: str
    version: Version
    view: dict[str, Any]
    """See `chromino.view`; seen from the reader's seat that plays now or next."""
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


class GameSummary(Struct):
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


class WhichGames(Struct):
    """Behind the "?" of the address of my games."""

    after: Annotated[str, Meta(max_length=100, description="where the page before ended: its `next`")] = ""


class Wins(Struct):
    """How many games by these rules I finished, and how many of them I won."""

    preset: str | None
    played: int
    won: int


class MyGames(Struct):
    """A page of my games: first those in progress, then the finished ones, each with the latest first."""

    games: list[GameSummary]
    wins: list[Wins]
    """Of all my games, not just of this page."""
    next: str | None
    """What to send as `after` to get the next page; none if this is the last one."""


class Act(Struct, tag_field="type", tag="act", forbid_unknown_fields=True):
    """Place, draw or pass; decided on `version`, with an id of its own: sent twice, it happens once."""

    id: ActionId
    version: Version
    seat: SeatNumber
    action: Annotated[str, Meta(max_length=40)]


class AskHint(Struct, tag_field="type", tag="hint", forbid_unknown_fields=True):
    """A good placement, please."""

    id: ActionId
    version: Version


class SetPace(Struct, tag_field="type", tag="pace", forbid_unknown_fields=True):
    """Shall bots take a natural moment?"""

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


class Say(Struct, tag_field="type", tag="say", forbid_unknown_fields=True):
    """Say a phrase to the table."""

    id: ActionId
    phrase: Phrase


class Leave(Struct, tag_field="type", tag="leave", forbid_unknown_fields=True):
    """Go for good; a bot plays on."""

    id: ActionId


FromClient = Act | AskHint | SetPace | Say | Leave


class Done(Struct, tag_field="type", tag="done"):
    """The action is stored, or the wish is granted."""

    id: str
    version: Version


class Hint(Struct, tag_field="type", tag="hint"):
    """A good placement, with its estimated value and that one's standard error."""

    id: str
    version: Version
    placement: str
    value: float
    error: float


class Refused(Struct, tag_field="type", tag="refused"):
    """Nothing was changed, and why."""

    id: str | None
    code: str
    text: str
    refusal: dict[str, Any] | None = None
    """For a code `not-allowed`: reason, squares and contacts to blame."""


class ErrorBody(Struct):
    """The answer to a request that was refused."""

    code: str
    text: str
    refusal: dict[str, Any] | None = None


class Said(Struct, tag_field="type", tag="said"):
    """Somebody said a phrase."""

    seat: SeatNumber
    phrase: Phrase


ToClient = State | Done | Hint | Said | Refused


def decode(content: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """What a client sent, or a `Problem` that names what is wrong with it."""
    try:
        return decoder.decode(content)
    except RecursionError:
        raise Problem("bad-message", "this is nested too deeply") from None
    except UnicodeDecodeError:
        raise Problem("bad-message", "this is not UTF-8") from None
    except msgspec.MsgspecError as error:
        where = re.search(r"`\$\.(?:(?:(?:seats|chairs)\[\d+\]\.)?(name)|seats|chairs)`$", str(error))
        code = "bad-message" if where is None else "bad-name" if where[1] else "bad-seats"
        raise Problem(code, str(error)) from None
