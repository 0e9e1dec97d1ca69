"""Games that say whether they're rated, people who declare that they're programs, and ratings with new weights."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import sqlalchemy as sa
from alembic import op
from openskill.models import PlackettLuce

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for table, column in (("people", "is_program"), ("gatherings", "rated"), ("games", "rated"), ("ratings", "is_bot")):
        op.add_column(table, sa.Column(column, sa.Boolean, nullable=False, server_default=sa.false()))
    op.drop_column("seats", "had_hint")
    op.drop_index("ix_results_player", "results")
    op.create_index("ix_results_player_number", "results", ["player", "number"])
    op.execute("UPDATE ratings SET is_bot = TRUE WHERE player LIKE 'b:%'")
    op.drop_index("ix_ratings_family_listed_certain", "ratings")
    columns = ["family", "is_bot", "listed", "certain"]
    op.create_index("ix_ratings_family_is_bot_listed_certain", "ratings", columns)
    _write(_recomputed())


# Ratings as this version computed them: `chromino.server.rating_model` may have changed since.


_model = PlackettLuce()


class _Rating(NamedTuple):
    mu: float = _model.mu
    sigma: float = _model.sigma


def _recomputed() -> dict[tuple[str, str], _Rating]:
    ratings: dict[tuple[str, str], _Rating] = {}
    latest: defaultdict[str, deque[list[str]]] = defaultdict(lambda: deque(maxlen=100))
    for family, places in _results():
        before = {player: ratings.get((family, player), _Rating()) for player in places}
        met = {player: Counter(other for others in latest[player] for other in others) for player in places}
        for player in places:
            weights = {other: _weight(other, before[other], met[player][other]) for other in places}
            ratings[family, player] = _moved(player, before, places, weights)
        for player in places:
            latest[player].append([other for other in places if other != player])
    return ratings


def _weight(opponent: str, rating: _Rating, met: int) -> float:
    known = max(0.001, (1 - (rating.sigma / _model.sigma) ** 2) ** 2) if rating.sigma < _model.sigma else 0.001
    return 1.0 if opponent.startswith("b:") else known / (1 + met) ** 2


def _moved(player: str, before: dict[str, _Rating], places: dict[str, int], weights: dict[str, float]) -> _Rating:
    """A player's rating after a game. Opponents with a low weight count for only part of the change."""
    mu, sigma = before[player]
    level = 0.0
    for weight in sorted({weights[other] for other in places if other != player}):
        counted = [other for other in places if other == player or weights[other] >= weight]
        teams = [[_model.rating(mu=before[other].mu, sigma=before[other].sigma)] for other in counted]
        ranks = [float(places[other]) for other in counted]
        (new,) = _model.rate(teams, ranks=ranks)[counted.index(player)]
        mu += (weight - level) * (new.mu - before[player].mu)
        sigma += (weight - level) * (new.sigma - before[player].sigma)
        level = weight
    return _Rating(mu, sigma)


def _results() -> Iterator[tuple[str, dict[str, int]]]:
    """Each game's family, and the rank of each player, in the order of the seats."""
    query = sa.text("SELECT number, seat, family, player, place FROM results ORDER BY number, seat")
    for _, group in groupby(op.get_bind().execute(query).all(), key=lambda row: row.number):
        seats = list(group)
        yield seats[0].family, {row.player: row.place for row in seats}


def _write(ratings: dict[tuple[str, str], _Rating]) -> None:
    """Update the ratings of all players who already have one."""
    change = sa.text(
        "UPDATE ratings SET mu = :mu, sigma = :sigma, certain = :certain WHERE family = :family AND player = :player"
    )
    rows = [
        {
            "family": family,
            "player": player,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "certain": rating.mu - 3 * rating.sigma,
        }
        for (family, player), rating in ratings.items()
    ]
    if rows:
        op.get_bind().execute(change, rows)


def downgrade() -> None:
    """Leave the ratings as they are. The older version can recompute them: `chromino admin ratings --rebuild`."""
    op.drop_index("ix_ratings_family_is_bot_listed_certain", "ratings")
    op.create_index("ix_ratings_family_listed_certain", "ratings", ["family", "listed", "certain"])
    op.drop_index("ix_results_player_number", "results")
    op.create_index("ix_results_player", "results", ["player"])
    op.add_column("seats", sa.Column("had_hint", sa.Boolean, nullable=False, server_default=sa.false()))
    for table, column in (("ratings", "is_bot"), ("games", "rated"), ("gatherings", "rated"), ("people", "is_program")):
        op.drop_column(table, column)
