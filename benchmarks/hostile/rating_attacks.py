"""Attacks on the ratings: does a program gain anything if it leaves, stays away or uses sock puppets?

Games are played with `chromino.seated`, in virtual time, and ratings are computed as on the server. A program as strong
as Snail plays rated games against built-in bots, which already have ratings from games with a crowd. Averaged over all
seeds, no attack may end more than two standard deviations above honest play.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool
from random import Random
from statistics import fmean, stdev

from benchmarks.engine import heading, print_table
from chromino import Game, Pass, Rules
from chromino.bots import find
from chromino.events import Event, Passed
from chromino.seated import Declined, Seat, SeatedGame, act, ask_for_hint, leave, move, next_automatic_action
from chromino.seated.rated_games import rated_players
from chromino.server.rating_model import Rating, Result, compute_ratings
from chromino.view import View

ME = "attacker"
OPPONENTS = ("snail", "hedgehog", "fox")
_CROWD = ("random", "snail", "greedy", "hedgehog", "fox", "fox")  # Each person plays like one of these bots.
_CROWD_GAMES = 30  # Per person.
_LIMIT = 60  # Seconds per turn.
_DEVIATIONS = 2  # How many standard deviations above honest play an attack may end.

Log = list[tuple[str, list[Result]]]
"""The rating family (such as "classic") and the results of each game, as on the server."""


@dataclass(frozen=True)
class Behavior:
    """How someone behaves in a rated game."""

    plays_like: str = "snail"
    leaves: bool = False
    """Leave when about to lose?"""
    stays_away: bool = False
    """Let a bot finish when about to lose?"""
    asks_for_hints: bool = False
    """Ask for hints when about to lose?"""
    returns_late: bool = False
    """Let a bot play, and come back when few tiles are left?"""
    shares_decisions: bool = False
    """Let a bot make as many decisions as allowed, up to a quarter, but never the last one?"""


HONEST = Behavior()


def play_rated(seed: str, me: str, behavior: Behavior, bot: str) -> list[Result]:
    """A rated game between a person and a bot, from the deal to the results."""
    rng, now = Random(seed), 0.0
    seats = (Seat(me, None), Seat(None, bot))
    game = Game.start(Rules.classic(), ["Me", "Bot"], seed=seed)
    table = SeatedGame.begin(seed, game, seats, now, aids=False, pace=False, turn_limit=_LIMIT, rated=True)
    bot_to_imitate = find(behavior.plays_like)
    while not table.game.over:
        is_mine = table.game.seat == 0 and table.game.actions() != [Pass()] and not table.seats[0].has_left
        if is_mine and not _is_absent(table, behavior):
            if behavior.leaves and _is_losing(table):
                table = leave(table, me, now).table
                continue
            view = _view_with_hint(table, me) if behavior.asks_for_hints and _is_losing(table) else table.game.view(0)
            action = bot_to_imitate.choose(view, rng)
            table = act(table, me, 0, str(action), table.version, f"action-{table.version}", now).table
            continue
        due = next_automatic_action(table)
        if due is None:
            raise AssertionError("a rated game always continues")
        now = max(now, due.at)
        table = move(table, due.bot.choose(table.game.view(table.game.seat), rng) if due.bot else Pass(), now).table
    return results_of(table)


def results_of(table: SeatedGame) -> list[Result]:
    """What the server stores about a game."""
    places = table.ranks or []
    return [Result(seat, player, places[seat]) for seat, player in rated_players(table.seats).items()]


def _is_losing(table: SeatedGame) -> bool:
    mine, other = (len(hand) for hand in table.game.hands)
    return other <= 2 and mine > other


def _is_absent(table: SeatedGame, behavior: Behavior) -> bool:
    if behavior.returns_late:
        return min(len(hand) for hand in table.game.hands) > 2
    if behavior.shares_decisions:
        mine = [
            action_id for event, action_id in zip(table.game.log, table.action_ids, strict=True) if _is_decision(event)
        ]
        can_end = min(len(hand) for hand in table.game.hands) <= 1
        return not can_end and 4 * (mine.count(None) + 1) <= len(mine) + 1
    return behavior.stays_away and _is_losing(table)


def _is_decision(event: Event) -> bool:
    """Is this a decision made by seat 0? Passes don't count."""
    return event.seat == 0 and not isinstance(event, Passed)


def _view_with_hint(table: SeatedGame, me: str) -> View:
    try:
        return ask_for_hint(table, me, table.version)
    except Declined:
        return table.game.view(0)


def against_puppet(puppet: str) -> list[Result]:
    """The results against a puppet that leaves right away. How the rest of the game goes doesn't matter."""
    return [Result(0, f"p:{ME}", 1), Result(1, f"p:{puppet}", 2)]


def crowd() -> Log:
    """The games that others have already played."""
    games = [(number, like, game) for game in range(_CROWD_GAMES) for number, like in enumerate(_CROWD)]
    return [
        (
            "classic",
            play_rated(f"crowd {number} {game}", f"person-{number}", Behavior(like), OPPONENTS[game % 3]),
        )
        for number, like, game in games
    ]


