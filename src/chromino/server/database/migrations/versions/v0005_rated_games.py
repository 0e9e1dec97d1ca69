"""Games that are rated or not from the start, people who said that they are bots, and ratings by the new weights."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import sqlalchemy as sa
from alembic import op

from chromino.server.rating_model import Rating, Result, add_up

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
    by = ["family", "is_bot", "listed", "certain"]
    op.create_index("ix_ratings_family_is_bot_listed_certain", "ratings", by)
    _write(add_up(_results()))


def _results() -> Iterator[tuple[str, list[Result]]]:
    query = sa.text("SELECT number, seat, family, player, place FROM results ORDER BY number, seat")
    for _, group in groupby(op.get_bind().execute(query).all(), key=lambda row: row.number):
        seats = list(group)
        yield seats[0].family, [Result(row.seat, row.player, row.place) for row in seats]


def _write(found: dict[tuple[str, str], Rating]) -> None:
    """The same players as before, with other numbers."""
    change = sa.text(
        "UPDATE ratings SET mu = :mu, sigma = :sigma, certain = :certain WHERE family = :family AND player = :player"
    )
    rows = [
        {"family": family, "player": player, "mu": rating.mu, "sigma": rating.sigma, "certain": rating.certain}
        for (family, player), rating in found.items()
    ]
    if rows:
        op.get_bind().execute(change, rows)


def downgrade() -> None:
    """Ratings keep their numbers; `chromino admin ratings --rebuild` of that version computes them in its own way."""
    op.drop_index("ix_ratings_family_is_bot_listed_certain", "ratings")
    op.create_index("ix_ratings_family_listed_certain", "ratings", ["family", "listed", "certain"])
    op.drop_index("ix_results_player_number", "results")
    op.create_index("ix_results_player", "results", ["player"])
    op.add_column("seats", sa.Column("had_hint", sa.Boolean, nullable=False, server_default=sa.false()))
    for table, column in (("ratings", "is_bot"), ("games", "rated"), ("gatherings", "rated"), ("people", "is_program")):
        op.drop_column(table, column)
