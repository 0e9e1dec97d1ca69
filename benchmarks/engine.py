"""The rules engine compared with the tests' oracle, in the same run: `make bench`.

Each figure is the best of several runs, since other work on the machine only makes a run slower.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from datetime import date
from random import Random
from time import perf_counter

from chromino import Game, Rules, Table, Tile
from tests.oracle import Oracle

RUNS = 5

Position = tuple[Table, tuple[Tile, ...]]


def best(work: Callable[[], int], *, prepare: Callable[[], None] = lambda: None) -> float:
    """The best time per item, in seconds. `work` returns how many items it processed; `prepare` isn't measured."""

    def once() -> float:
        prepare()
        start = perf_counter()
        count = work()
        return (perf_counter() - start) / count

    return min(once() for _ in range(RUNS))


def random_game(players: int, seed: int) -> Game:
    """A game of uniformly random actions, played through the public API."""
    rng = Random(seed)
    game = Game.start(Rules.classic(), [f"Player {seat}" for seat in range(players)], seed)
    while not game.over:
        game = game.apply(rng.choice(game.actions()))
    return game


def midgame_positions(count: int) -> list[Position]:
    """Tables of 20 tiles, each with a hand of eight from the remaining tiles."""
    positions: list[Position] = []
    seed = 0
    while len(positions) < count:
        seed += 1
        laid = random_game(2, seed).table.laid[:20]
        if len(laid) == 20:
            rest = [tile for tile in Rules.classic().tiles if tile not in {placement.tile for placement in laid}]
            positions.append((Table.parse(" ".join(map(str, laid))), tuple(Random(seed).sample(rest, 8))))
    return positions


class HandPlacements:
    """Finds the placements for hands, on tables for which nothing has been computed in advance."""

    def __init__(self, positions: list[Position]) -> None:
        self.positions = positions

    def prepare(self) -> None:
        self.positions = [(Table.parse(str(table)), hand) for table, hand in self.positions]

    def __call__(self) -> int:
        for table, hand in self.positions:
            for tile in hand:
                table.placements(tile)
        return len(self.positions)


def oracle_placements(positions: list[Position]) -> int:
    for table, hand in positions:
        oracle = Oracle(str(table))
        for tile in hand:
            oracle.placements(str(tile))
    return len(positions)


def games(players: int, count: int) -> int:
    for seed in range(count):
        random_game(players, seed)
    return count


def replays(records: list[str]) -> int:
    for record in records:
        Game.replay(record)
    return len(records)


def views(states: list[Game]) -> int:
    for game in states:
        game.view(game.seat)
    return len(states)


def samples(states: list[Game]) -> int:
    rng = Random(1)
    for game in states:
        game.view(game.seat).sample(rng)
    return len(states)


def main() -> None:
    """Measure and print a table in Markdown."""
    positions = midgame_positions(100)
    hands = HandPlacements(positions)
    engine = best(hands, prepare=hands.prepare)
    oracle = best(lambda: oracle_placements(positions[:10]))
    finished = [random_game(2, seed) for seed in range(100)]
    records = [str(game.record) for game in finished]
    halfway = [_halfway(seed) for seed in range(100)]
    rows = [
        ("placements for a hand of eight, 20 tiles on the table", f"{engine * 1e6:.1f} µs"),
        ("the same with the oracle", f"{oracle * 1e3:.1f} ms"),
        ("oracle's time ÷ engine's time", f"{oracle / engine:,.0f} ×"),
        *(
            (f"random games with {players} players", f"{1 / best(lambda p=players: games(p, 100)):,.0f} a second")  # type: ignore[misc]
            for players in (2, 4, 8)
        ),
        ("replay of a finished two-player game, from text", f"{best(lambda: replays(records)) * 1e3:.2f} ms"),
        ("views, halfway through a four-player game", f"{1 / best(lambda: views(halfway)):,.0f} a second"),
        ("samples of hidden tiles, one per view, same games", f"{1 / best(lambda: samples(halfway)):,.0f} a second"),
    ]
    print(heading("one"))
    print_table(("what", "figure"), rows)


def heading(used: str) -> str:
    """The date and machine, to print above a table; `used` is the number of cores used, in words."""
    return f"{date.today().isoformat()}, Python {platform.python_version()}, {_processor()} ({used} used)\n"


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown, with the first column left-aligned and the others right-aligned."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (f"{cell:{'<' if column == 0 else '>'}{widths[column]}}" for column, cell in enumerate(cells))
        return f"| {' | '.join((first, *rest))} |"

    print(line(head))
    print(
        "|" + "|".join("-" * (width + 1) + ("-" if column == 0 else ":") for column, width in enumerate(widths)) + "|"
    )
    for row in rows:
        print(line(row))


def _halfway(seed: int) -> Game:
    whole = random_game(4, seed)
    game = Game.dealt(whole.rules, whole.players, whole.deal)
    for event in whole.log[: len(whole.log) // 2]:
        game = game.apply(event.action)
    return game


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123
            name = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.machine()
    return f"{name}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
