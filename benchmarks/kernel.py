"""The compiled kernel compared with the Python engine in the same run, and how long each bot thinks: `make bench`."""

from __future__ import annotations

import resource
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import thread_time

from benchmarks.engine import best, games, heading, print_table
from chromino import PRESETS, Game, Rules
from chromino.bots import BOTS, Bot, kernel

GAMES = 20_000


def kernel_games(threads: int) -> float:
    """Seconds per random two-player game, each with a new deal."""
    position = kernel.position(Game.start(Rules.classic(), ["Ada", "Bob"], seed=1))

    def work(seed: int) -> None:
        kernel.random_games(position, GAMES, seed)

    def run_threads() -> int:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, range(threads)))
        return threads * GAMES

    return best(run_threads)


def thinking(bot: Bot, rules: Rules, players: int, choices: int) -> tuple[float, float]:
    """CPU milliseconds per choice: mean and 99th percentile."""
    times: list[float] = []
    rng = Random(1)
    seed = 0
    while len(times) < choices:
        seed += 1
        game = Game.start(rules, ["bot"] * players, seed)
        while not game.over and len(times) < choices:
            view = game.view(game.seat)
            if len(view.actions) > 1:
                start = thread_time()
                action = bot.choose(view, rng)
                times.append(1000 * (thread_time() - start))
            # Only seat 0 plays what the bot chose; the other seats play at random, so the bot sees all kinds of tables.
            game = game.apply(action if len(view.actions) > 1 and game.seat == 0 else rng.choice(view.actions))
    times.sort()
    return sum(times) / len(times), times[int(0.99 * len(times))]


def memory(bot: Bot, count: int) -> tuple[float, float]:
    """The process's peak memory in MB, after a tenth of the games and after all games."""
    rng = Random(1)
    early = 0.0
    for seed in range(count):
        game = Game.start(Rules.classic(), ["Ada", "Bob"], seed)
        while not game.over:
            game = game.apply(bot.choose(game.view(game.seat), rng))
        if seed == count // 10:
            early = _megabytes()
    return early, _megabytes()


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print tables in Markdown."""
    print(heading("two"))
    engine = best(lambda: games(2, 100))
    one, two = kernel_games(1), kernel_games(2)
    early, late = memory(BOTS[2], 10_000)
    print_table(
        ("random games with 2 players", "figure"),
        [
            ("Python engine", f"{1 / engine:,.0f} a second"),
            ("kernel, one thread", f"{1 / one:,.0f} a second"),
            ("kernel ÷ engine", f"{engine / one:,.0f} ×"),
            ("kernel, two threads ÷ one", f"{one / two:.2f} ×"),
            ("memory after 1,000 games played by Fox, and after 10,000", f"{early:.0f} MB, {late:.0f} MB"),
        ],
    )
    rows = []
    for name, rules in PRESETS.items():
        for players in (2, 8):
            figures = [thinking(bot, rules, players, 100 if bot.level == 5 else 1000) for bot in BOTS if bot.level]
            rows.append((f"{name}, {players} players", *(f"{mean:.2f} / {p99:.2f}" for mean, p99 in figures)))
    print("\nCPU milliseconds per choice, mean / p99\n")
    print_table(("rules", *(bot.name for bot in BOTS if bot.level)), rows)


if __name__ == "__main__":
    main()
