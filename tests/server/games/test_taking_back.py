"""Taking back a turn over the wire: it stays taken back, and the record contains only the moves that still count."""

from __future__ import annotations

from pathlib import Path

from chromino import Game, Record, Rules
from chromino.server.database.rows import without_undone
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, Json, plant, plant_multiplayer


def take_back(version: int) -> Json:
    return {"type": "take-back", "id": "take-it-back", "version": version}


def test_the_game_continues_from_my_last_turn_even_after_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    name, secret = plant(database, Game.start(Rules.classic(), ["Ada", "Snail"], seed=5, first=0), {1: "snail"})
    with InProcessServer(database) as server, Client(server.url, secret).open(name) as table:
        first = table.my_turn()
        assert not first["can_take_back"]
        second = table.play_on(actions=1)
        assert second["can_take_back"]
        done = table.ask(take_back(second["version"]))
        assert done == table.ask(take_back(second["version"]))  # Sent twice, it happens once.
        back = table.state_since(done["version"])
        assert back["view"] == first["view"]
        assert back["version"] == second["version"] + 1
    with InProcessServer(database) as server:
        ada = Client(server.url, secret)
        assert ada.whole_state(name)["view"] == first["view"]
        with ada.open(name) as table:
            assert table.play_on()["view"]["over"]
        record = Record.parse(ada.record(name))
        assert Game.replay(record).over


def test_against_people_nothing_can_be_taken_back(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    name, (ada, _) = plant_multiplayer(database, Game.start(Rules.classic(), ["Ada", "Bob"], seed=5, first=0))
    with InProcessServer(database) as server, Client(server.url, ada).open(name) as table:
        state = table.my_turn()
        version = table.act(state["view"]["actions"][0])["version"]
        assert not table.state_since(version)["can_take_back"]
        assert table.refusal(take_back(version))["code"] == "nothing-to-take-back"


def test_moves_taken_back_are_not_in_the_record() -> None:
    lines = ["a", "b", "c", '{"take_back":1}', "d", "e", '{"take_back":2}', "f"]
    assert without_undone(lines) == ["a", "d", "f"]
    assert without_undone(["a", '{"take_back":0}']) == []
