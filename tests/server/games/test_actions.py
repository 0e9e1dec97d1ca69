"""What a socket refuses: nothing changes, and the server keeps working."""

from __future__ import annotations

import json
from socket import SHUT_RDWR
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Rules
from tests.server.sites.serving import HERE, ME, SNAIL, Client, Json, act


@pytest.fixture
def game(client: Client) -> str:
    """Two people on one device; it's the first one's turn."""
    return client.new_game(ME, HERE, first=0)


def assert_serves(client: Client, game: str, state: Json) -> None:
    """The game is unchanged and can continue, and a new person can start another one."""
    assert client.state(game) == state
    with client.open(game) as socket:
        socket.play_on(1)
        assert socket.state["version"] > state["version"]
    newcomer = Client(client.url)
    assert newcomer.state(newcomer.new_game())


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"version": 1}, "stale"),
        ({"version": 10**30}, "stale"),
        ({"seat": 1}, "not-your-turn"),
        ({"seat": 2}, "not-your-seat"),
        ({"seat": 7}, "not-your-seat"),
        ({"action": "dance"}, "bad-message"),
        ({"action": ""}, "bad-message"),
        ({"action": "XYZ@0,0>"}, "bad-message"),
        ({"action": "RRR@0,0"}, "bad-message"),
        ({"action": "RRR@99999999999999999999,0>"}, "bad-message"),
        ({"action": "RRR@٣,0>"}, "bad-message"),  # A digit from another script.
    ],
)
def test_the_refusal_of_an_impossible_action_has_its_id(changes: Json, code: str, client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        message = {**act(state, state["view"]["actions"][0]), **changes}
        answer = socket.ask(message)
        assert (answer["type"], answer["code"], answer["refusal"]) == ("refused", code, None)
        assert answer["text"]
    assert_serves(client, game, state)


def test_a_bots_seat_is_not_mine(client: Client) -> None:
    game = client.new_game(ME, SNAIL, first=0)
    with client.open(game) as socket:
        state = socket.my_turn()
        assert socket.act(state["view"]["actions"][0], seat=1)["code"] == "not-your-seat"
    assert_serves(client, game, state)


def test_an_action_on_an_old_version_is_stale(client: Client, game: str) -> None:
    with client.open(game) as socket:
        old = socket.my_turn()
        state = socket.play_on(1)
        answer = socket.ask(act(old, old["view"]["actions"][0]))
        assert (answer["type"], answer["code"]) == ("refused", "stale")
    assert_serves(client, game, state)


def test_an_action_sent_twice_happens_once(client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        message = act(state, state["view"]["actions"][0])
        first = socket.ask(message)
        assert first == {"type": "done", "id": message["id"], "version": 1}
        assert socket.ask(message) == first
        socket.play_on(2)
        assert socket.ask(message) == first
    with client.open(game) as again:
        before = again.my_turn()
        assert again.ask(message) == first
    assert client.state(game) == before


def test_an_action_sent_twice_without_waiting_happens_once(client: Client, game: str) -> None:
    with client.open(game) as one, client.open(game) as other:
        state = one.my_turn()
        message = act(state, state["view"]["actions"][0])
        for _ in range(5):
            one.send(message)
            other.send(message)
        for socket in (one, other):
            answers: list[Json] = []
            while len(answers) < 5:
                if (answer := socket.receive())["type"] != "state":
                    answers.append(answer)
            assert answers == [{"type": "done", "id": message["id"], "version": 1}] * 5
    own = [event for event in client.state(game)["view"]["log"] if "pass" not in event]
    assert len(own) == 1


@pytest.mark.parametrize(
    ("where", "reason", "squares"),
    [
        ("@0,0>", "overlap", [[0, 0], [1, 0], [2, 0]]),
        ("@1,-1v", "overlap", [[1, 0]]),
        ("@40,40>", "too-few-contacts", [[40, 40], [41, 40], [42, 40]]),
    ],
)
def test_an_illegal_placement_is_refused_with_the_reason(
    where: str, reason: str, squares: list[list[int]], client: Client, game: str
) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        answer = socket.act(state["view"]["hands"][0][0] + where)
        assert (answer["type"], answer["code"]) == ("refused", "not-allowed")
        assert answer["refusal"]["reason"] == reason
        assert answer["refusal"]["squares"] == squares
        assert answer["refusal"]["text"]
    assert_serves(client, game, state)


def test_a_tile_from_another_hand_is_refused(client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        other = next(tile for tile in Rules.classic().tiles if str(tile) not in state["view"]["hands"][0])
        assert socket.act(f"{other}@0,1>")["refusal"]["reason"] == "not-in-hand"
    assert_serves(client, game, state)


def test_nothing_is_allowed_after_the_end(client: Client) -> None:
    game = client.new_game(ME, rules={"hand_size": 1})
    with client.open(game) as socket:
        state = socket.play_on()
        answer = socket.act("draw")
        assert (answer["code"], answer["refusal"]["reason"]) == ("not-allowed", "game-over")
    assert client.state(game) == state


def wrong(**changes: Any) -> str:
    """A message that would be valid without these changes; None leaves a field out."""
    fields = {"type": "act", "id": "01234567", "version": 0, "seat": 0, "action": "draw", **changes}
    return json.dumps({key: value for key, value in fields.items() if value is not None})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "hello",
        "[]",
        "null",
        "NaN",
        '{"type":"act"',
        "{}",
        wrong(type="dance"),
        wrong(type=7),
        wrong(type=None),
        wrong(type="done"),
        wrong(id=None),
        wrong(id=12345678),
        wrong(id="short"),
        wrong(id="x" * 65),
        wrong(id="with spaces"),
        wrong(id="line-break\n"),
        wrong(version=None),
        wrong(version="0"),
        wrong(version=0.5),
        wrong(version=-1),
        wrong(version=True),
        wrong(seat="0"),
        wrong(seat=8),
        wrong(seat=-1),
        wrong(action=7),
        wrong(action=["draw"]),
        wrong(action="draw" * 11),
        wrong(extra=1),
        '{"type":"pace","id":"01234567","pace":"no"}',
        '{"type":"hint","id":"01234567","version":null}',
    ],
)
def test_an_unreadable_message_is_refused(text: str, client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        answer = socket.refusal(text)
        assert answer["code"] == "bad-message"
        assert answer["text"]
        assert answer["refusal"] is None
        assert "Traceback" not in answer["text"]
    assert_serves(client, game, state)


def test_a_deeply_nested_message_is_refused(client: Client, game: str) -> None:
    """The message is nested as deeply as its maximum length allows."""
    with client.open(game) as socket:
        state = socket.my_turn()
        assert socket.refusal('{"x":' + "[" * 16000)["code"] == "bad-message"
    assert_serves(client, game, state)


def test_a_message_of_20_kilobytes_closes_the_socket(client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        socket.send(wrong(action="x" * 20_000))
        with pytest.raises(ConnectionClosed) as closed:
            socket.until_closed()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009  # Too big.
    assert_serves(client, game, state)


def test_a_binary_message_closes_the_socket(client: Client, game: str) -> None:
    with client.open(game) as socket:
        state = socket.my_turn()
        socket.send(json.dumps(act(state, state["view"]["actions"][0])).encode())
        with pytest.raises(ConnectionClosed) as closed:
            socket.until_closed()
    assert_serves(client, game, state)
    assert closed.value.rcvd is not None, "the connection was dropped without a reason"


def test_a_socket_that_vanishes_harms_nobody(client: Client, game: str) -> None:
    with client.open(game) as other, client.open(game) as socket:
        state = other.my_turn()
        socket.send(act(state, state["view"]["actions"][0]))
        socket.connection.shut_down(SHUT_RDWR)  # Without a closing message.
        assert other.my_turn(since=1)["version"] >= 1
    assert_serves(client, game, client.state(game))
