"""nginx in front of four processes: every game has a home, but nothing depends on that."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.server.app import _PAGES
from chromino.server.endpoints import ENDPOINTS, SOCKETS
from tests.server.sites.nginx import ServersBehindNginx
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import METRICS, Client, GameSocket, Server, plant_multiplayer

PROCESSES = 4
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)

PATHS = sorted({*_PAGES, *(endpoint.path for endpoint in ENDPOINTS), *(socket.path for socket in SOCKETS)})
OF_GAMES = [path for path in PATHS if "{game}" in path]


NAMES = {"game", "day", "family", "grade", "step"}
"""Placeholders in paths; only `game` is a game's id."""


class Site(NamedTuple):
    """Four processes behind nginx."""

    behind_nginx: ServersBehindNginx
    database: str

    @property
    def url(self) -> str:
        return self.behind_nginx.url

    def ports_for(self, *paths: str) -> list[set[int]]:
        """Request these paths; returns the ports of the processes that answered each of them."""
        client, before = Client(self.url), len(self.behind_nginx.routed_requests)
        for path in paths:
            client.get(path)
        assert self.behind_nginx.nginx is not None
        self.behind_nginx.nginx.until(lambda: len(self.behind_nginx.routed_requests) >= before + len(paths))
        lines = self.behind_nginx.routed_requests[before:]
        return [{line.ports[-1] for line in lines if line.path == path} for path in paths]

    @property
    def with_sockets(self) -> list[tuple[Server, int]]:
        """The processes that have sockets of games open, and how many."""
        counts = ((server, _sockets(server)) for server in self.behind_nginx.servers if server.is_running)
        return [(server, count) for server, count in counts if count]


def _sockets(server: Server) -> int:
    found = re.search(r'chromino_sockets\{kind="game"\} (\S+)', server.metrics)
    return int(float(found[1])) if found else 0


@pytest.fixture(scope="module")
def site(postgres: Postgres) -> Iterator[Site]:
    with temporary_database(postgres) as url, ServersBehindNginx(url, processes=PROCESSES, options=METRICS) as servers:
        yield Site(servers, url)
        assert "Traceback" not in servers.errors


def test_every_path_with_a_game_goes_to_its_home_process(site: Site) -> None:
    """If this test fails for a new path, add the path to the map in deploy/nginx.conf."""
    assert {name for path in PATHS for name in re.findall(r"{(\w+)}", path)} == NAMES
    for game in ("a", "b", "c", "d", "e", "f"):  # A missing path may reach the right process by chance.
        ports = site.ports_for(*(path.replace("{game}", game) for path in OF_GAMES))
        assert len(set.union(*ports)) == 1, dict(zip(OF_GAMES, ports, strict=True))
    everywhere = {server.port for server in site.behind_nginx.servers}
    assert set.union(*site.ports_for(*(f"/game/{number}" for number in range(60)))) == everywhere
    assert set.union(*site.ports_for(*["/healthz"] * 60)) == everywhere
    assert set.union(*site.ports_for(*["/api/games"] * 60)) == everywhere


def test_people_meet_in_one_process_and_continue_in_another_when_it_dies(site: Site) -> None:
    game, (ada, bob) = plant_multiplayer(site.database, START)
    with Client(site.url, ada).open(game) as one, Client(site.url, bob).open(game) as other:
        _take_a_turn(one, other)
        ((home, count),) = site.with_sockets
        assert count == 2
        _take_a_turn(other, one)
        astray = next(server for server in site.behind_nginx.servers if server is not home)
        with Client(astray.url, ada).open(game) as wrong:  # As if the proxy had made a mistake.
            _take_a_turn(wrong, other)
            _take_a_turn(other, wrong)
        home.kill()
        with pytest.raises(ConnectionClosed):
            one.my_turn(since=sys.maxsize)
    with Client(site.url, ada).open(game) as one, Client(site.url, bob).open(game) as other:
        _take_a_turn(one, other)
        ((_, count),) = site.with_sockets
        assert count == 2
    home.start()
    assert site.behind_nginx.nginx is not None
    site.behind_nginx.nginx.forget_failures()
    assert site.ports_for(f"/game/{game}") == [{home.port}]


def _take_a_turn(one: GameSocket, other: GameSocket) -> None:
    """One player acts until it's the other player's turn."""
    state = other.state_since(0)
    while not state["view"]["actions"]:
        done = one.act(one.my_turn(since=state["version"])["view"]["actions"][0])
        state = other.state_since(done["version"])
