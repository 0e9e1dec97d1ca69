"""A server on the database that is asked for, with room for thousands of sockets: for `make load` and `make soak`."""

from __future__ import annotations

import importlib
import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory

from chromino.cli.serve import serve
from tests.server.serving import Server

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True)
class Stage:
    """What plays a part behind the scenes."""

    server: Server
    """Not started yet."""
    database: str
    """The address by which SQLAlchemy finds it."""
    restart_database: Callable[[], None] | None
    """None for a file, which cannot be."""


@contextmanager
def stage(database: str, workers: int, grace: float | None = None) -> Iterator[Stage]:
    """A server, to be started, with so many processes; when it ends, all is gone."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # The server inherits it.
    options = ["--workers", str(workers)] if workers > 1 else []
    if "address_limits" in signature(serve).parameters:  # The whole crowd comes from one address.
        options += ["--address-limits", "off"]
    with ExitStack() as stack:
        path = Path(stack.enter_context(TemporaryDirectory())) / "games.sqlite"
        url, restart = f"sqlite:///{path}", None
        if database == "postgresql":
            postgres = stack.enter_context(importlib.import_module("tests.server.postgres").Postgres())
            options += ["--database", postgres.url]
            url, restart = postgres.url.replace("postgresql://", "postgresql+psycopg://", 1), postgres.restart
        server = Server(path, grace, options)
        yield Stage(server, url, restart)
        if server.runs:
            server.stop()
