"""Server processes: one that answers by itself, or several workers that are replaced when they die."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from uvicorn.supervisors import multiprocess

SILENT_SECONDS = 20
"""A worker that says nothing for so long is replaced; on a busy machine it may start so slowly."""

_READY_SECONDS = 60.0


class Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody in any more, but read what those who just came have sent: else they would see an error."""
        for server in self.servers:
            server.close()
        await asyncio.sleep(0.1)
        await super().shutdown(sockets)


class _Worker(multiprocess.Process):
    """One of several processes, which does not outlive its parent: nobody would replace it, or could take its port."""

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = Server(self.config)
        return self._server

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        self.parent_conn.close()  # That end is the parent's: once it is gone, the other one tells.
        super().target(sockets)

    def always_pong(self) -> None:
        try:
            super().always_pong()
        except (EOFError, OSError):
            self.server.should_exit = True


multiprocess.Process = _Worker  # type: ignore[misc]  # It has no other way to be told which server to run.


class Workers(multiprocess.Multiprocess):
    """Worker processes: one that dies is replaced."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], tell: Callable[[], None]) -> None:
        super().__init__(config, sockets)
        self._tell = tell

    def init_processes(self) -> None:
        super().init_processes()
        if all(process.wait_until_ready(_READY_SECONDS, self.should_exit) for process in self.processes):
            self._tell()
