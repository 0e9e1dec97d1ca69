"""Games survive a server that's stopped or killed, a second server on the same database, and a database that fails."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from tests.helpers import more
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, PATIENCE, SNAIL, Client, Server, act, plant

ENDS: dict[str, Callable[[Server], object]] = {"SIGTERM": Server.stop, "SIGKILL": Server.kill}


def change(database: Path, statement: str, *values: str) -> None:
    """Change the database behind the server's back."""
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection, connection:
        connection.execute(statement, values)


@pytest.mark.parametrize("end", ["SIGKILL", more("SIGTERM")])  # A kill gives no warning.
def test_a_game_continues_after_the_server_has_stopped(end: str, tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game(ME, SNAIL, HERE, rules={"draw_limit": 3}, aids=False)
        with client.open(game) as socket:
            state = socket.play_on(4)
            last = act(state, state["view"]["actions"][0])
            assert socket.ask(last)["type"] == "done"
            before = socket.my_turn(since=state["version"] + 1)
            listed = client.get("/api/games").json
            ENDS[end](server)
            with pytest.raises(ConnectionClosed):
                socket.until_closed()
        address = server.url
        server.restart()
        assert server.url == address
        assert client.state(game) == before
        assert client.get("/api/games").json == listed
        assert Client(server.url).get(f"/api/games/{game}").refused == (403, "not-your-game")
        with client.open(game) as socket:
            assert socket.my_turn() == before
            assert socket.ask(last) == {"type": "done", "id": last["id"], "version": state["version"] + 1}
            assert socket.play_on()["view"]["over"]
        assert Game.replay(client.record(game)).over
    assert "Traceback" not in server.errors


def test_acknowledged_actions_survive_a_crash(tmp_path: Path) -> None:
    """The server is killed while bots are playing: nothing that was acknowledged or shown is lost."""
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game(ME, *[SNAIL] * 7)
        with client.open(game) as socket:
            state = socket.my_turn()
            done = socket.act(state["view"]["actions"][0])
            server.kill()
            assert done["type"] == "done"
            with pytest.raises(ConnectionClosed):
                socket.my_turn(since=10_000)
        seen = socket.state["view"]["log"]
        server.restart()
        state = client.state(game)
        assert state["version"] >= done["version"]
        assert state["view"]["log"][: len(seen)] == seen


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_the_server_stops_at_once_and_notifies_its_sockets(by: signal.Signals, tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        thinking = client.new_game(ME, {**SNAIL, "level": 5}, first=1)
        waiting = client.new_game(ME, SNAIL, first=1, pace=True)
        with client.open(thinking) as one, client.open(waiting) as other:
            code = server.stop(by)
            for socket in (one, other):
                with pytest.raises(ConnectionClosed) as closed:
                    socket.my_turn(since=10_000)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012  # "Service restart": clients should come back.
    assert code == (-signal.SIGTERM if by == signal.SIGTERM else 130)
    assert server.errors.replace("chromino: stopped", "").strip() == ""


def test_two_servers_on_one_database_share_one_log(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as one, InProcessServer(tmp_path / "db.sqlite") as other:
        client = Client(one.url)
        game = client.new_game(ME, HERE)
        elsewhere = Client(other.url, client.secret)
        with client.open(game) as here, elsewhere.open(game) as there:
            state = here.my_turn()
            assert there.my_turn() == state
            message = act(state, state["view"]["actions"][0])
            done = here.ask(message)
            assert done["type"] == "done"
            after = here.my_turn(since=1)
            # The other server hasn't heard of the action, so it checks the database and reports what it finds.
            assert there.ask(act(state, state["view"]["actions"][0]))["code"] == "stale"
            assert there.my_turn(since=after["version"]) == after
            assert there.ask(message) == done
            there.play_on(1)
            assert here.ask(act(after, after["view"]["actions"][0]))["code"] == "stale"
            assert here.my_turn(since=there.state["version"]) == there.state


def test_when_the_database_fails_nothing_changes_and_the_action_can_be_retried(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        with client.open(game) as socket:
            state = socket.my_turn()
            message = act(state, state["view"]["actions"][0])
            change(server.database, "ALTER TABLE events RENAME TO away")
            answer = socket.ask(message)
            assert (answer["type"], answer["code"]) == ("refused", "storage")
            change(server.database, "ALTER TABLE away RENAME TO events")
            assert client.state(game) == state
            assert socket.ask(message) == {"type": "done", "id": message["id"], "version": 1}
        change(server.database, "ALTER TABLE devices RENAME TO away")
        assert client.get("/api/games").refused == (503, "storage")
        assert Client(server.url).post("/api/games", {"seats": [ME]}).refused == (503, "storage")
        change(server.database, "ALTER TABLE away RENAME TO devices")
        assert len(client.get("/api/games").json["games"]) == 1


def test_a_bot_waits_for_the_database(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        start = Game.start(Rules.classic(), ["Ada", "Bot"], seed=7, first=0)
        game, secret = plant(server.database, start, bots={1: "snail"})
        client = Client(server.url, secret)
        with client.open(game) as socket:
            socket.my_turn()
            # This fails for events without a client's id, which are the bot's.
            change(
                server.database,
                "CREATE TRIGGER fails BEFORE INSERT ON events WHEN NEW.action_id IS NULL "
                "BEGIN SELECT json(NEW.event || '{'); END",
            )
            assert socket.act(str(start.actions()[0]))["type"] == "done"
            server.until(lambda: "has to wait" in server.errors)
            assert client.get("/healthz").status == 200
            assert client.state(game)["version"] == 1
            change(server.database, "DROP TRIGGER fails")
            assert {event["seat"] for event in socket.my_turn(since=2)["view"]["log"]} == {0, 1}
        assert "Traceback" not in server.errors


BROKEN_BY = {
    "an event": """INSERT INTO events VALUES (?, 0, '{"seat":0,"draw":"XXX"}', NULL, '')""",
    "a choice of rules": "UPDATE games SET header = replace(header, 'hand_size', 'later_choice') WHERE id = ?",
    "a bot": "UPDATE seats SET bot = 'phoenix' WHERE seat = 1 AND game = ?",
}


@pytest.mark.parametrize("part", BROKEN_BY)
def test_an_unreadable_game_does_not_hide_the_others(part: str, client: Client, server: InProcessServer) -> None:
    """A later version might have written the game, with something that this one doesn't know."""
    whole, broken = client.new_game(), client.new_game()
    change(server.database, BROKEN_BY[part], broken)
    assert client.get(f"/api/games/{broken}").refused == (500, "broken-game")
    answer = client.get("/api/games")
    assert answer.status == 200
    assert whole in {game["game"] for game in answer.json["games"]}
    with client.open(whole) as socket:
        socket.play_on(1)


def test_the_socket_of_an_unreadable_game_is_closed_with_the_reason(client: Client, server: InProcessServer) -> None:
    game = client.new_game()
    change(server.database, BROKEN_BY["an event"], game)
    with client.open(game) as socket:
        assert socket.receive()["code"] == "broken-game"
        with pytest.raises(ConnectionClosed) as closed:
            socket.until_closed()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4500
