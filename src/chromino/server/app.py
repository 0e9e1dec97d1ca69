"""The app: routes, startup and shutdown, and how errors are reported."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import FrameType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from chromino.seated.declined import Declined
from chromino.server.coaching.reviews import Reviews
from chromino.server.database import notices
from chromino.server.database.database_urls import StoreError, without_secrets
from chromino.server.database.store import Change, Store
from chromino.server.endpoints import ENDPOINTS, SOCKETS
from chromino.server.games.gatherings import Gatherings
from chromino.server.games.live_games import LiveGames
from chromino.server.http.answers import problem_answer
from chromino.server.http.assets import asset, read_assets
from chromino.server.http.calls import check_limit
from chromino.server.http.limits import Limits
from chromino.server.http.security import Security
from chromino.server.openapi import description
from chromino.server.operating import logs
from chromino.server.operating.metrics import REFUSALS
from chromino.server.people.leaderboards import Leaderboards
from chromino.server.people.open_pages import OpenPages
from chromino.server.pictures.picture_calls import Pictures
from chromino.server.pictures.previews import page
from chromino.server.problems import Problem
from chromino.server.push.delivery import PushServices
from chromino.server.push.sender import Sender
from chromino.server.push.web_push import Signer, new_key
from chromino.server.running.lifespan import CannotStart, Lifespan
from chromino.server.running.process_watch import ProcessWatch
from chromino.server.services import Services, services
from chromino.server.settings import Settings
from chromino.server.work.bot_threads import BotThreads
from chromino.server.work.result_cache import ResultCache
from chromino.server.work.work_queue import WorkQueue

_QUICK_SECONDS = 5.0  # The time limit for a hint, a conundrum or a record check.
_MAX_DAILY = 2000  # Daily conundrums to cache, since everyone asks for the same ones.
_SWITCH_SECONDS = 0.0001  # How long a database thread may hold up the event loop; Python's default is 5 ms.
_RETRY_SECONDS = 0.5  # Between attempts to open the database.

_NO_CONTACT = "mailto:nobody@example.com"  # Push services require a contact, and Apple's checks that it looks real.

log = logging.getLogger(__name__)

_PAGES = (
    "/",
    "/new",
    "/games",
    "/lobby",
    "/play",
    "/about",
    "/ratings",
    "/game/{game}",
    "/join/{game}",
    "/conundrums",
    "/conundrums/make",
    "/conundrums/print",
    "/conundrum",
    "/conundrum/{day}/{grade}",
    "/replay",
    "/replay/{game}",
    "/learn",
    "/rules",
    "/review/{game}",
    "/practice",
)  # All of them are the same page; see web/js/main.js.


def make_app(settings: Settings, *, on_ready: Callable[[Services], None] = lambda _parts: None) -> ASGIApp:
    """The whole server; `on_ready` is called with its parts once it's ready to answer requests."""

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        sys.setswitchinterval(_SWITCH_SECONDS)
        bot_threads = BotThreads()
        store = await _open(settings.database)
        queue = WorkQueue(_QUICK_SECONDS)
        push = await _make_sender(store, settings)
        parts = Services(
            settings=settings,
            store=store,
            limits=Limits(by_identity=settings.limits != "none", by_address=settings.limits == "all"),
            games=LiveGames(store, bot_threads, queue, settings.grace),
            gatherings=Gatherings(store, settings.grace),
            pages=OpenPages(store),
            leaderboards=Leaderboards(store),
            queue=queue,
            reviews=Reviews(settings.review_playouts),
            pictures=Pictures(),
            push=push,
            daily=ResultCache(_MAX_DAILY),
            assets=read_assets(),
        )
        app.state.services = parts

        def hear(change: Change) -> None:
            parts.games.hear(change)
            parts.gatherings.hear(change)
            parts.pages.hear(change)
            parts.leaderboards.hear(change)
            if push is not None:
                push.hear(change)

        store.hear = hear
        watch = ProcessWatch(store, parts.games, parts.gatherings, settings)
        try:
            await watch.start()
        except Problem as problem:
            await store.close()
            raise CannotStart(f"{without_secrets(settings.database)} {store.explain(problem)}") from None
        if push is not None:
            push.start()
        _note_closing_on_signals(store)
        gc.freeze()  # Objects that live as long as the server don't need to be checked again.
        on_ready(parts)
        yield
        parts.games.stop()
        parts.gatherings.stop()
        parts.pages.stop()
        if push is not None:
            await push.stop()
        await watch.stop()
        bot_threads.stop()
        for work_queue in (queue, parts.pictures.queue, parts.reviews.queue):
            await work_queue.stop()
        await store.close()

    app = Starlette(
        routes=[
            *(Route(endpoint.path, endpoint.serve, methods=[endpoint.method]) for endpoint in ENDPOINTS),
            Route("/api/openapi.json", _description),
            Route("/.well-known/security.txt", _security_contact),
            *(WebSocketRoute(socket.path, socket.serve) for socket in SOCKETS),
            *(Route(path, page) for path in _PAGES),
            Route("/{path:path}", asset),
        ],
        exception_handlers={
            Problem: _error_response,
            Declined: _error_response,
            HTTPException: _error_response,
            Exception: _error_response,
        },
    )
    return Lifespan(Security(app), running)  # Both wrap everything, so errors have the security headers, too.


def app_from_environment() -> ASGIApp:
    """The app of a worker process, with its parent's settings."""
    logs.set_up_from_environment()
    return make_app(Settings.from_environment())


async def _make_sender(store: Store, settings: Settings) -> Sender | None:
    """The sender of notifications. Its key is created when the server first starts."""
    if settings.push == "off":
        return None
    key = await store.write(notices.site_key("push", new_key))
    contact = settings.contact or settings.public_url or _NO_CONTACT
    return Sender(store, Signer.load(key, contact), PushServices(settings.push_hosts))


async def _open(database: str) -> Store:
    """Open the database, and wait for it if it isn't available yet."""
    while True:
        try:
            return await Store.open(database)
        except StoreError as error:
            if not error.is_temporary:
                raise CannotStart(str(error)) from None
            log.warning("the database isn't available: %s", error)
            await asyncio.sleep(_RETRY_SECONDS)


def _note_closing_on_signals(store: Store) -> None:
    """When a signal stops the process, record once that all its pages are closing, instead of once for each page."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        previous = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, previous: Any = previous) -> None:
            store.is_closing = True
            if callable(previous):
                previous(number, frame)

        if callable(previous):
            signal.signal(number, handle)


async def _description(request: Request) -> Response:
    await check_limit(request, "ask")
    return description().response(request)


async def _security_contact(request: Request) -> Response:
    """Where to report security issues (RFC 9116), if the operator has set a contact."""
    settings = services(request).settings
    if not settings.contact:
        raise Problem("no-such-page")
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    text = f"Contact: {settings.contact}\nExpires: {expires.isoformat()}\n"
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=86400"})


async def _error_response(_request: Request, error: Exception) -> Response:
    """Answer any error with a code and a sentence, never with a traceback."""
    match error:
        case Problem():
            problem = error
        case Declined():
            problem = Problem.of(error)
        case HTTPException(status_code=405, headers=headers):
            problem = Problem("wrong-method")
            return problem_answer(problem, headers)  # The headers list the right methods.
        case HTTPException():
            problem = Problem("no-such-page")
        case _:
            problem = Problem("failed")
    REFUSALS.labels(problem.code).inc()
    headers = {"Retry-After": "1"} if problem.status in (429, 503) else None
    return problem_answer(problem, headers)
