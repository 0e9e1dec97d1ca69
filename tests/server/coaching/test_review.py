"""Reviews, practice, and which bot to play next, over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import update

from chromino import Game, Rules
from chromino.review import Cause
from chromino.server.database import schema
from tests.server.sample_games import finished
from tests.server.sites.full_databases import change
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, SNAIL, Client, Json, plant, plant_multiplayer

TINY = Rules.preset("classic", hand_size=2)  # Short games are reviewed sooner.


def reviewed(client: Client, game: str, query: str = "") -> Json:
    answer = client.get(f"/api/games/{game}/review{query}")
    assert answer.status == 200, answer.content
    found: Json = answer.json
    return found


def test_a_review_adds_up_and_is_the_same_each_time(server: InProcessServer) -> None:
    played = finished(seed=3)
    game, secret = plant(server.database, played, bots={0: "snail"})
    ada = Client(server.url, secret)
    found = reviewed(ada, game)
    assert found["seat"] == 1  # By default, my own seat.
    assert [seat["mine"] for seat in found["seats"]] == [False, True]
    assert found["fair"] + sum(found["gains"][kind]["mean"] for kind in Cause) == pytest.approx(
        found["result"], abs=0.001
    )
    assert found["result"] == (1 / len(played.winners) if 1 in played.winners else 0)
    assert found["choices"]
    for choice in found["choices"]:
        assert str(played.log[choice["version"]].action) == choice["chosen"]
    assert reviewed(ada, game) == found
    other = reviewed(ada, game, "?seat=0")
    assert other["seat"] == 0
    assert other["choices"] != found["choices"]


@pytest.mark.parametrize("players", [pytest.param(1, marks=pytest.mark.long), 2])
def test_scoring_games_are_reviewed_in_points(server: InProcessServer, players: int) -> None:
    played = finished(seed=3, players=players, rules=Rules.preset("expert", hand_size=2))
    game, secret = plant(server.database, played)
    ada = Client(server.url, secret)
    default = reviewed(ada, game)
    assert default["measures"] == (["points", "win"] if players == 1 else ["win", "points"])
    assert default["measure"] == default["measures"][0]
    by_measure = {measure: reviewed(ada, game, f"?seat=0&measure={measure}") for measure in default["measures"]}
    assert by_measure[default["measure"]] == default
    assert by_measure["points"]["result"] == played.scores[0] - (played.scores[1] if players == 2 else 0)
    assert by_measure["win"]["result"] == (1 / len(played.winners) if 0 in played.winners else 0)
    for found in by_measure.values():
        gains = sum(found["gains"][kind]["mean"] for kind in Cause)
        assert found["fair"] + gains == pytest.approx(found["result"], abs=0.001)


def test_concurrent_requests_get_the_same_review(server: InProcessServer) -> None:
    game, secret = plant(server.database, finished(seed=4, rules=TINY))
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: reviewed(Client(server.url, secret), game), range(6)))
    assert found.count(found[0]) == 6


def test_a_review_is_open_to_everyone_who_may_see_the_game(server: InProcessServer) -> None:
    game, (ada, _) = plant_multiplayer(server.database, finished(seed=5, rules=TINY), watch=False)
    assert Client(server.url).get(f"/api/games/{game}/review").refused == (403, "not-your-game")
    assert reviewed(Client(server.url, ada), game)["seat"] == 0
    watched, _ = plant_multiplayer(server.database, finished(seed=5, rules=TINY), watch=True)
    assert reviewed(Client(server.url), watched)["seat"] == 0


def test_games_that_cannot_be_reviewed_are_refused(client: Client, server: InProcessServer) -> None:
    game = client.new_game(ME, HERE)
    assert client.get(f"/api/games/{game}/review").refused == (409, "not-over")
    assert client.get("/api/games/nothing/review").refused == (404, "no-such-game")
    over, secret = plant(server.database, finished(seed=6))
    asked = {"seat=2": "bad-seats", "measure=points": "bad-rules"}
    wrong = ("seat=8", "seat=-1", "seat=x", "seat=", "seat=01", "seat=0&seat=1", "measure=", "measure=tiles")
    for query, code in (asked | dict.fromkeys(wrong, "bad-message")).items():
        answer = Client(server.url, secret).get(f"/api/games/{over}/review?{query}")
        assert answer.refused == (400, code), query


def test_reviews_are_limited(client: Client) -> None:
    client.new_game(ME, HERE)
    found = [client.get("/api/games/nothing/review").status for _ in range(40)]
    assert found[:30] == [404] * 30
    assert 429 in found


def test_practice_shows_what_i_could_know_and_the_value_of_each_place(server: InProcessServer) -> None:
    played = finished(seed=3)
    game, secret = plant(server.database, played, bots={1: "snail"})
    ada = Client(server.url, secret)
    found = ada.get("/api/practice").json
    assert found["waiting"] == 0
    assert 1 <= len(found["positions"]) <= 3
    costs = [position["cost"] for position in found["positions"]]
    assert costs == sorted(costs, reverse=True)
    for position in found["positions"]:
        assert position["game"] == game
        view = position["view"]
        moment = Game.dealt(played.rules, played.players, played.deal)
        for event in played.log[: position["version"]]:
            moment = moment.apply(event.action)
        assert view == moment.view(0).to_json()
        assert view["hands"][1] is None or len(view["hands"][1]) <= 1
        assert sorted(value["placement"] for value in position["values"]) == sorted(view["actions"])
        assert position["played"] == str(played.log[position["version"]].action)
    assert ada.get("/api/practice").json == found
    choices = {choice["version"]: choice for choice in reviewed(ada, game)["choices"]}
    for position in found["positions"]:  # The review says the same about the same move.
        choice = choices[position["version"]]
        values = {value["placement"]: value["value"] for value in position["values"]}
        assert (values[choice["chosen"]], values[choice["best"]]) == (
            choice["value"]["mean"],
            choice["best_value"]["mean"],
        )
        assert position["values"][0]["placement"] == choice["best"]
        assert position["cost"] == choice["cost"]


def test_an_unreadable_game_does_not_hide_the_others(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite"
    with InProcessServer(database) as server:
        client = Client(server.url)
        for _ in range(2):
            game = client.new_game(ME, SNAIL, rules={"hand_size": 1})
            with client.open(game) as socket:
                socket.play_on()
    newest = update(schema.events).where(schema.events.c.game == game)
    change(database, lambda connection: connection.execute(newest.values(event="{}")))
    with InProcessServer(database) as server:
        client.url = server.url
        assert [client.get("/api/practice").json["waiting"] for _ in range(2)] == [0, 0]


def test_practice_reviews_new_games_one_at_a_time(client: Client, server: InProcessServer) -> None:
    """Each request reviews one more game, and its answer says how many are still waiting."""
    assert client.get("/api/practice").json == {"positions": [], "waiting": 0}
    for _ in range(2):
        game = client.new_game(ME, SNAIL, rules={"hand_size": 1})
        with client.open(game) as socket:
            socket.play_on()
    client.new_game(ME, SNAIL)  # Still in progress.
    client.new_game(ME, HERE, rules={"hand_size": 1})  # Nobody knows which of the two I was.
    solo = client.new_game(ME, rules={"hand_size": 1})
    with client.open(solo) as socket:
        socket.play_on()
    assert [client.get("/api/practice").json["waiting"] for _ in range(3)] == [1, 0, 0]
    assert "Traceback" not in server.errors


def test_the_bot_ladder_counts_two_player_games_against_bots(client: Client) -> None:
    assert client.get("/api/path").json["next"] == 1
    won = 0
    for _ in range(6):
        game = client.new_game(ME, {**SNAIL, "level": 2}, rules={"hand_size": 1})
        with client.open(game) as socket:
            won += 0 in socket.play_on()["view"]["winners"]
    for seats in ((ME, SNAIL, SNAIL), (ME, HERE)):
        with client.open(client.new_game(*seats, rules={"hand_size": 1})) as socket:
            socket.play_on()
    found = client.get("/api/path").json
    rungs = {rung["bot"]: (rung["level"], rung["played"], rung["won"], rung["mastered"]) for rung in found["rungs"]}
    assert rungs["hedgehog"] == (2, 6, won, won == 6)
    assert rungs["snail"] == (1, 0, 0, False)
    assert list(rungs) == ["snail", "hedgehog", "fox", "owl", "dragon"]
    assert found["next"] == (3 if won == 6 else 2)
