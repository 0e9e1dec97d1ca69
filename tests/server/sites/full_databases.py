"""Databases with something in every table, and `chromino admin` run on them as an operator would."""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, MetaData, insert, select

from chromino import Game, Rules
from chromino.seated import Chair, Gathering
from chromino.server.backups.backup import Backup, kept_tables, save
from chromino.server.backups.restoring import restore
from chromino.server.backups.verify import Fault, Report, verify_store
from chromino.server.database import schema
from chromino.server.database.migrating import revision_of
from chromino.server.database.shared_clock import text_now
from chromino.server.database.store import Store
from chromino.server.games.gatherings import Gatherings
from tests.command import run
from tests.helpers import states
from tests.server.sites.databases import Database, in_store
from tests.server.sites.serving import plant, plant_multiplayer

T = TypeVar("T")
Rows = dict[str, list[dict[str, Any]]]


def admin(
    *arguments: str, database: Database | None = None, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `chromino admin`."""
    options = [] if database is None else ["--database", str(database)]
    return run("admin", *arguments, *options, typed=stdin, **(env or {}))


def done(result: subprocess.CompletedProcess[str]) -> str:
    """The output of a command that succeeded."""
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def assert_one_line(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """Check that the command refused and said why in one line."""
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("chromino: ")
    for word in words:
        assert word in result.stderr


def finished(seed: int = 4, players: int = 2) -> Game:
    *_, game = states(Rules.expert(), players, seed)
    return game


def halfway(seed: int = 5) -> Game:
    """A three-player game in progress."""
    found = list(states(Rules.classic(), 3, seed))
    return found[len(found) // 2]


def fill(database: Database) -> tuple[str, str, tuple[str, ...]]:
    """Fill every table; returns the id of a finished game, and the id and players' secrets of one in progress."""
    over, _ = plant(database, finished(), {1: "snail"})
    going, people = plant_multiplayer(database, halfway(), turn_limit=3600)

    def more(connection: Connection) -> None:
        person = connection.scalars(select(schema.seats.c.person).where(schema.seats.c.game == over)).first()
        at = text_now(connection)
        rows: dict[str, list[dict[str, object]]] = {
            "people": [{"id": "someone", "created": at, "recovery_hash": "e" * 64, "recovery_made": at}],
            "devices": [{"secret_hash": "f" * 64, "person": person, "created": at}],
            "codes": [{"code_hash": "c" * 64, "person": person, "expires": at}],
            "tallies": [{"person": "someone", "preset": "", "played": 3, "won": 1}],
            "audit": [{"id": "a", "at": at, "operator": "root", "action": "ban", "person": person, "note": "rude"}],
            "solved": [
                {"person": person, "day": "2026-11-15", "grade": grade, "seconds": 10 * grade} for grade in (1, 2, 5)
            ],
            "push_browsers": [
                {"id": "b", "person": person, "endpoint": "https://push.example/1", "p256dh": "key", "auth": "secret"}
                | {"language": "en", "timezone": "UTC", "quiet_from": 0, "quiet_to": 0, "created": at}
            ],
            "site_keys": [{"name": "other", "value": "secret"}],
            "presence": [{"game": going, "person": person, "process": "process"}],
            "waiting": [{"game": going, "person": "someone", "name": "Zoë", "since": 1.5}],
            "acquaintances": [{"person": person, "other": "someone", "hidden": True}],
            "invitations": [{"gathering": "a-gathering", "person": person, "host": "someone", "at": 1.5}],
            "results": [
                {"number": 1, "seat": seat, "game": over, "family": "race", "player": player, "place": seat + 1}
                for seat, player in enumerate([person, "bot:snail"])
            ],
            "ratings": [
                {"family": "race", "player": person, "mu": 25.1 + 1e-15, "sigma": 8.333333333333334, "games": 1}
            ],
        }
        for table, found in rows.items():
            connection.execute(insert(schema.metadata.tables[table]), found)

    async def work(store: Store) -> None:
        await store.write(more)
        chairs = (Chair("person", "Zoë 🦊", "someone"), Chair("free"), Chair("bot", "Dragon", level=5))
        await Gatherings(store, 0.0).add(Gathering("a-gathering", "someone", chairs, Rules.junior(), entropy=""))

    in_store(database, work)
    return over, going, people


def kept(database: Database) -> Rows:
    """All rows that a backup contains, sorted."""

    def work(connection: Connection) -> Rows:
        tables = kept_tables(connection)
        return {table.name: _rows(connection, tables, table.name) for table in tables.sorted_tables}

    return in_unmigrated_store(database, lambda store: store.read(work))


def _rows(connection: Connection, tables: MetaData, name: str) -> list[dict[str, Any]]:
    rows = [dict(row._mapping) for row in connection.execute(select(tables.tables[name]))]
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def revision(database: Database) -> str | None:
    return in_unmigrated_store(database, lambda store: store.read(revision_of))


def in_unmigrated_store(database: Database, work: Callable[[Store], Awaitable[T]]) -> T:
    """Do this work without migrating the database first."""
    return in_store(database, work, None)


def change(database: Database, work: Callable[[Connection], object]) -> None:
    in_store(database, lambda store: store.write(lambda connection: work(connection) and None))


def back_up(database: Database, file: Path) -> None:
    in_unmigrated_store(database, lambda store: save(store, file))


def put_back(database: Database, file: Path) -> None:
    in_unmigrated_store(database, lambda store: restore(store, Backup.at(file)))


def faults(database: Database) -> list[Fault]:
    """The faults found in a database."""
    found: list[Fault] = []
    in_unmigrated_store(database, lambda store: verify_store(store, Report(found.append)))
    return found


def lines_of(backup: Path) -> list[bytes]:
    return gzip.decompress(backup.read_bytes()).splitlines(keepends=True)


def forged(lines: list[bytes]) -> bytes:
    """A backup of these lines, with the last one replaced to match the others."""
    body = lines[:-1]
    counts: dict[str, int] = {}
    for line in body[1:]:
        table = json.loads(line)["table"]
        counts[table] = counts.get(table, 0) + 1
    end = {"rows": counts, "sha256": sha256(b"".join(body)).hexdigest()}
    return gzip.compress(b"".join([*body, json.dumps(end, separators=(",", ":")).encode() + b"\n"]))


def changed(lines: list[bytes], table: str, **values: object) -> Iterator[bytes]:
    """The lines, with the first row of this table changed."""
    is_done = False
    for line in lines:
        data = json.loads(line)
        if data.get("table") == table and not is_done:
            is_done = True
            data["row"].update(values)
            yield json.dumps(data).encode() + b"\n"
        else:
            yield line


def of_another_program(path: Path) -> None:
    """Create a database whose only table has the same name as one of ours."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE games (title TEXT)")
