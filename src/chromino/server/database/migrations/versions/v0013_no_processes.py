"""PostgreSQL's list of locks says which processes are alive, so there's no table of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.drop_table("processes")


def downgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
