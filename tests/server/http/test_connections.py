"""Idle connections lock nobody out, and proxies are trusted only if they're listed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chromino.server.http.connections import Connections, TrustedProxies
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import PATIENCE, Client, Server

FILES = 300  # How many files the server may open.


class Transport(asyncio.Transport):
    """One end of a connection."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def close(self) -> None:
        self.closed = True


@dataclass(eq=False)
class Connection:
    transport: asyncio.Transport = field(default_factory=Transport)


def connections(files: int, proxies: str = "", *, by_address: bool = True) -> Connections:
    return Connections(files, TrustedProxies(proxies), by_address=by_address)


def crowd(found: Connections, address: str, count: int) -> list[Connection]:
    """Try to open this many connections; returns those that are accepted."""
    tried = [Connection() for _ in range(count)]
    return [one for one in tried if found.enter(one, address)]


def test_one_address_gets_only_its_share_and_others_still_get_in() -> None:
    found = connections(500)
    mine = crowd(found, "192.0.2.1", 300)
    assert len(mine) == 100  # A quarter of what's left for connections.
    assert len(crowd(found, "192.0.2.2", 10)) == 10
    found.leave(mine[0].transport)
    found.leave(mine[0].transport)  # Closing twice counts once.
    assert len(crowd(found, "192.0.2.1", 5)) == 1


def test_a_trusted_proxy_gets_as_many_connections_as_it_needs() -> None:
    assert len(crowd(connections(500, "192.0.2.0/24"), "192.0.2.1", 300)) == 300
    assert len(crowd(connections(500, by_address=False), "192.0.2.1", 300)) == 300


def test_when_all_connections_are_in_use_those_without_a_request_are_closed() -> None:
    found = connections(150, by_address=False)
    first, *others = crowd(found, "192.0.2.1", 50)
    found.note_request(first)
    assert len(crowd(found, "192.0.2.2", 5)) == 5
    assert [isinstance(one.transport, Transport) and one.transport.closed for one in others[:6]] == 5 * [True] + [False]
    assert isinstance(first.transport, Transport)
    assert not first.transport.closed


def test_busy_connections_are_never_closed_to_make_room() -> None:
    found = connections(150, by_address=False)
    for one in crowd(found, "192.0.2.1", 50):
        found.note_request(one)
    assert crowd(found, "192.0.2.2", 1) == []


def test_idle_connections_lock_nobody_out_and_are_logged(tmp_path: Path) -> None:
    limited = ["prlimit", f"--nofile={FILES}:{FILES}"]
    with (
        Server(tmp_path / "db.sqlite", options=["--limits", "all"], run_by=limited) as server,
        ExitStack() as idle,
    ):
        for _ in range(2 * FILES):
            idle.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE, source_address=("127.0.0.2", 0)) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 200")
        server.until_it_says("refusing connections: one address has")
        assert server.errors.count("refusing connections") == 1


def test_a_closed_socket_makes_room(tmp_path: Path) -> None:
    """A WebSocket counts while it's open, even though another protocol has taken over."""
    limited = ["prlimit", "--nofile=140:140"]
    with Server(tmp_path / "db.sqlite", options=["--limits", "all"], run_by=limited) as server:
        client = Client(server.url)
        game = client.new_game()
        for _ in range(30):  # More than may be open at once.
            with client.open(game) as page:
                page.receive()
        assert "refusing" not in server.errors


# Proxies.


@pytest.mark.parametrize("text", ["*", "0.0.0.0/0", "::/0", "nginx", "127.0.0.1,*", "10.0.0.0/33"])
def test_trusting_every_address_as_a_proxy_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="address"):
        TrustedProxies(text)


def test_proxies_can_be_addresses_or_networks() -> None:
    found = TrustedProxies("127.0.0.1, 10.1.0.0/16,::1")
    assert [one in found for one in ("127.0.0.1", "10.1.2.3", "::1")] == [True, True, True]
    assert [one in found for one in ("127.0.0.2", "10.2.0.0", "::2", "", "unix:")] == 5 * [False]
    assert str(found) == "127.0.0.1/32,10.1.0.0/16,::1/128"
    assert not TrustedProxies("")


@pytest.fixture
def without_proxies(tmp_path: Path) -> Iterator[InProcessServer]:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        yield server


def test_an_untrusted_proxy_is_logged_once(without_proxies: InProcessServer) -> None:
    for number in range(3):
        Client(without_proxies.url).get("/healthz", {"X-Forwarded-For": f"192.0.2.{number}"})
    assert without_proxies.errors.count("a proxy at 127.0.0.1 forwards requests but isn't listed in --proxies") == 1
    assert "192.0.2" not in without_proxies.errors


def test_metrics_are_not_served_on_the_public_address(without_proxies: InProcessServer) -> None:
    assert Client(without_proxies.url).get("/metrics").refused == (404, "no-such-page")
