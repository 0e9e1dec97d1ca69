"""Who may see a game, and which pages may make calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chromino.messages.people import COOKIE
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, PATIENCE, SNAIL, Client, act


def someone_else(url: str) -> Client:
    other = Client(url)
    other.new_game()
    return other


STRANGERS: dict[str, Callable[[str], Client]] = {
    "no cookie": Client,
    "a wrong cookie": lambda url: Client(url, "x" * 43),
    "an empty cookie": lambda url: Client(url, ""),
    "an odd cookie": lambda url: Client(url, "%00\xff"),
    "another person": someone_else,
}


@pytest.fixture(params=STRANGERS)
def stranger(request: pytest.FixtureRequest, server: InProcessServer) -> Client:
    return STRANGERS[request.param](server.url)


def closed_with(client: Client, game: str) -> tuple[str, int | None]:
    """The code in the last message before the socket is closed, and the code it's closed with."""
    with client.connect(game) as connection:
        code = json.loads(connection.recv(PATIENCE))["code"]
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(PATIENCE)
        return code, closed.value.rcvd.code if closed.value.rcvd else None


def test_a_stranger_sees_nothing_of_a_running_game(client: Client, stranger: Client) -> None:
    game = client.new_game(ME, HERE)
    assert stranger.get(f"/api/games/{game}").refused == (403, "not-your-game")
    assert stranger.get(f"/api/games/{game}/record").refused == (403, "not-your-game")
    assert closed_with(stranger, game) == ("not-your-game", 4403)
    assert game.encode() not in stranger.get("/api/games").content
    assert client.state(game)["version"] == 0


def test_a_stranger_sees_nothing_of_a_finished_game(client: Client, stranger: Client) -> None:
    game = client.new_game(ME, rules={"hand_size": 1})
    with client.open(game) as socket:
        socket.play_on()
    assert stranger.get(f"/api/games/{game}").refused == (403, "not-your-game")
    assert stranger.get(f"/api/games/{game}/record").refused == (403, "not-your-game")
    assert closed_with(stranger, game) == ("not-your-game", 4403)


def test_a_stranger_cannot_act(client: Client, stranger: Client) -> None:
    """Not even with a message that's on its way when the socket is refused."""
    game = client.new_game(ME, HERE)
    state = client.state(game)
    with stranger.connect(game) as connection:
        with suppress(ConnectionClosed):  # The socket may be closed before that.
            connection.send(json.dumps(act(state, state["view"]["actions"][0])))
        assert json.loads(connection.recv(PATIENCE))["code"] == "not-your-game"
        with pytest.raises(ConnectionClosed):
            connection.recv(PATIENCE)
    assert client.state(game) == state


def test_the_record_is_hidden_until_the_end(client: Client) -> None:
    game = client.new_game()
    assert client.get(f"/api/games/{game}/record").refused == (409, "not-over")


@pytest.mark.parametrize("game", ["AAAAAAAAAAAAAAAA", "%00", "%ff", "'; DROP TABLE games; --", "x" * 2000])
def test_an_unknown_game_is_not_found(game: str, client: Client) -> None:
    client.new_game()
    path = game.replace(" ", "%20")
    assert client.get(f"/api/games/{path}").refused == (404, "no-such-game")
    assert client.get(f"/api/games/{path}/record").refused == (404, "no-such-game")
    assert closed_with(client, path) == ("no-such-game", 4404)


def test_nobody_learns_an_id_or_a_secret(client: Client) -> None:
    game = client.new_game(ME, HERE, SNAIL)
    state = client.state(game)
    assert [set(seat) for seat in state["seats"]] == [
        {"kind", "name", "mine", "bot", "level", "has_left", "program", "face"}
    ] * 3
    assert client.secret
    for path in (f"/api/games/{game}", "/api/games"):
        assert client.secret.encode() not in client.get(path).content


ORIGINS = {
    "none": {},
    "foreign": {"Origin": "http://example.com"},
    "null": {"Origin": "null"},
    "empty": {"Origin": ""},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "a longer name": {"Origin": "{origin}.example.com"},
    "a path": {"Origin": "http://example.com/{origin}"},
    "ours, from another site": {"Origin": "{origin}", "Sec-Fetch-Site": "cross-site"},
    "ours, from another subdomain": {"Origin": "{origin}", "Sec-Fetch-Site": "same-site"},
    "not an address": {"Origin": "http://[::1"},
}


def headers(name: str, client: Client) -> dict[str, str]:
    return {key: value.format(origin=client.url.rstrip("/")) for key, value in ORIGINS[name].items()}


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_socket_needs_our_own_origin(origin: str, client: Client) -> None:
    game = client.new_game()
    with pytest.raises(InvalidStatus) as refused, client.connect(game, headers(origin, client)):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", [name for name in ORIGINS if name != "none"])
def test_another_site_cannot_start_a_game(origin: str, client: Client) -> None:
    answer = client.post("/api/games", {"seats": [ME]}, headers(origin, client))
    assert answer.status == 403
    assert answer.json["code"] == "foreign-page"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert client.secret is None


@pytest.mark.parametrize("site", [None, "same-origin", "none"])
def test_our_own_page_and_a_program_can_start_a_game(site: str | None, client: Client) -> None:
    said = {} if site is None else {"Sec-Fetch-Site": site, "Origin": client.url.rstrip("/")}
    assert client.post("/api/games", {"seats": [ME]}, said).status == 201


def test_an_identity_is_given_once_in_a_cookie_that_scripts_cannot_read(client: Client) -> None:
    first = client.post("/api/games", {"seats": [ME]})
    name_and_value, *flags = first.headers["Set-Cookie"].split("; ")
    assert name_and_value == f"{COOKIE}={client.secret}"
    assert len(client.secret or "") >= 43  # 256 bits.
    assert sorted(flag.lower() for flag in flags) == ["httponly", "max-age=315360000", "path=/", "samesite=strict"]
    second = client.post("/api/games", {"seats": [ME]})
    assert second.status == 201
    assert second.headers["Set-Cookie"] is None
    assert len(client.get("/api/games").json["games"]) == 2


@pytest.mark.parametrize("proxies", ["127.0.0.1", "", "192.0.2.1"])
def test_behind_an_https_proxy_the_cookie_is_https_only(proxies: str, tmp_path: Path) -> None:
    """Only a trusted proxy can say that it uses HTTPS."""
    with InProcessServer(tmp_path / "db.sqlite", proxies=proxies) as server:
        answer = Client(server.url).post("/api/games", {"seats": [ME]}, {"X-Forwarded-Proto": "https"})
    assert ("; secure" in answer.headers["Set-Cookie"].lower()) == (proxies == "127.0.0.1")


def test_an_unknown_cookie_is_replaced(server: InProcessServer) -> None:
    client = Client(server.url, "x" * 43)
    client.new_game()
    assert client.secret != "x" * 43
    assert len(client.get("/api/games").json["games"]) == 1
