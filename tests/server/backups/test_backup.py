"""Backups: everything is restored on either database, and damaged files are refused."""

from __future__ import annotations

import gzip
import json
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, insert, select, update

from chromino import Game
from chromino.server.backups.backup import Backup, BackupError, kept_tables
from chromino.server.database import schema
from chromino.server.database.database_urls import StoreError
from chromino.server.database.store import Store
from tests.server.sites.databases import Database, in_store
from tests.server.sites.full_databases import (
    admin,
    assert_one_line,
    back_up,
    change,
    changed,
    done,
    faults,
    fill,
    forged,
    halfway,
    in_unmigrated_store,
    kept,
    lines_of,
    of_another_program,
    put_back,
    revision,
)

pytestmark = pytest.mark.long  # `chromino admin` is tested end to end in test_admin.py.


def test_everything_is_restored(empty: Database, blank: Database, file: Path) -> None:
    fill(empty)
    before = kept(empty)
    assert all(before.values())  # Every table has rows.
    assert done(admin("backup", str(file), database=empty)).startswith(f"wrote {file} (audit 1, people 5, ")
    assert kept(empty) == before
    output = done(admin("restore", str(file), env={"CHROMINO_DATABASE": str(blank)}))
    assert output.startswith("restored ")
    after = kept(blank)
    for rows in (found[table] for found in (before, after) for table in ("seats", "games", "chairs")):
        for row in rows:
            for moment in ("away_since", "turn_ends", "due"):
                row.pop(moment, None)
        rows.sort(key=repr)
    assert after == before
    assert faults(blank) == []


def test_temporary_data_is_left_out(backup: Path, blank: Database) -> None:
    put_back(blank, backup)

    def work(connection: Connection) -> list[object]:
        temporary = (schema.codes, schema.presence)
        assert all(connection.execute(select(table)).first() is None for table in temporary)
        present = select(schema.seats).where(schema.seats.c.person.is_not(None), schema.seats.c.away_since.is_(None))
        assert connection.execute(present).all() == []
        return list(connection.scalars(select(schema.clock.c.ran)))

    assert in_store(blank, lambda store: store.read(work)) != [None]  # No clock has run since.


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)  # The kind of database makes no difference.
def test_only_the_owner_can_read_the_file_and_no_temporary_file_is_left(empty: Database, file: Path) -> None:
    fill(empty)
    back_up(empty, file)
    back_up(empty, file)  # The second overwrites the first.
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.glob("*backup*")] == [file.name]
    assert [path.name for path in file.parent.glob(".*")] == []


def test_no_row_is_lost_among_many(empty: Database, file: Path) -> None:
    """There are more rows than are read or written at once."""
    in_store(empty, lambda store: store.ping())
    many = [{"id": f"person-{number}-{'aB_-'[number % 4]}", "created": "2026"} for number in range(2500)]
    solved = [
        {"person": row["id"], "day": "2026-11-15", "grade": grade, "seconds": 1} for row in many for grade in (1, 2)
    ]

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.people), many)
        connection.execute(insert(schema.solved), solved)

    change(empty, work)
    back_up(empty, file)
    rows = [found.row for found in Backup.at(file).rows()]
    assert sorted(row["id"] for row in rows if "id" in row) == sorted(row["id"] for row in many)
    assert len({(row["person"], row["grade"]) for row in rows if "grade" in row}) == len(solved)


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)  # The kind of database makes no difference.
def test_even_an_empty_database_can_be_backed_up(empty: Database, file: Path, tmp_path: Path) -> None:
    in_store(empty, lambda store: store.ping())
    back_up(empty, file)
    assert len(lines_of(file)) == 2
    put_back(tmp_path / "new.sqlite", file)
    assert not any(kept(tmp_path / "new.sqlite").values())


def test_clocks_stop_between_backup_and_restore(empty: Database, blank: Database, file: Path) -> None:
    _, going, _ = fill(empty)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    change(empty, lambda rows: rows.execute(update(schema.games).values(turn_ends=long_ago.timestamp() + 1000)))
    back_up(empty, file)
    header, *rest = lines_of(file)
    then = json.dumps({**json.loads(header), "at": long_ago.isoformat()})
    file.write_bytes(forged([then.encode() + b"\n", *rest]))
    put_back(blank, file)
    query = select(schema.games.c.turn_ends).where(schema.games.c.id == going)
    turn_ends = in_store(blank, lambda store: store.read(lambda connection: connection.scalar(query)))
    assert turn_ends is not None
    assert 900 < turn_ends - time.time() <= 1000


