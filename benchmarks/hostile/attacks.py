"""Attacks on a server, each in a separate process: see `__main__.py`.

`python -m benchmarks.hostile.attacks NAME TARGET SECONDS [RATE]` runs an attack. It prints a line when it's ready and,
at the end, the count of each kind of answer as JSON. With a RATE, it sends that many harmless requests a second
instead, over up to sixty connections. TARGET is a `Target` as JSON.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter

import uvloop
from websockets.exceptions import ConnectionClosed

from benchmarks.crowd import PATIENCE
from chromino.client import Client, Http, Identity, Socket
from chromino.messages.games import SetPace, State, ToClient
from chromino.messages.gatherings import ChairChoice, NewGathering
from chromino.tiles import CLASSIC_TILES

HOST = "127.0.0.1"

ATTACKER_HOST = "127.0.0.2"  # It differs from the players' address.
_CLIENTS = 60
_HARMLESS = "/healthz"


@dataclass(frozen=True)
class Target:
    """A server with a large database, and what an attacker knows about the server."""

    port: int
    secret: str
    """The secret of someone with a huge number of games."""
    person: str
    games: tuple[str, ...]
    """Games that anyone may watch."""
    table: str
    """A table that people can join by its link."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: bytes = b""
    host: str = HOST
    secret: str | None = None


Make = Callable[[Target, Random], Request]


def _far(_target: Target, rng: Random) -> Request:
    """A conundrum with tiles far apart, and all other tiles to place."""
    laid = [f"RGB@{rng.randrange(1000)},{rng.randrange(-900, 900)}>" for _ in range(3)]
    asked = " ".join(str(tile) for tile in CLASSIC_TILES if str(tile) != "RGB")
    return _conundrum(f"RGB@0,0> {' '.join(laid)} ? {asked}")


def _wide(_target: Target, rng: Random) -> Request:
    """A conundrum as wide as allowed, with as many tiles as allowed."""
    tiles = rng.sample([str(tile) for tile in CLASSIC_TILES], 68)
    laid = " ".join(f"{tile}@{3 * number},{rng.randrange(200)}>" for number, tile in enumerate(tiles[:60]))
    return _conundrum(f"{laid} ? {' '.join(tiles[60:])}")


def _conundrum(text: str) -> Request:
    return Request("POST", "/api/conundrums", json.dumps({"conundrum": text}).encode())


REQUESTS: dict[str, tuple[str, Make]] = {
    "far": ("conundrums with tiles far apart, and all other tiles to place", _far),
    "wide": ("conundrums as large as allowed", _wide),
    "ratings": ("the leaderboard", lambda target, _: Request("GET", "/api/ratings/classic", secret=target.secret)),
    "openapi": ("the description of the API", lambda _target, _: Request("GET", "/api/openapi.json")),
    "qr-codes": (
        "QR codes for long host names",
        lambda target, rng: Request(
            "GET", f"/api/gatherings/{target.table}/link.svg", host=f"{rng.randrange(10**9)}.{'a' * 200}"
        ),
    ),
    "my-games": ("one person's 17,000 games", lambda target, _: Request("GET", "/api/games", secret=target.secret)),
    "progress": ("progress, from 17,000 games", lambda target, _: Request("GET", "/api/path", secret=target.secret)),
    "lobby": ("the lobby, with 2,000 tables", lambda _target, _: Request("GET", "/api/gatherings")),
    "not-in-memory": (
        "games that aren't in memory",
        lambda target, rng: Request("GET", f"/api/games/{rng.choice(target.games)}"),
    ),
    "gifs": (
        "GIFs of games",
        lambda target, rng: Request("GET", f"/api/games/{rng.choice(target.games)}/picture.gif"),
    ),
    "reviews": (
        "reviews of games",
        lambda target, rng: Request("GET", f"/api/games/{rng.choice(target.games)}/review"),
    ),
    "invalid-id": (
        "tables with an invalid id",
        lambda target, _: Request("POST", "/api/gatherings/%00/leave", secret=target.secret),
    ),
}
"""Attacks with HTTP requests, from sixty clients."""


