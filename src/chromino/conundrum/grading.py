"""How hard a conundrum is: a score, a grade from 1 to 5, and the reasons.

The weights were chosen by hand. Tests check that a conundrum gets harder if any of the counts goes up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from chromino.conundrum.conundrum import Conundrum
from chromino.refusal import Contact
from chromino.table import Table
from chromino.tiles import WILD, Placement, Tile

GRADES = range(1, 6)

_TILE_ON_TABLE = 0.25  # Each tile is one more thing to look at.
_PLACE = 1.0
_ROTATED = 0.4  # Vertical or reversed: you have to rotate the tile in your mind.
_CORNER = 0.7  # One square of the tile touches two or more squares.
_HOLE = 0.9  # Four or more contacts: a gap between tiles, where people rarely look.
_BY_WILD = 0.8  # The tile touches a wild center, or its own wild center touches a square.
_DISTANCE = 0.08  # For each square of distance between places.
_NEAR_MISS = 0.35  # A placement that looks right, but has one edge that clashes.

_GRADE_STARTS = (9.0, 14.0, 20.0, 28.0)
"""The scores at which grades 2 to 5 start."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Counts of the things that make a conundrum hard; `score` is their weighted sum."""

    tiles_on_table: int
    places: int
    rotated: int
    corners: int
    holes: int
    by_wild: int
    spread: int
    near_misses: int

    @property
    def score(self) -> float:
        """The weighted sum; higher is harder."""
        return round(
            _TILE_ON_TABLE * self.tiles_on_table
            + _PLACE * self.places
            + _ROTATED * self.rotated
            + _CORNER * self.corners
            + _HOLE * self.holes
            + _BY_WILD * self.by_wild
            + _DISTANCE * self.spread
            + _NEAR_MISS * self.near_misses,
            2,
        )

    @property
    def grade(self) -> int:
        """From 1 (easy) to 5 (hard)."""
        return 1 + sum(self.score >= limit for limit in _GRADE_STARTS)

    @property
    def reasons(self) -> tuple[tuple[str, int], ...]:
        """Codes and counts of what adds to the score, starting with what adds the most."""
        parts = {
            "places": (_PLACE, self.places),
            "turned": (_ROTATED, self.rotated),
            "corners": (_CORNER, self.corners),
            "holes": (_HOLE, self.holes),
            "by-wild": (_BY_WILD, self.by_wild),
            "spread": (_DISTANCE, self.spread),
            "near-misses": (_NEAR_MISS, self.near_misses),
            "tiles-on-table": (_TILE_ON_TABLE, self.tiles_on_table),
        }
        ordered = sorted(parts, key=lambda name: -parts[name][0] * parts[name][1])
        return tuple((name, parts[name][1]) for name in ordered if parts[name][1])


def difficulty(conundrum: Conundrum) -> Difficulty:
    """Count the things that make this conundrum hard.

    >>> difficulty(Conundrum.parse("Y*R@0,0> GRR@1,1> ? YBR")).grade
    1
    """
    table = conundrum.table
    places = [place for solutions in conundrum.solutions.values() for place in solutions]
    contacts = [table.contacts(place) for place in places]
    return Difficulty(
        tiles_on_table=len(table),
        places=len(places),
        rotated=sum(place.down + (place.colors != place.tile.colors) for place in places),
        corners=sum(map(_has_corner, contacts)),
        holes=sum(len(edges) >= 4 for edges in contacts),
        by_wild=sum(map(_is_by_wild, contacts)),
        spread=_spread(places),
        near_misses=sum(1 for tile in conundrum.tiles for _ in near_misses(table, tile)),
    )


def near_misses(table: Table, tile: Tile) -> Iterator[Placement]:
    """Placements that look right, with two or more matching contacts, but have one clash.

    Only squares next to a tile are checked, so a spread-out table takes no longer than a compact one.
    """
    covered = {square for placement in table.laid for square in placement.squares}
    free_neighbors = {(x + dx, y + dy) for x, y in covered for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - covered
    horizontal = {(x - back, y, False) for x, y in free_neighbors for back in range(3)}
    vertical = {(x, y - back, True) for x, y in free_neighbors for back in range(3)}
    for x, y, down in sorted(horizontal | vertical):
        for colors in tile.ways:
            placement = Placement(colors, x, y, down)
            if _is_near_miss(table, placement):
                yield placement


def _is_near_miss(table: Table, placement: Placement) -> bool:
    if any(table.color_at(square) is not None for square in placement.squares):
        return False
    contacts = table.contacts(placement)
    matching = sum(contact.matches for contact in contacts)
    return matching >= 2 and len(contacts) - matching == 1


def _has_corner(contacts: tuple[Contact, ...]) -> bool:
    """Does any square of the tile touch two or more squares?"""
    squares = [contact.square for contact in contacts]
    return len(set(squares)) < len(squares)


def _is_by_wild(contacts: tuple[Contact, ...]) -> bool:
    return any(WILD in (contact.color, contact.neighbor_color) for contact in contacts)


def _spread(places: list[Placement]) -> int:
    """How far apart the places are: the distances from each place to the next, added up, in squares."""
    ordered = sorted(places, key=lambda place: (place.x, place.y))
    return round(sum(hypot(one.x - other.x, one.y - other.y) for one, other in pairwise(ordered)))
