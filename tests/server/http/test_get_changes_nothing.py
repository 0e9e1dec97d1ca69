"""No GET and no call from another site changes anything, in any table of the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

import pytest
from websockets.exceptions import InvalidStatus

from chromino import Game, Rules
from chromino.conundrum.making import daily
from chromino.fair_deal import commitment_of
from chromino.server.app import _PAGES
from chromino.server.endpoints import ENDPOINTS
from chromino.server.http.calls import Endpoint
from tests.server.push.push_service import Subscriber
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, SNAIL, Client, permanent_rows, plant, play_together

BOT_BEGINS = Game.start(Rules.classic(), ["Ada", "Bot"], seed=7, first=1)
DAILY = daily(date(2026, 11, 15), 1)
FOUND = [str(place) for places in DAILY.solutions.values() for place in places]

_BROWSER = Subscriber("https://fcm.googleapis.com/1")
PUSH = {"endpoint": _BROWSER.endpoint, "p256dh": _BROWSER.p256dh, "auth": _BROWSER.auth}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server without limits, since most of these requests would be refused as too fast."""
    with InProcessServer(tmp_path_factory.mktemp("server") / "games.sqlite", limits="none") as server:
        yield server


def finished(client: Client) -> str:
    game = client.new_game(ME, rules={"hand_size": 1})
    with client.open(game) as socket:
        socket.play_on()
    return game


def give_bots_time(server: InProcessServer) -> str:
    """Wait until a bot has played in another game: by then, bots in earlier games have had time to play, too."""
    game, secret = plant(server.database, BOT_BEGINS, bots={1: "snail"})
    with Client(server.url, secret).open(game) as socket:
        socket.my_turn(since=1)
    return game


# Looking.


@dataclass
class World:
    """One of everything that can be looked at, and the people who look."""

    people: list[Client]
    games: list[str]

    def paths(self) -> list[str]:
        """Every address, including those that only accept POST."""
        found = ["/api/openapi.json", "/nothing", "/js/main.js"]
        for path in {*_PAGES, *(endpoint.path for endpoint in ENDPOINTS)}:
            for game in self.games if "{game}" in path else ("",):
                parts = {"game": game, "grade": 1, "family": "classic", "step": "clash"}
                found += [path.format(day=day, **parts) for day in ("2026-11-15", "0001-01-01")]
        return sorted(set(found))


def a_world(server: InProcessServer) -> World:
    bots_turn, secret = plant(server.database, BOT_BEGINS, bots={1: "snail"})
    ada = Client(server.url, secret)
    bob = Client(server.url)
    watched = bob.gather(ME, FREE, public=True)
    assert ada.at(watched, "sit", {"name": "Ada"}).status == 200
    bob.begin(watched)
    table = ada.gather(ME, FREE, FREE, public=True)
    assert ada.post("/api/me/code", None).status == 200
    done = {"day": "2026-11-15", "grade": 1, "seconds": 9, "found": FOUND}
    assert ada.post("/api/solved", done).status == 200
    games = [bots_turn, watched, finished(ada), ada.new_game(SNAIL, ME, first=0), table, "nobodys"]
    return World([ada, bob, Client(server.url), Client(server.url, "x" * 43)], games)


@pytest.mark.parametrize("method", ["GET", pytest.param("HEAD", marks=pytest.mark.long), "OPTIONS"])
def test_a_get_changes_nothing(method: str, server: InProcessServer) -> None:
    world = a_world(server)
    give_bots_time(server)
    before = permanent_rows(server.database)
    pretends_to_be_a_post = {"X-HTTP-Method-Override": "POST", "Content-Type": "application/json"}
    for path in world.paths():
        for person in world.people:
            secret = person.secret
            for headers in ({}, pretends_to_be_a_post) if person is world.people[0] else (pretends_to_be_a_post,):
                answer = person.request(method, path + "?_method=POST", headers=headers)
                assert answer.status in (200, 400, 403, 404, 405, 409), path
                assert answer.headers["Set-Cookie"] is None
            assert person.secret == secret
    elsewhere = give_bots_time(server)
    after = permanent_rows(server.database)
    assert set(before) <= set(after)
    new = [line for line in after if line not in before and elsewhere not in line]
    assert sorted(line.partition(" ")[0] for line in new) == ["devices", "people"]


# Calls from another site.

CONUNDRUM = {"conundrum": str(DAILY)}
NEW = {"seats": [ME, HERE]}


@dataclass
class Call:
    """A valid call that would succeed from our own page."""

    path: str
    body: object = None


