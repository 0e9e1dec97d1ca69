"""A server in a thread of the tests' own process: the same app on the same protocols, without starting a process.

Never read the bytes of its database's files: closing them here would drop the locks that SQLite has on them.
"""

from __future__ import annotations

import asyncio
import io
import logging
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

import uvloop
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chromino.server.app import make_app
from chromino.server.http.connections import TrustedProxies
from chromino.server.http.protocols import Config
from chromino.server.operating.logs import set_up_uvicorn
from chromino.server.running.supervisor import Server
from chromino.server.settings import Settings
from tests.server.blocking import PATIENCE, REVIEW_PLAYOUTS

_FILES = 1024  # How many files this server thinks a process can have open.
_NO_CACHE = (b"cache-control", b"no-cache")
_CACHE = (b"cache-control", b"max-age=86400")


class InProcessServer:
    """`with InProcessServer(tmp_path / "db.sqlite") as server: server.url`. One address may do as much as it likes."""

    def __init__(
        self,
        database: Path | str,
        grace: float = 60.0,
        *,
        limits: str = "identity",
        proxies: str = "",
        slow_seconds: int = 30,
        wrapped_in: Callable[[ASGIApp], ASGIApp] = lambda app: app,
    ) -> None:
        self.where = database
        self._settings = Settings(str(database), grace, limits=limits, review_playouts=REVIEW_PLAYOUTS)
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._ready = Event()
        self._log = io.StringIO()
        self._handler = logging.StreamHandler(self._log)
        config = Config(
            wrapped_in(make_app(self._settings, on_ready=self._ready.set)),
            TrustedProxies(proxies),
            slow_seconds,
            files=_FILES,
            by_address=limits == "all",
        )
        self._server = Server(config)
        self._thread = Thread(target=self._run, daemon=True)

    @property
    def database(self) -> Path:
        """The file of a SQLite database."""
        assert isinstance(self.where, Path)
        return self.where

    @property
    def errors(self) -> str:
        """Everything logged."""
        return self._log.getvalue()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._server.serve(sockets=[self._listening]))

    def __enter__(self) -> Self:
        self._interval = sys.getswitchinterval()
        set_up_uvicorn()
        logging.getLogger().addHandler(self._handler)
        self._thread.start()
        assert self._ready.wait(PATIENCE), self.errors
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "it does not stop"
        logging.getLogger().removeHandler(self._handler)
        sys.setswitchinterval(self._interval)


class FilesAreKept:
    """Browsers keep the page's files, and don't ask for each whether it's the latest: that's half of a page's time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and "." in scope["path"].rpartition("/")[2]:
                message["headers"] = [_CACHE if pair == _NO_CACHE else pair for pair in message["headers"]]
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)
