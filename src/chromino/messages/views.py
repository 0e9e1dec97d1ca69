"""Types for views, rules and refusals as they go over the wire: what their `to_json` writes.

In OpenAPI and on the page, their names don't have the prefix "Wire".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from chromino.messages.bounds import FieldsOf
from chromino.refusal import Contact, Reason, Refusal
from chromino.rules import Rules
from chromino.tiles import Square
from chromino.view import View

WireRules = Annotated[dict[str, Any], FieldsOf(Rules, "Rules", "The choices made before a game.")]
"""Choices added in later versions are left out if they have their default values, so older programs can read rules."""

RuleChoices = Annotated[
    dict[str, Any],
    FieldsOf(Rules, "RuleChoices", "Some choices; missing ones have their classic values.", partial=True),
]

WireEvent = TypedDict(
    "WireEvent",
    {
        "seat": int,
        "place": NotRequired[str],
        "points": NotRequired[list[int]],
        "shows": NotRequired[str],
        "draw": NotRequired[str | None],
        "pass": NotRequired[bool],
    },
)
Color = Literal["R", "G", "B", "Y", "P", "*"]


@dataclass(frozen=True, slots=True)
class WireView:
    """A game as seen from one seat, or by a spectator."""

    me: int | None
    """The seat that sees this view; null for a spectator."""
    rules: WireRules
    players: list[str]
    first: int
    """The seat that went first."""
    dealt: list[list[str] | None]
    """The hands at the start; null for those that the reader didn't see."""
    log: list[WireEvent]
    """Each event has `place`, `draw` (null if unseen) or `pass`; `shows` is a player's last tile, seen by everyone."""
    table: str
    """Placements in the order they were made."""
    hands: list[list[str] | None]
    """The current hands; null for those that the reader can't see."""
    hand_sizes: list[int]
    bag_count: int
    scores: list[int]
    seat: int
    """Whose turn it is."""
    drawn: str | None
    """The tile just drawn in this turn, if the reader saw it."""
    draws: int
    """How many tiles have been drawn in this turn."""
    actions: list[str]
    """What the reader may do; empty unless it's their turn."""
    over: bool
    winners: list[int]

    @classmethod
    def of(cls, view: View) -> WireView:
        return cls(**view.to_json())


@dataclass(frozen=True, slots=True)
class WireContact:
    """An edge shared by a square of the placed tile and a square on the table."""

    square: Square
    color: Color
    neighbor: Square
    neighbor_color: Color

    @classmethod
    def of(cls, contact: Contact) -> WireContact:
        return cls(**{**contact.to_json(), "square": contact.square, "neighbor": contact.neighbor})


@dataclass(frozen=True, slots=True)
class WireRefusal:
    """Why the rules don't allow something, and the squares and contacts that cause it."""

    reason: Reason
    text: str
    squares: list[Square]
    contacts: list[WireContact]
    needed: int
    """How many contacts the tile needs, if that's the reason."""

    @classmethod
    def of(cls, refusal: Refusal) -> WireRefusal:
        contacts = [WireContact.of(contact) for contact in refusal.contacts]
        return cls(refusal.reason, str(refusal), list(refusal.squares), contacts, refusal.needed)
