"""Someone who does too much is slowed down, and nobody else is."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.messages.people import COOKIE
from chromino.server.http import limits
from chromino.server.http.limits import (
    MAX_GUEST_SEATS,
    MAX_OPEN_GATHERINGS,
    MAX_SOCKETS_PER_IDENTITY,
    MAX_SPECTATORS,
    PER_ADDRESS,
    PER_IDENTITY,
)
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, PATIENCE, Client, Server, act, plant_multiplayer


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server that also limits addresses, and trusts a proxy on this machine."""
    path = tmp_path_factory.mktemp("strict") / "db.sqlite"
    with InProcessServer(path, limits="all", proxies="127.0.0.1") as server:
        yield server


def from_address(number: int) -> dict[str, str]:
    return {"X-Forwarded-For": f"192.0.2.{number}"}


def test_new_games_per_identity_are_limited(server: InProcessServer) -> None:
    client, other = Client(server.url), Client(server.url)
    answers = [client.post("/api/games", {"seats": [ME]}) for _ in range(PER_IDENTITY["create"].burst + 5)]
    assert answers[0].status == 201
    assert answers[-1].refused == (429, "too-fast")
    assert answers[-1].headers["Retry-After"] == "1"
    begun = len(client.get("/api/games").json["games"])
    assert begun == sum(answer.status == 201 for answer in answers)
    assert other.post("/api/games", {"seats": [ME]}).status == 201


def test_requests_per_address_are_limited_no_matter_which_identity_they_use(strict: InProcessServer) -> None:
    number = 0

    def is_refused() -> bool:
        nonlocal number
        number += 1
        client = Client(strict.url, f"{number:043}")  # A made-up secret.
        status, code = client.post("/api/me/claim", {"code": "AAAAA-AAAAA"}, from_address(1)).refused
        assert (status, code) in ((403, "bad-code"), (429, "too-fast"))
        return status == 429

    while not is_refused():
        assert number < 20 * PER_ADDRESS["join"].burst, "there is no limit"
    assert number >= PER_ADDRESS["join"].burst
    elsewhere = Client(strict.url).post("/api/me/claim", {"code": "AAAAA-AAAAA"}, from_address(2))
    assert elsewhere.refused == (403, "bad-code")


def test_a_flood_of_messages_is_read_slowly_and_nothing_is_refused(server: InProcessServer) -> None:
    client, other = Client(server.url), Client(server.url)
    game = client.new_game(ME, HERE)
    with client.open(game) as flood, other.open(other.new_game(ME, HERE)) as page:
        state = flood.my_turn()
        burst = PER_IDENTITY["act"].burst
        for _ in range(burst + 100):
            flood.send({"type": "hint", "id": "too-old-to-answer", "version": 99})
        page.play_on()  # Meanwhile, someone else plays a whole game.
        answers = 0
        while answers < burst + 50:
            answers += flood.receive()["type"] == "refused"
        assert flood.ask(act(state, state["view"]["actions"][0]))["type"] == "done"


def test_pages_per_identity_are_limited(server: InProcessServer) -> None:
    client = Client(server.url)
    game = client.new_game(ME, HERE)
    with ExitStack() as stack:
        pages = [stack.enter_context(client.open(game)) for _ in range(MAX_SOCKETS_PER_IDENTITY)]
        assert pages[-1].my_turn()
        with client.open(game) as one_more:
            assert one_more.receive()["code"] == "too-many-pages"
            with pytest.raises(ConnectionClosed):
                one_more.until_closed()
    server.until(lambda: not client.whole_state(game)["seats"][0]["present"])
    with client.open(game) as again:
        assert again.receive()["type"] == "state"


def test_spectators_are_limited_but_players_always_have_room(server: InProcessServer) -> None:
    ada, bob = Client(server.url), Client(server.url)
    game = ada.gather(ME, FREE)
    bob.sit(game, "Bob")
    ada.begin(game)
    with ExitStack() as stack:
        for _ in range(MAX_SPECTATORS):
            assert stack.enter_context(Client(server.url).open(game)).receive()["watching"]
        with Client(server.url).open(game) as one_more:
            assert one_more.receive()["code"] == "too-many-spectators"
        with bob.open(game) as seated:
            assert seated.receive()["type"] == "state"