class Attacker:
    """Sends requests, and counts the answers."""

    def __init__(self, target: Target, seconds: float) -> None:
        self.target = target
        self.answers: Counter[str] = Counter()
        self.seconds = seconds
        self.end = math.inf
        self.rng = Random(1)
        self._site = f"http://{HOST}:{target.port}"
        self._http = Http(
            self._site, connections=_CLIENTS, keep_alive=True, timeout=PATIENCE, local_address=ATTACKER_HOST
        )

    def begin(self) -> None:
        """Start the clock, and print that everything is ready."""
        self.end = perf_counter() + self.seconds
        print("ready", flush=True)

    @property
    def is_running(self) -> bool:
        return perf_counter() < self.end

    async def ask(self, make: Make, pause: float = 0.0) -> None:
        """Run a client that sends a request as soon as the last one is answered, or at intervals of `pause` seconds."""
        due = perf_counter() + self.rng.uniform(0, pause)
        while self.is_running:
            if pause:
                await asyncio.sleep(max(0.0, due - perf_counter()))
                due += pause
            request = make(self.target, self.rng)
            headers = {"Host": request.host, **Identity(request.secret).headers}
            try:
                answer = await self._http.request(request.method, request.path, request.body, headers)
                self.answers[str(answer.status)] += 1
            except (OSError, EOFError):
                self.answers["lost"] += 1
                await asyncio.sleep(0.1)

    async def idle(self, count: int) -> None:
        """Keep this many connections open that send nothing; whenever one is closed, open another."""

        async def hold() -> None:
            while self.is_running:
                try:
                    opening = asyncio.open_connection(HOST, self.target.port, local_addr=(ATTACKER_HOST, 0))
                    reader, writer = await asyncio.wait_for(opening, PATIENCE)
                    self.answers["opened"] += 1
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1), max(0.1, self.end - perf_counter()))
                    writer.transport.abort()
                except OSError:
                    self.answers["refused"] += 1
                await asyncio.sleep(1)

        await asyncio.gather(*(hold() for _ in range(count)))

    async def toggle(self, games: int, spectators: int) -> None:
        """Start games with many spectators, and let the hosts keep changing the pace."""
        ready = asyncio.Barrier(games + 1)
        hosts = asyncio.gather(*(self._toggle_one(spectators, ready) for _ in range(games)))
        await ready.wait()
        self.begin()
        await hosts

    async def _toggle_one(self, spectators: int, ready: asyncio.Barrier) -> None:
        host = Client(self._site)
        chairs = [ChairChoice("me", "Host"), ChairChoice("bot", "Snail", 1)]
        game = await host.gather(NewGathering(chairs, first=0))
        await host.begin(game)
        async with AsyncExitStack() as stack:
            for _ in range(spectators):
                socket = await stack.enter_async_context(Client(self._site).open(game))
                stack.callback(asyncio.create_task(self._count(socket)).cancel)
            async with host.open(game) as mine:
                await ready.wait()
                number = 0
                while self.is_running:
                    number += 1
                    await mine.send(SetPace(f"toggle-{number}", number % 2 == 0))
                    while isinstance(answer := await mine.receive(), State):
                        pass
                    self.answers[answer.type] += 1

    async def _count(self, socket: Socket[ToClient]) -> None:
        """Count messages without decoding them."""
        try:
            while True:
                await socket.connection.recv(decode=False)
                self.answers["seen"] += 1
        except ConnectionClosed:
            self.answers["lost"] += 1


ATTACKS = {name: title for name, (title, _) in REQUESTS.items()} | {
    "idle": "2,000 connections that send nothing",
    "pace": "nine games, 100 spectators each, changing pace",
}


async def attack(name: str, target: Target, seconds: float, rate: float | None) -> Counter[str]:
    attacker = Attacker(target, seconds)
    clients: list[Awaitable[None]]
    if rate is not None:
        count = min(_CLIENTS, max(1, round(rate)))
        harmless = Request("GET", _HARMLESS)
        clients = [attacker.ask(lambda _target, _rng: harmless, count / rate) for _ in range(count)]
    elif name == "pace":
        clients = [attacker.toggle(9, 100)]
    elif name == "idle":
        clients = [attacker.idle(2000)]
    else:
        clients = [attacker.ask(REQUESTS[name][1]) for _ in range(_CLIENTS)]
    if rate is not None or name != "pace":  # The pace attack has to open its sockets first.
        attacker.begin()
    work = asyncio.gather(*clients)
    while not work.done() and perf_counter() < attacker.end + 1:  # Later answers don't count.
        await asyncio.wait([work], timeout=0.1)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    return attacker.answers


def command_of(name: str, target: Target, seconds: float, rate: float | None = None) -> list[str]:
    """The command that runs an attack."""
    command = [sys.executable, "-m", "benchmarks.hostile.attacks", name, json.dumps(asdict(target)), str(seconds)]
    return command if rate is None else [*command, str(rate)]


def main() -> None:
    name, text, seconds, *rate = sys.argv[1:]
    target = Target(**json.loads(text))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        answers = runner.run(attack(name, target, float(seconds), float(rate[0]) if rate else None))
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
