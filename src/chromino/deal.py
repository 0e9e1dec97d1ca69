"""Setting up: the shuffle, the first tile, the hands and who begins (rule 2).

The shuffle sorts the tiles by SHA-256 of the seed's text followed by the tile's text, so that anyone can check it in
any language. The first tile on the table is chosen by a hash of its own: were it the first chameleon in that order,
those who are dealt to first would get too few of the others. A deal need not come from a seed: `View.sample` makes
some that agree with what a player has seen.
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
    """The seat that begins, if it's left to chance: SHA-256(seed + "first") as a number, modulo the players.

    >>> first_seat("7", 2)
    1
    """
    return int.from_bytes(sha256(f"{seed}first".encode()).digest()) % players


def seed_text(seed: int | str | bytes) -> str:
    """The text that a seed is hashed as: a number in decimal, bytes in hex.

    >>> seed_text(7), seed_text(b"\\x00\\xff")
    ('7', '00ff')
    """
    if not isinstance(seed, int | str | bytes) or isinstance(seed, bool):
        raise ParseError(f"a seed is a number, a text or bytes, not {type(seed).__name__}")
    text = seed.hex() if isinstance(seed, bytes) else str(seed)
    if not text.isprintable():
        raise ParseError(f"a seed is a text that can be printed, not {text!r}")
    return text


@dataclass(frozen=True, slots=True)
class Deal:
    """How a game begins: everything that chance decides is in here."""

    first: int
    """The seat that begins."""
    start: Tile
    """The tile on the table."""
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]
    """The tiles still to be drawn, the next one first."""
    seed: str | None = None
    """The text that was shuffled by, if any."""

    @classmethod
    def shuffle(cls, rules: Rules, players: int, seed: int | str | bytes, first: int | None = None) -> Self:
        """Deal by a seed (2.2 to 2.4); bytes stand for their hex text. `first=None` leaves it to chance.

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
        """Raise an error unless so many can play by these rules (2.1), each with a full hand."""
        if players not in range(1, MAX_PLAYERS + 1):
            raise RulesError(f"1 to {MAX_PLAYERS} players can play, not {players}")
        if players * rules.hand_size > len(rules.tiles) - 1:
            raise RulesError(
                f"{players} hands of {rules.hand_size} tiles need {players * rules.hand_size}, "
                f"and the bag holds {len(rules.tiles) - 1}",
                "bag-too-small",
            )

    @property
    def start_placement(self) -> Placement:
        """Where the first tile lies."""
        return Placement(self.start.colors, 0, 0, down=False)

    def check(self, rules: Rules) -> None:
        """Raise an error unless this is a deal of these rules, and the one its seed gives."""
        players = len(self.hands)
        self.check_players(rules, players)
        _check_first(self.first, players)
        if self.start.kind is not _start_kind(rules):
            raise RulesError(f"the first tile on the table is a {_start_kind(rules)} tile, not {self.start}")
        if any(len(hand) != rules.hand_size for hand in self.hands):
            raise RulesError(f"each hand is dealt {rules.hand_size} tiles")
        dealt = [self.start, *self.bag, *(tile for hand in self.hands for tile in hand)]
        if len(dealt) != len(rules.tiles) or set(dealt) != set(rules.tiles):
            raise RulesError(f"the deal does not hold each of the {len(rules.tiles)} tiles once")
        if self.seed is not None and not self._is_given_by(seed_text(self.seed), rules):
            raise RulesError(f"the seed {self.seed!r} gives another deal")

    def _is_given_by(self, seed: str, rules: Rules) -> bool:
        order = shuffled(rules.tiles, seed)
        # Before version 1.0 the first one in the order lay on the table. Such games stay what they are.
        before = next(tile for tile in order if tile.kind is self.start.kind)
        order.remove(self.start)
        dealt = [*(tile for hand in self.hands for tile in hand), *self.bag]
        return self.start in (_start(rules, seed), before) and dealt == order

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
        """The deal that `to_json` wrote; whether it can be is for `check` to say."""
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
        raise ParseError("a start has first (a seat), tile, hands, bag and seed (a text or null)")


def _start(rules: Rules, seed: str) -> Tile:
    """The first tile on the table: of its kind, the one with the least SHA-256(seed + "start" + tile text)."""
    kind = _start_kind(rules)
    return shuffled([tile for tile in rules.tiles if tile.kind is kind], f"{seed}start")[0]


def _start_kind(rules: Rules) -> Kind:
    return Kind.CHAMELEON if rules.chameleons else Kind.THREE_COLOR  # 2.2


def _check_first(first: int, players: int) -> None:
    if type(first) is not int or first not in range(players):
        raise RulesError(f"first is a seat from 0 to {players - 1}, not {first!r}")
