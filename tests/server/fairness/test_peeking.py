"""Hidden tiles change no byte of a page, a picture, an error or a line of the log, and secrets are nowhere to be found.

test_eavesdropping.py compares states, records and lists of games; this module tries every other way to look.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from hashlib import sha256
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random

import pytest

from chromino import Game
from chromino.events import Draw, Place
from chromino.messages.people import COOKIE
from chromino.server.app import _PAGES
from chromino.server.endpoints import ENDPOINTS
from tests.server.sample_games import alike
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    FREE,
    HERE,
    ME,
    PATIENCE,
    Answer,
    Client,
    GameSocket,
    Server,
    act,
    plant_multiplayer,
)


def change(database: Path, statement: str, *values: str) -> None:
    """Change the database behind the server's back."""
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection, connection:
        connection.execute(statement, values)


@pytest.fixture(scope="module")
def pair() -> tuple[Game, Game]:
    one, two = alike(Place)
    assert one.deal.seed != two.deal.seed
    assert one.hands[0] == two.hands[0]
    assert one.hands[1:] != two.hands[1:]
    assert one.deal.bag != two.deal.bag
    assert one.view(None).to_json() == two.view(None).to_json()
    return one, two


@pytest.fixture(scope="module")
def drawing_pair() -> tuple[Game, Game]:
    """Two games like those of `pair`, but seat 0 has to draw."""
    return alike(Draw)


@dataclass
class Reader:
    """Someone who keeps every byte, except ids, times and the seed's hash."""

    client: Client
    game: str
    hash: str
    seen: list[str] = field(default_factory=list)
    tag: str = "no tag"
    """The last page's ETag: a hash of its content, which includes the game's id."""

    def keep(self, content: str) -> None:
        self.seen.append(content.replace(self.game, "GAME").replace(self.hash, "HASH"))

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None) -> None:
        address = path.format(game=self.game, day="2026-11-15", grade=1, family="classic", step="clash")
        answer = self.client.request(method, address, None, headers)
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "date"}
        if method == "GET":
            self.tag = sha256(answer.content).hexdigest()[:20]
        headers = {name: value.replace(self.tag, "TAG") for name, value in headers.items()}
        content = re.sub(r'"(created|updated)":"[^"]*"', r'"\1":""', answer.content.decode("latin-1"))
        self.keep(f"{method} {path} {answer.status} {headers} {content}")


def read_all(server: InProcessServer, game: Game) -> dict[str, list[str]]:
    """Everything that seat 0 and a spectator can get from the server, before and after an action."""
    planted, secrets = plant_multiplayer(server.database, game)
    assert game.deal.seed is not None
    hashed = sha256(game.deal.seed.encode()).hexdigest()
    with ExitStack() as stack:
        people = [Client(server.url, secret) for secret in secrets]
        sockets = [stack.enter_context(person.open(planted)) for person in people]
        spectator = Client(server.url)
        looking = stack.enter_context(spectator.open(planted))
        pages = {"seat 0": (Reader(people[0], planted, hashed), sockets[0])}
        pages["a spectator"] = (Reader(spectator, planted, hashed), looking)
        for reader, socket in pages.values():
            socket.seats_when(lambda seats: all(seat["present"] for seat in seats))
            look_around(reader, socket, game)
        done = sockets[0].act(str(game.actions()[0]), id="the-same-id")
        pages["seat 0"][0].keep(json.dumps(done))
        for reader, socket in pages.values():
            socket.state_since(1)
            reader.keep(socket.received[-1])
            look_around(reader, socket, game)
        return {name: reader.seen for name, (reader, _) in pages.items()}


