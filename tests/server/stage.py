"""A server on either database, with room for thousands of sockets, for `make load` and `make soak`."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.postgres import Postgres
from tests.server.serving import Server

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True)
class Stage:
    """A server and its database."""

    server: Server
    """Not started yet."""
    database: Path | str
    restart_database: Callable[[], None] | None
    """None for a file, which can't be restarted."""


@contextmanager
def stage(database: str, workers: int, grace: float | None = None, limits: str = "none") -> Iterator[Stage]:
    """A server with this many processes, not started yet; everything is deleted at the end."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # The server inherits it.
    with ExitStack() as stack:
        where: Path | str
        if database == "postgresql":
            postgres = stack.enter_context(Postgres())
            where, restart = postgres.url, postgres.restart
        else:
            where, restart = Path(stack.enter_context(TemporaryDirectory())) / "games.sqlite", None
        server = Server(where, grace, workers=workers, options=["--limits", limits])
        yield Stage(server, where, restart)
        if server.is_running:
            server.stop()
