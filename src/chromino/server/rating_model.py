"""The numbers of ratings: OpenSkill's Plackett–Luce, and how much each opponent counts. Nothing here knows a database.

All of it follows from the results, in their order: an opponent of whom little is known counts little, and so does one
met again and again.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

LATEST = 100
"""So many of a player's latest games are looked at for meetings, so that one more result never takes long."""

_model = PlackettLuce()
_LITTLE = 0.001  # What a brand-new opponent counts.
_SCALE = 40  # Points for one of OpenSkill's: who is new has 1000 ± 1000.
_DEVIATIONS = 3  # How many make the interval that is shown; its lower end is OpenSkill's ordinal.


class Result(NamedTuple):
    """Who ended where in a game."""

    seat: int
    player: str
    """`p:` and a person's id, `b:` and a bot's name, or `g:` and something random for someone who was erased."""
    place: int
    """1 is the best; equal for those who share it."""


class Rating(NamedTuple):
    """How strong a player is thought to be, and how sure that is."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0

    @property
    def certain(self) -> float:
        """OpenSkill's ordinal, by which leaderboards are sorted."""
        return self.mu - _DEVIATIONS * self.sigma

    @property
    def points(self) -> int:
        """The rating as people read it."""
        return round(_SCALE * self.mu)

    @property
    def uncertainty(self) -> int:
        """By how much the points may be wrong: hardly ever by more."""
        return round(_SCALE * _DEVIATIONS * self.sigma)

    @property
    def known(self) -> float:
        """How much is known of a player, from nearly 0 to nearly 1: what a result against them is worth."""
        return max(_LITTLE, (1 - (self.sigma / _model.sigma) ** 2) ** 2) if self.sigma < _model.sigma else _LITTLE


def after(
    before: Mapping[str, Rating], results: Sequence[Result], met: Mapping[str, Mapping[str, int]]
) -> dict[str, Rating]:
    """The ratings of a game's players after it; `met`: how often each met each other one lately.

    Opponents that count little take part in a slice of the game only. In this model, how some of the players end
    against each other doesn't depend on who else plays, so a player's rating moves by slices: the thinnest with all
    opponents, the next without those that count least, and so on. If all count fully, that's the model as it is.
    """
    players = [result.player for result in results]
    places = {result.player: float(result.place) for result in results}
    rated: dict[tuple[str, ...], dict[str, tuple[float, float]]] = {}

    def among(some: tuple[str, ...]) -> dict[str, tuple[float, float]]:
        if some not in rated:
            teams = [[_model.rating(mu=before[player].mu, sigma=before[player].sigma)] for player in some]
            new = _model.rate(teams, ranks=[places[player] for player in some])
            rated[some] = {player: (one.mu, one.sigma) for player, (one,) in zip(some, new, strict=True)}
        return rated[some]

    def moved(player: str) -> Rating:
        mu, sigma, games = before[player]
        weights = {other: _weight(other, before[other], met[player].get(other, 0)) for other in players}
        level = 0.0
        for weight in sorted({weights[other] for other in players if other != player}):
            some = tuple(other for other in players if other == player or weights[other] >= weight)
            to_mu, to_sigma = among(some)[player]
            mu += (weight - level) * (to_mu - before[player].mu)
            sigma += (weight - level) * (to_sigma - before[player].sigma)
            level = weight
        return Rating(mu, sigma, games + 1)

    return {player: moved(player) for player in players}


def _weight(opponent: str, rating: Rating, met: int) -> float:
    """What a result against this opponent counts, from 0 to 1. Built-in bots are what they are, so they count fully."""
    return 1.0 if opponent.startswith("b:") else rating.known / (1 + met) ** 2


def add_up(results: Iterable[tuple[str, Sequence[Result]]]) -> dict[tuple[str, str], Rating]:
    """All ratings by family and player, from the family and results of each game, in their order."""
    found: dict[tuple[str, str], Rating] = {}
    latest: defaultdict[str, deque[list[str]]] = defaultdict(lambda: deque(maxlen=LATEST))
    for family, game in results:
        players = [result.player for result in game]
        met = {player: Counter(other for others in latest[player] for other in others) for player in players}
        before = {player: found.get((family, player), Rating()) for player in players}
        for player, rating in after(before, game, met).items():
            found[family, player] = rating
        for player in players:
            latest[player].append([other for other in players if other != player])
    return found
