"""If a disk is full or a database is read-only, the error is clear and nothing is half-written."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.seated.gathering import Gathering
from chromino.seated.seats import Chair
from chromino.server.database.store import Store
from chromino.server.games import gatherings as tables_in_memory
from chromino.server.games.gatherings import Gatherings, GatheringWatcher
from chromino.server.people import people
from tests.command import run
from tests.server.sites.changes import Writes
from tests.server.sites.databases import in_store
from tests.server.sites.full_databases import admin, assert_one_line, done, fill
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import COMMAND, HERE, ME, PATIENCE, Client, Server, act, plant_multiplayer


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        with client.open(game) as page:
            page.play_on(3)
            before = client.state(game)
            # None of the server's files can grow anymore.
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            message = act(before, before["view"]["actions"][0])
            answer = page.ask(message)
            assert (answer["type"], answer["code"]) == ("refused", "storage")
            assert client.get("/readyz").refused == (503, "storage")
            assert client.get("/healthz").status == 200
            assert client.post("/api/games", {"seats": [ME]}).refused == (503, "storage")
            assert client.state(game) == before
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert page.ask(message)["type"] == "done"
            assert client.get("/readyz").status == 200
        assert len(client.get("/api/games").json["games"]) == 1
        assert "Traceback" not in server.errors
    with InProcessServer(tmp_path / "db.sqlite") as again:
        assert Client(again.url, client.secret).state(game)["version"] > before["version"]


def test_a_read_only_file_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    """The server starts without root's privileges, since nothing is read-only for root."""
    database = tmp_path / "db.sqlite"
    with InProcessServer(database) as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        state = client.state(game)
    files = [*tmp_path.glob("db.sqlite*")]
    for path in files:
        path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        unprivileged = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
        result = subprocess.run(
            [*unprivileged, *COMMAND, "serve", "--no-open", "--port", "0", "--database", str(database)],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        tmp_path.chmod(0o755)
        for path in files:
            path.chmod(0o644)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "can't be used as a database: attempt to write a readonly database" in result.stderr
    with InProcessServer(database) as server:
        assert Client(server.url, client.secret).state(game) == state


def test_the_server_survives_a_postgresql_that_becomes_read_only(postgres: Postgres) -> None:
    with temporary_database(postgres) as url, InProcessServer(url) as server:
        game, (secret, _) = plant_multiplayer(url, Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0))
        client = Client(server.url, secret)
        with client.open(game) as page:
            state = page.my_turn()
            message = act(state, state["view"]["actions"][0])
            name = url.rpartition("/")[2]
            postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            cut_off(postgres, name)
            server.until(lambda: readiness(client) == (503, "storage"))
            answer = page.ask(message)
            assert (answer["type"], answer["code"]) == ("refused", "storage")
            assert client.state(game) == state
            postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
            cut_off(postgres, name)
            server.until(lambda: readiness(client) == (200, None))
        with client.open(game) as page:
            page.my_turn()
            assert page.ask(message)["type"] == "done"


def readiness(client: Client) -> tuple[int, str | None]:
    """The status of `/readyz`, and the reason if the server isn't ready."""
    answer = client.get("/readyz")
    return answer.status, answer.json.get("code")


def cut_off(postgres: Postgres, name: str) -> None:
    """Disconnect everyone, so that they reconnect and see the new setting."""
    others = "pid <> pg_backend_pid()"
    postgres.execute(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND {others}"  # noqa: S608
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--workers 0", "--workers must be 1 or more, not 0"),
        ("--workers -3", "--workers must be 1 or more, not -3"),
        ("--keep-days -1", "days to keep games must be 1 to 36500, or 0 for forever, not -1"),
        ("--unfinished-days 9999999999", "days to keep games must be 1 to 36500"),
        ("--slow-seconds 0", "--slow-seconds must be a number from 1 to 3600, not 0"),
        ("--slow-seconds 99999999", "--slow-seconds must be a number from 1 to 3600"),
        ("--grace nan", "grace must be 0 or more seconds, not nan"),
        ("--grace -1", "grace must be 0 or more seconds"),
        ("--database mysql://localhost/x", "a database must be a file, or an address that starts with postgresql://"),
    ],
)
def test_invalid_options_are_refused(arguments: str, message: str, tmp_path: Path) -> None:
    database = ["--database", str(tmp_path / "db.sqlite")]
    assert_one_line(run("serve", "--no-open", "--port", "0", *database, *arguments.split()), message)
    assert not list(tmp_path.glob("*.sqlite"))


