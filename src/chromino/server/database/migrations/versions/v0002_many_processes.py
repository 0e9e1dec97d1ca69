"""Many processes, clocks that outlive them, and ratings."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("games", sa.Column("turn_ends", sa.Double, nullable=True))
    op.add_column("games", sa.Column("due", sa.Double, nullable=True))
    op.add_column("games", sa.Column("process", sa.String(22), nullable=True))
    op.create_index("ix_games_due", "games", ["due"])
    op.create_index("ix_games_updated", "games", ["updated"])
    op.add_column("seats", sa.Column("away_since", sa.Double, nullable=True))
    op.add_column("seats", sa.Column("had_hint", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("listed_as", sa.String(40), nullable=True))
    op.create_table(
        "processes",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("has_stopped", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "presence",
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("process", sa.String(22), nullable=False),
        sa.PrimaryKeyConstraint("game", "person", "process", name="pk_presence"),
    )
    op.create_index("ix_presence_process", "presence", ["process"])
    op.create_table(
        "phrases",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.String(20), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_phrases"),
    )
    op.create_index("ix_phrases_at", "phrases", ["at"])
    op.create_table(
        "results",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("number", "seat", name="pk_results"),
        sa.UniqueConstraint("game", "seat", name="uq_results_game_seat"),
    )
    op.create_index("ix_results_player", "results", ["player"])
    op.create_table(
        "ratings",
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("family", "player", name="pk_ratings"),
    )
    op.create_index("ix_ratings_player", "ratings", ["player"])
    # Turns in progress get their full time again, because it wasn't stored before this version.
    limited = sa.text("UPDATE games SET turn_ends = :now + turn_limit, due = :now + turn_limit WHERE turn_limit > 0")
    op.execute(limited.bindparams(sa.bindparam("now", time.time(), sa.Double)))
    op.execute("UPDATE games SET due = NULL, turn_ends = NULL WHERE over")


def downgrade() -> None:
    for table in ("ratings", "results", "phrases", "presence", "processes"):
        op.drop_table(table)
    op.drop_index("ix_games_updated", "games")
    op.drop_index("ix_games_due", "games")
    for table, column in (
        ("people", "listed_as"),
        ("seats", "had_hint"),
        ("seats", "away_since"),
        ("games", "process"),
        ("games", "due"),
        ("games", "turn_ends"),
    ):
        op.drop_column(table, column)
