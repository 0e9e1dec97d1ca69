"""Joint deals: commitments and parts in gatherings, and how each game was dealt."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("gatherings", sa.Column("entropy", sa.String(32), nullable=False, server_default="0"))
    op.add_column("gatherings", sa.Column("round", sa.Integer, nullable=False, server_default="0"))
    op.add_column("gatherings", sa.Column("dealing", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("chairs", sa.Column("commitment", sa.String(64), nullable=True))
    op.add_column("chairs", sa.Column("part", sa.String(32), nullable=True))
    op.add_column("games", sa.Column("deal", sa.String(6), nullable=False, server_default="server"))
    gatherings = sa.table("gatherings", sa.column("id"), sa.column("entropy"))
    connection = op.get_bind()
    for name in connection.scalars(sa.select(gatherings.c.id)).all():
        change = sa.update(gatherings).where(gatherings.c.id == name)
        connection.execute(change.values(entropy=secrets.token_hex(16)))


def downgrade() -> None:
    op.drop_column("games", "deal")
    for column in ("part", "commitment"):
        op.drop_column("chairs", column)
    for column in ("dealing", "round", "entropy"):
        op.drop_column("gatherings", column)