def test_tables_per_host_are_limited(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite", limits="none") as server:  # Otherwise, the answer would be "too-fast".
        client = Client(server.url)
        for _ in range(MAX_OPEN_GATHERINGS):
            client.gather()
        assert client.post("/api/gatherings", {"chairs": [ME, FREE]}).refused == (429, "too-many-games")


def test_seats_per_guest_are_limited(server: InProcessServer) -> None:
    """Otherwise someone could take the last seat at every table in the lobby."""
    tables = [Client(server.url).gather() for _ in range(MAX_GUEST_SEATS + 1)]
    guest = Client(server.url)
    for table in tables[:-1]:
        guest.sit(table, "Bob")
    guest.sit(tables[0], "Bobby")  # Bob is already seated there.
    assert guest.at(tables[-1], "sit", {"name": "Bob"}).refused == (429, "too-many-games")
    guest.at(tables[0], "leave")
    guest.sit(tables[-1], "Bob")
    guest.gather()  # Your own tables don't count.


def is_visited(server: InProcessServer, table: str) -> bool:
    with closing(sqlite3.connect(server.database)) as connection:
        return connection.execute("SELECT 1 FROM presence WHERE game = ?", [table]).fetchone() is not None


def test_the_lobby_shows_few_tables_per_host_and_those_with_someone_present_come_first(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        host, other = Client(server.url), Client(server.url)
        waiting = host.gather(public=True)
        with host.watch(waiting) as page:
            page.recv(PATIENCE)
            server.until(lambda: is_visited(server, waiting))
            tables = [other.gather(public=True) for _ in range(10)]
            lobby = [table["game"] for table in Client(server.url).get("/api/gatherings").json["gatherings"]]
        assert lobby[0] == waiting
        assert lobby[1:] == tables[:-4:-1]


def test_many_people_at_one_address_cannot_push_a_table_out_of_the_lobby(strict: InProcessServer) -> None:
    def opened(client: Client, number: int) -> tuple[int, str]:
        answer = client.post("/api/gatherings", {"chairs": [ME, FREE], "public": True}, from_address(number))
        return answer.status, answer.json.get("code") or answer.json["game"]

    status, honest = opened(Client(strict.url), 3)
    assert status == 201
    attackers = [Client(strict.url) for _ in range(17)]
    answers = [opened(attacker, 4) for attacker in attackers for _ in range(3)]
    assert [status for status, _ in answers] == [201] * 50 + [429]
    assert answers[-1] == (429, "lobby-full")
    alone = {"chairs": [ME, FREE], "public": False}
    assert attackers[-1].post("/api/gatherings", alone, from_address(4)).status == 201
    lobby = [table["game"] for table in Client(strict.url).get("/api/gatherings").json["gatherings"]]
    assert honest in lobby[:2]
    assert len(lobby) == 50


@pytest.mark.long
def test_a_slow_reader_holds_up_nobody_and_is_dropped(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite", options=["--slow-seconds", "2", "--limits", "none"]) as server:
        game, secrets = plant_multiplayer(server.database, Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0))
        ada, bob = (Client(server.url, secret) for secret in secrets)
        with never_reads(bob, game) as deaf, ada.open(game) as page:
            page.seats_when(lambda seats: seats[1]["present"])
            for _ in range(400):  # More than the system's buffers can hold.
                page.ask({"type": "pace", "id": "pace-up-and-down", "pace": True})
            assert page.act(page.state["view"]["actions"][0])["type"] == "done"
            page.seats_when(lambda seats: not seats[1]["present"])
            assert deaf.fileno() > 0


def never_reads(client: Client, game: str) -> socket.socket:
    """A page that connects and then never reads."""
    site = urlsplit(client.url)
    assert site.hostname is not None
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    deaf.settimeout(PATIENCE)
    deaf.connect((site.hostname, site.port))
    lines = [
        f"GET /api/games/{game}/play HTTP/1.1",
        f"Host: {site.netloc}",
        f"Origin: http://{site.netloc}",
        f"Cookie: {COOKIE}={client.secret}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    deaf.sendall("\r\n".join([*lines, "", ""]).encode())
    assert deaf.recv(12) == b"HTTP/1.1 101"
    return deaf


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("unknown", "unknown", True),
    ],
)
def test_an_ipv6_network_counts_as_one_address(one: str, other: str, is_same: bool) -> None:
    assert (limits.network(one) == limits.network(other)) == is_same


def test_limits_use_a_bounded_amount_of_memory() -> None:
    found = limits.Limits(by_address=False)
    for number in range(30_000):
        found._bucket("ask", f"i:{number}", PER_IDENTITY["ask"])  # Each is used only once.
    assert len(found._buckets) <= 10_001
