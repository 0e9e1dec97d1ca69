"""The kernel's twin in plain Python, built on the rules engine: the same interface, but about 200 times slower.

It's used if there was no compiler at installation, or if a table is too large for the kernel's window.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from time import thread_time

from chromino.bots.worlds import HiddenTile
from chromino.events import Drew, Passed, Place, Placed
from chromino.game import Game
from chromino.tiles import ALL_TILES, Placement, Tile

PlayoutSums = tuple[int, float, float, float, float]
"""The number of playouts, the sums of shares and of their squares, and the sums of margins and of their squares."""

TURN_COST = 0.001
"""What each turn of a solo game costs, as a fraction of a win, so that fewer turns are better."""


class Position:
    """A position in a game; see `_kernel.Position`."""

    def __init__(self, game: Game, turn_cost: float = TURN_COST) -> None:
        self.game = game
        self.turn_cost = turn_cost

    def counts(self) -> list[int]:
        """How many placements each tile has, by tile number."""
        return [len(self.game.table.placements(tile, self.game.rules)) for tile in ALL_TILES]

    def counts_after(self, placements: Iterable[Placement]) -> list[list[int]]:
        """For each of these placements, which must be legal: how many placements each tile has after it."""
        tables = (self.game.table.lay(placement) for placement in placements)
        return [[len(table.placements(tile, self.game.rules)) for tile in ALL_TILES] for table in tables]

    def play_on(self, seed: int) -> tuple[list[Placement | Tile | None], list[float], list[float], bool]:
        """Play a random game from here; see `_kernel.Position.play_on`."""
        already_played = len(self.game.log)
        game = random_game(self.game, Random(seed))
        events: list[Placement | Tile | None] = []
        for event in game.log[already_played:]:
            match event:
                case Placed(placement=placement):
                    events.append(placement)
                case Drew(tile=tile):
                    events.append(tile)
                case Passed():
                    events.append(None)
        seats = range(len(game.players))
        return events, [self._share(game, seat) for seat in seats], [margin(game, seat) for seat in seats], False

    def playouts(
        self,
        candidates: Sequence[Placement],
        hidden: Sequence[HiddenTile],
        may_be_in_bag: Iterable[Tile],
        seed: int,
        seconds: float,
        max_worlds: int,
        eliminate: int,
    ) -> tuple[list[PlayoutSums], list[int]]:
        """Play random games after each candidate, in shuffled worlds; see `_kernel.Position.playouts`."""
        rng = Random(seed)
        me = self.game.seat
        game, tiles = self.game, list(hidden)
        may_be_in_bag = frozenset(may_be_in_bag)
        results: list[list[tuple[float, float]]] = [[] for _ in candidates]
        end = thread_time() + seconds
        worlds = 0
        while worlds < max_worlds and (worlds == 0 or thread_time() < end):
            game, tiles = with_hidden_tiles_swapped(game, tiles, may_be_in_bag, rng)
            for candidate, outcomes in zip(candidates, results, strict=True):
                final = random_game(game.apply(Place(candidate)), rng)
                outcomes.append((self._share(final, me), margin(final, me)))
            worlds += 1
            if eliminate and len(candidates) == 1:
                break
        return [_sums(outcomes) for outcomes in results], [0] * len(results)

    def prospects(
        self, seat: int, hidden: Sequence[HiddenTile], may_be_in_bag: Iterable[Tile], seed: int, max_worlds: int
    ) -> tuple[PlayoutSums, int]:
        """Play random games from this position; see `_kernel.Position.prospects`."""
        rng = Random(seed)
        game, tiles = self.game, list(hidden)
        may_be_in_bag = frozenset(may_be_in_bag)
        results = []
        for _ in range(max_worlds):
            game, tiles = with_hidden_tiles_swapped(game, tiles, may_be_in_bag, rng)
            final = random_game(game, rng)
            results.append((self._share(final, seat), margin(final, seat)))
        return _sums(results), 0

    def _share(self, game: Game, seat: int) -> float:
        return share(game, seat, self.turn_cost)


def _sums(outcomes: list[tuple[float, float]]) -> PlayoutSums:
    shares, margins = [share for share, _ in outcomes], [margin for _, margin in outcomes]
    return len(outcomes), sum(shares), sum(s * s for s in shares), sum(margins), sum(m * m for m in margins)


def random_game(game: Game, rng: Random) -> Game:
    """Play to the end: placements, and tiles from the bag, are chosen at random with equal probability."""
    bag = list(game.bag)
    rng.shuffle(bag)
    game = replace(game, bag=tuple(bag))
    while not game.over:
        game = game.apply(rng.choice(game.actions()))
    return game


def redealt(game: Game, rng: Random) -> Game:
    """The same game with all hands and the bag reshuffled."""
    tiles = [*game.bag, *(tile for hand in game.hands for tile in hand)]
    rng.shuffle(tiles)
    hands = []
    for hand in game.hands:
        hands.append(tuple(sorted(tiles[: len(hand)])))
        del tiles[: len(hand)]
    return replace(game, hands=tuple(hands), bag=tuple(tiles))


def share(game: Game, seat: int, turn_cost: float = TURN_COST) -> float:
    """A seat's share of a finished game: 1 for a win, a fraction for a shared win, and 0 for a loss.

    In solo games, placing every tile is almost all that counts; fewer turns are slightly better.
    """
    if seat not in game.winners:
        return 0.0
    return 1 - game.turns * turn_cost if len(game.players) == 1 else 1 / len(game.winners)


def margin(game: Game, seat: int) -> float:
    """The lead over the best other seat, in points or tiles."""
    scoring = game.rules.scoring
    results = game.scores if scoring else [-len(hand) for hand in game.hands]
    others = [result for other, result in enumerate(results) if other != seat]
    return results[seat] - max(others, default=0)


def with_hidden_tiles_swapped(
    game: Game, hidden: Sequence[HiddenTile], may_be_in_bag: frozenset[Tile], rng: Random
) -> tuple[Game, list[HiddenTile]]:
    """The game after swapping hidden tiles at random, with each other and with the bag, as far as the log allows."""
    swapped, bag = list(hidden), list(game.bag)
    for _ in range(3 * len(swapped)):
        number, other = rng.randrange(len(swapped)), rng.randrange(len(swapped) + len(bag))
        mine = swapped[number]
        if other < len(swapped):
            theirs = swapped[other]
            if mine.tile in theirs.allowed and theirs.tile in mine.allowed and other != number:
                swapped[number], swapped[other] = mine._replace(tile=theirs.tile), theirs._replace(tile=mine.tile)
        else:
            tile = bag[other - len(swapped)]
            if tile in mine.allowed and mine.tile in may_be_in_bag:
                swapped[number], bag[other - len(swapped)] = mine._replace(tile=tile), mine.tile
    hands = [set(hand) for hand in game.hands]
    for before in hidden:
        hands[before.seat].remove(before.tile)
    for after in swapped:
        hands[after.seat].add(after.tile)
    return replace(game, hands=tuple(tuple(sorted(hand)) for hand in hands), bag=tuple(bag)), swapped
