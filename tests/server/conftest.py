"""One running server for all tests that don't need their own, and a new person for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, empty_database
from tests.server.sites.serving import Client


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server for all tests that don't need their own and don't mind other people on it."""
    with InProcessServer(tmp_path_factory.mktemp("server") / "games.sqlite") as server:
        yield server


@pytest.fixture
def client(server: InProcessServer) -> Iterator[Client]:
    """A new person; no matter what they do, the server must not fail."""
    before = len(server.errors)
    yield Client(server.url)
    assert "Traceback" not in server.errors[before:]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Our own PostgreSQL."""
    with Postgres() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """A database of each kind, without games."""
    yield from empty_database(request, tmp_path / "a folder" / "games.sqlite", has_tables=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def blank(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """A database of each kind with nothing in it yet."""
    yield from empty_database(request, tmp_path / "blank.sqlite", has_tables=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A path for a backup."""
    return tmp_path / "backup.gz"


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good backup."""
    from tests.server.sites.full_databases import back_up, fill  # Few tests need these.

    folder = tmp_path_factory.mktemp("backup")
    fill(folder / "games.sqlite")
    back_up(folder / "games.sqlite", folder / "backup.gz")
    return folder / "backup.gz"