def look_around(reader: Reader, socket: GameSocket, game: Game) -> None:
    """Request every page and every call, in every way, and try every tile."""
    for path in (*_PAGES, *(endpoint.path for endpoint in ENDPOINTS), "/icon.svg", "/game/{game}/hands", "/api/{game}"):
        for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE"):
            reader.ask(method, path, {"Accept": "text/html"} if method == "GET" else None)
    for path in ("/api/games/{game}/rematch", "/api/gatherings/{game}/begin", "/api/gatherings/{game}/leave"):
        reader.ask("POST", path)
    for tile in game.rules.tiles:
        message = act(socket.state, f"{tile}@0,1>", seat=0, id=f"try-tile-{tile}".replace("*", "x"))
        if f"{tile}@0,1>" not in map(str, game.actions()):
            reader.keep(json.dumps(socket.ask(message)))
    for seat in (0, 1, 2, 7):
        for action in ("draw", "pass", "nothing"):
            if seat != 0:
                message = act(socket.state, action, seat=seat, id=f"{action}-for-{seat}")
                reader.keep(json.dumps(socket.ask(message)))


def test_different_hidden_tiles_or_seeds_change_no_byte(pair: tuple[Game, Game], server: InProcessServer) -> None:
    one, two = (read_all(server, game) for game in pair)
    for who, texts in one.items():
        assert len(texts) > 300
        for text, other in zip(texts, two[who], strict=True):
            assert text == other
    for game in pair:
        whole = "\n".join([*one["seat 0"], *one["a spectator"]])
        assert game.deal.seed is not None
        assert game.deal.seed not in whole


def test_a_difference_would_be_noticed(pair: tuple[Game, Game], server: InProcessServer) -> None:
    """Seat 1 sees two different games."""
    states = []
    for game in pair:
        planted, secrets = plant_multiplayer(server.database, game)
        states.append(Client(server.url, secrets[1]).state(planted)["view"])
    assert states[0] != states[1]


# The log: what the server writes when something fails.


def storage_fails(server: InProcessServer, game: str, person: Client) -> None:
    with person.open(game) as socket:
        state = socket.my_turn()
        change(server.database, "ALTER TABLE events RENAME TO away")
        assert socket.act(state["view"]["actions"][0])["code"] == "storage"
        assert person.get("/api/games").status in (200, 503)
        change(server.database, "ALTER TABLE away RENAME TO events")


def an_event_that_breaks_the_rules(server: InProcessServer, game: str, person: Client) -> None:
    event = '{"seat":0,"draw":"RRR"}'
    change(server.database, "INSERT INTO events VALUES (?, 0, ?, NULL, '')", game, event)
    assert person.get(f"/api/games/{game}").refused == (500, "broken-game")
    assert person.get(f"/api/games/{game}/record").refused == (500, "broken-game")


def a_deal_that_does_not_match_the_seed(server: InProcessServer, game: str, person: Client) -> None:
    change(server.database, """UPDATE games SET header = replace(header, '"seed":"', '"seed":"0') WHERE id = ?""", game)
    assert person.get(f"/api/games/{game}").refused == (500, "broken-game")
    assert person.get("/api/games").status == 200


def a_list_that_cannot_be_read(server: InProcessServer, game: str, person: Client) -> None:
    """An unexpected failure, with a traceback in the log."""
    change(server.database, "UPDATE games SET digest = '{' WHERE id = ?", game)
    assert person.get("/api/games").refused == (500, "failed")


def a_turn_fails(server: InProcessServer, game: str, person: Client) -> None:
    """An unexpected failure while a message from the socket is handled."""
    with person.open(game) as socket:
        state = socket.my_turn()
        trigger = "CREATE TRIGGER fails BEFORE INSERT ON events BEGIN SELECT json(NEW.event || '{'); END"
        change(server.database, trigger)
        assert socket.act(state["view"]["actions"][0])["type"] == "refused"
        change(server.database, "DROP TRIGGER fails")


FAILURES: list[Callable[[InProcessServer, str, Client], None]] = [
    storage_fails,
    an_event_that_breaks_the_rules,
    a_deal_that_does_not_match_the_seed,
    a_list_that_cannot_be_read,
    a_turn_fails,
]