def test_a_backup_is_never_restored_into_another_programs_database(backup: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    of_another_program(path)
    with pytest.raises(BackupError, match="another program"):
        put_back(path, backup)


@pytest.mark.parametrize("target", ["/", "/no/such/folder/backup.gz", "/dev/null", "/dev/full"])
def test_an_unwritable_file_is_reported(target: str, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    in_store(path, lambda store: store.ping())
    with pytest.raises(BackupError, match=target):
        back_up(path, Path(target))
    assert not Path("/dev/null").is_file()


# Older schemas.


def first_revision(database: Database) -> tuple[str, Game]:
    """A database as the first version left it, with a game of Ada's in progress and an hour per turn."""
    game = halfway()
    header, *events = str(game.record).splitlines()
    rows: dict[str, list[dict[str, object]]] = {
        "people": [{"id": "ada", "created": "2026-01-01"}],
        "devices": [{"secret_hash": "f" * 64, "person": "ada", "created": "2026-01-01"}],
        "games": [
            {
                "id": "a-game",
                "header": header,
                "aids": True,
                "pace": False,
                "watch": True,
                "turn_limit": 3600,
                "next_game": None,
                "created": "2026-01-01",
                "updated": "2026-01-01",
                "over": False,
                "digest": json.dumps({"seat": game.seat, "winners": [], "scores": [0] * 3, "tiles": len(game.table)}),
            }
        ],
        "seats": [
            {"game": "a-game", "seat": seat, "person": "ada", "bot": None, "has_left": False} for seat in range(3)
        ],
        "events": [
            {"game": "a-game", "seq": seq, "event": event, "action_id": None, "at": "2026-01-01"}
            for seq, event in enumerate(events)
        ],
    }

    def work(connection: Connection) -> None:
        tables = kept_tables(connection).tables
        for name, found in rows.items():
            connection.execute(insert(tables[name]), found)

    in_store(database, lambda store: store.write(work), "0001")
    return "a-game", game


@pytest.mark.parametrize(
    ("empty", "blank", "target"),
    [("sqlite", "postgresql", "new"), ("postgresql", "sqlite", "existing")],
    indirect=["empty", "blank"],
)
def test_the_first_schemas_backup_can_be_restored(empty: Database, blank: Database, file: Path, target: str) -> None:
    name, game = first_revision(empty)
    assert done(admin("verify", database=empty)).endswith(": all valid\n")
    assert done(admin("backup", str(file), database=empty))
    assert revision(empty) == "0001"  # A backup changes nothing.
    assert Backup.at(file).header.revision == "0001"
    if target == "existing":
        in_store(blank, lambda store: store.ping())
    assert done(admin("restore", str(file), database=blank))

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, schema.metadata))

    async def look(store: Store) -> None:
        assert await store.read(differences) == []
        row = await store.game(name)
        assert row is not None
        assert Game.replay([row.header, *(entry.event for entry in row.log)]) == game
        assert row.turn_ends is not None
        assert 3000 < row.turn_ends - time.time() <= 3600

    in_unmigrated_store(blank, look)
    assert faults(blank) == []


def test_an_unknown_schema_is_refused(backup: Path, file: Path, blank: Database) -> None:
    header, *rest = lines_of(backup)
    newer = json.dumps({**json.loads(header), "revision": "9999"}).encode() + b"\n"
    file.write_bytes(forged([newer, *rest]))
    assert_one_line(admin("restore", str(file), database=blank), str(file), "newer version of Chromino", "9999")
    assert revision(blank) is None


def test_a_newer_schema_is_left_alone_even_without_migrating(empty: Database) -> None:
    in_store(empty, lambda store: store.ping())
    newer = "UPDATE alembic_version SET version_num = '9999'"
    change(empty, lambda connection: connection.exec_driver_sql(newer))
    with pytest.raises(StoreError, match="newer version of Chromino"):
        kept(empty)


