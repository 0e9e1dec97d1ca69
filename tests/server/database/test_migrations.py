"""A database that a server of version 1.0 left behind: everything is still there after the migration."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import Connection, inspect, select

from chromino.messages.people import Listed
from chromino.server.database import schema
from chromino.server.database.database_urls import StoreError
from chromino.server.database.gatherings import read_gatherings
from chromino.server.database.store import Store
from chromino.server.people import ratings
from tests.server.sites.databases import Database, in_store
from tests.server.sites.full_databases import (
    admin,
    assert_one_line,
    back_up,
    done,
    faults,
    in_unmigrated_store,
    put_back,
)

OLD = Path(__file__).parent / "data" / "version-1.0.sqlite.gz"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.sqlite"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    return path


def rows_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table, as SQLite itself reads them."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}  # noqa: S608


def test_migrating_loses_nothing(old: Path) -> None:
    before = rows_of(old)
    in_store(old, lambda store: store.ping())
    after = rows_of(old)
    for row in before["seats"]:
        del row["had_hint"]
    for table in ("people", "devices", "codes", "solved", "games", "seats", "events", "results"):
        assert [{name: row[name] for name in before[table][0]} for row in after[table]] == before[table], table
    assert not any(row["rated"] for row in after["games"])
    ended = {row["id"]: row["updated"] for row in before["games"] if row["over"]}
    assert {row["game"]: row["ended"] for row in after["seats"] if row["ended"]} == ended
    played = Counter(row["person"] for row in after["tallies"] for _ in range(row["played"]))
    mine = {(row["person"], row["game"]) for row in before["seats"] if row["person"] and row["game"] in ended}
    assert played == Counter(person for person, _ in mine)
    assert faults(old) == []


def test_gatherings_stay_the_same(old: Path) -> None:
    before = {row["id"]: json.loads(row["gathering"]) for row in rows_of(old)["gatherings"]}

    async def look(store: Store) -> dict[str, Any]:
        found = await store.read(lambda connection: read_gatherings(connection, sorted(before)))
        return {one.id: one for one in found}

    after = in_store(old, look)
    assert after.keys() == before.keys()
    for name, gathering in after.items():
        assert gathering.rules.to_json() == before[name]["rules"]
        for field in ("host", "first", "aids", "pace", "watch", "public", "turn_limit", "version"):
            assert getattr(gathering, field) == before[name][field]
        chairs = [
            {field: getattr(chair, field) for field in ("kind", "name", "person", "level")}
            for chair in gathering.chairs
        ]
        assert chairs == before[name]["chairs"]
        assert all((chair.away_since is None) == (chair.person is None) for chair in gathering.chairs)


def test_the_leaderboard_stays_the_same(old: Path) -> None:
    def boards(connection: Connection) -> list[tuple[int, str, str | None]]:
        lines = [line for kind in get_args(Listed) for line in ratings.best("classic", kind)(connection)]
        return [(line.rank, line.player[:2], line.name) for line in lines]

    assert in_store(old, lambda store: store.read(boards)) == [(1, "p:", "Bob"), (1, "b:", "snail")]
    assert in_store(old, lambda store: store.read(ratings.differences)) == []


def test_upgrading_and_downgrading_restores_the_rows(old: Path) -> None:
    before = rows_of(old)
    in_store(old, lambda store: store.ping())
    in_store(old, lambda store: store.ping(), "0002")
    after = rows_of(old)
    for rows in (before, after):
        rows["alembic_version"].clear()
        for process in rows["processes"]:
            del process["id"]  # Every start has a new one.
        for rating in rows["ratings"]:
            del rating["mu"], rating["sigma"]  # Version 1.0 computes ratings differently.
        rows["gatherings"] = [
            {**row, "gathering": json.loads(row["gathering"])}
            for row in sorted(rows["gatherings"], key=lambda row: row["id"])
        ]
    assert after == before


def test_a_backup_of_version_1_0_can_be_restored_into_any_database(old: Path, blank: Database, file: Path) -> None:
    in_unmigrated_store(old, lambda store: store.ping())
    back_up(old, file)
    put_back(blank, file)
    assert faults(blank) == []

    def count(connection: Connection) -> list[int]:
        tables = (schema.games, schema.events, schema.gatherings, schema.chairs, schema.tallies)
        return [len(connection.execute(select(table)).all()) for table in tables]

    found = in_store(blank, lambda store: store.read(count))
    assert found == in_store(old, lambda store: store.read(count))
    assert all(found)


def test_a_new_database_has_the_same_schema_as_a_migrated_one(blank: Database) -> None:
    """Compares the columns, constraints, indexes and rows of every table."""

    def shape(connection: Connection) -> dict[str, dict[str, Any]]:
        found = inspect(connection)
        return {
            table: {
                "columns": sorted(
                    (column["name"], str(column["type"]), column["nullable"], column["default"])
                    for column in found.get_columns(table)
                ),
                "primary key": found.get_pk_constraint(table),
                "foreign keys": sorted(found.get_foreign_keys(table), key=str),
                "unique": sorted(found.get_unique_constraints(table), key=str),
                "indexes": sorted(found.get_indexes(table), key=str),
                "rows": sorted(map(str, connection.exec_driver_sql(f"SELECT * FROM {table}"))),  # noqa: S608
            }
            for table in found.get_table_names()
        }

    def clear(connection: Connection) -> None:
        schema.metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")

    in_store(blank, lambda store: store.ping(), "0001")
    migrated = in_store(blank, lambda store: store.read(shape))
    in_store(blank, lambda store: store.write(clear))
    assert in_store(blank, lambda store: store.read(shape)) == migrated


def before_version_1(path: Path) -> None:
    """A database from before version 1.0 was finished: the first revision without the tables added later."""
    in_store(path, lambda store: store.ping(), "0001")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE gatherings")


def test_a_database_from_before_version_1_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "ancient.sqlite"
    before_version_1(path)
    with pytest.raises(StoreError, match=r"from before version 1\.0"):
        in_store(path, lambda store: store.ping())
    for command in ("verify", "backup"):
        words = [command, *([str(tmp_path / "out.gz")] if command == "backup" else [])]
        assert_one_line(admin(*words, database=path), "from before version 1.0")


def test_verify_reads_an_old_database_without_changing_it(old: Path) -> None:
    assert done(admin("verify", database=old)).endswith(": all valid\n")
