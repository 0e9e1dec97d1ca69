"""Reviews: how long one of a whole game takes, and how sure its numbers are: `make bench`."""

from __future__ import annotations

from random import Random
from statistics import mean, median
from time import thread_time

from benchmarks.engine import heading, print_table
from chromino import PRESETS, Game, Rules
from chromino.bots import find
from chromino.review import Kind, review

GAMES = 5
KINDS = (("classic", 2), ("classic", 4), ("junior", 2), ("expert", 2))


def played(rules: Rules, players: int, seed: int) -> Game:
    """A game of foxes."""
    game = Game.start(rules, ["fox"] * players, seed)
    rng = Random(seed)
    while not game.over:
        game = game.apply(find("fox").choose(game.view(game.seat), rng))
    return game


def main() -> None:
    """Measure and print a table in Markdown."""
    print(heading("one core"))
    rows = []
    for name, players in KINDS:
        times, costs, luck, choices = [], [], [], []
        for seed in range(GAMES):
            game = played(PRESETS[name], players, seed)
            begin = thread_time()
            found = review(game, 0)
            times.append(thread_time() - begin)
            costs.append(found.cost.error)
            luck.append(found.gain(Kind.DEAL, Kind.DRAW).error)
            choices.append(found.gain(Kind.CHOICE).error)
        rows.append(
            (
                f"{name}, {players} players",
                f"{median(times):.2f} / {max(times):.2f} s",
                *(f"{100 * mean(errors):.1f} %" for errors in (luck, choices, costs)),
            )
        )
    print_table(("a whole game, for one seat", "median / slowest", "luck ±", "choices ±", "cost ±"), rows)


if __name__ == "__main__":
    main()
