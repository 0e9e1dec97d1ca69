"""`clock` stores when the site last ran, so `processes` needs only ids. Phrases aren't stored anymore."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("clock", sa.Column("ran", sa.Double, nullable=True))
    op.execute("UPDATE clock SET ran = (SELECT max(seen) FROM processes)")
    op.drop_table("processes")
    op.create_table(
        "processes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.drop_index("ix_presence_process", "presence")
    op.drop_table("phrases")


def downgrade() -> None:
    op.create_table(
        "phrases",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.String(20), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_phrases"),
    )
    op.create_index("ix_phrases_at", "phrases", ["at"])
    op.create_index("ix_presence_process", "presence", ["process"])
    op.drop_table("processes")
    processes = op.create_table(
        "processes",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("has_stopped", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    ran = op.get_bind().scalar(sa.text("SELECT ran FROM clock"))
    if ran is not None:
        op.bulk_insert(processes, [{"id": "0", "seen": ran, "has_stopped": True}])
    op.drop_column("clock", "ran")