@pytest.mark.parametrize("fail", FAILURES)
def test_the_log_of_a_failure_reveals_nothing_hidden(
    fail: Callable[[InProcessServer, str, Client], None], drawing_pair: tuple[Game, Game], server: InProcessServer
) -> None:
    logs = []
    for game in drawing_pair:
        planted, secrets = plant_multiplayer(server.database, game)
        Client(server.url).new_game()  # Only the first failure after a success is logged.
        before = len(server.errors)
        fail(server, planted, Client(server.url, secrets[0]))
        assert Client(server.url).get("/healthz").status == 200  # By now, everything has been written.
        lines = server.errors[before:].replace(planted, "GAME").splitlines()
        # In the meantime, the server may also check for other programs' changes, or take over a game that's late.
        logs.append([line for line in lines if not re.search("can't (read|continue) game .*: the game can't", line)])
    assert logs[0] == logs[1]
    assert logs[0]


# Secrets.


@dataclass
class Everything:
    """What people and their devices did, and everything they received."""

    server: Server
    secrets: set[str]
    codes: set[str]
    answers: list[Answer]
    sockets: list[str]


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    """All that people do: games, a table, a code for a phone, wrong codes, wrong cookies, failures."""
    found = Everything(Server(tmp_path_factory.mktemp("secrets") / "db.sqlite"), set(), set(), [], [])
    with found.server as server:
        ada, bob, phone = (Client(server.url) for _ in range(3))

        def kept(client: Client, method: str, path: str, body: object = None) -> Answer:
            answer = client.request(method, path, body)
            found.answers.append(answer)
            if client.secret:
                found.secrets.add(client.secret)
            return answer

        table = kept(ada, "POST", "/api/gatherings", {"chairs": [ME, FREE], "public": True}).json["game"]
        kept(bob, "POST", f"/api/gatherings/{table}/sit", {"name": "Bob"})
        kept(ada, "POST", f"/api/gatherings/{table}/begin")
        for _ in range(2):
            code = kept(ada, "POST", "/api/me/code").json["code"]
            found.codes |= {code, code.replace("-", "")}
        assert kept(phone, "POST", "/api/me/claim", {"code": code}).status == 204
        assert kept(bob, "POST", "/api/me/claim", {"code": code}).status == 403
        assert kept(bob, "POST", "/api/me/claim", {"code": code, "more": 1}).status == 400
        kept(ada, "POST", "/api/games", {"seats": [ME, HERE]})
        for client in (ada, bob, phone):
            for path in (
                "/",
                "/api/games",
                f"/api/games/{table}",
                f"/api/games/{table}/record",
                f"/game/{table}",
                "/no",
            ):
                kept(client, "GET", path)
            with client.open(table) as socket:
                socket.state_since(0)
                socket.refusal("{")
                socket.refusal(act(socket.state, "nothing"))
                found.sockets += socket.received
        change(server.database, "UPDATE games SET digest = '{' WHERE id = ?", table)
        assert kept(ada, "GET", "/api/games").status == 500
        change(server.database, "ALTER TABLE devices RENAME TO away")
        assert kept(ada, "GET", f"/api/games/{table}").status == 503
        change(server.database, "ALTER TABLE away RENAME TO devices")
        yield found


def test_each_device_has_a_secret_of_256_bits(everything: Everything) -> None:
    assert len(everything.secrets) == 3
    for secret in everything.secrets:
        assert len(secret) * 6 >= 256
        assert len(set(secret)) > 10


def test_the_database_stores_only_hashes_of_secrets(everything: Everything) -> None:
    """The files are read as bytes, including the write-ahead log, before and after it's merged."""
    database = everything.server.database
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        hashes = {row[0] for row in connection.execute("SELECT secret_hash FROM devices")}
    assert hashes == {sha256(secret.encode()).hexdigest() for secret in everything.secrets}
    files = {path: path.read_bytes() for path in database.parent.iterdir()}
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files[Path("all")] = database.read_bytes()
    assert any(secret_hash.encode() in content for content in files.values() for secret_hash in hashes)
    for content in files.values():
        for word in everything.secrets | everything.codes:
            assert word.encode() not in content


