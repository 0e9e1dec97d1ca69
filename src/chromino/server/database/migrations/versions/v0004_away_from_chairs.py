"""When people went away from a gathering."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("chairs", sa.Column("away_since", sa.Double, nullable=True))
    away = sa.text(
        "UPDATE chairs SET away_since = :now WHERE person IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM presence WHERE presence.game = chairs.gathering AND presence.person = chairs.person)"
    )
    op.get_bind().execute(away, {"now": time.time()})


def downgrade() -> None:
    op.drop_column("chairs", "away_since")
