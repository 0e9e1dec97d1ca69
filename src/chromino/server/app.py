"""The app: routes, what happens at start and stop, and how errors are told."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from chromino.server.assets import asset, page, read_assets
from chromino.server.caretaker import Caretaker
from chromino.server.endpoints import ENDPOINTS
from chromino.server.gatherings import Gatherings
from chromino.server.live_games import LiveGames
from chromino.server.openapi import describe
from chromino.server.problems import Problem
from chromino.server.security import Security
from chromino.server.sockets import watch_game, watch_gathering
from chromino.server.store import Change, Store

_PAGES = (
    "/",
    "/new",
    "/games",
    "/lobby",
    "/game/{game}",
    "/join/{game}",
    "/conundrums",
    "/conundrums/make",
    "/conundrums/print",
    "/conundrum",
    "/conundrum/{day}/{grade}",
    "/replay",
    "/replay/{game}",
)  # All are one page; see web/js/main.js.


def make_app(database: Path | str, *, grace: float = 60.0, on_ready: Callable[[], None] = lambda: None) -> ASGIApp:
    """The whole server on one database; `on_ready` is called when it can answer.

    `grace` is how many seconds the others wait for someone who is away, before a bot stands in.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        thinkers = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="bot")
        store = await Store.open(database)
        app.state.store = store
        app.state.games = LiveGames(store, thinkers, grace)
        app.state.gatherings = Gatherings(store, grace)
        app.state.assets = read_assets()

        def hear(change: Change) -> None:
            app.state.games.hear(change)
            app.state.gatherings.hear(change)

        store.hear = hear
        caretaker = Caretaker(store, app.state.games, app.state.gatherings)
        await caretaker.start()
        gc.freeze()  # What lives as long as the server need not be looked at again and again.
        on_ready()
        yield
        app.state.games.stop()
        app.state.gatherings.stop()
        await caretaker.stop()
        thinkers.shutdown(cancel_futures=True)
        await store.close()

    app = Starlette(
        routes=[
            *(Route(endpoint.path, endpoint.serve, methods=[endpoint.method]) for endpoint in ENDPOINTS),
            Route("/api/openapi.json", _description),
            WebSocketRoute("/api/games/{game}/play", watch_game),
            WebSocketRoute("/api/gatherings/{game}/watch", watch_gathering),
            *(Route(path, page) for path in _PAGES),
            Route("/{path:path}", asset),
        ],
        exception_handlers={
            Problem: _told,
            HTTPException: _told,
            Exception: _told,
        },
        lifespan=lifespan,
    )
    return Security(app)  # Around everything: errors carry the headers too.


async def _description(_request: Request) -> Response:
    return JSONResponse(describe())


async def _told(_request: Request, error: Exception) -> Response:
    """Any error as a code with a sentence; never a traceback."""
    match error:
        case Problem():
            problem = error
        case HTTPException(status_code=405, headers=headers):
            problem = Problem("wrong-method")
            return JSONResponse(problem.to_json(), problem.status, headers)  # They say which methods are right.
        case HTTPException():
            problem = Problem("no-such-page")
        case _:
            problem = Problem("failed")
    return JSONResponse(problem.to_json(), problem.status)
