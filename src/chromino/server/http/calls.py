"""HTTP calls: their paths and types, why they can be refused, and how bodies are read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from hashlib import sha256
from random import uniform
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from chromino.errors import ChrominoError
from chromino.messages.bounds import Face
from chromino.messages.people import COOKIE
from chromino.rules import Rules
from chromino.server.database.store import Store
from chromino.server.http.answers import answer
from chromino.server.http.limits import MAX_OPEN_GAMES, network
from chromino.server.message_structs import read_query, reader
from chromino.server.operating.metrics import CALLS, timed
from chromino.server.people import people
from chromino.server.people.identity import give_cookie, hashed, new_person, player_of
from chromino.server.problems import Problem
from chromino.server.services import services

if TYPE_CHECKING:
    from chromino.server.games.live_game import LiveGame

T = TypeVar("T")

_PAUSE_SECONDS = 0.3  # Before refusing a caller who's too fast.
_ORIGIN_BITS = 48  # For IPv6: one person can easily get many /64 networks within a /48.
_MAX_BODY_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One call: `answer` gets the request and its decoded body or query, and returns a message or a response."""

    method: str
    path: str
    about: str
    answer: Callable[[Request, Any], Awaitable[Any]]
    body: Any = None
    returns: Any = None
    status: int = 200
    problems: tuple[str, ...] = ()
    limit: str = "ask"
    """Which rate limit applies: see `limits.py`."""
    query: Any = None
    """The type of the query string; calls with a body have none."""
    may_be_empty: bool = False
    """Can the answer be empty, with status 204?"""

    async def serve(self, request: Request) -> Response:
        await check_limit(request, self.limit)
        with timed(CALLS.labels(self.path)):
            return await self._serve(request)

    async def _serve(self, request: Request) -> Response:
        message = _parse_query(request, self.query) if self.query else None
        if self.body:
            message = reader(self.body).read(await _read_body(request))
        result = await self.answer(request, message)
        return result if isinstance(result, Response) else answer(result, self.status)


@dataclass(frozen=True, slots=True)
class SocketEndpoint:
    """A WebSocket and its messages in both directions."""

    path: str
    about: str
    serve: Callable[[WebSocket], Awaitable[None]]
    reads: Any
    writes: Any


async def check_limit(request: Request, what: str) -> None:
    """Count one call. Raises a `Problem` if calls come too fast."""
    secret = request.cookies.get(COOKIE)
    limits = services(request).limits
    try:
        limits.check(what, secret and hashed(secret), address_of(request))
    except Problem:
        await pause()
        raise


async def pause() -> None:
    """Wait before refusing someone who's too fast, which slows down a flood and spreads it out."""
    await asyncio.sleep(_PAUSE_SECONDS * uniform(0.5, 1.5))


def caller_of(connection: HTTPConnection) -> str:
    """The key of the caller's work queue: there's one per address or, if addresses don't count, one per identity."""
    limits = services(connection).limits
    return network(address_of(connection)) if limits.by_address else connection.cookies.get(COOKIE, "")


def origin_of(connection: HTTPConnection) -> int:
    """A number for the network a person is on, or 0 if addresses don't count.

    The number can't be turned back into an address, because a great many addresses share it.
    """
    if not services(connection).limits.by_address:
        return 0
    place = network(address_of(connection), bits=_ORIGIN_BITS)
    return 1 + int.from_bytes(sha256(place.encode()).digest()[:2])


def address_of(connection: HTTPConnection) -> str:
    """The address that a request comes from, or an empty string if we don't know."""
    return connection.client.host if connection.client is not None else ""


def _parse_query(request: Request, kind: Any) -> Any:
    """Read the query string, or raise a `Problem` that says what's wrong with it."""
    pairs = request.query_params.multi_items()
    names = {field.name for field in fields(kind)}
    known = [name for name, _ in pairs if name in names]
    if len(set(known)) < len(known):
        raise Problem("bad-message", "each query parameter can be given only once")
    return read_query(dict(pairs), kind)


async def _read_body(request: Request) -> bytes:
    content = bytearray()
    try:
        async for part in request.stream():
            content += part
            if len(content) > _MAX_BODY_BYTES:
                raise Problem("too-large")
    except ClientDisconnect:
        raise Problem("bad-message") from None  # The client is gone, so nobody will read this answer.
    return bytes(content)


async def requested_game(request: Request) -> LiveGame:
    """The game in the request's path."""
    return await services(request).games.get(request.path_params["game"])


async def in_helper(request: Request, work: Callable[[], T]) -> T:
    """Run slow work in a helper process, so that it doesn't hold up anyone else. `work` must be picklable."""
    queue = services(request).queue
    return await queue.do(caller_of(request), work, request.is_disconnected)


def rules_of(choices: dict[str, Any]) -> Rules:
    """Rules from a client's choices. Raises a `Problem` if they're invalid."""
    try:
        return Rules.from_json(choices)
    except (ChrominoError, TypeError) as error:
        raise Problem("bad-rules", str(error)) from None


async def check_open_games(store: Store, person: str) -> None:
    """Raise a `Problem` if someone has too many games in progress."""
    if await store.look_up(people.open_games(person)) >= MAX_OPEN_GAMES:
        raise Problem("too-many-games")


async def remember_face(request: Request, person: str, face: Face | None) -> None:
    """Remember the face that someone sits down with, for their other devices and the leaderboards."""
    store = services(request).store
    if face is not None and (await store.read(people.account(person))).face != face:
        await store.write_few_rows(people.choose_face(person, face))


async def with_person(request: Request, work: Callable[[str], Awaitable[Any]], status: int = 200) -> Response:
    """Answer with the result of `work`. Callers without an identity get one, unless their request is refused."""
    store = services(request).store
    person, secret = await player_of(request, store), None
    if person is None:
        person, secret = await new_person(store)
    response = answer(await work(person), status)
    if secret is not None:
        give_cookie(response, secret, secure=request.url.scheme == "https")
    return response
