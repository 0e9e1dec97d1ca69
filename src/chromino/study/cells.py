"""A cell of a study: games with the same rules, number of players and bots, and what's counted in them.

Games aren't kept, only sums that can be merged. The deals and choices of a batch depend only on the study's seed, the
cell and the batch number, so it doesn't matter where, when or in which order batches are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Self

from chromino.bots import Bot, find
from chromino.bots.bot import placements
from chromino.errors import ChrominoError
from chromino.events import Place
from chromino.game import Game
from chromino.rules import PRESETS, Rules
from chromino.study.estimates import Ratio
from chromino.study.match import play_deal
from chromino.tiles import ALL_TILES, Kind, Tile
from chromino.view import View

UNIT = 840_000
"""A sole win counts for this much, so that all shares of a win are whole numbers: 840 is divisible by 1 through 8."""

_FIRST_CHOICES = 16
"""An experiment makes one choice per game at random. It's among the first this many."""

_PROBABILITY_UNIT = 55_440
"""A probability of 1 counts for this much, so that most others are whole numbers: it's divisible by 1 through 12."""


class StudyError(ChrominoError):
    """The study can't be run, or the file can't be used for it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one kind. A single bot plays all seats; two bots play each deal in every rotation, as in a match."""

    rules: Rules
    players: int
    bots: tuple[str, ...]
    is_experiment: bool = False
    """Is one choice in each game made at random, to learn what keeping a tile is worth?"""

    @property
    def key(self) -> str:
        """A string that identifies the cell.

        >>> Cell(Rules.preset("junior", draw_limit=3), 2, ("fox",)).key
        'junior with draw_limit 3, 2 players, fox'
        """
        text = f"{rules_text(self.rules)}, {self.players} players, {' v '.join(self.bots)}"
        return f"{text}, keeping" if self.is_experiment else text

    @property
    def batch_size(self) -> int:
        """How many games to play per batch. A batch takes a few tenths of a second, or longer with slow bots."""
        if "dragon" in self.bots:
            return 2
        return 10 if any(find(name).level == 4 or name.startswith("mc") for name in self.bots) else 100


def rules_text(rules: Rules) -> str:
    """The closest preset, and how the rules differ from it."""
    choices = asdict(rules)

    def differences(preset: Rules) -> dict[str, Any]:
        return {name: choices[name] for name, value in asdict(preset).items() if choices[name] != value}

    name, preset = min(PRESETS.items(), key=lambda named: len(differences(named[1])))
    changed = [f"{choice} {value}" for choice, value in differences(preset).items()]
    return f"{name} with {', '.join(changed)}" if changed else name


@dataclass(slots=True)
class CellSums:
    """What was counted in some games of a cell."""

    games: int = 0
    counts: dict[str, Counter[int]] = field(default_factory=dict)
    """For each thing counted, how often each number occurred."""
    ratios: dict[str, Ratio] = field(default_factory=dict)

    def count(self, name: str, number: int) -> None:
        """Record one occurrence of this number."""
        self.counts.setdefault(name, Counter())[number] += 1

    def ratio(self, name: str) -> Ratio:
        """The ratio with this name, which is created if it doesn't exist yet."""
        return self.ratios.setdefault(name, Ratio())

    def merge(self, other: CellSums) -> None:
        """Add what was counted in other games of the same cell."""
        self.games += other.games
        for name, counter in other.counts.items():
            self.counts.setdefault(name, Counter()).update(counter)
        for name, ratio in other.ratios.items():
            self.ratio(name).merge(ratio)

    def to_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "counts": {name: dict(sorted(counter.items())) for name, counter in sorted(self.counts.items())},
            "ratios": {name: ratio.to_json() for name, ratio in sorted(self.ratios.items())},
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The sums that `to_json` wrote; anything else raises a `StudyError`."""
        match data:
            case {"games": int(games), "counts": Mapping() as counts, "ratios": Mapping() as ratios}:
                try:
                    return cls(
                        games,
                        {name: Counter({int(n): int(c) for n, c in each.items()}) for name, each in counts.items()},
                        {name: _ratio(numbers) for name, numbers in ratios.items()},
                    )
                except (AttributeError, TypeError, ValueError):
                    pass
        raise StudyError("sums must have games, counts and ratios")


def _ratio(numbers: Sequence[int]) -> Ratio:
    games, amounts, counts, squares, products, count_squares = map(int, numbers)
    return Ratio((games, amounts, counts, squares, products, count_squares))


def play_batch(cell: Cell, seed: int, number: int) -> CellSums:
    """Play one batch. The same seed and number give the same sums, except for bots that think for a fixed time."""
    prefix = f"study {seed}/{cell.key}/{number}"
    if len(cell.bots) == 2:
        return _play_deals(cell, prefix)
    bot, sums = find(cell.bots[0]), CellSums()
    for game in range(cell.batch_size):
        _play_game(cell, bot, f"{prefix}/{game}", sums)
    return sums


def _play_deals(cell: Cell, prefix: str) -> CellSums:
    sums = CellSums()
    for number in range(cell.batch_size // cell.players):
        deal = play_deal(cell.bots, cell.rules, f"{prefix}/{number}")
        sums.games += deal.games
        sums.ratio("first bot").add(round(deal.shares[0] * UNIT))
    return sums


def _play_game(cell: Cell, bot: Bot, seed: str, sums: CellSums) -> None:
    game, rng = Game.start(cell.rules, ["bot"] * cell.players, seed), Random(seed)
    dealt = game.hands
    held, fitted = [0] * len(ALL_TILES), [0] * len(ALL_TILES)
    experiment = _Experiment(bot, Random(f"{seed}/keeping")) if cell.is_experiment else None
    while not game.over:
        view = game.view(game.seat)
        if not view.draws:
            for tile in view.hand:
                held[tile.number] += 1
            for tile in {place.tile for place in placements(view)}:
                fitted[tile.number] += 1
        placed = experiment.place(view, rng) if experiment else None
        game = game.apply(placed or bot.choose(view, rng))
    _count_result(game, sums)
    shares = _shares(game)
    if experiment is None:
        _count_tiles(sums, "fits", {tile: (fitted[tile.number], held[tile.number]) for tile in ALL_TILES})
        fair = UNIT // cell.players
        gains = {tile: (shares[seat] - fair, 1) for seat, hand in enumerate(dealt) for tile in hand}
        _count_tiles(sums, "dealt", gains)
    elif experiment.options:
        _count_tiles(sums, "keep", experiment.gains(shares[experiment.seat] - UNIT // cell.players))


def _shares(game: Game) -> list[int]:
    """Each seat's share of the win, as a part of `UNIT`."""
    share = UNIT // max(len(game.winners), 1)
    return [share if seat in game.winners else 0 for seat in range(len(game.players))]


