"""`chromino serve`, run as a user would: errors are one line."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from chromino.server.database.store import Store
from tests.command import run
from tests.server.sites.full_databases import assert_one_line


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("serve", "--no-open", *arguments)


def newer(path: Path) -> None:
    """Create a database that looks like a later version's."""

    async def make() -> None:
        store = await Store.open(path)
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_an_invalid_port_is_refused(port: str, tmp_path: Path) -> None:
    assert_one_line(serve("--port", port, "--database", str(tmp_path / "db.sqlite")), "--port", "0 to 65535", port)


def test_a_non_numeric_port_is_refused(tmp_path: Path) -> None:
    assert_one_line(serve("--port", "http", "--database", str(tmp_path / "db.sqlite")), "--port")


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = serve("--port", port, "--database", str(tmp_path / "db.sqlite"))
    assert_one_line(result, "can't listen on 127.0.0.1", port, "Address already in use")


def test_another_machines_address_is_reported(tmp_path: Path) -> None:
    result = serve("--host", "192.0.2.1", "--port", "0", "--database", str(tmp_path / "db.sqlite"))
    assert_one_line(result, "can't listen on 192.0.2.1")


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("This is a letter, not a database. " * 100, encoding="utf-8")
    assert_one_line(serve("--port", "0", "--database", str(path)), str(path), "can't be used as a database")


def test_a_database_from_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite"
    newer(path)
    assert_one_line(serve("--port", "0", "--database", str(path)), str(path), "newer version of Chromino")


def test_too_few_review_playouts_are_refused(tmp_path: Path) -> None:
    result = serve("--port", "0", "--database", str(tmp_path / "db.sqlite"), "--review-playouts", "999")
    assert_one_line(result, "1000 to 10000000 playouts", "999")


def test_a_folder_as_the_database_is_refused(tmp_path: Path) -> None:
    assert_one_line(serve("--port", "0", "--database", str(tmp_path)), str(tmp_path))


def test_a_database_inside_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert_one_line(serve("--port", "0", "--database", str(file / "db.sqlite")), str(file))


def test_the_environment_also_applies_without_a_command(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite"
    environment = {"CHROMINO_DATABASE": str(path), "XDG_DATA_HOME": str(tmp_path), "BROWSER": "true"}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run(CHROMINO_PORT=port, **environment)
    assert_one_line(result, "can't listen on 127.0.0.1", port, "Address already in use")
    assert path.exists()
    assert_one_line(run(CHROMINO_PORT="http", **environment), "--port")
