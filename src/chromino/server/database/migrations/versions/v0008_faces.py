"""People's faces."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_TABLES = ("people", "chairs", "seats")


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("face", sa.String(20), nullable=True))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "face")
