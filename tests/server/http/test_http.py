"""HTTP: what's refused and how, the headers of every answer, the page's files, and the list of games."""

from __future__ import annotations

import gzip
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from chromino.server.problems import PROBLEMS
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, PATIENCE, SNAIL, Answer, Client, Json, without_presence

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; ",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), ",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def assert_refused(answer: Answer, code: str) -> None:
    """Check a refusal's status, code, sentence and headers, and that it says nothing about the server's internals."""
    assert answer.status == PROBLEMS[code][0]
    assert answer.headers["Content-Type"] == "application/json"
    assert set(answer.json) == {"code", "text", "refusal"}
    assert answer.json["code"] == code
    assert answer.json["text"]
    assert answer.json["refusal"] is None
    assert_security_headers(answer)
    for word in (b"Traceback", b'File "', b".py"):
        assert word not in answer.content


def assert_security_headers(answer: Answer) -> None:
    """Check the headers that restrict the browser."""
    for name, beginning in SECURITY.items():
        assert (answer.headers[name] or "").startswith(beginning), name
        assert len(answer.headers.get_all(name, [])) == 1
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Server"] is None


def seats(*names: str) -> list[Json]:
    return [{"kind": "here" if number else "me", "name": name} for number, name in enumerate(names)]


WRONG_GAMES: dict[str, tuple[object, str]] = {
    "nothing": (b"", "bad-message"),
    "not JSON": (b"{", "bad-message"),
    "a form": (b"seats=1", "bad-message"),
    "a list": ([], "bad-message"),
    "null": (b"null", "bad-message"),
    "not UTF-8": (b'{"seats":[{"kind":"me","name":"\xff"}]}', "bad-message"),
    "half a character": (b'{"seats":[{"kind":"me","name":"\\ud800"}]}', "bad-message"),
    "an unknown field": ({"seats": [ME], "cheat": True}, "bad-message"),
    "an unknown field of a seat": ({"seats": [{**ME, "hand": ["RRR"]}]}, "bad-message"),
    "a name of 10,000 characters": ({"seats": seats("x" * 10_000)}, "bad-name"),
    "a name of 41 characters": ({"seats": seats("x" * 41)}, "bad-name"),
    "an empty name": ({"seats": seats("")}, "bad-name"),
    "a number for a name": ({"seats": [{"kind": "me", "name": 7}]}, "bad-name"),
    "no seats": ({"seats": []}, "bad-seats"),
    "seats missing": ({}, "bad-message"),
    "9 seats": ({"seats": seats(*"ABCDEFGHI")}, "bad-seats"),
    "no person": ({"seats": [SNAIL, SNAIL]}, "bad-seats"),
    "two of me": ({"seats": [ME, ME]}, "bad-seats"),
    "another kind": ({"seats": [{**ME, "kind": "ghost"}]}, "bad-message"),
    "a bot without a level": ({"seats": [ME, {"kind": "bot", "name": "Bot"}]}, "bad-seats"),
    "a person with a level": ({"seats": [{**ME, "level": 1}]}, "bad-seats"),
    "level 9": ({"seats": [ME, {**SNAIL, "level": 9}]}, "bad-message"),
    "level 0": ({"seats": [ME, {**SNAIL, "level": 0}]}, "bad-message"),
    "a level in words": ({"seats": [ME, {**SNAIL, "level": "fox"}]}, "bad-message"),
    "an unknown choice": ({"seats": [ME], "rules": {"speed": 9}}, "bad-rules"),
    "an unknown value": ({"seats": [ME], "rules": {"joining": "corners"}}, "bad-rules"),
    "a value of another type": ({"seats": [ME], "rules": {"hand_size": "8"}}, "bad-rules"),
    "a list for a value": ({"seats": [ME], "rules": {"scoring": ["a"]}}, "bad-rules"),
    "a hand of 0": ({"seats": [ME], "rules": {"hand_size": 0}}, "bad-rules"),
    "choices that do not go together": ({"seats": [ME], "rules": {"scoring": "b"}}, "bad-rules"),
    "8 hands of 12": ({"seats": seats(*"ABCDEFGH"), "rules": {"hand_size": 12}}, "bad-rules"),
    "a preset's name": ({"seats": [ME], "rules": "classic"}, "bad-message"),
    "first beyond the seats": ({"seats": [ME, SNAIL], "first": 2}, "bad-seats"),
    "first beyond all seats": ({"seats": [ME, SNAIL], "first": 8}, "bad-message"),
    "first before the seats": ({"seats": [ME, SNAIL], "first": -1}, "bad-message"),
    "aids of another type": ({"seats": [ME], "aids": 1}, "bad-message"),
    "a body of 1 MB": (json.dumps({"seats": [ME], "x": "x" * 1_000_000}).encode(), "too-large"),
    "many brackets": (b'{"rules":{"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}}", "bad-message"),
    "a blank name": ({"seats": seats("   ")}, "bad-name"),
    "a line break": ({"seats": seats("A\nB")}, "bad-name"),
    "a tab": ({"seats": seats("A\tB")}, "bad-name"),
    "a null character": ({"seats": seats("A\0B")}, "bad-name"),
    "an escape sequence": ({"seats": seats("\x1b[31mA")}, "bad-name"),
    "a delete character": ({"seats": seats("A\x7fB")}, "bad-name"),
    "a Latin-1 control character": ({"seats": seats("A\x9bB")}, "bad-name"),
    "nothing visible": ({"seats": seats("\u200b \u2060")}, "bad-name"),
    "reversed text": ({"seats": seats("A\u202eB")}, "bad-name"),
    "a line separator": ({"seats": seats("A\u2028B")}, "bad-name"),
}


@pytest.mark.parametrize("what", WRONG_GAMES)
def test_an_impossible_game_is_refused(what: str, client: Client) -> None:
    body, code = WRONG_GAMES[what]
    answer = client.post("/api/games", body)
    assert_refused(answer, code)
    assert answer.headers["Set-Cookie"] is None
    assert client.new_game()
    assert len(client.get("/api/games").json["games"]) == 1


@pytest.mark.parametrize(
    "name", ["🦊", "👩‍👩‍👧", "花子", "한나", "עדה", "ليلى", "Zoë", "O'Neill & <b>", '"', "\\", "x" * 40, "é" * 40]
)
def test_a_name_can_be_in_any_script(name: str, client: Client) -> None:
    game = client.new_game({"kind": "me", "name": name}, rules={"hand_size": 1})
    assert client.state(game)["view"]["players"] == [name]
    assert client.get("/api/games").json["games"][0]["players"] == [name]
    with client.open(game) as watched:
        assert watched.play_on()["seats"][0]["name"] == name
    assert json.loads(client.record(game).split("\n")[0])["players"] == [name]


def test_spaces_around_a_name_are_stripped(client: Client) -> None:
    assert client.state(client.new_game({"kind": "me", "name": "  Ada "}))["view"]["players"] == ["Ada"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "bad-message"),
        ({"players": 9}, "bad-message"),
        ({"players": 0}, "bad-message"),
        ({"players": "2"}, "bad-message"),
        ({"rules": {"speed": 9}}, "bad-rules"),
        ({"rules": {"hand_size": 10**30}}, "bad-rules"),
        ({"rules": {"scoring": "c"}}, "bad-rules"),
        ({"extra": 1}, "bad-message"),
    ],
)
def test_invalid_rules_are_refused(body: object, code: str, client: Client) -> None:
    assert_refused(client.post("/api/rules", body), code)