def a_table(client: Client) -> str:
    """A table with this person as host, and a guest."""
    gathering = client.gather(ME, FREE, FREE)
    Client(client.url).sit(gathering, "Bob")
    return gathering


def game_of_another(client: Client) -> str:
    """Someone else's game against a bot; it's their turn."""
    other = Client(client.url)
    return other.begin(other.gather(ME, SNAIL, first=0))


def dealing(client: Client) -> str:
    """A table that's waiting for this person's and someone else's parts."""
    gathering = client.gather(ME, FREE, commitment=commitment_of("0" * 32))
    Client(client.url).at(gathering, "sit", {"name": "Bob", "commitment": commitment_of("1" * 32)})
    assert client.at(gathering, "begin").status == 200
    return gathering


def code_of_another(client: Client) -> str:
    other = Client(client.url)
    other.new_game(ME, HERE)
    code: str = other.post("/api/me/code", None).json["code"]
    return code


def met(client: Client) -> dict[str, object]:
    """Someone who has finished a game with this person."""
    other = Client(client.url)
    table = client.gather(ME, FREE, rules={"hand_size": 1}, pace=False)
    other.sit(table, "Bob")
    game = client.begin(table)
    with client.open(game) as one, other.open(game) as two:
        play_together({0: one, 1: two}, one, lambda state: bool(state["view"]["over"]))
    return {"game": game, "seat": 1}


CALLS: dict[str, Callable[[Client], Call]] = {
    "/api/rules": lambda _: Call("/api/rules", {}),
    "/api/games": lambda _: Call("/api/games", NEW),
    "/api/games/{game}/rematch": lambda client: Call(f"/api/games/{finished(client)}/rematch"),
    "/api/games/{game}/take-seat": lambda client: Call(
        f"/api/games/{game_of_another(client)}/take-seat", {"seat": 1, "name": "Eve"}
    ),
    "/api/games/{game}/wait": lambda client: Call(f"/api/games/{game_of_another(client)}/wait", {"name": "Eve"}),
    "/api/games/{game}/stop-waiting": lambda client: Call(f"/api/games/{game_of_another(client)}/stop-waiting"),
    "/api/games/{game}/share": lambda client: Call(f"/api/games/{finished(client)}/share"),
    "/api/records": lambda client: Call("/api/records", {"record": client.record(finished(client))}),
    "/api/pictures": lambda client: Call("/api/pictures", {"record": client.record(finished(client)), "kind": "svg"}),
    "/api/conundrums": lambda _: Call("/api/conundrums", CONUNDRUM),
    "/api/conundrums/try": lambda _: Call("/api/conundrums/try", {**CONUNDRUM, "placement": FOUND[0]}),
    "/api/conundrums/hint": lambda _: Call("/api/conundrums/hint", CONUNDRUM),
    "/api/conundrums/missing": lambda _: Call("/api/conundrums/missing", CONUNDRUM),
    "/api/solved": lambda _: Call("/api/solved", {"day": "2026-11-15", "grade": 1, "seconds": 9, "found": FOUND}),
    "/api/gatherings": lambda _: Call("/api/gatherings", {"chairs": [ME, FREE]}),
    "/api/gatherings/{game}/sit": lambda client: Call(f"/api/gatherings/{a_table(client)}/sit", {"name": "Eve"}),
    "/api/gatherings/{game}/invite": lambda client: Call(f"/api/gatherings/{a_table(client)}/invite", met(client)),
    "/api/gatherings/{game}/decline": lambda client: Call(f"/api/gatherings/{a_table(client)}/decline"),
    "/api/people/hide": lambda client: Call("/api/people/hide", met(client)),
    "/api/people/forget": lambda client: Call("/api/people/forget", met(client)),
    "/api/seek": lambda _: Call("/api/seek", {"name": "Ada", "anew": True}),
    "/api/seek/stop": lambda _: Call("/api/seek/stop"),
    "/api/gatherings/{game}/leave": lambda client: Call(f"/api/gatherings/{a_table(client)}/leave"),
    "/api/gatherings/{game}/remove": lambda client: Call(f"/api/gatherings/{a_table(client)}/remove", {"seat": 1}),
    "/api/gatherings/{game}/fill": lambda client: Call(
        f"/api/gatherings/{a_table(client)}/fill", {"seat": 2, "level": 1, "name": "Snail"}
    ),
    "/api/gatherings/{game}/arrange": lambda client: Call(f"/api/gatherings/{a_table(client)}/arrange", {"seats": 5}),
    "/api/gatherings/{game}/commit": lambda client: Call(
        f"/api/gatherings/{a_table(client)}/commit", {"commitment": commitment_of("0" * 32)}
    ),
    "/api/gatherings/{game}/reveal": lambda client: Call(
        f"/api/gatherings/{dealing(client)}/reveal", {"part": "0" * 32}
    ),
    "/api/gatherings/{game}/stop": lambda client: Call(f"/api/gatherings/{dealing(client)}/stop"),
    "/api/gatherings/{game}/begin": lambda client: Call(f"/api/gatherings/{a_table(client)}/begin"),
    "/api/lesson/{step}/try": lambda _: Call("/api/lesson/contacts/try", {"actions": ["RRG@-1,1>"]}),
    "/api/me/bot": lambda _: Call("/api/me/bot"),
    "/api/me/face": lambda _: Call("/api/me/face", {"face": "curls"}),
    "/api/me/push": lambda _: Call("/api/me/push", PUSH),
    "/api/me/push/stop": lambda _: Call("/api/me/push/stop", {"endpoint": PUSH["endpoint"]}),
    "/api/me/code": lambda _: Call("/api/me/code"),
    "/api/me/recovery": lambda _: Call("/api/me/recovery"),
    "/api/me/sign-out-others": lambda _: Call("/api/me/sign-out-others"),
    "/api/me/claim": lambda client: Call("/api/me/claim", {"code": code_of_another(client)}),
    "/api/me/listed": lambda _: Call("/api/me/listed", {"name": "Ada"}),
    "/api/me/erase": lambda _: Call("/api/me/erase"),
}
POSTS = [endpoint for endpoint in ENDPOINTS if endpoint.method == "POST"]
JSON = "application/json"
FOREIGN = [
    {"Origin": "https://example.com"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "{origin}.example.com"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "{origin}", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "{origin}", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]
FORMS = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "text/plain;charset=UTF-8",
    "Text/Plain ; charset=utf-8",
]
KINDS = [JSON, *FORMS]


