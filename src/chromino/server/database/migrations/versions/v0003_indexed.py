"""Indexes for every query, gatherings as rows, wins counted as games end, and operators' bans with their log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from chromino.rules import Rules

revision = "0003"
down_revision = "0002"

_INDEXES = (
    ("people", "created"),
    ("devices", "person"),
    ("codes", "person"),
    ("codes", "expires"),
    ("games", "next_game"),
    ("games", "turn_ends"),
)
_GAMES_AT_ONCE = 500


def upgrade() -> None:
    for table, column in _INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
    for column in ("hidden", "banned"):
        op.add_column("people", sa.Column(column, sa.Boolean, nullable=False, server_default=sa.false()))
    _index_seats()
    _count_wins()
    _index_ratings()
    _split_gatherings()
    op.create_table(
        "audit",
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("operator", sa.String(64), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("person", sa.String(22), nullable=True),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("at", "id", name="pk_audit"),
    )


def _index_seats() -> None:
    op.add_column("seats", sa.Column("ended", sa.String(32), nullable=True))
    op.execute(
        "UPDATE seats SET ended = (SELECT updated FROM games WHERE id = seats.game)"
        " WHERE game IN (SELECT id FROM games WHERE over)"
    )
    op.drop_index("ix_seats_person", "seats")
    op.create_index("ix_seats_person_ended_game", "seats", ["person", "ended", "game"])


def _count_wins() -> None:
    tallies = op.create_table(
        "tallies",
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("preset", sa.String(20), nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "preset", name="pk_tallies"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_tallies_person"),
    )
    played: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for person, preset, has_won in _ended_games():
        played[person, preset] += 1
        won[person, preset] += has_won
    rows = [
        {"person": person, "preset": preset, "played": count, "won": won[person, preset]}
        for (person, preset), count in played.items()
    ]
    op.bulk_insert(tallies, rows)


def _ended_games() -> Iterator[tuple[str, str, bool]]:
    """Who played each finished game, with which preset, and whether they won. Games that can't be read are left out."""
    connection, last = op.get_bind(), ""
    games = sa.text("SELECT id, header, digest FROM games WHERE id > :last AND over ORDER BY id LIMIT :most")
    seats = sa.text("SELECT game, seat, person FROM seats WHERE person IS NOT NULL AND game IN :games")
    seats = seats.bindparams(sa.bindparam("games", expanding=True))
    while page := connection.execute(games, {"last": last, "most": _GAMES_AT_ONCE}).all():
        last = page[-1].id
        people: dict[str, dict[str, set[int]]] = {}
        for row in connection.execute(seats, {"games": [row.id for row in page]}):
            people.setdefault(row.game, {}).setdefault(row.person, set()).add(row.seat)
        for row in page:
            try:
                preset = Rules.from_json(json.loads(row.header)["rules"]).name or ""
                winners = set(json.loads(row.digest)["winners"])
            except (ValueError, KeyError, TypeError):
                continue
            for person, mine in people.get(row.id, {}).items():
                yield person, preset, bool(mine & winners)