def test_a_long_body_without_a_length_is_refused_too(client: Client, server: InProcessServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        connection.sendall(b"POST /api/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(5):
            connection.sendall(b"4000\r\n" + b" " * 0x4000 + b"\r\n")  # There's no last chunk, so the body never ends.
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")
    assert client.new_game()


def test_hanging_up_mid_request_leaves_no_trace(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
            connection.sendall(b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert Client(server.url).get("/healthz").status == 200
        assert Client(server.url).new_game()
    assert server.errors == ""


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/nothing", "no-such-page"),
        ("GET", "/api/nothing", "no-such-page"),
        ("GET", "/../pyproject.toml", "no-such-page"),
        ("GET", "/%2e%2e/version.py", "no-such-page"),
        ("GET", "//etc/passwd", "no-such-page"),
        ("GET", "/api/games/nobodys", "no-such-game"),
        ("PUT", "/api/games", "wrong-method"),
        ("DELETE", "/api/games/nobodys", "wrong-method"),
        ("POST", "/api/games/nobodys", "wrong-method"),
        ("POST", "/", "wrong-method"),
        ("POST", "/healthz", "wrong-method"),
    ],
)
def test_missing_pages_are_reported_as_json(method: str, path: str, code: str, client: Client) -> None:
    answer = client.request(method, path)
    assert_refused(answer, code)
    assert answer.headers["Set-Cookie"] is None


def test_the_answer_to_a_wrong_method_names_the_right_ones(client: Client) -> None:
    """RFC 9110, 15.5.6: the answer must have the header Allow."""
    assert "GET" in (client.request("DELETE", "/healthz").headers["Allow"] or "")


def test_every_answer_has_security_headers_and_a_get_sets_no_cookie(client: Client) -> None:
    game = client.new_game()
    paths = ["/", "/new", "/games", f"/game/{game}", "/index.html", "/healthz", "/readyz", "/api/openapi.json"]
    for path in [*paths, "/api/games", f"/api/games/{game}", f"/api/games/{game}/record", "/nothing"]:
        for asking in (client, Client(client.url), Client(client.url, "wrong")):
            for method in ("GET", "HEAD"):
                answer = asking.request(method, path)
                assert_security_headers(answer)
                assert answer.headers["Set-Cookie"] is None
                if path in paths:
                    assert answer.status == 200
                if path.startswith("/api/games"):
                    assert answer.headers["Cache-Control"] == "no-store"
    assert_security_headers(client.post("/api/games", {"seats": [ME]}))
    assert_security_headers(client.post("/api/rules", {}))


def test_the_page_is_compressed_and_cached(client: Client) -> None:
    page = client.get("/")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache"
    assert client.get("/game/anything").content == page.content
    compressed = client.get("/", {"Accept-Encoding": "gzip, br"})
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in compressed.headers["Vary"]
    assert gzip.decompress(compressed.content) == page.content
    known = client.get("/", {"If-None-Match": page.headers["ETag"]})
    assert (known.status, known.content) == (304, b"")
    assert_security_headers(known)


def test_a_missing_page_is_explained_even_if_the_browser_knows_it(client: Client) -> None:
    html = {"Accept": "text/html"}
    missing = client.get("/missing", html)
    again = client.get("/missing", {**html, "If-None-Match": missing.headers["ETag"] or '"anything"'})
    assert missing.content.startswith(b"<!doctype html>")
    assert [(each.status, each.content) for each in (missing, again)] == [(404, missing.content)] * 2


def test_health_checks_pass(client: Client) -> None:
    assert client.get("/healthz").json == {"chromino": "healthy"}
    assert client.get("/readyz").json == {"chromino": "ready"}


def games_of(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/games").json["games"]
    return found


def test_my_games_are_listed_with_whose_turn_it_is_and_who_won(client: Client) -> None:
    assert games_of(client) == []
    finished = client.new_game(ME, SNAIL, rules={"hand_size": 2})
    running = client.new_game(ME, HERE, {**SNAIL, "level": 3}, first=1, rules={"joining": "ends"})
    with client.open(finished) as socket:
        last = socket.play_on()
    Client(client.url).new_game()  # Someone else's.

    listed = {game["game"]: game for game in games_of(client)}
    assert list(listed) == [running, finished]  # Games in progress come first.
    assert listed[finished]["over"] is True
    assert listed[finished]["winners"] == last["view"]["winners"] != []
    assert listed[finished]["tiles"] == len(last["view"]["table"].split())
    assert listed[finished]["preset"] is None
    assert listed[finished]["updated"] > listed[finished]["created"]
    assert listed[running]["over"] is False
    assert listed[running]["winners"] == []
    assert listed[running]["seat"] == 1
    assert listed[running]["tiles"] == 1
    assert listed[running]["preset"] == "junior"
    assert listed[running]["players"] == ["Ada", "Bob", "Snail"]
    assert without_presence(listed[running])["seats"] == client.state(running)["seats"]
    assert [seat["mine"] for seat in listed[running]["seats"]] == [True, True, False]
    assert [seat["level"] for seat in listed[running]["seats"]] == [None, None, 3]


def test_the_list_of_my_games_keeps_up_with_each_move(client: Client) -> None:
    game = client.new_game(ME, HERE, rules={"scoring": "expert"})
    for _ in range(4):
        with client.open(game) as socket:
            view = socket.play_on(1)["view"]
        listed = games_of(client)[0]
        assert (listed["seat"], listed["scores"]) == (view["seat"], view["scores"])
        assert listed["tiles"] == len(view["table"].split())
