"""`chromino bots`, `match`, and `tournament`: list the bots, and measure how strong they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from chromino.bots import BOTS, find
from chromino.cli.app import RULES_HELP, UserError, app, check_work, pluralized, say
from chromino.rules import Rules
from chromino.study.match import Match, line_up, play
from chromino.study.ratings import Rating, ratings

Names = Annotated[list[str], typer.Argument(help="Bots, by level (1 to 5) or name.", metavar="BOT")]
RulesName = Annotated[str, typer.Option("--rules", help=RULES_HELP)]
Games = Annotated[
    int, typer.Option("--games", help="Minimum number of games; each deal is played in every rotation of seats.")
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed plays the same deals.")]
Jobs = Annotated[int, typer.Option("--jobs", help="How many processes to use; -1 for one per core.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command(name="bots")
def list_bots() -> None:
    """List the bots: the five levels, and reference bots to compare them with."""
    for bot in BOTS:
        say(f"{bot.level or '-'}  {bot.name:9} {bot.about}")


@app.command()
def match(
    names: Names,
    games: Games = 200,
    rules: RulesName = "classic",
    players: Annotated[
        int | None, typer.Option(help="Number of seats; the last bot fills the remaining seats.")
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other, and print scores with standard errors.

    Each deal is played in every rotation of seats. A shared win counts as a fraction of a point. Ctrl-C prints the
    results so far.
    """
    check_work(games, jobs)
    series = Match(line_up(names, len(names) if players is None else players), Rules.preset(rules))
    stopped = _with_progress(games, lambda tell: play(series, games, seed, jobs, tell))
    if as_json:
        say(json.dumps(series.to_json()))
        return
    if stopped:
        say(f"Stopped after {series.games} of {pluralized(games, 'game')}.")
    result = series.to_json()
    heading = f"{pluralized(result['games'], 'game')} with {pluralized(len(series.bots), 'player')}"
    say(f"{heading}, {rules}, seed {seed}: {result['joint']} with a shared win, "
        f"{result['blocked']} blocked, {result['games_a_second']:.1f} games a second")  # fmt: skip
    for number, row in enumerate(result["bots"], start=1):
        mean, error = series.score(number - 1)
        say(f"{number}. {row['bot']:9} {mean:.3f} ± {error:.3f}   "
            f"{row['ms_mean']:.2f} ms per choice, p99 {row['ms_p99']:.2f} ms")  # fmt: skip


@app.command()
def tournament(
    names: Annotated[list[str] | None, typer.Argument(help="Bots; by default the five levels.", metavar="BOT")] = None,
    games: Annotated[int, typer.Option(help="Minimum number of games per pair.")] = 100,
    rules: RulesName = "classic",
    seed: Seed = 1,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Play every pair of bots against each other, and rate the bots.

    Ratings are OpenSkill ratings, updated after every deal. They start at 25; only differences matter.
    """
    check_work(games, jobs)
    bots = [find(name) for name in names] if names else [bot for bot in BOTS if bot.level]
    if len({bot.name for bot in bots}) != len(bots) or len(bots) < 2:
        raise UserError("a tournament needs at least two different bots")
    preset = Rules.preset(rules)
    matches = [Match(pair, preset) for pair in combinations(bots, 2)]

    def work(tell: Callable[[int], None]) -> None:
        done = 0
        for pairing in matches:
            before = done
            play(pairing, games, seed, jobs, lambda played, before=before: tell(before + played))  # type: ignore[misc]
            done += pairing.games

    stopped = _with_progress(games * len(matches), work)
    ranking = ratings(matches)
    if as_json:
        results = [pairing.to_json() for pairing in matches]
        say(json.dumps({"matches": results, "ratings": [rating._asdict() for rating in ranking]}))
        return
    played = [pairing for pairing in matches if pairing.games]
    if stopped:
        say(f"Stopped after {sum(pairing.games for pairing in played)} of {pluralized(games * len(matches), 'game')}.")
    for pairing in played:
        mean, error = pairing.score(0)
        first, second = pairing.bots
        say(f"{first.name:9} vs. {second.name:9} {mean:.3f} ± {error:.3f} in {pluralized(pairing.games, 'game')}")
    for rating in ranking:
        say(_rating_line(rating))


def _rating_line(rating: Rating) -> str:
    return f"{rating.bot:9} {rating.mu:6.2f} ± {rating.sigma:.2f}"


def _with_progress(total: int, work: Callable[[Callable[[int], None]], object]) -> bool:
    """Run `work` with a progress bar, and return whether Ctrl-C stopped it."""
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=total)
        try:
            work(lambda done: progress.update(bar, completed=done))
        except KeyboardInterrupt:
            return True
    return False
