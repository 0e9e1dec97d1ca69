"""The WebSockets of games and gatherings. They send a full state after each change, and answer messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from random import uniform
from typing import get_args

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from chromino.messages.games import Act, AskForHint, Done, FromClient, Refused, SetPace, ToClient
from chromino.messages.gatherings import Begun
from chromino.messages.people import COOKIE
from chromino.seated.declined import Declined
from chromino.seated.shown import gathering_state
from chromino.server.games.gatherings import GatheringWatcher
from chromino.server.games.live_game import LiveGame
from chromino.server.games.watcher import Watcher
from chromino.server.http.calls import address_of, caller_of, pause
from chromino.server.http.limits import Limits
from chromino.server.message_structs import Reader
from chromino.server.operating.metrics import ACTING, REFUSALS, SOCKETS, timed
from chromino.server.people.identity import hashed, person_of
from chromino.server.problems import Problem
from chromino.server.services import services

_TEXT_ONLY = 1003
_REFUSED = 4400  # Plus the problem's status minus 400: 4404 means "no such game".
_TRY_AGAIN = 1013  # "Try again later": the page reconnects and resends anything unanswered.
_LIMITED: dict[type[object], str] = {AskForHint: "think", SetPace: "pace"}  # Messages with stricter limits.
_SPECTATOR_SECONDS = 0.25  # The average time between states sent to a spectator.
_MERGE_SECONDS = 0.01  # Changes to a gathering within this time are sent as one, since pages often act all at once.
_read = Reader[FromClient](*get_args(FromClient)).read
_encoder = msgspec.json.Encoder()

log = logging.getLogger(__name__)


async def serve_game(socket: WebSocket) -> None:
    """Serve one socket until it closes, which can happen at any moment."""
    try:
        await socket.accept()
        await _serve(socket)
    except (WebSocketDisconnect, RuntimeError) as error:
        # Starlette raises a RuntimeError when sending to a socket that has just closed.
        log.debug("a socket closed: %s", error)


async def _serve(socket: WebSocket) -> None:
    parts = services(socket)
    try:
        async with _visitor(socket) as person:
            live = await parts.games.get(socket.path_params["game"])
            live.check_may_see(person)
            live.check_room_for(person)
            with parts.limits.socket(person, address_of(socket)), SOCKETS.labels("game").track_inprogress():
                await _play(socket, live, person or "")
    except (Problem, Declined) as problem:
        await _refuse(socket, problem)


@asynccontextmanager
async def _visitor(socket: WebSocket) -> AsyncIterator[str | None]:
    """Yield the person who opened the socket, or raise a `Problem` if they open sockets too fast.

    If their device is signed out in the meantime, the socket is closed.
    """
    parts, secret = services(socket), socket.cookies.get(COOKIE, "")
    with parts.pages.open(hashed(secret), partial(_refuse, socket, Problem("signed-out"))) as page:
        person = await person_of(socket, parts.store)
        parts.pages.set_owner(page, person)
        parts.limits.check("ask", person, address_of(socket))
        yield person


async def _play(socket: WebSocket, live: LiveGame, person: str) -> None:
    limits = services(socket).limits
    watcher = Watcher(person, caller_of(socket))
    live.enter(watcher)
    sender = asyncio.create_task(_send_states(socket, live, watcher))
    try:
        while True:
            text = await socket.receive_text()
            await limits.throttle(person or address_of(socket))
            with watcher.answering():
                answer = await _answer(live, watcher, text, limits)
                await socket.send_text(_encoder.encode(answer).decode())
                if isinstance(answer, Done) and watcher.has_news:
                    # Send the state right away, without waking the other task.
                    await _show(socket, live, watcher)
    except KeyError:  # The client sent bytes instead of text.
        await socket.close(_TEXT_ONLY)
    finally:
        live.exit(watcher)
        sender.cancel()


async def _send_states(socket: WebSocket, live: LiveGame, watcher: Watcher) -> None:
    """Send the latest state after each change. A slow client misses only outdated states.

    Spectators get a state only every now and then, since there may be a hundred of them.
    """
    try:
        while True:
            await watcher.wait_for_news()
            await _show(socket, live, watcher)
            if not live.table.seats_of(watcher.person):
                # The pause is random, so that we don't send to all spectators at once.
                await asyncio.sleep(_SPECTATOR_SECONDS * uniform(0.5, 1.5))
    except (WebSocketDisconnect, RuntimeError):
        pass  # The socket closed while we were sending, so the loop in `_play` ends, too.
    except (Problem, Declined) as problem:  # This person isn't allowed to see the game anymore.
        await _refuse(socket, problem)


async def _show(socket: WebSocket, live: LiveGame, watcher: Watcher) -> None:
    watcher.has_news = False
    while watcher.phrases:
        await socket.send_text(_encoder.encode(watcher.phrases.popleft()).decode())
    await socket.send_text(live.text_for(watcher.person))


async def _answer(live: LiveGame, watcher: Watcher, text: str, limits: Limits) -> ToClient:
    message = None
    try:
        message = _read(text)
        if limited := _LIMITED.get(type(message)):
            limits.check(limited, watcher.person, None)
        with timed(ACTING) if isinstance(message, Act) else nullcontext():
            return await live.answer(watcher.person, watcher.caller, message)
    except (Problem, Declined) as error:
        problem = Problem.of(error) if isinstance(error, Declined) else error
        if problem.code in ("database-away", "database-locked"):
            raise problem from None  # The page notices the lost connection, reconnects and asks again.
        if problem.code == "too-fast" and isinstance(message, SetPace):
            await pause()  # Slow down a flood, just as with HTTP calls.
        REFUSALS.labels(problem.code).inc()
        return _refused(message.id if message else None, problem)
    except Exception:
        log.exception("a message in game %s failed", live.id)
        return _refused(message.id if message else None, Problem("failed"))


async def _refuse(socket: WebSocket, error: Problem | Declined) -> None:
    """Say what's wrong, and close the socket with a code that tells the page whether to try again."""
    problem = Problem.of(error) if isinstance(error, Declined) else error
    REFUSALS.labels(problem.code).inc()
    if problem.code == "database-away":
        await socket.close(_TRY_AGAIN)
        return
    await socket.send_text(_encoder.encode(_refused(None, problem)).decode())
    await socket.close(_REFUSED + problem.status - 400)


