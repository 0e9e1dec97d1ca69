"""Most tests of people use SQLite alone: the queries are the same, and `test_queries.py` runs all of them on both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import more
from tests.server.sites.databases import Database
from tests.server.sites.postgres import empty_database


@pytest.fixture(params=["sqlite", more("postgresql")])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without games.

    `make test` uses PostgreSQL only for tests marked `ON_BOTH`; `make long` uses both for all.
    """
    yield from empty_database(request, tmp_path / "games.sqlite", has_tables=True)
