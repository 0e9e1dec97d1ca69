"""The WebSocket of one open game: a whole state after each change, and answers to what the client asks."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from chromino.server.identity import person_of
from chromino.server.live import LiveGame, Watcher
from chromino.server.messages import Act, AskHint, FromClient, Refused, ToClient
from chromino.server.problems import Problem

_REFUSED = 4400  # Plus what the status of the problem adds to 400: 4404 is "no such game".
_read = msgspec.json.Decoder(FromClient)
_write = msgspec.json.Encoder()

log = logging.getLogger(__name__)


async def watch_game(socket: WebSocket) -> None:
    """Serve one socket until it closes."""
    await socket.accept()
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
    answers: deque[ToClient] = deque()
    sender = asyncio.create_task(_send(socket, live, watcher, answers))
    try:
        while True:
            answers.append(await _answer(live, person, await socket.receive_text()))
            watcher.changed.set()
    except (WebSocketDisconnect, KeyError):  # A KeyError: bytes instead of text.
        pass
    finally:
        live.watchers.discard(watcher)
        sender.cancel()


async def _send(socket: WebSocket, live: LiveGame, watcher: Watcher, answers: deque[ToClient]) -> None:
    """Send answers, then the newest state if it is a new one: a slow reader misses what is old, and nothing else."""
    shown = None
    try:
        while True:
            await watcher.changed.wait()
            watcher.changed.clear()
            while answers:
                await socket.send_text(_write.encode(answers.popleft()).decode())
            if shown != (live.version, live.pace):
                shown = live.version, live.pace
                await socket.send_text(_write.encode(live.state_for(watcher.person)).decode())
    except (WebSocketDisconnect, RuntimeError):
        pass  # It closed while something was on its way; the reader's loop ends by itself.


async def _answer(live: LiveGame, person: str, text: str) -> ToClient:
    asked = None
    try:
        try:
            message = _read.decode(text)
        except msgspec.MsgspecError as error:
            raise Problem("bad-message", str(error)) from None
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
