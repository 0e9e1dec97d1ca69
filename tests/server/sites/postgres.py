"""Our own PostgreSQL: a temporary data directory, a free port, Debian's binaries."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from types import TracebackType
from typing import Self

import asyncpg
import pytest

from chromino.server.database.store import Store

_TABLES = "only_tables"
_OWNER = "postgres"  # PostgreSQL refuses to run as root, so use the user that its package created.

# The machine won't lose power, so don't wait for the disk.
_UNSAFE = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c jit=off"


class Postgres:
    """`with Postgres() as postgres: postgres.new_database()`; its data is deleted at the end."""

    def __init__(self) -> None:
        self._user = _OWNER if os.geteuid() == 0 else None
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self._home = Path(mkdtemp(prefix="chromino-postgres-"))
        self._data = self._home / "data"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        if self._user is not None:
            shutil.chown(self._home, self._user)
        self._run(
            "initdb",
            "--pgdata",
            str(self._data),
            "--username",
            "chromino",
            "--auth",
            "trust",
            "--no-sync",
            "--no-instructions",
        )
        self.start()

    @property
    def url(self) -> str:
        """The address of a database that always exists."""
        return self._url_of("postgres")

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text(encoding="ascii").split("\n", 1)[0])

    def new_database(self, *, has_tables: bool = True) -> str:
        """The address of a database without games; its tables are copied, which is faster than creating them."""
        template = self._with_tables if has_tables else "template1"
        name = f"games_{token_hex(6)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self._url_of(name)

    @cached_property
    def _with_tables(self) -> str:
        async def make() -> None:
            await (await Store.open(self._url_of(_TABLES))).close()

        self.execute(f"CREATE DATABASE {_TABLES} STRATEGY file_copy")
        asyncio.run(make())
        return _TABLES

    def _url_of(self, database: str) -> str:
        return f"postgresql://chromino@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, url: str | None = None) -> None:
        """Run a statement as the database's owner would."""

        async def work() -> None:
            connection = await asyncpg.connect(url or self.url)
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        asyncio.run(work())

    def start(self) -> None:
        options = f"-p {self.port} -k {self._home} -c listen_addresses=127.0.0.1 -c max_connections=150 {_UNSAFE}"
        log = str(self._home / "log")
        self._run("pg_ctl", "--wait", "-D", str(self._data), "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop PostgreSQL like an operator in a hurry: all connections are cut."""
        self._run("pg_ctl", "--wait", "-D", str(self._data), "-m", "fast", "stop")

    def restart(self) -> None:
        self.stop()
        self.start()

    @property
    def log(self) -> str:
        """Everything PostgreSQL has logged."""
        return (self._home / "log").read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._home)

    def _run(self, program: str, *arguments: str) -> None:
        # The server would inherit our output, and it outlives this call.
        with (self._home / "out").open("a") as out:
            subprocess.run(
                [self._bin / program, *arguments], check=True, user=self._user, cwd="/", stdout=out, stderr=out
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@contextmanager
def temporary_database(postgres: Postgres, *, has_tables: bool = True) -> Iterator[str]:
    """A database for one test, without games."""
    url = postgres.new_database(has_tables=has_tables)
    yield url
    name = url.rpartition("/")[2]
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


def empty_database(request: pytest.FixtureRequest, path: Path, *, has_tables: bool) -> Iterator[Path | str]:
    """A database for a fixture whose parameter is "sqlite" or "postgresql"; a SQLite file doesn't exist yet."""
    if request.param == "sqlite":
        yield path
    else:
        with temporary_database(request.getfixturevalue("postgres"), has_tables=has_tables) as url:
            yield url
