"""How ratings are computed: OpenSkill's Plackett–Luce model, and how much each opponent counts. No database needed.

Ratings follow from the results alone, in order. Opponents with uncertain ratings count little, and so do opponents you
meet again and again.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

RECENT_GAMES = 100
"""How many of a player's latest games we search for repeat opponents; the limit keeps updates fast."""

_model = PlackettLuce()
_MIN_WEIGHT = 0.001  # How much a brand-new opponent counts.
_SCALE = 40  # Our points per OpenSkill point: a new player has 1000 ± 1000.
_DEVIATIONS = 3  # Standard deviations in the interval we show; its lower end is OpenSkill's ordinal.


class Result(NamedTuple):
    """A player's rank in a game."""

    seat: int
    player: str
    """`p:` and a person's id, `b:` and a bot's name, or `g:` and random text for someone who was erased."""
    rank: int
    """1 is the best; ties share a rank."""


class Rating(NamedTuple):
    """How strong a player seems to be, and how certain that is."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0

    @property
    def ordinal(self) -> float:
        """OpenSkill's ordinal, which leaderboards are sorted by."""
        return self.mu - _DEVIATIONS * self.sigma

    @property
    def points(self) -> int:
        """The rating that people see."""
        return round(_SCALE * self.mu)

    @property
    def uncertainty(self) -> int:
        """The true value is almost certainly within this many points."""
        return round(_SCALE * _DEVIATIONS * self.sigma)

    @property
    def certainty(self) -> float:
        """How certain the rating is, from nearly 0 to nearly 1: how much a first result against this player counts."""
        if self.sigma >= _model.sigma:
            return _MIN_WEIGHT
        return max(_MIN_WEIGHT, (1 - (self.sigma / _model.sigma) ** 2) ** 2)


def updated_ratings(
    before: Mapping[str, Rating], results: Sequence[Result], met: Mapping[str, Mapping[str, int]]
) -> dict[str, Rating]:
    """The ratings of a game's players after the game; `met` says how often each has met each of the others recently.

    An opponent who counts for little takes part in only a slice of the game. In this model, how some of the players
    rank against each other doesn't depend on who else plays, so we can update a rating slice by slice: the first slice
    has all opponents, the next one leaves out those who count least, and so on. If all opponents count fully, the
    result is the same as in the original model.
    """
    players = [result.player for result in results]
    ranks = {result.player: float(result.rank) for result in results}
    cache: dict[tuple[str, ...], dict[str, tuple[float, float]]] = {}

    def rated_among(group: tuple[str, ...]) -> dict[str, tuple[float, float]]:
        if group not in cache:
            teams = [[_model.rating(mu=before[player].mu, sigma=before[player].sigma)] for player in group]
            new = _model.rate(teams, ranks=[ranks[player] for player in group])
            cache[group] = {player: (rating.mu, rating.sigma) for player, (rating,) in zip(group, new, strict=True)}
        return cache[group]

    def new_rating(player: str) -> Rating:
        mu, sigma, games = before[player]
        weights = {other: _weight(other, before[other], met[player].get(other, 0)) for other in players}
        level = 0.0
        for weight in sorted({weights[other] for other in players if other != player}):
            group = tuple(other for other in players if other == player or weights[other] >= weight)
            new_mu, new_sigma = rated_among(group)[player]
            mu += (weight - level) * (new_mu - before[player].mu)
            sigma += (weight - level) * (new_sigma - before[player].sigma)
            level = weight
        return Rating(mu, sigma, games + 1)

    return {player: new_rating(player) for player in players}


def _weight(opponent: str, rating: Rating, met: int) -> float:
    """How much a result against this opponent counts, from 0 to 1. Built-in bots don't change, so they count fully."""
    return 1.0 if opponent.startswith("b:") else rating.certainty / (1 + met) ** 2


def compute_ratings(results: Iterable[tuple[str, Sequence[Result]]]) -> dict[tuple[str, str], Rating]:
    """All ratings, by family and player, computed from each game's family and results in order."""
    ratings: dict[tuple[str, str], Rating] = {}
    opponents: defaultdict[str, deque[list[str]]] = defaultdict(lambda: deque(maxlen=RECENT_GAMES))
    for family, game in results:
        players = [result.player for result in game]
        met = {player: Counter(other for others in opponents[player] for other in others) for player in players}
        before = {player: ratings.get((family, player), Rating()) for player in players}
        for player, rating in updated_ratings(before, game, met).items():
            ratings[family, player] = rating
        for player in players:
            opponents[player].append([other for other in players if other != player])
    return ratings
