"""Someone who sends as much as they can, on one socket and over HTTP, in a separate process: see `load.py`.

`python -m benchmarks.flood PORT SECONDS` prints the count of each kind of answer, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from time import perf_counter

import uvloop
from websockets.exceptions import ConnectionClosed

from chromino.client import Client, ClientError, Http, Socket, Unreachable
from chromino.messages.games import Act, AskForHint, NewGame, Refused, SeatChoice, State, ToClient

_CONNECTIONS = 4
_MAX_UNANSWERED = 200  # Messages to send without waiting for an answer.
_CALLS = ("/api/games", "/api/gatherings", "/api/tiles", "/readyz")


async def flood(port: int, seconds: float) -> Counter[str]:
    """Start a game against a bot, and keep sending messages and calls."""
    answers: Counter[str] = Counter()
    end = perf_counter() + seconds
    async with Client(Http(f"http://127.0.0.1:{port}", connections=_CONNECTIONS, keep_alive=True)) as client:
        game = await client.start(NewGame([SeatChoice("me", "Flood"), SeatChoice("bot", "Snail", 1)], first=0))
        async with asyncio.TaskGroup() as group:
            for number in range(_CONNECTIONS):
                group.create_task(_call(client, number, end, answers))
            group.create_task(_ask(client, game, end, answers))
    return answers


async def _call(client: Client, number: int, end: float, answers: Counter[str]) -> None:
    while perf_counter() < end:
        number += 1
        try:
            answer = await client.ask("GET", _CALLS[number % len(_CALLS)])
        except Unreachable:
            answers["call: lost"] += 1
            await asyncio.sleep(0.1)
        else:
            answers[f"call: {answer.status}"] += 1


async def _ask(client: Client, game: str, end: float, answers: Counter[str]) -> None:
    """Ask for hints, which are expensive, and send actions with a wrong version, as fast as answers come back."""
    number = 0
    while perf_counter() < end:
        try:
            async with client.open(game) as socket:
                slots = asyncio.Semaphore(_MAX_UNANSWERED)
                listening = asyncio.create_task(_listen(socket, slots, end, answers))
                while perf_counter() < end and not listening.done():
                    await slots.acquire()
                    number += 1
                    action_id = f"{number:012x}"
                    wants_hint = number % 100 == 0
                    with suppress(ConnectionClosed):
                        await socket.send(AskForHint(action_id, 0) if wants_hint else Act(action_id, 1000, 0, "pass"))
            await listening
        except ClientError:
            answers["socket: not opened"] += 1
            await asyncio.sleep(0.1)


async def _listen(socket: Socket[ToClient], slots: asyncio.Semaphore, end: float, answers: Counter[str]) -> None:
    async for message in socket:
        if not isinstance(message, State):
            answers[f"message: {message.code if isinstance(message, Refused) else message.type}"] += 1
            slots.release()
    if perf_counter() < end:
        answers[f"socket: closed with {socket.connection.close_code}"] += 1
    slots.release()


def main() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(flood(int(sys.argv[1]), float(sys.argv[2])))))


if __name__ == "__main__":
    main()
