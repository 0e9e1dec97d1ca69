"""People you've played with, whom you can hide, forget or invite; people looking for someone to play with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "acquaintances",
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("other", sa.String(22), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("forgotten", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("person", "other", name="pk_acquaintances"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_acquaintances_person"),
        sa.ForeignKeyConstraint(["other"], ["people.id"], name="fk_acquaintances_other"),
    )
    op.create_index("ix_acquaintances_other", "acquaintances", ["other"])
    op.create_table(
        "invitations",
        sa.Column("gathering", sa.String(22), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("host", sa.String(22), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("gathering", "person", name="pk_invitations"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_invitations_person"),
        sa.ForeignKeyConstraint(["host"], ["people.id"], name="fk_invitations_host"),
    )
    for columns in (["person", "at"], ["host", "at"], ["at"]):
        op.create_index(f"ix_invitations_{'_'.join(columns)}", "invitations", columns)
    op.create_table(
        "seekers",
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("wants", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("face", sa.String(20), nullable=True),
        sa.Column("rating", sa.Double, nullable=True),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("game", sa.String(22), nullable=True),
        sa.Column("paired", sa.Double, nullable=True),
        sa.PrimaryKeyConstraint("person", name="pk_seekers"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_seekers_person"),
    )
    op.create_index("ix_seekers_wants_seen", "seekers", ["wants", "seen"])
    op.create_index("ix_seekers_seen", "seekers", ["seen"])


def downgrade() -> None:
    for table in ("seekers", "invitations", "acquaintances"):
        op.drop_table(table)