def test_the_log_contains_no_secret(everything: Everything) -> None:
    assert "Traceback" in everything.server.errors  # From the failure we caused.
    for word in everything.secrets | everything.codes | {COOKIE + "=", "GET ", "POST "}:
        assert word not in everything.server.errors


def test_a_secret_is_sent_once_and_only_in_a_cookie(everything: Everything) -> None:
    sent: list[str] = []
    for answer in everything.answers:
        for name, value in answer.headers.items():
            if name.lower() == "set-cookie":
                sent += [morsel.value for morsel in SimpleCookie(value).values()]
            else:
                assert not any(secret in value for secret in everything.secrets)
        assert not any(secret.encode() in answer.content for secret in everything.secrets)
    assert sorted(sent) == sorted(everything.secrets)
    for text in everything.sockets:
        assert not any(word in text for word in everything.secrets | everything.codes)


COOKIES: dict[str, Callable[[Client, dict[str, str]], Answer]] = {
    "a game": lambda client, headers: client.post("/api/games", {"seats": [ME, HERE]}, headers),
    "a table": lambda client, headers: client.post("/api/gatherings", {"chairs": [ME, FREE]}, headers),
    "a seat": lambda client, headers: client.post(
        f"/api/gatherings/{Client(client.url).gather()}/sit", {"name": "Bob"}, headers
    ),
    "another device": lambda client, headers: client.post("/api/me/claim", {"code": a_code(client.url)}, headers),
}


def a_code(url: str) -> str:
    other = Client(url)
    other.new_game(ME, HERE)
    code: str = other.post("/api/me/code", None).json["code"]
    return code


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    with InProcessServer(tmp_path_factory.mktemp("proxy") / "db.sqlite", proxies="127.0.0.1") as server:
        yield server


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("way", COOKIES)
def test_every_cookie_is_out_of_reach_of_scripts_and_other_sites(
    way: str, scheme: str, behind_a_proxy: InProcessServer
) -> None:
    answer = COOKIES[way](Client(behind_a_proxy.url), {"X-Forwarded-Proto": scheme})
    assert answer.status in (200, 201, 204)
    (cookie,) = answer.headers.get_all("Set-Cookie", [])
    flags = {flag.lower() for flag in cookie.split("; ")[1:]}
    assert flags >= {"httponly", "samesite=strict", "path=/"}
    assert ("secure" in flags) == (scheme == "https")
    assert not any(flag.startswith("domain") for flag in flags)


def test_a_secret_in_a_url_identifies_nobody(client: Client) -> None:
    """Neither in the query nor in a different header."""
    game = client.new_game(ME, HERE)
    assert client.secret
    stranger = Client(client.url)
    for name in (COOKIE, "secret", "token", "cookie"):
        assert stranger.get(f"/api/games/{game}?{name}={client.secret}").refused == (403, "not-your-game")
    for header in ("Authorization", "X-Chromino", "X-Cookie"):
        assert stranger.get(f"/api/games/{game}", {header: client.secret}).refused == (403, "not-your-game")


@pytest.mark.parametrize("part", ["a prefix", "longer", "another letter", "in capitals", "its hash"])
def test_an_almost_correct_secret_identifies_nobody(part: str, client: Client) -> None:
    game = client.new_game(ME, HERE)
    secret = client.secret or ""
    other = Random(7).choice([letter for letter in "abcdefgh" if letter != secret[-1]])
    almost = {
        "a prefix": secret[:-1],
        "longer": secret + "A",
        "another letter": secret[:-1] + other,
        "in capitals": secret.swapcase(),
        "its hash": sha256(secret.encode()).hexdigest(),
    }[part]
    assert Client(client.url, almost).get(f"/api/games/{game}").refused == (403, "not-your-game")
