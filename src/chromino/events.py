"""Actions are what a player decides; events are what happened.

An event is an action plus what chance and the rules added: who did it, which tile was drawn, how many points it
earned. A game is the list of its events. In JSON, an event is one small object:
`{"seat": 0, "place": "GRR@1,1>"}`, `{"seat": 1, "draw": "GRB"}`, `{"seat": 1, "pass": true}`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chromino.errors import ParseError
from chromino.tiles import Placement, Tile


@dataclass(frozen=True, slots=True)
class Place:
    """Put a tile on the table: `Place(Placement.parse("GRR@1,1>"))`."""

    placement: Placement

    def __str__(self) -> str:
        return str(self.placement)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a tile from the bag."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without placing a tile."""

    def __str__(self) -> str:
        return "pass"


Action = Place | Draw | Pass


def parse_action(text: str) -> Action:
    """The action whose `str` is this text.

    >>> parse_action("GRR@1,1>")
    Place(placement=Placement.parse('GRR@1,1>'))
    """
    match text:
        case "draw":
            return Draw()
        case "pass":
            return Pass()
    return Place(Placement.parse(text))


@dataclass(frozen=True, slots=True)
class Placed:
    seat: int
    placement: Placement
    points: tuple[int, ...] = ()
    """The points this placement earned, as the terms of a sum; empty if the game isn't played for points."""
    shows: Tile | None = None
    """The one tile left in hand, which the player must show (5.1)."""

    @property
    def action(self) -> Place:
        return Place(self.placement)


@dataclass(frozen=True, slots=True)
class Drew:
    seat: int
    tile: Tile | None
    """None in the view of someone who didn't see the tile."""

    @property
    def action(self) -> Draw:
        return Draw()


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int

    @property
    def action(self) -> Pass:
        return Pass()


Event = Placed | Drew | Passed


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a small object, ready for `json.dumps`; `points` and `shows` are left out if they're empty."""
    match event:
        case Placed(seat, placement, points, shows):
            data: dict[str, Any] = {"seat": seat, "place": str(placement)}
            if points:
                data["points"] = list(points)
            if shows:
                data["shows"] = str(shows)
            return data
        case Drew(seat, tile):
            return {"seat": seat, "draw": tile and str(tile)}
    return {"seat": event.seat, "pass": True}


def event_from_json(data: object) -> Event:
    """The event that `event_to_json` wrote."""
    match data:
        case {"seat": bool()}:
            pass
        case {"seat": int(seat), "place": str(text), **rest} if rest.keys() <= {"points", "shows"}:
            match rest.get("points", []), rest.get("shows"):
                case [*points], (None | str()) as shows:
                    parts = tuple(part for part in points if type(part) is int)
                    if len(parts) == len(points):
                        return Placed(seat, Placement.parse(text), parts, _tile(shows))
        case {"seat": int(seat), "draw": (None | str()) as text, **rest} if not rest:
            return Drew(seat, _tile(text))
        case {"seat": int(seat), "pass": True, **rest} if not rest:
            return Passed(seat)
    raise ParseError('an event must have a seat and "place", "draw" or "pass", like {"seat": 0, "place": "GRR@1,1>"}')


def _tile(text: str | None) -> Tile | None:
    return None if text is None else Tile.parse(text)