def my_games(seed: int, games: int, behavior: Behavior = HONEST) -> Log:
    return [("classic", play_rated(f"{seed} {number}", ME, behavior, OPPONENTS[number % 3])) for number in range(games)]


def honest_and(puppets: Callable[[int], Log], seed: int, games: int) -> Log:
    """Honest games, followed by games with puppets."""
    return [*my_games(seed, games), *puppets(games)]


def new_puppets(games: int) -> Log:
    return [("classic", against_puppet(f"puppet-{number}")) for number in range(5 * games)]


def one_puppet(games: int) -> Log:
    return [("classic", against_puppet("puppet")) for _ in range(5 * games)]


def ring(games: int) -> Log:
    """Puppets that all play each other first, then all lose to me."""
    names = [f"puppet-{number}" for number in range(20)]
    log: Log = []
    for name in names:
        for number, other in enumerate(names):
            if name < other:
                first, second = (1, 2) if number % 2 else (2, 1)
                log.append(("classic", [Result(0, f"p:{name}", first), Result(1, f"p:{other}", second)]))
    return [*log, *(("classic", against_puppet(names[number % 20])) for number in range(5 * games))]


@cache
def rated_puppets() -> Log:
    """Ten puppets that each play ten quick games against bots, so that games against them count."""
    names = [f"puppet-{number}" for number in range(10)]
    games = [(name, game) for name in names for game in range(10)]
    behavior = Behavior("random")
    return [("classic", play_rated(f"{name} {game}", name, behavior, OPPONENTS[game % 3])) for name, game in games]


def established(games: int) -> Log:
    return [*rated_puppets(), *(("classic", against_puppet(f"puppet-{number % 10}")) for number in range(5 * games))]


HONEST_PLAY = "plays honestly"
RUNS: dict[str, Callable[[int, int], Log]] = {
    HONEST_PLAY: my_games,
    "leaves when about to lose": partial(my_games, behavior=Behavior(leaves=True)),
    "stays away when about to lose": partial(my_games, behavior=Behavior(stays_away=True)),
    "asks for hints when about to lose": partial(my_games, behavior=Behavior(asks_for_hints=True)),
    "lets a bot play, and comes back for the end": partial(my_games, behavior=Behavior(returns_late=True)),
    "lets a bot make up to a quarter of the decisions": partial(my_games, behavior=Behavior(shares_decisions=True)),
    "also beats five new sock puppets per game": partial(honest_and, new_puppets),
    "also beats the same sock puppet, five times per game": partial(honest_and, one_puppet),
    "also beats a ring of twenty that played each other": partial(honest_and, ring),
    "also beats ten puppets that played ten games each": partial(honest_and, established),
    "beats new sock puppets only": lambda _seed, games: new_puppets(games),
}


def final_rating(task: tuple[str, int, int], before: Log) -> Rating:
    name, seed, games = task
    return compute_ratings([*before, *RUNS[name](seed, games)])["classic", f"p:{ME}"]


def final_ratings_of_runs(seeds: int, games: int, processes: int = 1) -> dict[str, list[Rating]]:
    """The final ratings of each run, by seed."""
    before = crowd()
    tasks = [(name, seed, games) for name in RUNS for seed in range(seeds)]
    work = partial(final_rating, before=before)
    if processes == 1:
        final_ratings = [work(task) for task in tasks]
    else:
        with Pool(processes) as pool:
            final_ratings = pool.map(work, tasks, chunksize=seeds)
    return {name: final_ratings[number * seeds : (number + 1) * seeds] for number, name in enumerate(RUNS)}


def highest_allowed(honest: Sequence[float]) -> float:
    """The highest rating an attack may reach."""
    return fmean(honest) + _DEVIATIONS * stdev(honest)


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.hostile.rating_attacks", description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="against bots, per seed")
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    ratings_by_run = final_ratings_of_runs(options.seeds, options.games, processes=2)
    honest = [rating.points for rating in ratings_by_run[HONEST_PLAY]]
    rows = []
    for name, ratings in ratings_by_run.items():
        rating = fmean(each.points for each in ratings)
        uncertainty = fmean(each.uncertainty for each in ratings)
        meets_goal = "yes" if rating <= highest_allowed(honest) else "NO"
        rows.append((name, f"{rating:.0f} ± {uncertainty:.0f}", str(max(each.points for each in ratings)), meets_goal))
    print(heading("two"))
    print_table(("a program that", "rating", "highest", "meets goal"), rows)
    limit = f"{fmean(honest):.0f} + {_DEVIATIONS} × {stdev(honest):.0f} ≈ {highest_allowed(honest):.0f}"
    print(f"\nNo attack may reach more than {limit} (before rounding).")
    if any(row[-1] != "yes" for row in rows):
        sys.exit("\nSome attacks gained too much.")


if __name__ == "__main__":
    main()
