"""A server in a thread of the tests' own process: the same app on the same protocols, without starting a process.

Never read the bytes of its database's files: closing them here would drop the locks that SQLite has on them.
"""

from __future__ import annotations

import asyncio
import io
import logging
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

import uvicorn
import uvloop
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chromino.server.app import make_app
from chromino.server.database.store import Change
from chromino.server.http.connections import TrustedProxies
from chromino.server.http.protocols import Config
from chromino.server.operating.logs import set_up_uvicorn
from chromino.server.services import Services
from chromino.server.settings import Settings
from tests.server.blocking import PATIENCE, REVIEW_PLAYOUTS
from tests.server.sites.changes import News

_FILES = 1024  # How many files this server thinks a process can have open.
_NO_CACHE = (b"cache-control", b"no-cache")
_CACHE = (b"cache-control", b"max-age=86400")


class _Log(logging.StreamHandler[io.StringIO]):
    """Keeps what a server logs, and wakes whoever is waiting for news."""

    def __init__(self, news: News) -> None:
        super().__init__(io.StringIO())
        self._news = news

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        self._news.tell()


class _MovableLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers run out early when its clock is moved ahead."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


class _PromptServer(uvicorn.Server):
    """Stops at once. uvicorn only checks ten times a second whether to stop, and then pauses for a moment."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.stopping = asyncio.Event()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=self.config.timeout_graceful_shutdown)
        for task in self.server_state.tasks:
            task.cancel()
        await self.lifespan.shutdown()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        while self.server_state.connections:  # If one were still open, uvloop might never finish closing the loop.
            await asyncio.sleep(0)


class InProcessServer:
    """`with InProcessServer(tmp_path / "db.sqlite") as server: server.url`. By default, addresses have no limits."""

    def __init__(
        self,
        database: Path | str,
        grace: float = 60.0,
        *,
        limits: str = "identity",
        proxies: str = "",
        slow_seconds: int = 30,
        wrapped_in: Callable[[ASGIApp], ASGIApp] = lambda app: app,
        has_movable_clock: bool = False,
    ) -> None:
        self.where = database
        self._new_loop = _MovableLoop if has_movable_clock else uvloop.new_event_loop
        self._settings = Settings(str(database), grace, limits=limits, review_playouts=REVIEW_PLAYOUTS)
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.ahead = 0.0
        """How far the clocks have been moved ahead, in seconds."""
        self.news = News()
        """Told of each write, each change reported, and each line logged."""
        self._ready = Event()
        self._log = _Log(self.news)
        config = Config(
            wrapped_in(make_app(self._settings, on_ready=self._is_ready)),
            TrustedProxies(proxies),
            slow_seconds,
            files=_FILES,
            by_address=limits == "all",
            timeout_keep_alive=PATIENCE,  # Playwright may send a request just as the server hangs up.
            # When the clock is moved ahead, no client could answer a ping in time.
            ws_ping_interval=None if has_movable_clock else 20.0,
        )
        self._server = _PromptServer(config)
        self._thread = Thread(target=self._run, daemon=True)

    @property
    def database(self) -> Path:
        """The file of a SQLite database."""
        assert isinstance(self.where, Path)
        return self.where

    @property
    def errors(self) -> str:
        """Everything logged."""
        return self._log.stream.getvalue()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this is true; it's checked again after everything this server does."""
        self.news.until(holds)

    def let_pass(self, seconds: float) -> None:
        """Move this server's clocks ahead, as if this much time had passed; whatever is due then happens."""

        async def move() -> None:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, _MovableLoop), "pass has_movable_clock=True"
            loop.ahead += seconds
            self.ahead += seconds
            self._services.store.clock.move(seconds)

        asyncio.run_coroutine_threadsafe(move(), self._loop).result(PATIENCE)

    def _is_ready(self, services: Services) -> None:
        self._services = services
        store, hear = services.store, services.store.hear

        def heard(change: Change) -> None:
            hear(change)
            self.news.tell()

        store.hear, store.wrote = heard, self.news.tell
        self._ready.set()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=self._new_loop) as runner:
            self._loop = runner.get_loop()
            runner.run(self._server.serve(sockets=[self._listening]))

    def __enter__(self) -> Self:
        self._interval = sys.getswitchinterval()
        set_up_uvicorn()
        logging.getLogger().addHandler(self._log)
        self._thread.start()
        assert self._ready.wait(PATIENCE), self.errors
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._server.stopping.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), f"the server doesn't stop:\n{self._stack()}"
        logging.getLogger().removeHandler(self._log)
        sys.setswitchinterval(self._interval)

    def _stack(self) -> str:
        """What the server's thread is doing right now."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        return "".join(traceback.format_stack(frame))


class CachedFiles:
    """Let browsers cache the page's files without checking each one for changes.

    Those checks would take half the time that a page needs to load.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and "." in scope["path"].rpartition("/")[2]:
                message["headers"] = [_CACHE if pair == _NO_CACHE else pair for pair in message["headers"]]
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)
