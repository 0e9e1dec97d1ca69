"""A server on either database, with room for thousands of sockets, for `make load` and `make soak`."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.sites.nginx import ServersBehindNginx
from tests.server.sites.postgres import Postgres
from tests.server.sites.processes import family
from tests.server.sites.serving import Server

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True)
class Site:
    """A server and its database."""

    server: Server | ServersBehindNginx
    """Not started yet."""
    database: Path | str
    postgres: Postgres | None

    @property
    def pids(self) -> dict[str, list[int]]:
        """The processes of the server, of nginx and of PostgreSQL, if they're there."""
        found = {"server": self.server.pids}
        if isinstance(self.server, ServersBehindNginx) and self.server.nginx is not None:
            found["nginx"] = family(self.server.nginx.pid)
        if self.postgres is not None:
            found["postgres"] = family(self.postgres.pid)
        return found


@contextmanager
def run_site(
    database: str, workers: int, grace: float | None = None, limits: str = "none", *, behind_nginx: bool = False
) -> Iterator[Site]:
    """A server with this many processes, not started yet; everything is deleted at the end."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # The server inherits this limit.
    with ExitStack() as stack:
        options = ["--limits", limits]
        server: Server | ServersBehindNginx
        if database == "postgresql":
            postgres = stack.enter_context(Postgres())
            if behind_nginx:
                server = ServersBehindNginx(postgres.url, grace, processes=workers, options=options)
            else:
                server = Server(postgres.url, grace, workers=workers, options=options)
            yield Site(server, postgres.url, postgres)
        else:
            file = Path(stack.enter_context(TemporaryDirectory())) / "games.sqlite"
            server = Server(file, grace, workers=workers, options=options)
            yield Site(server, file, None)
        if server.is_running:
            server.stop()
