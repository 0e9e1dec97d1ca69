"""The WebSocket of one open game: a whole state after each change, and answers to what the client asks."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from chromino.server.identity import person_of
from chromino.server.live import LiveGame, Watcher
from chromino.server.messages import Act, AskHint, FromClient, Refused, ToClient, decode
from chromino.server.problems import Problem

_TEXT_ONLY = 1003
_REFUSED = 4400  # Plus what the status of the problem adds to 400: 4404 is "no such game".
_read = msgspec.json.Decoder(FromClient)
_write = msgspec.json.Encoder()

log = logging.getLogger(__name__)


async def watch_game(socket: WebSocket) -> None:
    """Serve one socket until it closes, at whichever moment that is."""
    try:
        await socket.accept()
        await _serve(socket)
    except (WebSocketDisconnect, RuntimeError) as error:
        # Starlette raises a RuntimeError for sending to a socket that has closed meanwhile.
        log.debug("a socket closed: %s", error)


async def _serve(socket: WebSocket) -> None:
    state = socket.app.state
    try:
        person = await person_of(socket, state.store)
        live = await state.games.get(socket.path_params["game"])
        if person is None or not live.seats_of(person):
            raise Problem("not-your-game")
    except Problem as problem:
        await socket.send_text(_write.encode(refused(None, problem)).decode())
        await socket.close(_REFUSED + problem.status - 400)
        return
    watcher = Watcher(person)
    watcher.changed.set()  # The first state goes out at once.
    live.watchers.add(watcher)
    turn = asyncio.Lock()
    sender = asyncio.create_task(_send_states(socket, live, watcher, turn))
    try:
        while True:
            text = await socket.receive_text()
            async with turn:  # An action is acknowledged before it is shown.
                answer = await _answer(live, person, text)
                await socket.send_text(_write.encode(answer).decode())
    except KeyError:  # Bytes instead of text.
        await socket.close(_TEXT_ONLY)
    finally:
        live.watchers.discard(watcher)
        sender.cancel()


async def _send_states(socket: WebSocket, live: LiveGame, watcher: Watcher, turn: asyncio.Lock) -> None:
    """Send the newest state after each change: a slow reader misses what is old, and nothing else."""
    try:
        while True:
            await watcher.changed.wait()
            async with turn:
                watcher.changed.clear()
                await socket.send_text(_write.encode(live.state_for(watcher.person)).decode())
    except (WebSocketDisconnect, RuntimeError):
        pass  # It closed while something was on its way; the reader's loop ends by itself.


async def _answer(live: LiveGame, person: str, text: str) -> ToClient:
    asked = None
    try:
        message = decode(text, _read)
        asked = message.id
        match message:
            case Act():
                return await live.act(person, message)
            case AskHint():
                return await live.hint(person, message.id, message.version)
            case _:
                return await live.set_pace(person, message.id, message.pace)
    except Problem as problem:
        return refused(asked, problem)
    except Exception:
        log.exception("a message in game %s failed", live.id)
        return refused(asked, Problem("failed"))


def refused(asked: str | None, problem: Problem) -> Refused:
    return Refused(asked, **problem.to_json())
