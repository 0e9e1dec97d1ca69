"""Identity: one person on two devices, erased people, and records that anyone may check."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.messages.people import COOKIE
from tests.server.devices import claim, listed
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    FREE,
    ME,
    PATIENCE,
    SNAIL,
    Client,
    play_together,
)

ZENOBIA = {"kind": "me", "name": "Zenobia"}


def new_code(client: Client) -> str:
    answer = client.post("/api/me/code", None)
    assert answer.status == 200, answer.content
    code: str = answer.json["code"]
    return code


def erase(client: Client) -> None:
    """Erase someone. Their client keeps the old secret, so tests can check that it no longer works."""
    secret = client.secret
    answer = client.post("/api/me/erase", None)
    assert answer.status == 204, answer.content
    assert answer.headers["Set-Cookie"].startswith(f'{COOKIE}="";')
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert client.secret is None
    assert secret is not None
    client.secret = secret


def together(server: InProcessServer, **choices: object) -> tuple[str, Client, Client]:
    """A game between Zenobia, who goes first, and Bob."""
    zenobia, bob = Client(server.url), Client(server.url)
    game = zenobia.gather(ZENOBIA, FREE, **{"first": 0, **choices})
    bob.sit(game, "Bob")
    zenobia.begin(game)
    return game, zenobia, bob


def everything_kept(database: Path) -> str:
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        return "\n".join(connection.iterdump())


# Moving to another device.


def test_a_code_makes_another_device_the_same_person(client: Client, server: InProcessServer) -> None:
    games = [client.new_game(), client.new_game()]
    phone = Client(server.url)
    assert listed(phone) == []
    answer = claim(phone, new_code(client))
    assert answer.status == 204
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=strict" in answer.headers["Set-Cookie"]
    assert phone.secret not in (None, client.secret)
    assert sorted(listed(phone)) == sorted(listed(client)) == sorted(games)
    assert phone.get("/api/games").json == client.get("/api/games").json
    # Both devices stay signed in, and both can play.
    with client.open(games[0]) as here, phone.open(games[0]) as there:
        assert here.my_turn()["seats"][0]["mine"]
        there.my_turn()
        there.play_on(1)
        here.my_turn(since=there.state["version"])
    later = phone.new_game()
    assert later in listed(client)


def test_a_code_works_only_once(client: Client, server: InProcessServer) -> None:
    client.new_game()
    code = new_code(client)
    assert claim(Client(server.url), code).status == 204
    late = Client(server.url)
    assert claim(late, code).refused == (403, "bad-code")
    assert late.secret is None


def test_a_new_code_voids_the_old_one(client: Client, server: InProcessServer) -> None:
    game = client.new_game()
    old, new = new_code(client), new_code(client)
    phone = Client(server.url)
    assert claim(phone, old).refused == (403, "bad-code")
    assert claim(phone, new).status == 204
    assert listed(phone) == [game]


def test_a_new_code_does_not_void_other_peoples_codes(client: Client, server: InProcessServer) -> None:
    other = Client(server.url)
    client.new_game()
    game = other.new_game()
    code = new_code(other)
    new_code(client)
    phone = Client(server.url)
    assert claim(phone, code).status == 204
    assert listed(phone) == [game]


WAYS_TO_TYPE: dict[str, Callable[[str], str]] = {
    "as shown": lambda code: code,
    "in lowercase": str.lower,
    "without dashes": lambda code: code.replace("-", ""),
    "with spaces": lambda code: f" {code.replace('-', ' ')}\n",
    "with more dashes": lambda code: "-".join(code.lower()),
}


@pytest.mark.parametrize("way", WAYS_TO_TYPE)
def test_a_code_can_be_typed_in_many_ways(way: str, client: Client, server: InProcessServer) -> None:
    game = client.new_game()
    phone = Client(server.url)
    assert claim(phone, WAYS_TO_TYPE[way](new_code(client))).status == 204
    assert listed(phone) == [game]


@pytest.mark.parametrize("code", ["", "-", "ABCDE-FGHJK", "ABCDE", "ß", "%", "0" * 40])
def test_a_wrong_code_is_refused(code: str, client: Client, server: InProcessServer) -> None:
    client.new_game()
    new_code(client)
    phone = Client(server.url)
    assert claim(phone, code).refused == (403, "bad-code")
    assert phone.secret is None


def test_an_expired_code_is_refused(client: Client, server: InProcessServer) -> None:
    client.new_game()
    code = new_code(client)
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        connection.execute("UPDATE codes SET expires = '2020-01-01T00:00:00.000+00:00'")
    assert claim(Client(server.url), code).refused == (403, "bad-code")


def test_a_code_needs_an_identity(client: Client) -> None:
    assert client.post("/api/me/code", None).refused == (403, "nobody")
    assert client.secret is None


def test_neither_codes_nor_secrets_are_stored_in_plain_text(client: Client, server: InProcessServer) -> None:
    client.new_game()
    code = new_code(client)
    kept = everything_kept(server.database)
    assert code not in kept
    assert code.replace("-", "") not in kept
    assert client.secret is not None
    assert client.secret not in kept


# Erased people.


def test_erased_people_are_nobody_on_any_device(client: Client, server: InProcessServer) -> None:
    game = client.new_game(ZENOBIA, SNAIL)
    phone = Client(server.url)
    claim(phone, new_code(client))
    code = new_code(client)
    erase(client)
    for device in (client, phone):
        assert listed(device) == []
        assert device.get(f"/api/games/{game}").refused == (404, "no-such-game")
        assert device.post("/api/me/code", None).refused == (403, "nobody")
        assert device.post("/api/me/erase", None).refused == (403, "nobody")
    assert claim(Client(server.url), code).refused == (403, "bad-code")
    assert "Zenobia" not in everything_kept(server.database)
    assert listed(client) == []
    assert client.new_game() in listed(client)  # They can come back as someone new.


def test_in_other_peoples_games_only_the_name_is_erased(server: InProcessServer) -> None:
    game, zenobia, bob = together(server)
    with zenobia.open(game) as one, bob.open(game) as other:
        play_together({0: one, 1: other}, other, lambda state: state["version"] >= 6)
    kept = other.state["view"]["log"]
    with bob.open(game) as socket:
        assert socket.state_since(6)["view"]["players"] == ["Zenobia", "Bob"]
        erase(zenobia)
        # An open page shows the change at once.
        gone = socket.seats_when(lambda seats: seats[0]["name"] == "–")[0]
        assert gone["kind"] == "person"
        assert gone["has_left"]
        assert gone["stand_in_in"] is None
        assert socket.state["view"]["players"] == ["–", "Bob"]
        assert socket.state["view"]["log"][: len(kept)] == kept
        last = socket.play_on()
    assert last["view"]["over"]
    assert listed(bob) == [game]
    assert bob.get("/api/games").json["games"][0]["players"] == ["–", "Bob"]
    record = bob.record(game)
    played = Game.replay(record)
    assert played.over
    assert played.players == ("–", "Bob")
    assert played.deal.seed == last["seed"]
    assert bob.post("/api/records", {"record": record}).json["winners"] == list(played.winners)
    assert "Zenobia" not in everything_kept(server.database)
    assert listed(zenobia) == []
    again = bob.rematch(game)
    assert bob.state(again)["view"]["players"] == ["–", "Bob"]


def test_erased_people_no_longer_see_a_hand(tmp_path: Path) -> None:
    # On a server of its own: other tests change the database from outside, and then the server closes the pages of all
    # devices that no longer exist. Here, the page has to stay open.
    with InProcessServer(tmp_path / "db.sqlite") as server:
        game, zenobia, _ = together(server)
        with zenobia.open(game) as socket:
            socket.my_turn()
            erase(zenobia)
            state = socket.state_when(lambda state: bool(state["watching"]))
            assert state["view"]["hands"] == [None, None]
            assert socket.act("draw", seat=0, version=state["version"])["code"] == "not-your-seat"
        assert zenobia.state(game)["watching"]


def alone(server: InProcessServer) -> tuple[str, Client]:
    zenobia = Client(server.url)
    return zenobia.new_game(ZENOBIA, SNAIL, first=0), zenobia


NOT_TO_BE_SEEN: dict[str, Callable[[InProcessServer], tuple[str, Client]]] = {
    "a closed table": lambda server: together(server, watch=False)[:2],
    "a game that is gone": alone,
}


@pytest.mark.parametrize("kind", NOT_TO_BE_SEEN)
def test_open_pages_of_an_erased_person_are_notified(kind: str, server: InProcessServer) -> None:
    """A page on another device must not wait for a game that it will never see again."""
    game, zenobia = NOT_TO_BE_SEEN[kind](server)
    with zenobia.open(game) as socket:
        socket.my_turn()
        erase(zenobia)
        try:
            while (message := json.loads(socket.connection.recv(PATIENCE)))["type"] == "state":
                pass
        except ConnectionClosed:
            return
        assert message["type"] == "refused"


def test_a_game_erased_during_a_bots_turn_causes_no_errors(client: Client, server: InProcessServer) -> None:
    client.new_game()
    before = len(server.errors)
    zenobia = Client(server.url)
    game = zenobia.new_game(ZENOBIA, SNAIL, first=1, pace=True)
    with zenobia.open(game) as socket:
        assert socket.state_since(0)["version"] == 0
        erase(zenobia)
    # Wait until bots that take their time have played in another game: by then, the bot here would have, too.
    with client.open(client.new_game(ME, SNAIL, SNAIL, first=1, pace=True)) as clock:
        clock.my_turn()
    assert "automatic action" not in server.errors[before:]


def test_erased_people_lose_their_chair_before_a_game(client: Client, server: InProcessServer) -> None:
    guest = Client(server.url)
    without_guest, with_guest = client.gather(ZENOBIA, FREE), client.gather(ZENOBIA, FREE)
    guest.sit(with_guest, "Bob")
    erase(client)
    seen = guest.gathering(with_guest)
    assert [chair["kind"] for chair in seen["chairs"]] == ["free", "person"]
    assert seen["host"]
    assert guest.get(f"/api/gatherings/{without_guest}").refused == (404, "no-such-gathering")
    assert "Zenobia" not in everything_kept(server.database)


# Records from any server.


@pytest.fixture(scope="module")
def finished() -> Game:
    game = Game.start(Rules.expert(), ["Ada", "Bob", "Čeněk"], seed="a seed", first=1)
    while not game.over:
        game = game.apply(game.actions()[0])
    return game


def test_a_valid_record_is_accepted(finished: Game, client: Client) -> None:
    answer = client.post("/api/records", {"record": str(finished.record)})
    assert answer.status == 200
    assert answer.json == {
        "over": True,
        "winners": list(finished.winners),
        "scores": list(finished.scores),
        "preset": "expert",
    }
    assert client.secret is None


def test_a_record_of_an_unfinished_game_is_accepted(finished: Game, client: Client) -> None:
    lines = str(finished.record).splitlines(keepends=True)
    answer = client.post("/api/records", {"record": "".join(lines[:5])})
    assert answer.status == 200
    assert answer.json["over"] is False


def test_a_downloaded_record_is_accepted(client: Client) -> None:
    game = client.new_game(ME, SNAIL, rules={"hand_size": 2})
    with client.open(game) as socket:
        last = socket.play_on()
    answer = client.post("/api/records", {"record": client.record(game)})
    assert answer.status == 200
    assert answer.json["winners"] == last["view"]["winners"]
    assert answer.json["scores"] == last["view"]["scores"]


def changed_header(lines: list[str], change: Callable[[dict[str, object]], object]) -> list[str]:
    header = json.loads(lines[0])
    change(header)
    return [json.dumps(header), *lines[1:]]


def swap_first_tiles(header: dict[str, object]) -> None:
    start = header["start"]
    assert isinstance(start, dict)
    hands = start["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def other_seed(header: dict[str, object]) -> None:
    start = header["start"]
    assert isinstance(start, dict)
    start["seed"] = "another seed"


TAMPERED: dict[str, tuple[Callable[[list[str]], list[str]], int, str]] = {
    "an empty record": (lambda _: [], 1, "empty"),
    "not JSON": (lambda lines: [lines[0], "draw!", *lines[2:]], 2, "this isn't JSON"),
    "two tiles were swapped": (
        lambda lines: changed_header(lines, swap_first_tiles),
        1,
        "'a seed' gives a different deal",
    ),
    "another seed": (lambda lines: changed_header(lines, other_seed), 1, "'another seed' gives a different deal"),
    "a later version": (lambda lines: changed_header(lines, lambda head: head.update(chromino=2)), 1, "version 2"),
    "somebody else's turn": (
        lambda lines: [lines[0], '{"seat":2,"pass":true}'],
        2,
        "it's seat 1's turn, not seat 2's",
    ),
    "a tile from nowhere": (lambda lines: [lines[0], '{"seat":1,"place":"RRR@40,40>"}', *lines[2:]], 2, ""),
    "a turn after the end": (lambda lines: [*lines, '{"seat":0,"pass":true}'], 0, ""),
}
"""How each record is changed, the line that the error names (0 is the last one), and part of the reason."""


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_record_is_refused(how: str, finished: Game, client: Client) -> None:
    tamper, line, reason = TAMPERED[how]
    lines = tamper(str(finished.record).splitlines())
    answer = client.post("/api/records", {"record": "\n".join(lines)})
    assert answer.refused == (400, "bad-record")
    text = answer.json["text"]
    assert text.startswith(f"line {line or len(lines)}: ")
    assert reason in text


def test_an_oversized_record_is_refused(client: Client) -> None:
    assert client.post("/api/records", {"record": "x" * 60_001}).refused == (400, "bad-message")
    assert client.post("/api/records", {"record": "x" * 70_000}).refused == (413, "too-large")
