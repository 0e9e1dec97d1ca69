"""Server processes: a single one, or several workers that are replaced when they die."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from uvicorn.supervisors import multiprocess

SILENT_SECONDS = 20
"""A worker that's silent for this long is replaced. On a busy machine, a worker may take that long to start."""

_READY_SECONDS = 60.0


class Server(uvicorn.Server):
    """A server that stops without breaking the newest connections."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, but still read what the newest ones have sent, so they don't see an error."""
        for server in self.servers:
            server.close()
        await asyncio.sleep(0.1)
        await super().shutdown(sockets)


class Worker(multiprocess.Process):
    """A worker process. It exits with its parent, because an orphan can't be replaced, and would keep its port."""

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = Server(self.config)
        return self._server

    def start(self) -> None:
        super().start()
        self.child_conn.close()  # Only the worker may hold this end, so we notice at once if the worker dies.

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        self.parent_conn.close()  # Only the parent may hold this end, so we notice if the parent is gone.
        super().target(sockets)

    def always_pong(self) -> None:
        try:
            super().always_pong()
        except (EOFError, OSError):
            self.server.should_exit = True


multiprocess.Process = Worker  # type: ignore[misc]  # There's no other way to tell uvicorn which server to run.


class Workers(multiprocess.Multiprocess):
    """Worker processes, replaced when they die."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], on_ready: Callable[[], None]) -> None:
        super().__init__(config, sockets)
        self._on_ready = on_ready

    def init_processes(self) -> None:
        super().init_processes()
        if all(process.wait_until_ready(_READY_SECONDS, self.should_exit) for process in self.processes):
            self._on_ready()
