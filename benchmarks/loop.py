"""One round of `benchmarks.history`, in a process of its own: whichever `chromino` is on the path is measured.

Only what every revision of the engine has may be used here. Positions come in on stdin, processor seconds go out on
stdout: what else the machine does then matters little.
"""

from __future__ import annotations

import json
import sys
from random import Random
from time import process_time

import chromino
from chromino import Game, Rules, Table, Tile


def hands(positions: list[tuple[str, list[str]]]) -> float:
    """Seconds for all placements of a hand, on a table for which nothing has been worked out before."""
    ready = [(Table.parse(table), [Tile.parse(tile) for tile in hand]) for table, hand in positions]
    begin = process_time()
    for table, hand in ready:
        for tile in hand:
            table.placements(tile)
    return (process_time() - begin) / len(ready)


def actions(games: int) -> float:
    """Seconds an action of random games of two; not a game, for deals have changed, and some games are longer."""
    rng, count = Random(1), 0
    begin = process_time()
    for seed in range(games):
        game = Game.start(Rules.classic(), ["Ada", "Bob"], seed)
        while not game.over:
            game = game.apply(rng.choice(game.actions()))
            count += 1
    return (process_time() - begin) / count


def views(games: int) -> float:
    """Seconds a view, after twenty actions."""
    rng, found = Random(1), []
    for seed in range(games):
        game = Game.start(Rules.classic(), ["Ada", "Bob"], seed)
        for _ in range(20):
            game = game if game.over else game.apply(rng.choice(game.actions()))
        found.append(game)
    begin = process_time()
    for game in found:
        game.view(game.seat)
    return (process_time() - begin) / len(found)


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    measured = [hands(asked["positions"]), actions(asked["games"]), views(asked["games"])]
    print(json.dumps({"from": chromino.__file__, "seconds": measured}))