def _index_ratings() -> None:
    op.add_column("ratings", sa.Column("certain", sa.Double, nullable=False, server_default="0"))
    op.add_column("ratings", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE ratings SET certain = mu - 3 * sigma")
    listed = "SELECT 'p:' || id FROM people WHERE listed_as IS NOT NULL"
    op.execute(f"UPDATE ratings SET listed = TRUE WHERE player LIKE 'b:%' OR player IN ({listed})")  # noqa: S608
    op.create_index("ix_ratings_family_listed_certain", "ratings", ["family", "listed", "certain"])


def _split_gatherings() -> None:
    """Turn gatherings from JSON text into rows. Those that can't be read, or whose host is gone, are dropped."""
    connection = op.get_bind()
    stored = connection.execute(sa.text("SELECT * FROM gatherings")).all()
    people = set(connection.scalars(sa.text("SELECT id FROM people"))) if stored else set()
    op.drop_table("gatherings")
    gatherings = op.create_table(
        "gatherings",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("host", sa.String(22), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("first", sa.Integer, nullable=True),
        sa.Column("aids", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Boolean, nullable=False),
        sa.Column("watch", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("turn_limit", sa.Integer, nullable=True),
        sa.Column("in_lobby", sa.Boolean, nullable=False),
        sa.Column("visited", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_gatherings"),
        sa.ForeignKeyConstraint(["host"], ["people.id"], name="fk_gatherings_host"),
    )
    op.create_index("ix_gatherings_host", "gatherings", ["host"])
    op.create_index("ix_gatherings_updated", "gatherings", ["updated"])
    lobby = ["in_lobby", "visited", "updated"]
    op.create_index("ix_gatherings_in_lobby_visited_updated", "gatherings", lobby)
    chairs = op.create_table(
        "chairs",
        sa.Column("gathering", sa.String(22), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(6), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("person", sa.String(22), nullable=True),
        sa.Column("level", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("gathering", "seat", name="pk_chairs"),
        sa.ForeignKeyConstraint(["gathering"], ["gatherings.id"], name="fk_chairs_gathering"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_chairs_person"),
    )
    op.create_index("ix_chairs_person", "chairs", ["person"])
    for row in stored:
        try:
            parts = _rows_of(row, people)
        except (ValueError, KeyError, TypeError):
            continue
        if parts is not None:
            op.bulk_insert(gatherings, [parts[0]])
            op.bulk_insert(chairs, parts[1])


def _rows_of(row: Any, people: set[str]) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    data = json.loads(row.gathering)
    if data["host"] not in people:
        return None
    gathering = {
        "id": row.id,
        "version": row.version,
        "host": data["host"],
        "rules": json.dumps(data["rules"], separators=(",", ":")),
        "first": data["first"],
        **{name: data[name] for name in ("aids", "pace", "watch", "public", "turn_limit")},
        "in_lobby": bool(row.public),
        "updated": row.updated,
    }
    chairs = []
    for seat, chair in enumerate(data["chairs"]):
        is_gone = chair["person"] is not None and chair["person"] not in people
        kept = {"kind": "free", "name": "", "person": None, "level": None} if is_gone else chair
        chairs.append({"gathering": row.id, "seat": seat, **{name: kept[name] for name in _CHAIR}})
    return gathering, chairs


_CHAIR = ("kind", "name", "person", "level")


def downgrade() -> None:
    op.drop_table("audit")
    _join_gatherings()
    op.drop_index("ix_ratings_family_listed_certain", "ratings")
    op.drop_column("ratings", "listed")
    op.drop_column("ratings", "certain")
    op.drop_table("tallies")
    op.drop_index("ix_seats_person_ended_game", "seats")
    op.create_index("ix_seats_person", "seats", ["person"])
    op.drop_column("seats", "ended")
    for column in ("hidden", "banned"):
        op.drop_column("people", column)
    for table, column in _INDEXES:
        op.drop_index(f"ix_{table}_{column}", table)


def _join_gatherings() -> None:
    connection = op.get_bind()
    stored = connection.execute(sa.text("SELECT * FROM gatherings")).all()
    chairs: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(sa.text("SELECT * FROM chairs ORDER BY gathering, seat")):
        chairs.setdefault(row.gathering, []).append({name: getattr(row, name) for name in _CHAIR})
    op.drop_table("chairs")
    op.drop_table("gatherings")
    table = op.create_table(
        "gatherings",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.Column("gathering", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_gatherings"),
    )
    rows = []
    for row in stored:
        data = {
            "id": row.id,
            "host": row.host,
            "chairs": chairs.get(row.id, []),
            "rules": json.loads(row.rules),
            "first": row.first,
            **{name: bool(getattr(row, name)) for name in ("aids", "pace", "watch", "public")},
            "turn_limit": row.turn_limit,
            "version": row.version,
        }
        rows.append(
            {
                "id": row.id,
                "version": row.version,
                "public": bool(row.in_lobby),
                "updated": row.updated,
                "gathering": json.dumps(data, ensure_ascii=False, separators=(",", ":")),
            }
        )
    op.bulk_insert(table, rows)
