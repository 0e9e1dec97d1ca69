"""Damage is found and reported, in a database and in a backup."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from chromino.server.backups.backup import Backup
from chromino.server.backups.verify import Fault, Report, verify_backup, verify_store
from chromino.server.database import schema
from tests.server.sites.databases import Database, in_store
from tests.server.sites.full_databases import admin, back_up, change, faults, fill, finished, forged, lines_of
from tests.server.sites.serving import plant

pytestmark = pytest.mark.long  # `chromino admin` is tested end to end in test_admin.py.


def test_each_broken_game_is_reported(empty: Database, file: Path) -> None:
    games, events, seats = schema.games.c, schema.events.c, schema.seats.c
    kinds = (
        "good",
        "rules",
        "gap",
        "digest",
        "digest?",
        "over",
        "seats",
        "empty seat",
        "bot",
        "header",
        "twice",
        "good",
    )
    ids = [plant(empty, finished(seed), {1: "snail"})[0] for seed in range(len(kinds))]
    names = dict(zip(kinds, ids, strict=True))
    of = {kind: events.game == name for kind, name in names.items()}
    last = select(events.seq).where(of["gap"]).order_by(events.seq.desc()).limit(1).scalar_subquery()

    def damage(connection: Connection) -> None:
        person = connection.scalar(select(schema.people.c.id))
        choices = {"aids": True, "pace": True, "watch": True, "public": False, "in_lobby": False, "updated": "2026"}
        gathering = {"id": "g", "version": 1, "host": person, "rules": "?", **choices}
        for statement in (
            update(schema.events).where(of["rules"], events.seq == 3).values(event='{"seat":0,"pass":true}'),
            update(schema.events).where(of["gap"], events.seq == last).values(seq=999),
            update(schema.games).where(games.id == names["digest"]).values(digest='{"tiles": 1}'),
            update(schema.games).where(games.id == names["digest?"]).values(digest="?"),
            update(schema.games).where(games.id == names["over"]).values(over=False),
            delete(schema.seats).where(seats.game == names["seats"], seats.seat == 0),
            update(schema.seats).where(seats.game == names["empty seat"], seats.seat == 0).values(person=None),
            update(schema.seats).where(seats.game == names["bot"], seats.seat == 1).values(bot="unicorn"),
            update(schema.games).where(games.id == names["header"]).values(header="[]"),
            update(schema.seats)
            .where(seats.game == names["twice"], seats.seat == 1)
            .values(person=select(schema.people.c.id).limit(1).scalar_subquery()),
            insert(schema.gatherings).values(gathering),
        ):
            connection.execute(statement)

    change(empty, damage)
    expected = {
        "rules": "it doesn't follow the rules: line 5: ",
        "gap": "without gaps",
        "digest": 'its digest is {"tiles": 1}, not {"seat": ',
        "digest?": "it can't be read",
        "over": "it's marked as in progress",
        "seats": "it has 1 seats for 2 players",
        "empty seat": "seat 0 is empty",
        "bot": "unicorn",
        "header": "it doesn't follow the rules: line 1: ",
        "twice": "seat 1 has both a person and a bot",
    }
    back_up(empty, file)
    for result in (admin("verify", database=empty), admin("verify", str(file))):
        assert (result.returncode, result.stderr) == (1, "")
        lines = result.stdout.splitlines()
        for kind, reason in expected.items():
            assert any(line.startswith(f"game {names[kind]}: ") and reason in line for line in lines), kind
        assert any(line.startswith("gathering g: it can't be read: ") for line in lines)
        assert lines[-1].startswith(f"{len(kinds)} games with ")
        assert lines[-1].endswith(f", 1 open table: {len(expected) + 1} broken")
        assert not any(line.startswith(f"game {names['good']}") for line in lines)


def test_more_games_than_one_batch_are_verified(empty: Database) -> None:
    game = finished()
    template, _ = plant(empty, game)
    tables = {"games": "id", "seats": "game", "events": "game"}

    def copy(connection: Connection) -> None:
        for name, key in tables.items():
            table = schema.metadata.tables[name]
            rows = [dict(row._mapping) for row in connection.execute(select(table).where(table.c[key] == template))]
            for number in range(120):
                connection.execute(insert(table), [{**row, key: f"{'zA-_'[number % 4]}{number}"} for row in rows])

    change(empty, copy)
    progress: list[tuple[int, int]] = []
    found: list[Fault] = []
    report = Report(found.append, lambda done, total: progress.append((done, total)))
    in_store(empty, lambda store: verify_store(store, report))
    assert (report.games, report.events, found) == (121, 121 * len(game.log), [])
    assert progress[-1] == (121, 121)
    assert len(progress) > 2


def test_rows_of_a_missing_game_are_reported(backup: Path, file: Path, tmp_path: Path) -> None:
    lines = lines_of(backup)
    game = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"games"'))
    file.write_bytes(forged(lines[:game] + lines[game + 1 :]))
    found: list[Fault] = []
    verify_backup(Backup.at(file), Report(found.append))
    assert found[0].reason == f"line {game + 1} belongs to a game that's missing"
    path = tmp_path / "games.sqlite"
    over, _, _ = fill(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM games WHERE id = ?", [over])
    assert Fault("database", "", "there are events whose games are missing") in faults(path)
