"""Matches: bots play many deals against each other, each deal in every rotation of the seats, to even out luck.

A game is worth one point, shared by joint winners. Deals are independent, but games with the same deal aren't, so the
standard error is computed from the mean of each deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from time import perf_counter, thread_time
from typing import Any

from chromino.bots import Bot, BotError, find
from chromino.deal import MAX_PLAYERS
from chromino.game import Game
from chromino.rules import Rules


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of one deal, over all rotations."""

    shares: tuple[float, ...]
    """The share of the games that each bot won, in the order of the bots."""
    thinking: tuple[tuple[float, ...], ...]
    """For each bot, the CPU seconds it took for each choice among placements."""
    games: int
    joint: int
    blocked: int


@dataclass(slots=True)
class Match:
    """A match so far: add results, and ask for scores at any time."""

    bots: tuple[Bot, ...]
    rules: Rules
    deals: list[DealResult] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games have been played."""
        return sum(deal.games for deal in self.deals)

    def score(self, number: int) -> tuple[float, float]:
        """The mean share of the bot with this number, and its standard error."""
        shares = [deal.shares[number] for deal in self.deals]
        if not shares:
            return 0.0, float("inf")
        mean = sum(shares) / len(shares)
        variance = sum((share - mean) ** 2 for share in shares) / max(len(shares) - 1, 1)
        return mean, sqrt(variance / len(shares))

    def thinking(self, number: int) -> tuple[float, float]:
        """CPU seconds per choice: mean and 99th percentile."""
        times = sorted(time for deal in self.deals for time in deal.thinking[number])
        if not times:
            return 0.0, 0.0
        return sum(times) / len(times), times[min(int(len(times) * 0.99), len(times) - 1)]

    def to_json(self) -> dict[str, Any]:
        """The match as JSON; the error is None before the first deal."""
        rows = []
        for number, bot in enumerate(self.bots):
            (mean, error), (typical, longest) = self.score(number), self.thinking(number)
            known = error if self.deals else None  # JSON has no infinity.
            rows.append(
                {"bot": bot.name, "score": mean, "error": known, "ms_mean": typical * 1000, "ms_p99": longest * 1000}
            )
        return {
            "rules": self.rules.to_json(),
            "games": self.games,
            "joint": sum(deal.joint for deal in self.deals),
            "blocked": sum(deal.blocked for deal in self.deals),
            "games_a_second": self.games / self.seconds if self.seconds else 0.0,
            "bots": rows,
        }


def line_up(names: Sequence[str | int], players: int) -> tuple[Bot, ...]:
    """The named bots, with the last one filling the remaining seats.

    >>> [bot.name for bot in line_up(["5", "random"], 4)]
    ['dragon', 'random', 'random', 'random']
    """
    bots = [find(name) for name in names]
    if not bots:
        raise BotError("a match needs at least one bot")
    if not len(bots) <= players <= MAX_PLAYERS:
        raise BotError(
            f"every bot needs a seat, and a table has at most {MAX_PLAYERS} (bots: {len(bots)}, seats: {players})"
        )
    return tuple(bots + [bots[-1]] * (players - len(bots)))


def play(match: Match, games: int, seed: int, jobs: int = 1, progress: Callable[[int], None] = lambda _: None) -> Match:
    """Play at least this many games, in whole deals, and add them to the match. Ctrl-C keeps all finished deals."""
    from joblib import Parallel, delayed  # Loading joblib takes a tenth of a second, so we only do it here.

    start, seconds_before = perf_counter(), match.seconds
    players = len(match.bots)
    work = (
        delayed(play_deal)([bot.name for bot in match.bots], match.rules, f"{seed}/{number}")
        for number in range((games + players - 1) // players)
    )
    results: Iterator[DealResult] = Parallel(n_jobs=jobs, return_as="generator")(work)
    for deal in results:
        match.deals.append(deal)
        match.seconds = seconds_before + perf_counter() - start
        progress(match.games)
    return match


def play_deal(names: Sequence[str], rules: Rules, seed: str) -> DealResult:
    """Play one deal, once for each rotation of the bots around the table."""
    bots = [find(name) for name in names]
    players = len(bots)
    shares = [0.0] * players
    thinking: list[list[float]] = [[] for _ in bots]
    joint = blocked = 0
    for shift in range(players):
        game = Game.start(rules, [bot.name for bot in bots], seed)
        rng = Random(f"{seed}/{shift}")
        while not game.over:
            number = (game.seat + shift) % players
            view = game.view(game.seat)
            start = thread_time()
            action = bots[number].choose(view, rng)
            if len(view.actions) > 1:
                thinking[number].append(thread_time() - start)
            game = game.apply(action)
        for seat in game.winners:
            shares[(seat + shift) % players] += 1 / len(game.winners)
        joint += len(game.winners) > 1
        blocked += game.first_out is None
    return DealResult(tuple(share / players for share in shares), tuple(map(tuple, thinking)), players, joint, blocked)
