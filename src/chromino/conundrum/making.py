"""Makes conundrums that look like real play, of a given grade or with a given number of places for each tile.

All randomness comes from SHA-256 of the seed, as in the shuffle of a deal: the same seed makes the same conundrum on
any machine and in any version of Python, today and in ten years. That's why the conundrum of the day works offline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import TypeVar

from chromino.conundrum.conundrum import Conundrum
from chromino.conundrum.grading import GRADES
from chromino.conundrum.grading import difficulty as difficulty_of
from chromino.deal import seed_text
from chromino.errors import ChrominoError, RulesError
from chromino.table import Table
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, Placement, Tile

T = TypeVar("T")

# For each grade, the minimum and maximum number of tiles on the table, and of places per tile.
_TABLE_SIZES = {1: (4, 7), 2: (6, 10), 3: (9, 14), 4: (12, 19), 5: (16, 26)}
_PLACES = {1: (1, 4), 2: (2, 5), 3: (2, 7), 4: (3, 9), 5: (3, 12)}
_TRIES = 4000
_MAX_PLACES = 30  # The most places that you can ask for, per tile.
_LARGEST_TABLE = 30  # The most tiles on a table with given numbers of places.


class MakingError(ChrominoError):
    """We couldn't find a conundrum that meets the request."""


class Chance:
    """Random numbers that depend only on a string."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1, uniform to within a trillionth."""
        self._count += 1
        digest = sha256(f"{self._text}/{self._count}".encode()).digest()
        return int.from_bytes(digest[:8]) % limit

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]


def make(
    seed: int | str | bytes = 1,
    difficulty: int = 3,
    *,
    tiles: int | Sequence[str | Tile] = 2,
    counts: Mapping[str, int] | None = None,
) -> Conundrum:
    """Make a conundrum of a grade from 1 to 5 or, with `counts`, with exactly this number of places for each tile.

    `tiles` are the tiles to find places for, or how many there should be.

    >>> make(1, difficulty=2) == make(1, difficulty=2)
    True
    >>> conundrum = make(counts={"YRB": 5, "GBB": 7})
    >>> sorted(conundrum.counts.values())
    [5, 7]
    """
    text = seed_text(seed)
    if counts is not None:
        return _with_counts(text, _by_tile(counts))
    if difficulty not in GRADES:
        raise RulesError(f"a grade must be a number from 1 to 5, not {difficulty!r}")
    named = () if isinstance(tiles, int) else tuple(Tile.parse(str(tile)) for tile in tiles)
    number = tiles if isinstance(tiles, int) else len(named)
    if number not in range(1, 5):
        raise RulesError(f"a conundrum can have 1 to 4 tiles, not {number!r}")
    return _of_grade(text, difficulty, number, named)


def daily(day: date, grade: int) -> Conundrum:
    """The conundrum of a day (UTC), which is the same for everyone."""
    return make(f"chromino {day.isoformat()}", grade, tiles=1 + (grade > 1))


def _of_grade(seed: str, grade: int, tiles: int, named: tuple[Tile, ...]) -> Conundrum:
    least, most = _PLACES[grade]
    for number in range(_TRIES):
        chance = Chance(f"conundrum {seed} {grade} {tiles} {number}")
        small, large = _TABLE_SIZES[grade]
        table = _grown_table(chance, small + chance.below(large - small + 1), named)
        laid = {placement.tile for placement in table.laid}
        free = list(named) or [tile for tile in CLASSIC_TILES if tile not in laid]
        chosen = _choose_tiles(chance, table, free, tiles, least, most)
        if len(chosen) == tiles:
            conundrum = Conundrum(table, chosen)
            if difficulty_of(conundrum).grade == grade:
                return conundrum
    raise MakingError(
        f"found no conundrum of grade {grade} with {tiles} tile{'' if tiles == 1 else 's'}: try another seed"
    )


def _choose_tiles(
    chance: Chance, table: Table, free: list[Tile], number: int, least: int, most: int
) -> tuple[Tile, ...]:
    """Choose tiles with neither too few nor too many places."""
    chosen: list[Tile] = []
    for tile in chance.shuffled(free)[:12]:
        if least <= len(table.placements(tile)) <= most:
            chosen.append(tile)
            if len(chosen) == number:
                break
    return tuple(chosen)


def _by_tile(counts: Mapping[str, int]) -> dict[Tile, int]:
    by_tile: dict[Tile, int] = {}
    for text, count in counts.items():
        tile = Tile.parse(text)
        if tile in by_tile:  # RGB and BGR are the same tile.
            raise RulesError(f"{tile} appears twice")
        by_tile[tile] = count
    return by_tile


def _with_counts(seed: str, counts: Mapping[Tile, int]) -> Conundrum:
    for tile, count in counts.items():
        if not isinstance(count, int) or not 0 <= count <= _MAX_PLACES:
            raise RulesError(f"{tile} can have 0 to {_MAX_PLACES} places, not {count!r}")
    if counts.keys() >= set(CHAMELEONS):
        raise RulesError("you can't ask for all five chameleons, because the first tile on the table is one of them")
    for number in range(_TRIES):
        chance = Chance(f"counts {seed} {number}")
        for table in _growing_tables(chance, _LARGEST_TABLE, tuple(counts)):
            if all(len(table.placements(tile)) == count for tile, count in counts.items()):
                return Conundrum(table, tuple(counts))
    requested = ", ".join(f"{tile}: {count}" for tile, count in counts.items())
    raise MakingError(f"found no table with these numbers of places: {requested}")


def _grown_table(chance: Chance, size: int, excluded: tuple[Tile, ...]) -> Table:
    *_, table = _growing_tables(chance, size, excluded)
    return table


def _growing_tables(chance: Chance, size: int, excluded: tuple[Tile, ...]) -> Iterator[Table]:
    """Place tiles one by one, and yield each table. Like people, we look for contacts, so tables stay compact."""
    start = chance.pick([tile for tile in CHAMELEONS if tile not in excluded])
    table = Table().lay(Placement(start.colors, 0, 0, down=False))
    yield table
    used = {start, *excluded}
    bag = chance.shuffled([tile for tile in (*CLASSIC_TILES, *CHAMELEONS) if tile not in used])
    while len(table) < size and bag:
        for number, tile in enumerate(bag):
            if places := table.placements(tile):
                table = table.place(_compact_place(chance, table, places))
                del bag[number]
                yield table
                break
        else:
            return


def _compact_place(chance: Chance, table: Table, places: list[Placement]) -> Placement:
    """One of the three best places: those with the most contacts and, among equals, closest to the start."""
    best = sorted(places, key=lambda place: (-len(table.contacts(place)), place.x**2 + place.y**2, place))
    return chance.pick(best[:3])
