"""Refusals: one type for every "no" from the rules, for people, pages and programs.

A `Refusal` has a `reason` (a code that never changes, so you can translate it or test for it) and the squares and
contacts to blame; `str` explains it in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from chromino.tiles import COLOR_NAMES, WILD, Square


class Contact(NamedTuple):
    """One edge shared by a square of the placed tile and a square on the table (4.2)."""

    square: Square
    color: str
    neighbor: Square
    neighbor_color: str
    neighbor_index: int
    """The index of the neighbor's tile, in the order placed."""

    @property
    def matches(self) -> bool:
        """Are the colors equal, or is one of them a wild center (4.3, 4.4)?"""
        return self.color == self.neighbor_color or self.color == WILD or self.neighbor_color == WILD

    @property
    def is_vertical(self) -> bool:
        """Is the neighbor above or below?"""
        return self.square[0] == self.neighbor[0]

    def to_json(self) -> dict[str, Any]:
        """Both squares with their colors, ready for `json.dumps`."""
        return {
            "square": list(self.square),
            "color": self.color,
            "neighbor": list(self.neighbor),
            "neighbor_color": self.neighbor_color,
        }


class Reason(StrEnum):
    """Every reason to refuse a placement or an action."""

    OVERLAP = "overlap"
    CLASH = "clash"
    TOO_FEW_CONTACTS = "too-few-contacts"
    NOT_BY_AN_END = "not-by-an-end"
    TOUCHES_MORE = "touches-more"
    TOO_FAR = "too-far"
    GAME_OVER = "game-over"
    NOT_IN_HAND = "not-in-hand"
    ONLY_DRAWN_TILE = "only-drawn-tile"
    LAST_CHAMELEON = "last-chameleon"
    MUST_PLACE = "must-place"
    MUST_DRAW = "must-draw"
    MUST_PASS = "must-pass"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a placement or an action isn't allowed, and what's to blame."""

    reason: Reason
    squares: tuple[Square, ...] = ()
    """The squares to highlight: squares of the placement and, in a clash, of the table too."""
    contacts: tuple[Contact, ...] = ()
    """The contacts that clash; the matching ones, if there are too few; or the ones that Junior doesn't allow."""
    needed: int = 0
    """If there are too few contacts, how many the placement needs."""

    def __str__(self) -> str:
        match self.reason:
            case Reason.CLASH:
                return "clash: " + " and ".join(map(_clash, self.contacts))
            case Reason.TOO_FEW_CONTACTS:
                return f"needs {self.needed} matching edge{'s' if self.needed > 1 else ''}, has {len(self.contacts)}"
            case Reason.OVERLAP:
                return f"overlap: there's already a tile on {_coordinates(self.squares)}"
        return _SENTENCES[self.reason]

    def to_json(self) -> dict[str, Any]:
        """Code, sentence, squares and contacts, ready for `json.dumps`."""
        return {
            "reason": self.reason.value,
            "text": str(self),
            "squares": [list(square) for square in self.squares],
            "contacts": [contact.to_json() for contact in self.contacts],
            "needed": self.needed,
        }


def _clash(contact: Contact) -> str:
    return (
        f"{COLOR_NAMES[contact.color]} on {_coordinates((contact.square,))} "
        f"touches {COLOR_NAMES[contact.neighbor_color]} on {_coordinates((contact.neighbor,))}"
    )


def _coordinates(squares: tuple[Square, ...]) -> str:
    return " and ".join(f"{x},{y}" for x, y in squares)


_SENTENCES = {
    Reason.NOT_BY_AN_END: (
        "not end to end: in Junior, a tile must join a free end by a short edge; "
        "a chameleon can also join by its wild center"
    ),
    Reason.TOUCHES_MORE: "it touches more than one square: in Junior, a tile must make exactly one contact",
    Reason.TOO_FAR: "too far from the first tile",
    Reason.GAME_OVER: "the game is over",
    Reason.NOT_IN_HAND: "that tile isn't in the hand of the player whose turn it is",
    Reason.ONLY_DRAWN_TILE: "you can only place the tile you just drew",
    Reason.LAST_CHAMELEON: "a chameleon can't be the last tile you place",
    Reason.MUST_PLACE: "you can place a tile, so you must",
    Reason.MUST_DRAW: "you can't place a tile, so you must draw one",
    Reason.MUST_PASS: "you can't place or draw a tile, so you must pass",
}
