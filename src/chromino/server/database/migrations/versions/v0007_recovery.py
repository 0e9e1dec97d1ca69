"""Recovery codes, a number for the network that each gathering was opened from, and a clock that doesn't jump."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("people", sa.Column("recovery_hash", sa.String(64), nullable=True))
    op.add_column("people", sa.Column("recovery_made", sa.String(32), nullable=True))
    op.create_index("ix_people_recovery_hash", "people", ["recovery_hash"], unique=True)
    op.add_column("gatherings", sa.Column("origin", sa.Integer, nullable=False, server_default="0"))
    op.create_index("ix_gatherings_origin", "gatherings", ["origin"])
    clock = op.create_table(
        "clock",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("ahead", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock"),
    )
    op.bulk_insert(clock, [{"id": 1, "ahead": 0.0}])


def downgrade() -> None:
    op.drop_table("clock")
    op.drop_index("ix_gatherings_origin", "gatherings")
    op.drop_column("gatherings", "origin")
    op.drop_index("ix_people_recovery_hash", "people")
    op.drop_column("people", "recovery_made")
    op.drop_column("people", "recovery_hash")
