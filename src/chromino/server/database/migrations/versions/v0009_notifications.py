"""Notifications, with the browsers that get them and the key they're signed with; rematches on offer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("gatherings", sa.Column("offer_ends", sa.Double, nullable=True))
    op.create_index("ix_gatherings_offer_ends", "gatherings", ["offer_ends"])
    op.create_table(
        "push_browsers",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("timezone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=False),
        sa.Column("quiet_to", sa.Integer, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_push_browsers"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_push_browsers_person"),
    )
    op.create_index("ix_push_browsers_person", "push_browsers", ["person"])
    op.create_table(
        "notices",
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("due", sa.Double, nullable=True),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("browser", "game", name="pk_notices"),
        sa.ForeignKeyConstraint(["browser"], ["push_browsers.id"], name="fk_notices_browser"),
    )
    for column in ("game", "due", "expires"):
        op.create_index(f"ix_notices_{column}", "notices", [column])
    op.create_table(
        "site_keys",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_site_keys"),
    )


def downgrade() -> None:
    op.drop_index("ix_gatherings_offer_ends", "gatherings")
    op.drop_column("gatherings", "offer_ends")
    for table in ("site_keys", "notices", "push_browsers"):
        op.drop_table(table)
