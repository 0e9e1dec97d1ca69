"""People with their devices, gatherings, games, seats and events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
    )
    op.create_table(
        "devices",
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_devices"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_devices_person"),
    )
    op.create_table(
        "codes",
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("expires", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_codes"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_codes_person"),
    )
    op.create_table(
        "solved",
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("grade", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "day", "grade", name="pk_solved"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_solved_person"),
    )
    op.create_table(
        "gatherings",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.Column("gathering", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_gatherings"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("aids", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Boolean, nullable=False),
        sa.Column("watch", sa.Boolean, nullable=False),
        sa.Column("turn_limit", sa.Integer, nullable=True),
        sa.Column("next_game", sa.String(22), nullable=True),
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
        sa.Column("has_left", sa.Boolean, nullable=False),
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
    for table in ("events", "seats", "games", "gatherings", "solved", "codes", "devices", "people"):
        op.drop_table(table)
