"""`chromino admin`, run as an operator would, while a server is running."""

from __future__ import annotations

import gzip
import json
import resource
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from chromino import Game
from chromino.server.backups.backup import Backup, GameRows, games_of
from tests.server.sites.databases import Database, in_store
from tests.server.sites.full_databases import (
    admin,
    assert_one_line,
    back_up,
    done,
    faults,
    fill,
    finished,
    kept,
    lines_of,
    of_another_program,
    revision,
)
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import COMMAND, FREE, ME, PATIENCE, SNAIL, Client, Server, play_together

SHORT = {"hand_size": 2}


SQLITE_ONLY_IN_MAKE_LONG = pytest.mark.parametrize(
    "empty", ["postgresql", pytest.param("sqlite", marks=pytest.mark.long)], indirect=True
)


def serving(database: Database, folder: Path) -> Server | InProcessServer:
    """A server on the database that commands will work on: with SQLite, it must be a separate process."""
    if isinstance(database, str):
        return InProcessServer(database)
    return Server(folder / "server", options=["--database", str(database)])


@SQLITE_ONLY_IN_MAKE_LONG
def test_a_game_backed_up_midway_continues_on_the_other_database(
    empty: Database, postgres: Postgres, file: Path, tmp_path: Path
) -> None:
    with serving(empty, tmp_path) as server, ThreadPoolExecutor(1) as aside:
        ada, bob = Client(server.url), Client(server.url)
        game = ada.gather(ME, FREE, first=0, turn_limit=3600)
        bob.sit(game, "Bob")
        ada.begin(game)
        waiting = ada.gather(ME, FREE)
        with ada.open(game) as one, bob.open(game) as another:
            sockets = {0: one, 1: another}
            play_together(sockets, one, lambda state: state["version"] >= 4)
            playing = aside.submit(busy, Client(server.url))
            assert done(admin("backup", str(file), database=empty))
            play_together(sockets, one, lambda state: state["version"] >= 8)
            playing.result()
        assert "Traceback" not in server.errors
    assert done(admin("verify", str(file))).endswith(": all valid\n")
    log = next(
        found for found in games_of(Backup.at(file).rows()) if isinstance(found, GameRows) and found.game["id"] == game
    )
    assert 4 <= len(log.events) < 8
    with temporary_database(postgres) as url:
        new: Database = url if isinstance(empty, Path) else tmp_path / "new.sqlite"
        done(admin("restore", str(file), database=new))
        with serving(new, tmp_path) as server:
            ada.url = bob.url = server.url  # They keep their cookies.
            assert [row["game"] for row in ada.get("/api/games").json["games"]] == [game]
            assert ada.gathering(waiting)["host"]
            assert ada.state(game)["version"] == len(log.events)
            assert ada.whole_state(game)["turn_left"] > 3500
            with ada.open(game) as one, bob.open(game) as another:
                last = play_together({0: one, 1: another}, one, lambda state: bool(state["view"]["over"]))
            assert Game.replay(bob.record(game)).over
            assert last["version"] > len(log.events)
            assert [seat["mine"] for seat in bob.state(game)["seats"]] == [False, True]
            assert "Traceback" not in server.errors
        assert done(admin("verify", database=new)).endswith(": all valid\n")


def busy(client: Client) -> None:
    """Play some games to the end."""
    for _ in range(3):
        with client.open(client.new_game(ME, SNAIL, SNAIL, rules=SHORT)) as socket:
            assert socket.play_on()["view"]["over"]


def to_stdout(database: Database, out: BinaryIO) -> subprocess.CompletedProcess[bytes]:
    arguments = [*COMMAND, "admin", "backup", "-", "--database", str(database)]
    return subprocess.run(arguments, stdout=out, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)  # The kind of database makes no difference.
def test_a_backup_can_go_to_standard_output(empty: Database, file: Path) -> None:
    fill(empty)
    with file.open("wb") as out:
        result = to_stdout(empty, out)
    assert (result.returncode, result.stderr) == (0, b"")
    assert Backup.at(file).check() == {name: len(rows) for name, rows in kept(empty).items() if rows}


def test_a_damaged_backup_is_refused_before_writing(backup: Path, file: Path, blank: Database) -> None:
    lines = lines_of(backup)
    file.write_bytes(gzip.compress(b"".join([*lines[:20], *lines[21:]])))
    assert_one_line(admin("restore", str(file), database=blank), str(file), "rows of")
    assert_one_line(admin("verify", str(file)), str(file), "rows of")
    file.write_bytes(backup.read_bytes()[:-100])
    assert_one_line(admin("restore", str(file), database=blank), f"{file} is cut off")
    if isinstance(blank, Path):
        assert not blank.exists()
    assert revision(blank) is None


# Errors.


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)  # The kind of database makes no difference.
def test_a_full_standard_output_is_reported(empty: Database) -> None:
    fill(empty)
    with Path("/dev/full").open("wb", buffering=0) as out:
        result = to_stdout(empty, out)
    assert (result.returncode, result.stderr) == (2, b"chromino: standard output: No space left on device\n")


