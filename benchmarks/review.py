"""How long the review of a whole game takes, and how certain its numbers are: `make bench`."""

from __future__ import annotations

from random import Random
from statistics import mean, median
from time import thread_time

from benchmarks.engine import heading, print_table
from chromino import PRESETS, Game, Rules
from chromino.bots import find
from chromino.review import Cause, Measure, review

GAMES = 5
KINDS = (
    ("classic", 2, Measure.WIN),
    ("classic", 4, Measure.WIN),
    ("junior", 2, Measure.WIN),
    ("expert", 2, Measure.WIN),
    ("expert", 2, Measure.POINTS),
    ("expert", 4, Measure.POINTS),
    ("expert", 1, Measure.POINTS),
)


def played(rules: Rules, players: int, seed: int) -> Game:
    """A game played by foxes."""
    game = Game.start(rules, ["fox"] * players, seed)
    rng = Random(seed)
    while not game.over:
        game = game.apply(find("fox").choose(game.view(game.seat), rng))
    return game


def in_words(error: float, measure: Measure) -> str:
    return f"{error:.1f} points" if measure is Measure.POINTS else f"{100 * error:.1f}%"


def main() -> None:
    """Measure and print a table in Markdown."""
    print(heading("one"))
    rows = []
    for name, players, measure in KINDS:
        times, costs, luck, choices = [], [], [], []
        for seed in range(GAMES):
            game = played(PRESETS[name], players, seed)
            start = thread_time()
            reviewed = review(game, 0, measure=measure)
            times.append(thread_time() - start)
            costs.append(reviewed.cost.error)
            luck.append(reviewed.gain(Cause.DEAL, Cause.DRAW).error)
            choices.append(reviewed.gain(Cause.CHOICE).error)
        rows.append(
            (
                f"{name}, {players} {'player' if players == 1 else 'players'}, {measure}",
                f"{median(times):.2f} / {max(times):.2f} s",
                *(in_words(mean(errors), measure) for errors in (luck, choices, costs)),
            )
        )
    print_table(("a whole game, for one seat", "median / slowest", "luck ±", "choices ±", "cost ±"), rows)


if __name__ == "__main__":
    main()
