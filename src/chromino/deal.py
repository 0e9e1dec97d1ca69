"""Setup: the shuffle, the first tile, the hands and who goes first (rule 2).

The shuffle sorts the tiles by SHA-256 of the seed's text followed by the tile's text, so anyone can check it in any
language. The first tile on the table has a separate hash: if it were the first chameleon in the shuffled order, the
seats dealt first would get too few of the other chameleons. A deal doesn't need a seed: those that `View.sample` makes
have none, but are consistent with what a player has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from chromino.errors import ParseError, RulesError
from chromino.rules import Rules
from chromino.tiles import Kind, Placement, Tile, parse_tiles

MAX_PLAYERS = 8


def shuffled(tiles: Sequence[Tile], seed: str) -> list[Tile]:
    """The tiles in the order of SHA-256(seed + tile text).

    >>> [str(tile) for tile in shuffled([Tile.parse("RRR"), Tile.parse("GGG")], "7")]
    ['RRR', 'GGG']
    """
    prefix = seed.encode()
    return sorted(tiles, key=lambda tile: sha256(prefix + tile.colors.encode()).digest())


def first_seat(seed: str, players: int) -> int:
    """The seat that goes first if chance decides: SHA-256(seed + "first") modulo the number of players.

    >>> first_seat("7", 2)
    1
    """
    return int.from_bytes(sha256(f"{seed}first".encode()).digest()) % players


def seed_text(seed: int | str | bytes) -> str:
    """The text that's hashed for a seed: a number in decimal, bytes in hex.

    >>> seed_text(7), seed_text(b"\\x00\\xff")
    ('7', '00ff')
    """
    if not isinstance(seed, int | str | bytes) or isinstance(seed, bool):
        raise ParseError(f"a seed must be a number, text, or bytes, not {type(seed).__name__}")
    text = seed.hex() if isinstance(seed, bytes) else str(seed)
    if not text.isprintable():
        raise ParseError(f"a seed must be printable text, not {text!r}")
    return text


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything about a game that's left to chance, all of it settled at the start."""

    first: int
    """The seat that goes first."""
    start: Tile
    """The first tile on the table."""
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]
    """The tiles to draw, the next one first."""
    seed: str | None = None
    """The text that seeded the shuffle, if any."""

    @classmethod
    def shuffle(cls, rules: Rules, players: int, seed: int | str | bytes, first: int | None = None) -> Self:
        """Deal from a seed (2.2 to 2.4). `first` goes first; None lets the seed decide.

        >>> Deal.shuffle(Rules.classic(), 2, seed=7).start.is_chameleon
        True
        """
        cls.check_players(rules, players)
        text = seed_text(seed)
        if first is None:
            first = first_seat(text, players)
        _check_first(first, players)
        start = _start(rules, text)
        tiles = shuffled(rules.tiles, text)
        tiles.remove(start)
        size = rules.hand_size
        hands = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(players))
        return cls(first, start, hands, tuple(tiles[players * size :]), text)

    @staticmethod
    def check_players(rules: Rules, players: int) -> None:
        """Raise an error unless this many players can play (2.1), and the bag has enough tiles for their hands."""
        if players not in range(1, MAX_PLAYERS + 1):
            raise RulesError(f"a game must have 1 to {MAX_PLAYERS} players, not {players}")
        if players * rules.hand_size > len(rules.tiles) - 1:
            raise RulesError(
                f"{players} hands of {rules.hand_size} tiles need {players * rules.hand_size} tiles, "
                f"but the bag holds {len(rules.tiles) - 1}",
                "bag-too-small",
            )

    @property
    def start_placement(self) -> Placement:
        """The placement of the first tile."""
        return Placement(self.start.colors, 0, 0, down=False)

    def check(self, rules: Rules) -> None:
        """Raise an error unless this deal fits the rules and its own seed."""
        players = len(self.hands)
        self.check_players(rules, players)
        _check_first(self.first, players)
        if self.start.kind is not _start_kind(rules):
            raise RulesError(f"the first tile on the table must be a {_start_kind(rules)} tile, not {self.start}")
        if any(len(hand) != rules.hand_size for hand in self.hands):
            raise RulesError(f"each hand must have {rules.hand_size} tiles")
        dealt = [self.start, *self.bag, *(tile for hand in self.hands for tile in hand)]
        if len(dealt) != len(rules.tiles) or set(dealt) != set(rules.tiles):
            raise RulesError(f"the deal must contain each of the {len(rules.tiles)} tiles once")
        if self.seed is not None and not self._matches(seed_text(self.seed), rules):
            raise RulesError(f"the seed {self.seed!r} gives a different deal")

    def _matches(self, seed: str, rules: Rules) -> bool:
        order = shuffled(rules.tiles, seed)
        # Before version 1.0, games started with the first chameleon in shuffled order. Their records stay valid.
        old_start = next(tile for tile in order if tile.kind is self.start.kind)
        order.remove(self.start)
        dealt = [*(tile for hand in self.hands for tile in hand), *self.bag]
        return self.start in (_start(rules, seed), old_start) and dealt == order

    def to_json(self) -> dict[str, Any]:
        """The deal as plain objects, ready for `json.dumps`."""
        return {
            "first": self.first,
            "tile": str(self.start),
            "hands": [[str(tile) for tile in hand] for hand in self.hands],
            "bag": [str(tile) for tile in self.bag],
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The deal that `to_json` wrote; `check` compares it with the rules."""
        match data:
            case {
                "first": first,
                "tile": str(tile),
                "hands": [*hands],
                "bag": [*bag],
                "seed": (None | str()) as seed,
                **rest,
            } if type(first) is int and not rest:
                return cls(first, Tile.parse(tile), tuple(map(parse_tiles, hands)), parse_tiles(bag), seed)
        raise ParseError('"start" must have "first" (a seat), "tile", "hands", "bag" and "seed" (text or null)')


def _start(rules: Rules, seed: str) -> Tile:
    """The first tile on the table: the tile of the right kind with the smallest SHA-256(seed + "start" + tile text)."""
    kind = _start_kind(rules)
    return shuffled([tile for tile in rules.tiles if tile.kind is kind], f"{seed}start")[0]


def _start_kind(rules: Rules) -> Kind:
    return Kind.CHAMELEON if rules.chameleons else Kind.THREE_COLOR  # 2.2


def _check_first(first: int, players: int) -> None:
    if type(first) is not int or first not in range(players):
        raise RulesError(f"first must be a seat from 0 to {players - 1}, not {first!r}")
