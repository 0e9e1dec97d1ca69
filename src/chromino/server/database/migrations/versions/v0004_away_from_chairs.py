"""Since when people are away from the tables where they gather."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("chairs", sa.Column("away_since", sa.Double, nullable=True))


def downgrade() -> None:
    op.drop_column("chairs", "away_since")
