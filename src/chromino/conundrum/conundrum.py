"""The conundrum itself. As text, it's the table, a question mark, and the tiles.

`solutions` has all places, and `attempt` judges a placement that someone tries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from chromino.errors import ParseError
from chromino.refusal import Refusal
from chromino.table import Table
from chromino.tiles import Placement, Tile

_SEPARATOR = "?"


class Verdict(StrEnum):
    """The result of an attempt."""

    RIGHT = "right"
    WRONG = "wrong"
    FOUND = "found"  # This place was found earlier.
    NOT_ASKED = "not-asked"  # The tile isn't part of the conundrum.


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attempt was judged."""

    verdict: Verdict
    refusal: Refusal | None = None
    """Why the placement is wrong, as in a game."""


@dataclass(frozen=True)
class Conundrum:
    """A table, and the tiles to find places for.

    >>> conundrum = Conundrum.parse("Y*R@0,0> GRR@1,1> ? YBR")
    >>> conundrum.counts
    {Tile.parse('RBY'): 3}
    >>> str(conundrum)
    'Y*R@0,0> GRR@1,1> ? RBY'
    """

    table: Table
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(self.tiles))
        if not self.tiles:
            raise ParseError("a conundrum needs at least one tile to place")
        if len(set(self.tiles)) != len(self.tiles):
            raise ParseError("a conundrum can't ask for the same tile twice")
        if len(self.table) == 0:
            raise ParseError("a conundrum needs at least one tile on its table")
        laid = {placement.tile for placement in self.table.laid}
        for tile in self.tiles:
            if tile in laid:
                raise ParseError(f"{tile} is already on the table, so it can't be placed again")

    @classmethod
    def parse(cls, text: str) -> Conundrum:
        """Parse a conundrum from its text, as written by `str`.

        >>> Conundrum.parse("Y*R@0,0>")
        Traceback (most recent call last):
        chromino.errors.ParseError: a conundrum must be a table, a question mark, and tiles: Y*R@0,0> GRR@1,1> ? YBR
        """
        table, mark, tiles = text.partition(_SEPARATOR) if isinstance(text, str) else ("", "", "")
        if not mark:
            raise ParseError("a conundrum must be a table, a question mark, and tiles: Y*R@0,0> GRR@1,1> ? YBR")
        return cls(Table.parse(table), tuple(map(Tile.parse, tiles.split())))

    def __str__(self) -> str:
        return f"{self.table} {_SEPARATOR} {' '.join(map(str, self.tiles))}"

    @cached_property
    def solutions(self) -> dict[Tile, tuple[Placement, ...]]:
        """All places for each tile."""
        return {tile: tuple(self.table.placements(tile)) for tile in self.tiles}

    @property
    def counts(self) -> dict[Tile, int]:
        """How many places each tile has; people who solve the conundrum can see these numbers."""
        return {tile: len(places) for tile, places in self.solutions.items()}

    def attempt(self, placement: Placement, found: Collection[Placement] = ()) -> Attempt:
        """Judge an attempt, given the places found so far.

        >>> conundrum = Conundrum.parse("Y*R@0,0> GRR@1,1> ? YBR")
        >>> conundrum.attempt(Placement.parse("YBR@3,-2v")).verdict
        <Verdict.RIGHT: 'right'>
        """
        if placement.tile not in self.tiles:
            return Attempt(Verdict.NOT_ASKED)
        if placement in found:
            return Attempt(Verdict.FOUND)
        refusal = self.table.refusal(placement)
        return Attempt(Verdict.WRONG, refusal) if refusal else Attempt(Verdict.RIGHT)

    def missing(self, found: Iterable[Placement]) -> tuple[Placement, ...]:
        """The places that haven't been found yet."""
        already_found = set(found)
        return tuple(place for places in self.solutions.values() for place in places if place not in already_found)
