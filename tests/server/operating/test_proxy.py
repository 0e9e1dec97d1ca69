"""nginx in front of four processes: a game has a home, and nothing depends on it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.server.app import _PAGES
from chromino.server.endpoints import ENDPOINTS, SOCKETS
from tests.server.nginx import BEHIND_IT, Nginx
from tests.server.postgres import Postgres, temporary_database
from tests.server.serving import METRICS, Client, GameSocket, Server, patiently, plant_apart

PROCESSES = 4
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)

PATHS = sorted({*_PAGES, *(endpoint.path for endpoint in ENDPOINTS), *(socket.path for socket in SOCKETS)})
OF_GAMES = [path for path in PATHS if "{game}" in path]


NAMES = {"game", "day", "family", "grade", "lesson"}
"""What stands for something in paths; only `game` is a game's id."""


class Site(NamedTuple):
    """Four processes, and nginx in front of them."""

    nginx: Nginx
    servers: dict[int, Server]
    """By port."""
    database: str

    def landed(self, *paths: str) -> list[set[int]]:
        """Request these paths: the processes that answered each of them so far."""
        client, before = Client(self.nginx.url), len(self.nginx.landed)
        for path in paths:
            client.get(path)
        patiently(lambda: len(self.nginx.landed) >= before + len(paths))
        lines = self.nginx.landed[before:]
        return [{line.ports[-1] for line in lines if line.path == path} for path in paths]

    @property
    def sockets(self) -> dict[int, int]:
        """How many sockets of games each process has, if it has any."""
        found = {port: _sockets(server) for port, server in self.servers.items() if server.is_running}
        return {port: count for port, count in found.items() if count}


def _sockets(server: Server) -> int:
    found = re.search(r'chromino_sockets\{kind="game"\} (\S+)', server.metrics)
    return int(float(found[1])) if found else 0


@pytest.fixture(scope="module")
def site(postgres: Postgres) -> Iterator[Site]:
    with temporary_database(postgres) as url, ExitStack() as stack:
        servers = [Server(url, options=[*BEHIND_IT, *METRICS]) for _ in range(PROCESSES)]
        with ThreadPoolExecutor() as threads:
            list(threads.map(Server.start, servers))
        for server in servers:
            stack.callback(lambda server=server: server.stop() if server.is_running else None)
        nginx = stack.enter_context(Nginx([server.port for server in servers]))
        yield Site(nginx, {server.port: server for server in servers}, url)
        assert "Traceback" not in "".join(server.errors for server in servers)


def test_every_path_with_a_game_goes_to_its_home(site: Site) -> None:
    """If it fails for a new path, add that to the map in deploy/nginx.conf."""
    assert {name for path in PATHS for name in re.findall(r"{(\w+)}", path)} == NAMES
    homes = set()
    for game in ("a-game", "another"):
        landed = site.landed(*(path.replace("{game}", game) for path in OF_GAMES))
        assert set(map(len, landed)) == {1}
        assert len(set.union(*landed)) == 1, dict(zip(OF_GAMES, landed, strict=True))
        homes |= set.union(*landed)
    everywhere = set(site.servers)
    assert set.union(*site.landed(*(f"/game/{number}" for number in range(60)))) == everywhere
    assert set.union(*site.landed(*["/healthz"] * 60)) == everywhere
    assert set.union(*site.landed(*["/api/games"] * 60)) == everywhere


def test_people_meet_in_one_process_and_play_on_in_another_when_it_dies(site: Site) -> None:
    game, (ada, bob) = plant_apart(site.database, START)
    with Client(site.nginx.url, ada).open(game) as one, Client(site.nginx.url, bob).open(game) as other:
        _take_a_turn(one, other)
        ((home, count),) = site.sockets.items()
        assert count == 2
        _take_a_turn(other, one)
        astray = next(server for port, server in site.servers.items() if port != home)
        with Client(astray.url, ada).open(game) as wrong:  # As if the proxy had guessed wrong.
            _take_a_turn(wrong, other)
            _take_a_turn(other, wrong)
        site.servers[home].kill()
        with pytest.raises(ConnectionClosed):
            one.my_turn(since=sys.maxsize)
    with Client(site.nginx.url, ada).open(game) as one, Client(site.nginx.url, bob).open(game) as other:
        _take_a_turn(one, other)
        ((next_home, count),) = site.sockets.items()
        assert (count, next_home != home) == (2, True)
    site.servers[home].start()
    patiently(lambda: site.landed(f"/game/{game}") == [{home}])


def _take_a_turn(one: GameSocket, other: GameSocket) -> None:
    """One acts until it's the other's turn."""
    state = other.state_since(0)
    while not state["view"]["actions"]:
        done = one.act(one.my_turn(since=state["version"])["view"]["actions"][0])
        state = other.state_since(done["version"])
