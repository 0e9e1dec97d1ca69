"""Someone who asks as much as they can, on one socket and over HTTP, in a process of their own: see `load.py`.

`python -m benchmarks.flood PORT SECONDS` prints, as JSON, how often each answer came.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from time import perf_counter

import msgspec
import uvloop
from msgspec import Struct

from tests.server.wire import Caller, Lost, Socket

_CONNECTIONS = 4
_AHEAD = 200  # Messages that are sent without waiting for an answer.
_CALLS = ("/api/games", "/api/gatherings", "/api/tiles", "/readyz")


class _Message(Struct):
    type: str
    version: int = 0
    code: str | None = None


_decode = msgspec.json.Decoder(_Message).decode


async def flood(port: int, seconds: float) -> Counter[str]:
    """Begin a game against a bot, and ask without an end."""
    answers: Counter[str] = Counter()
    end = perf_counter() + seconds
    caller = Caller(port, _CONNECTIONS)
    seats = [{"kind": "me", "name": "Flood"}, {"kind": "bot", "name": "Snail", "level": 1}]
    begun = await caller.call("POST", "/api/games", {"seats": seats, "first": 0})
    path = f"/api/games/{begun.json['game']}/play"
    async with asyncio.TaskGroup() as group:
        for number in range(_CONNECTIONS):
            group.create_task(_call(caller, number, begun.secret, end, answers))
        group.create_task(_ask(port, path, begun.secret, end, answers))
    await caller.close()
    return answers


async def _call(caller: Caller, number: int, secret: str | None, end: float, answers: Counter[str]) -> None:
    while perf_counter() < end:
        number += 1
        try:
            reply = await caller.call("GET", _CALLS[number % len(_CALLS)], None, secret)
        except Lost:
            answers["call: lost"] += 1
            await asyncio.sleep(0.1)
        else:
            answers[f"call: {reply.status}"] += 1


async def _ask(port: int, path: str, secret: str | None, end: float, answers: Counter[str]) -> None:
    """Hints, which are dear, and actions on a version that is gone, as fast as answers come back."""
    room = asyncio.Semaphore(_AHEAD)
    closed = asyncio.Event()

    def hear(text: bytes) -> None:
        message = _decode(text)
        if message.type != "state":
            answers[f"message: {message.code or message.type}"] += 1
            room.release()

    def lose(code: int) -> None:
        answers[f"socket: closed with {code}"] += 1
        closed.set()
        room.release()

    number = 0
    while perf_counter() < end:
        closed.clear()
        room = asyncio.Semaphore(_AHEAD)
        opened: asyncio.Future[Socket] = asyncio.get_running_loop().create_future()
        try:
            await Socket.open(port, path, secret, hear, lose, opened.set_result)
            socket = await asyncio.wait_for(opened, 1)
        except (OSError, TimeoutError):
            answers["socket: not opened"] += 1
            await asyncio.sleep(0.1)
            continue
        while perf_counter() < end and not closed.is_set():
            await room.acquire()
            number += 1
            asked = {"id": f"{number:012x}", "version": 0}
            act = {"type": "act", "seat": 0, "action": "pass", **asked, "version": 1000}
            if not closed.is_set():
                socket.send(json.dumps({"type": "hint", **asked} if number % 100 == 0 else act).encode())
        socket.close()


def main() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(flood(int(sys.argv[1]), float(sys.argv[2])))))


if __name__ == "__main__":
    main()