def _count_result(game: Game, sums: CellSums) -> None:
    sums.games += 1
    sums.count("turns", game.turns)
    sums.count("tiles", len(game.table) - 1)
    sums.count("winners", len(game.winners))
    sums.count("blocked", int(game.first_out is None))
    shares, players = _shares(game), len(game.players)
    for place in range(players):
        sums.ratio(f"order {place}").add(shares[(game.first + place) % players])


def _count_tiles(sums: CellSums, name: str, pairs: Mapping[Tile, tuple[int, int]]) -> None:
    """Add one game's amount and count for each tile and, since tiles of a kind are very similar, for each kind."""
    kinds: dict[Kind, list[int]] = {}
    for tile, (amount, count) in pairs.items():
        if count:
            sums.ratio(f"{name} {tile}").add(amount, count)
            of_kind = kinds.setdefault(tile.kind, [0, 0])
            of_kind[0] += amount
            of_kind[1] += count
    for kind, (amount, count) in kinds.items():
        sums.ratio(f"{name} {kind}").add(amount, count)


class _Experiment:
    """Once per game, chooses a tile at random, with equal probability, from all that fit; the bot chooses the place.

    So whether a tile is kept has nothing to do with how good the hand is, and any effect is due to keeping the tile.
    With m tiles, each is placed with probability p = 1/m. For each tile, games in which it was kept have weight p, and
    games in which it was placed have weight 1 - p, so both outcomes weigh the same. The weighted sum of results,
    divided by the sum of p(1 - p), is the mean gain. Choices among only a few tiles count most.
    """

    def __init__(self, bot: Bot, rng: Random) -> None:
        self.bot, self.rng = bot, rng
        self.choices_to_skip = rng.randrange(_FIRST_CHOICES)
        self.options: list[Tile] = []
        self.chosen: Tile | None = None
        self.seat = 0

    def place(self, view: View, rng: Random) -> Place | None:
        """A placement if this is the choice to make at random, otherwise None."""
        places = placements(view)
        options = sorted({place.tile for place in places})
        if self.options or len(options) < 2:
            return None
        if self.choices_to_skip:
            self.choices_to_skip -= 1
            return None
        self.options, self.chosen, self.seat = options, self.rng.choice(options), view.seat
        places = [place for place in places if place.tile is self.chosen]
        return Place(self.bot.pick(view, places, rng) if len(places) > 1 else places[0])

    def gains(self, result: int) -> dict[Tile, tuple[int, int]]:
        """What to add for each tile, to estimate the gain from keeping it; `result` is relative to a fair share."""
        probability = _PROBABILITY_UNIT // len(self.options)
        kept, placed = result * probability, -result * (_PROBABILITY_UNIT - probability)
        count = probability * (_PROBABILITY_UNIT - probability) // _PROBABILITY_UNIT
        return {tile: (placed if tile is self.chosen else kept, count) for tile in self.options}
