"""Recovery codes, and a clock that doesn't jump."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0004"


def upgrade() -> None:
    clock = op.create_table(
        "clock",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("ahead", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock"),
    )
    op.bulk_insert(clock, [{"id": 1, "ahead": 0.0}])


def downgrade() -> None:
    op.drop_table("clock")
