"""ASGI startup and shutdown. Startup failures are reported in one line, not as a traceback."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp, Receive, Scope, Send


class CannotStart(Exception):
    """Why the server can't start, and what to do about it, in one line."""


class Lifespan:
    """Wraps the app; `running` is entered before the first request, and exited after the last one."""

    def __init__(self, app: ASGIApp, running: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        self._app = app
        self._running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        try:
            async with self._running():
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except CannotStart as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.shutdown.complete"})
