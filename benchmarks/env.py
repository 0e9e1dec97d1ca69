"""The environment for learning agents compared with the engine alone, in the same run: `make bench`.

Both play the same prepared games: the engine lists the legal actions and applies one, and the environment observes
(`last`) and steps. Times are CPU times, and each is the best of several runs.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from benchmarks.engine import heading, print_table
from chromino import PRESETS, Game, Rules
from chromino.env import ChrominoEnv

RUNS = 7
GAMES = 40
KINDS = (("classic", 2), ("classic", 4), ("classic", 8), ("junior", 2), ("junior", 4), ("expert", 2), ("expert", 4))

Choices = list[list[int]]


def choices_of(rules: Rules, players: int) -> Choices:
    """Random games, each as a list of the numbers of the chosen actions."""
    games = []
    for seed in range(GAMES):
        rng = Random(seed)
        game = Game.start(rules, ["player"] * players, seed)
        numbers: list[int] = []
        while not game.over:
            actions = game.actions()
            numbers.append(rng.randrange(len(actions)))
            game = game.apply(actions[numbers[-1]])
        games.append(numbers)
    return games


def by_engine(rules: Rules, players: int, games: Choices) -> None:
    for seed, numbers in enumerate(games):
        game = Game.start(rules, ["player"] * players, seed)
        for number in numbers:
            game = game.apply(game.actions()[number])


def by_env(env: ChrominoEnv, games: Choices) -> None:
    for seed, numbers in enumerate(games):
        env.reset(seed=seed)
        for number in numbers:
            env.last()
            env.step(number)


def clones(env: ChrominoEnv, count: int) -> None:
    env.reset(seed=1)
    for _ in range(12):  # With eight tiles per hand, no two-player game can be over yet.
        env.step(0)
    for _ in range(count):
        env.clone()


def seconds(*works: Callable[[], None]) -> list[float]:
    """The lowest CPU time of each function. They alternate, so disturbances affect all of them."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(RUNS):
        for work, work_times in zip(works, times, strict=True):
            start = process_time()
            work()
            work_times.append(process_time() - start)
    return [min(work_times) for work_times in times]


def main() -> None:
    """Measure and print a table in Markdown."""
    rows = []
    for name, players in KINDS:
        rules = PRESETS[name]
        games = choices_of(rules, players)
        env = ChrominoEnv(rules, players)
        engine, environment = seconds(lambda: by_engine(rules, players, games), lambda: by_env(env, games))  # noqa: B023
        steps = sum(map(len, games))
        rows.append(
            (
                f"{name}, {players} players",
                f"{engine / steps * 1e6:.1f} µs",
                f"{environment / steps * 1e6:.1f} µs",
                f"{environment / engine:.2f} ×",
                f"{steps / environment:,.0f}",
            )
        )
    (copying,) = seconds(lambda: clones(ChrominoEnv(), 1000))
    print(heading("one"))
    print_table(("a step with its observation", "engine", "environment", "ratio", "steps a second"), rows)
    print(f"\nA clone in the middle of a two-player game: {copying * 1e3:.1f} µs")


if __name__ == "__main__":
    main()