@pytest.mark.parametrize("endpoint", POSTS, ids=lambda endpoint: endpoint.path)
def test_a_call_from_another_site_changes_nothing(endpoint: Endpoint, client: Client, server: InProcessServer) -> None:
    client.new_game(ME, HERE)  # Without bots, which would play automatically.
    secret = client.secret
    call = CALLS[endpoint.path](client)
    origin = client.url.rstrip("/")
    foreign = [{**site, "Content-Type": kind} for site in FOREIGN for kind in KINDS]
    forms = [{**site, "Content-Type": kind} for site in ({}, {"Origin": "{origin}"}) for kind in FORMS]
    before = permanent_rows(server.database)
    for headers in [*FOREIGN, *foreign, *forms]:
        filled = {name: value.format(origin=origin) for name, value in headers.items()}
        answer = client.post(call.path, call.body, filled)
        assert answer.refused == (403, "foreign-page"), filled
        assert answer.headers["Set-Cookie"] is None
    assert permanent_rows(server.database) == before
    assert client.secret == secret

    ours = {"Origin": origin, "Sec-Fetch-Site": "same-origin", "Content-Type": JSON}
    assert client.post(call.path, call.body, ours).status in (200, 201, 204)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/", "/game/x", "/healthz", "/api/nothing", "/js/main.js"])
def test_no_other_handler_accepts_a_call_from_another_site(path: str, method: str, client: Client) -> None:
    assert client.request(method, path, None, {"Origin": "https://example.com"}).refused == (403, "foreign-page")


@pytest.mark.parametrize("headers", [{}, *FOREIGN], ids=str)
@pytest.mark.parametrize("path", ["api/gatherings/{game}/watch", "api/games/{game}/play", "api/nothing", ""])
def test_every_socket_needs_our_own_origin(path: str, headers: dict[str, str], client: Client) -> None:
    gathering = client.gather()
    filled = {name: value.format(origin=client.url.rstrip("/")) for name, value in headers.items()}
    with pytest.raises(InvalidStatus) as refused, client.socket("/" + path.format(game=gathering), filled):
        pass
    assert refused.value.response.status_code == 403


def test_a_socket_at_an_unknown_address_is_closed(client: Client) -> None:
    for path in ("api/games", "api/nothing", "", "game/x", "healthz"):
        with pytest.raises(InvalidStatus) as refused, client.socket("/" + path):
            pass
        assert refused.value.response.status_code == 403
