"""Why not: one type for every "no" of the rules, told to a person, a page or a program.

A `Refusal` names its `reason` (a fixed code, to translate or to test), the squares to blame, and the
contacts to blame; `str` gives it in English.
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
    """Which tile of the table the neighbor belongs to, counted from 0 in the order laid."""

    @property
    def matches(self) -> bool:
        """Equal colors, or a wild center on either side (4.3, 4.4)."""
        return self.color == self.neighbor_color or self.color == WILD or self.neighbor_color == WILD

    @property
    def is_vertical(self) -> bool:
        """Does the neighbor lie above or below?"""
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
    """Every reason there is to refuse a placement or an action."""

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
    """Why a placement or an action is not allowed, and what is to blame."""

    reason: Reason
    squares: tuple[Square, ...] = ()
    """Squares of the placement (and, in a clash, of the table) to point at."""
    contacts: tuple[Contact, ...] = ()
    """For a clash, those that clash; for too few, those that count; for Junior, those too many."""
    needed: int = 0
    """How many contacts it takes, where that is the reason."""

    def __str__(self) -> str:
        match self.reason:
            case Reason.CLASH:
                return "clash: " + " and ".join(map(_clash, self.contacts))
            case Reason.TOO_FEW_CONTACTS:
                return f"{len(self.contacts)} of {self.needed} contacts"
            case Reason.OVERLAP:
                return f"overlap: there is a tile on {_places(self.squares)} already"
        return _SENTENCES[self.reason]

    def to_json(self) -> dict[str, Any]:
        """Code, sentence and blame, ready for `json.dumps`."""
        return {
            "reason": self.reason.value,
            "text": str(self),
            "squares": [list(square) for square in self.squares],
            "contacts": [contact.to_json() for contact in self.contacts],
            "needed": self.needed,
        }


def _clash(contact: Contact) -> str:
    return (
        f"{COLOR_NAMES[contact.color]} on {_places((contact.square,))} "
        f"touches {COLOR_NAMES[contact.neighbor_color]} on {_places((contact.neighbor,))}"
    )


def _places(squares: tuple[Square, ...]) -> str:
    return " and ".join(f"{x},{y}" for x, y in squares)


_SENTENCES = {
    Reason.NOT_BY_AN_END: (
        "not by an end: in Junior a tile joins a free end by its short edge, or a chameleon by its wild center"
    ),
    Reason.TOUCHES_MORE: "it touches more than one square: in Junior a tile makes exactly one contact",
    Reason.TOO_FAR: "too far away",
    Reason.GAME_OVER: "the game is over",
    Reason.NOT_IN_HAND: "that tile is not in the hand of the player whose turn it is",
    Reason.ONLY_DRAWN_TILE: "only the tile just drawn may be placed",
    Reason.LAST_CHAMELEON: "a chameleon cannot be the last tile placed",
    Reason.MUST_PLACE: "a tile can be placed, so one must be",
    Reason.MUST_DRAW: "nothing can be placed, so a tile must be drawn",
    Reason.MUST_PASS: "nothing can be placed or drawn, so the turn must be passed",
}