# Damaged files.


def refused(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    with pytest.raises(BackupError) as caught:
        Backup.at(file).check()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_missing_repeated_and_moved_lines_are_detected(backup: Path, file: Path) -> None:
    lines = lines_of(backup)
    for number in range(len(lines)):
        without = lines[:number] + lines[number + 1 :]
        refused(file, gzip.compress(b"".join(without)))
        refused(file, gzip.compress(b"".join([*lines[: number + 1], *lines[number:]])))
        if number + 1 < len(lines):
            swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            refused(file, gzip.compress(b"".join(swapped)))


def test_a_changed_line_is_detected(backup: Path, file: Path) -> None:
    lines = lines_of(backup)
    rng = Random(7)
    for number, line in enumerate(lines):
        place = rng.randrange(len(line))
        other = bytes([rng.choice([byte for byte in range(256) if byte != line[place]])])
        refused(
            file,
            gzip.compress(b"".join([*lines[:number], line[:place], other, line[place + 1 :], *lines[number + 1 :]])),
        )
    message = refused(file, gzip.compress(b"".join([*lines[:6], b'{"table":"people"}\n', *lines[7:]])))
    assert "line 7: " in message
    message = refused(file, gzip.compress(b"".join([*lines[:6], b"\xff\xfe\n", *lines[7:]])))
    assert "line 7: " in message


def test_truncated_files_and_lost_bytes_are_detected(backup: Path, file: Path) -> None:
    whole = backup.read_bytes()
    rng = Random(8)
    for cut in {0, 1, *rng.sample(range(len(whole)), 150), *range(len(whole) - 20, len(whole))}:
        refused(file, whole[:cut])
    for _ in range(100):
        place = rng.randrange(10, len(whole))  # The first ten bytes are gzip's header, which we don't check.
        refused(file, whole[:place] + whole[place + 1 :])
        refused(file, whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
    refused(file, whole + whole)
    refused(file, whole + b"more")


MISFITS: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "an unknown table": (
        lambda lines: [*lines[:2], b'{"table":"gods","row":{}}\n', *lines[2:]],
        "line 3: gods: there is no such",
    ),
    "an unknown column": (lambda lines: [*changed(lines, "games", color="red")], ": games: these aren't its columns"),
    "a temporary table": (lambda lines: [*lines[:2], b'{"table":"codes","row":{}}\n', *lines[2:]], "line 3: codes"),
    "someone twice": (lambda lines: [*lines[:2], lines[1], *lines[2:]], "can't be restored"),
    "nobody's device": (lambda lines: [*changed(lines, "devices", person="nobody")], "can't be restored"),
    "an empty cell": (lambda lines: [*changed(lines, "events", event=None)], "can't be restored"),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_a_failed_restore_leaves_nothing_behind(misfit: str, backup: Path, file: Path, blank: Database) -> None:
    make, reason = MISFITS[misfit]
    file.write_bytes(forged(make(lines_of(backup))))
    with pytest.raises(BackupError, match=r"^[^\n]*$") as caught:
        put_back(blank, file)
    assert reason in str(caught.value)
    assert revision(blank) is None
    put_back(blank, backup)
    assert faults(blank) == []


def test_a_backup_can_only_be_restored_into_an_empty_database(backup: Path, empty: Database) -> None:
    put_back(empty, backup)
    before = kept(empty)
    assert_one_line(admin("restore", str(backup), database=empty), "isn't empty")
    assert kept(empty) == before


def test_other_formats_are_refused(backup: Path, file: Path) -> None:
    header, *rest = lines_of(backup)
    newer = json.dumps({**json.loads(header), "chromino_backup": 2}).encode() + b"\n"
    assert "version 2 of the format, but only version 1" in refused(file, forged([newer, *rest]))
    assert "isn't a Chromino backup" in refused(file, gzip.compress(b'{"a":1}\n'))
    assert "isn't a Chromino backup" in refused(file, gzip.compress(b"hello\n"))
    assert "isn't a backup" in refused(file, b"hello, this is a letter")
    assert "is empty" in refused(file, gzip.compress(b""))