def test_a_full_disk_leaves_the_previous_backup(postgres: Postgres, file: Path) -> None:
    with temporary_database(postgres) as url:
        fill(url)
        back_up(url, file)
        before = file.read_bytes()
        full = subprocess.run(
            [*COMMAND, "admin", "backup", str(file), "--database", url],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        )
        assert_one_line(full, str(file), "File too large")
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def not_a_database(path: Path) -> None:
    path.write_text("This is a letter, not a database. " * 100, encoding="utf-8")


def of_a_newer_version(path: Path) -> None:
    in_store(path, lambda store: store.ping())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


UNUSABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "nothing": (lambda _: None, "there's no database"),
    "a letter": (not_a_database, "can't be used as a database"),
    "a folder": (Path.mkdir, "can't be used as a database"),
    "another program's": (of_another_program, "this isn't a Chromino database"),
    "a newer version's": (of_a_newer_version, "newer version of Chromino"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_an_unusable_database_is_reported(kind: str, tmp_path: Path) -> None:
    make, reason = UNUSABLE[kind]
    path = tmp_path / "games.sqlite"
    make(path)
    result = admin("backup", str(tmp_path / "backup.gz"), database=path)
    assert_one_line(result, reason)
    assert not (tmp_path / "backup.gz").exists()
    assert path.exists() is (kind != "nothing")


def test_an_unreachable_server_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"postgresql://chromino:secret@127.0.0.1:{free.getsockname()[1]}/games"
    result = admin("verify", database=url)
    assert_one_line(result, "can't be used as a database")
    assert "secret" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["backup"], "Missing argument"),
        (["restore", "nowhere.gz"], "nowhere.gz: No such file"),
        (["restore", "/"], "/: Is a directory"),
        (["verify", "nowhere.gz"], "nowhere.gz: No such file"),
        (["clean", "--days", "0"], "--days must be a number from 1 to 36500, not 0"),
        (["clean", "--unfinished-days", "-1"], "--unfinished-days must be a number"),
        (["clean", "--days", "99999999999999999999"], "--days must be a number"),
        (["erase"], "specify a person"),
        (["erase", "--game", "a-game"], "specify a person"),
        (["erase", "--person", "ada", "--game", "a-game", "--seat", "0"], "specify a person"),
        (["verify"], "there's no database"),
    ],
    ids=" ".join,
)
def test_invalid_arguments_are_reported(arguments: list[str], reason: str, tmp_path: Path) -> None:
    assert_one_line(admin(*arguments, env={"XDG_DATA_HOME": str(tmp_path)}), reason)


# Someone who asks to be erased.


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)  # The kind of database makes no difference.
def test_show_lists_who_is_in_each_seat(empty: Database) -> None:
    over, going, _ = fill(empty)
    lines = done(admin("show", f"https://example.org/game/{over}", database=empty)).splitlines()
    assert lines[0] == f"game {over}: over, {len(finished().log)} events"
    assert lines[1].startswith("seat 0: Ada, person ")
    assert lines[2] == "seat 1: Bob, bot snail"
    lines = done(admin("show", going, database=empty)).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith(f"game {going}: in progress, ")
    assert_one_line(admin("show", "no-game", database=empty), "there's no game or table 'no-game'")


@SQLITE_ONLY_IN_MAKE_LONG
def test_people_erased_by_the_operator_are_gone_at_once(empty: Database, tmp_path: Path) -> None:
    with serving(empty, tmp_path) as server:
        zenobia, bob = Client(server.url), Client(server.url)
        alone = zenobia.new_game()
        table = zenobia.gather({"kind": "me", "name": "Zenobia"}, FREE)
        game = zenobia.gather({"kind": "me", "name": "Zenobia"}, FREE, first=0)
        bob.sit(game, "Bob")
        zenobia.begin(game)
        with bob.open(game) as socket:
            assert socket.state_since(0)["view"]["players"] == ["Zenobia", "Bob"]
            asked = admin("erase", "--game", game, "--seat", "0", database=empty, stdin="n\n")
            assert asked.returncode == 130
            assert "2 games" in asked.stderr
            output = done(admin("erase", "--game", server.url + "game/" + game, "--seat", "0", "--yes", database=empty))
            assert output.endswith("; games changed or deleted: 2\n")
            # An open page shows the change, even though another process made it.
            socket.seats_when(lambda seats: seats[0]["name"] == "–" and seats[0]["has_left"])
            assert socket.play_on()["view"]["over"]
        assert zenobia.get("/api/games").json["games"] == []
        assert zenobia.post("/api/me/code", None).refused == (403, "nobody")
        assert zenobia.get(f"/api/games/{alone}").refused == (404, "no-such-game")
        assert bob.get(f"/api/gatherings/{table}").refused == (404, "no-such-gathering")
        again = admin("erase", "--game", game, "--seat", "0", "--yes", database=empty)
        assert_one_line(again, f"no person in seat 0 of game {game} (erased)")
        assert_one_line(admin("erase", "--game", game, "--seat", "5", "--yes", database=empty), "no seat 5", "0 to 1")
        assert_one_line(admin("erase", "--person", "nobody", "--yes", database=empty), "no person nobody")
    assert faults(empty) == []
    assert "Zenobia" not in json.dumps(kept(empty))