def _refused(message_id: str | None, problem: Problem) -> Refused:
    body = problem.body
    return Refused(message_id, body.code, body.text, body.refusal)


async def serve_gathering(socket: WebSocket) -> None:
    """Send a gathering's state after each change, until the gathering is over or the socket closes."""
    parts = services(socket)
    try:
        await socket.accept()
        try:
            async with _visitor(socket) as person:
                with parts.limits.socket(person, address_of(socket)), SOCKETS.labels("gathering").track_inprogress():
                    await _serve_watcher(socket, socket.path_params["game"], GatheringWatcher(person))
        except Problem as problem:
            await _refuse(socket, problem)
    except (WebSocketDisconnect, RuntimeError) as error:
        log.debug("a socket closed: %s", error)


async def _serve_watcher(socket: WebSocket, table_id: str, watcher: GatheringWatcher) -> None:
    gatherings = services(socket).gatherings
    sender = None
    try:
        await gatherings.watch(table_id, watcher)
        sender = asyncio.create_task(_send_gathering(socket, table_id, watcher))
        while True:
            await socket.receive()
            await services(socket).limits.throttle(watcher.person or address_of(socket))
            if socket.client_state is not WebSocketState.CONNECTED:
                return
    finally:
        if sender is not None:
            sender.cancel()
        gatherings.forget(table_id, watcher)


async def _send_gathering(socket: WebSocket, table_id: str, watcher: GatheringWatcher) -> None:
    parts = services(socket)
    try:
        while True:
            await watcher.changed.wait()
            watcher.changed.clear()
            try:
                message = gathering_state(await parts.gatherings.latest(table_id), watcher.person)
            except Problem as problem:
                if problem.code != "no-such-gathering":
                    await _refuse(socket, problem)
                    return
                end = Begun(table_id, await parts.store.has_game(table_id))
                watcher.has_game = end.begun
                await socket.send_text(_encoder.encode(end).decode())
                return
            await socket.send_text(_encoder.encode(message).decode())
            await asyncio.sleep(_MERGE_SECONDS)
    except (WebSocketDisconnect, RuntimeError):
        pass  # The socket has closed in the meantime.
    except Problem as problem:
        await _refuse(socket, problem)
