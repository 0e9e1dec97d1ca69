"""Clients that send too slowly, send too much or don't read do no harm to others."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from websockets.sync.client import connect

from tests.server.sites.in_process import InProcessServer
from tests.server.sites.processes import memory
from tests.server.sites.serving import PATIENCE, Client, Server

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with little patience for slow requests."""
    with Server(tmp_path_factory.mktemp("hasty") / "db.sqlite", options=["--slow-seconds", "1"]) as server:
        yield server


@contextmanager
def connected(server: Server | InProcessServer) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as found:
        yield found


def all_of(connection: socket.socket) -> bytes:
    """Everything received until the other side hangs up."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:  # The other side hung up while we were still sending.
        pass
    return found


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HT", HEAD, b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"],
    ids=["nothing", "a line", "a head", "a body"],
)
def test_clients_with_unfinished_requests_are_disconnected(begun: bytes, hasty: Server) -> None:
    with connected(hasty) as connection:
        connection.sendall(begun)
        assert b" 200 " not in all_of(connection)


def test_a_pause_between_two_requests_is_fine(hasty: Server) -> None:
    with connected(hasty) as connection:
        for _ in range(2):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while b"healthy" not in answer:
                answer += connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("end", [b"", b"\r\n\r\n"], ids=["goes on", "ends"])
def test_an_oversized_head_is_refused(end: bytes, server: InProcessServer) -> None:
    with connected(server) as connection:
        connection.sendall(HEAD + b"X-Long: " + 20_000 * b"a" + end)
        assert all_of(connection).startswith(b"HTTP/1.1 400")


def test_an_endless_head_is_not_buffered(server: InProcessServer) -> None:
    with connected(server) as connection, pytest.raises(OSError, match=r"reset|pipe"):
        connection.sendall(HEAD + b"X-Long: " + 100_000_000 * b"a")


def test_a_large_body_is_not_mistaken_for_a_head(server: InProcessServer) -> None:
    answer = Client(server.url).request("POST", "/api/records", {"record": 50_000 * "a"})
    assert answer.refused == (400, "bad-record")


@pytest.mark.parametrize("host", [300 * "a", 'a"b', "a b", "a/b"])
def test_an_invalid_host_is_refused(host: str, server: InProcessServer) -> None:
    for path in ("/", "/api/games", "/join/abc"):
        assert Client(server.url).request("GET", path, headers={"Host": host}).refused == (400, "bad-message")


def test_unread_answers_to_pings_do_not_pile_up(hasty: Server) -> None:
    server, headers = hasty, {"Origin": hasty.url.rstrip("/")}
    with connect(f"{server.url.replace('http', 'ws')}api/gatherings/abc/watch", additional_headers=headers) as page:
        page.recv()  # The connection is established.
        raw = page.socket
        before = memory([server.pid])
        ping = b"\x89\xfd\0\0\0\0" + 125 * b"p"
        with suppress(OSError):  # A client that stops reading may be cut off before everything is sent.
            for _ in range(200):  # The answers would be 25 MB.
                raw.sendall(1000 * ping)
        assert Client(server.url).get("/healthz").status == 200
        assert memory([server.pid]) - before < 20_000_000