def test_a_file_locked_by_another_program_is_reported(tmp_path: Path) -> None:
    """Writes are refused with the reason until the lock is gone; reads still work."""
    with InProcessServer(tmp_path / "db.sqlite") as server, closing(sqlite3.connect(server.database)) as other:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        with client.open(game) as page:
            state = page.play_on(3)
            other.execute("BEGIN IMMEDIATE")
            assert client.post("/api/games", {"seats": [ME]}).refused == (503, "database-locked")
            answer = page.refusal(act(state, state["view"]["actions"][0]))
            assert (answer["id"], answer["code"]) == (None, "database-locked")
            with pytest.raises(ConnectionClosed) as closed:
                page.connection.recv(PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4503  # The page reconnects and asks again.
        assert client.state(game) == state
        assert client.get("/readyz").refused == (503, "database-locked")
        assert "another program is using the database" in server.errors
        other.rollback()
        server.until(lambda: readiness(client) == (200, None))
        with client.open(game) as page:
            page.my_turn()
            assert page.act(state["view"]["actions"][0])["type"] == "done"
        assert "Traceback" not in server.errors


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite"
    fill(database)
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)  # The first page lists tables that can't be read.
    database.write_bytes(content)
    damaged = run("serve", "--no-open", "--port", "0", "--database", str(database))
    assert_one_line(damaged, "is damaged: move it aside and restore a backup")
    for command in (["verify"], ["backup", str(tmp_path / "backup.gz")], ["clean"]):
        assert_one_line(admin(*command, database=database), "is damaged: move it aside and restore a backup")


def test_only_the_owner_can_read_a_database(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        Client(server.url).new_game()
        files = [*tmp_path.glob("db.sqlite*")]
        modes = {path.name: path.stat().st_mode & 0o777 for path in files if path.suffix != ".stderr"}
    assert modes == dict.fromkeys(("db.sqlite", "db.sqlite-shm", "db.sqlite-wal"), 0o600)
    done(admin("backup", str(tmp_path / "backup.gz"), database=tmp_path / "db.sqlite"))
    done(admin("restore", str(tmp_path / "backup.gz"), database=tmp_path / "restored.sqlite"))
    assert (tmp_path / "restored.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("host_leaves", [True, False])
def test_a_table_gets_another_host_once_its_file_is_unlocked(
    host_leaves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is locked when the host leaves, or when somebody else is due to become host."""
    monkeypatch.setattr(tables_in_memory, "RETRY_SECONDS", 0.01)

    async def work(store: Store) -> None:
        tables, writes, watcher = Gatherings(store, grace=0), Writes(store), GatheringWatcher("ada")
        for person in ("ada", "bob"):
            await store.write(people.add(person, f"hash of {person}"))
        chairs = (Chair("person", "Ada", "ada", away_since=1.0), Chair("person", "Bob", "bob"))
        await tables.add(Gathering("table", "ada", chairs, entropy=""))

        async def ada_is_here() -> bool:
            return (await tables.get("table")).chairs[0].away_since is None

        async def failed() -> bool:
            return store.is_failing

        async def bob_is_host() -> bool:
            return (await tables.get("table")).host == "bob"

        if host_leaves:
            await tables.watch("table", watcher)
            await writes.until(ada_is_here)
        with closing(sqlite3.connect(tmp_path / "db.sqlite")) as other:
            other.execute("BEGIN IMMEDIATE")
            if host_leaves:
                tables.forget("table", watcher)
            else:
                tables.check_due("table")
            await writes.until(failed)
            other.rollback()
        await writes.until(bob_is_host)
        tables.stop()

    in_store(tmp_path / "db.sqlite", work)
