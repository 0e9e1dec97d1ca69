"""People, games, seats and events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("secret_hash", name="uq_people_secret_hash"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("aids", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Boolean, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("person", sa.String(22), nullable=True),
        sa.Column("bot", sa.String(20), nullable=True),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_seats_person"),
    )
    op.create_index("ix_seats_person", "seats", ["person"])
    op.create_table(
        "events",
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("action_id", sa.String(64), nullable=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_events_game"),
        sa.UniqueConstraint("game", "action_id", name="uq_events_game_action_id"),
    )


def downgrade() -> None:
    for table in ("events", "seats", "games", "people"):
        op.drop_table(table)
