"""People who come after the deal: they take over a bot's seat, or wait for the rematch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_TABLES = ("gatherings", "games")


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("latecomers", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("taken_at", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "waiting",
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("face", sa.String(20), nullable=True),
        sa.Column("since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", "person", name="pk_waiting"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_waiting_game"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_waiting_person"),
    )
    op.create_index("ix_waiting_person_since", "waiting", ["person", "since"])


def downgrade() -> None:
    op.drop_table("waiting")
    op.drop_column("seats", "taken_at")
    for table in _TABLES:
        op.drop_column(table, "latecomers")
