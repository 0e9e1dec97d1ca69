"""Ratings on a real server: people finish games, leave them, ask for hints, and choose whether to be listed."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from chromino.server.database.store import Store
from chromino.server.people import ratings
from tests.server.rated_games import due_of, results_of
from tests.server.sites.databases import in_store
from tests.server.sites.full_databases import admin, done
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import FREE, HERE, ME, PATIENCE, SNAIL, Client, Json, Server, leave, play_together


def board(client: Client, family: str = "classic") -> Json:
    answer = client.get(f"/api/ratings/{family}")
    assert answer.status == 200, answer.content
    found: Json = answer.json
    return found


def mine(client: Client, family: str = "classic") -> Json | None:
    """This reader's own line, if there is one."""
    return next((line for line in board(client, family)["players"] if line["mine"]), None)


def is_over(state: Json) -> bool:
    over: bool = state["view"]["over"]
    return over


RATED = {"rated": True, "aids": False, "turn_limit": 600}


def friends(server: Server | InProcessServer, *names: str, **choices: object) -> tuple[str, list[Client]]:
    """A rated game between these people; the first one listed goes first."""
    people = [Client(server.url) for _ in names]
    game = people[0].gather({**ME, "name": names[0]}, *[FREE] * (len(names) - 1), **{"first": 0, **RATED, **choices})
    for person, name in zip(people[1:], names[1:], strict=True):
        person.sit(game, name)
    people[0].begin(game)
    return game, people


def play_to_the_end(game: str, people: Sequence[Client]) -> Json:
    with people[0].open(game) as one, people[1].open(game) as other:
        return play_together({0: one, 1: other}, one, is_over)


def assert_recomputing_changes_nothing(server: Server | InProcessServer) -> None:
    async def work(store: Store) -> None:
        assert await store.read(ratings.differences) == []

    in_store(server.where, work)


def test_two_people_finish_a_game_and_both_are_rated(server: InProcessServer) -> None:
    game, (ada, bob) = friends(server, "Ada", "Bob")
    winners = play_to_the_end(game, (ada, bob))["view"]["winners"]
    assert wait_and_see_if_it_counts(server, game)
    for person in (ada, bob):
        line = mine(person)
        assert line is not None
        assert line["games"] == 1
        assert line["name"] is None
        assert line["rating"] == 1000  # Nothing is known about either of them, so neither moves much.
    with ada.open(game) as socket:
        state = socket.state_when(is_over)
        assert state["rated"]
        assert state["ranks"] == [1 if seat in winners else 2 for seat in (0, 1)]
    assert_recomputing_changes_nothing(server)


def test_a_game_against_a_bot_counts_for_both(client: Client, server: InProcessServer) -> None:
    game = client.new_game(ME, {**SNAIL, "level": 2}, rules={"scoring": "expert"}, **RATED)
    with client.open(game) as socket:
        socket.play_on()
    assert wait_and_see_if_it_counts(server, game)
    (hedgehog,) = board(Client(server.url), "expert?board=bots")["players"]
    assert hedgehog["kind"] == "bot"
    assert (hedgehog["name"], hedgehog["level"], hedgehog["games"]) == ("hedgehog", 2, 1)
    assert mine(client, "classic") is None
    assert_recomputing_changes_nothing(server)


def wait_and_see_if_it_counts(server: InProcessServer, game: str) -> bool:
    """Wait until nothing is due in a finished game; returns whether it counts."""
    server.until(lambda: in_store(server.where, lambda store: store.read(due_of(game))) is None)
    return bool(in_store(server.where, lambda store: store.read(results_of(game))))


def test_leaving_a_rated_game_makes_you_last(server: InProcessServer) -> None:
    game, (ada, bob, cleo) = friends(server, "Ada", "Bob", "Cleo")
    with ada.open(game) as socket:
        socket.my_turn()
        assert socket.ask(leave())["type"] == "done"
    with bob.open(game) as one, cleo.open(game) as other:
        assert play_together({1: one, 2: other}, one, is_over)["ranks"][0] == 3
    assert wait_and_see_if_it_counts(server, game)
    assert all(mine(person) is not None for person in (ada, bob, cleo))
    assert_recomputing_changes_nothing(server)


def test_leaving_after_the_end_changes_nothing(server: InProcessServer) -> None:
    game, (ada, bob) = friends(server, "Ada", "Bob")
    play_to_the_end(game, (ada, bob))
    with ada.open(game) as socket:
        socket.state_when(is_over)
        assert socket.ask(leave())["type"] == "done"
        assert not socket.state["seats"][0]["has_left"]
    assert wait_and_see_if_it_counts(server, game)
    assert mine(ada) is not None
    assert_recomputing_changes_nothing(server)


def test_a_game_is_unrated_by_default(client: Client, server: InProcessServer) -> None:
    game = client.new_game(ME, SNAIL)
    with client.open(game) as socket:
        assert not socket.my_turn()["rated"]
        state = socket.play_on()
        assert state["ranks"] is None
    assert not wait_and_see_if_it_counts(server, game)
    assert mine(client) is None


def test_there_are_no_hints_in_a_rated_game(client: Client) -> None:
    game = client.new_game({**ME, "name": "Ada"}, SNAIL, first=0, **RATED)
    assert client.state(game)["rated"]
    with client.open(game) as socket:
        state = socket.my_turn()
        asked = {"type": "hint", "id": secrets.token_hex(8), "version": state["version"]}
        assert socket.ask(asked)["code"] == "aids-off"
    (line,) = client.get("/api/games").json["games"]
    assert line["rated"]


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        ([ME, SNAIL], {"turn_limit": None}),
        ([ME, SNAIL], {"turn_limit": 3601}),
        ([ME, SNAIL], {"aids": True}),
        ([ME, SNAIL], {"rules": {"hand_size": 7}}),
        ([ME, HERE], {}),
        ([ME], {}),
    ],
)
def test_impossible_rated_games_are_refused(seats: list[Json], changes: Json, client: Client) -> None:
    answer = client.post("/api/games", {"seats": seats, **RATED, **changes})
    assert answer.refused == (400, "cannot-be-rated")
    if len(seats) > 1:
        answer = client.post("/api/gatherings", {"chairs": seats, **RATED, **changes})
        assert answer.refused == (400, "cannot-be-rated")
    assert client.secret is None  # The refusal created no identity.


def test_a_rated_table_needs_at_least_two_players_to_start(server: InProcessServer) -> None:
    ada = Client(server.url)
    table = ada.gather({**ME, "name": "Ada"}, FREE, public=True, **RATED)
    (shown,) = [one for one in ada.get("/api/gatherings").json["gatherings"] if one["game"] == table]
    assert shown["rated"]
    assert ada.post(f"/api/gatherings/{table}/begin", None).refused == (400, "cannot-be-rated")
    assert ada.get(f"/api/gatherings/{table}").json["rated"]


def test_a_bot_program_declares_itself_once_and_gets_a_badge(server: InProcessServer) -> None:
    ada, robo = Client(server.url), Client(server.url)
    assert robo.post("/api/me/bot", None).status == 204
    assert robo.secret  # The program has an identity now.
    table = ada.gather({**ME, "name": "Ada"}, FREE, public=True)
    chairs = robo.sit(table, "Robo")["chairs"]
    assert [chair["program"] for chair in chairs] == [False, True]
    assert robo.post("/api/me/bot", None).status == 204
    ada.begin(table)
    assert [seat["program"] for seat in ada.state(table)["seats"]] == [False, True]
    with ada.open(table) as page:  # If someone declares it during a game, everyone sees that.
        page.receive()
        assert ada.post("/api/me/bot", None).status == 204
        page.seats_when(lambda seats: seats[0]["program"])


def test_people_are_listed_only_if_they_want_to_be(server: InProcessServer) -> None:
    game, (ada, bob) = friends(server, "Ada", "Bob", rules={"joining": "ends"})
    play_to_the_end(game, (ada, bob))
    assert wait_and_see_if_it_counts(server, game)
    assert board(ada, "junior")["known"]
    assert board(ada, "junior")["listed_as"] is None
    stranger = Client(server.url)
    assert [line["name"] for line in board(stranger, "junior")["players"]] == []
    assert ada.post("/api/me/listed", {"name": " Zoë "}).status == 204
    (line,) = board(stranger, "junior")["players"]
    assert (line["place"], line["name"], line["kind"], line["mine"]) == (1, "Zoë", "person", False)
    assert board(ada, "junior")["listed_as"] == "Zoë"
    assert len(board(bob, "junior")["players"]) == 2
    assert ada.post("/api/me/listed", {"name": None}).status == 204
    assert board(stranger, "junior")["players"] == []
    assert not board(stranger, "junior")["known"]
    assert stranger.secret is None
    # Erased while listed.
    assert ada.post("/api/me/listed", {"name": "Zoë"}).status == 204
    assert ada.post("/api/me/erase", None).status == 204
    assert board(stranger, "junior")["players"] == []
    assert_recomputing_changes_nothing(server)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "A\nB", "\u200b", "A\u202eB", 7])
def test_an_invalid_name_cannot_be_listed(name: object, client: Client) -> None:
    client.new_game()
    answer = client.post("/api/me/listed", {"name": name})
    assert answer.refused == (400, "bad-name")
    assert board(client)["listed_as"] is None


def test_invalid_requests_are_refused(client: Client) -> None:
    assert client.post("/api/me/listed", {"name": "Ada"}).refused == (403, "nobody")
    assert client.post("/api/me/listed", {}).refused == (400, "bad-message")
    assert client.get("/api/ratings/chess").refused == (404, "no-such-page")
    assert client.secret is None


def test_a_server_killed_at_the_last_turn_rates_the_game_when_it_is_back(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite") as server:
        game, (ada, bob) = friends(server, "Ada", "Bob")
        play_to_the_end(game, (ada, bob))
        server.kill()  # Whether the game has been rated by then or not, it counts once.
    with InProcessServer(tmp_path / "games.sqlite") as again:
        assert wait_and_see_if_it_counts(again, game)
        ada.url = again.url
        line = mine(ada)
        assert line is not None
        assert line["games"] == 1
        assert_recomputing_changes_nothing(again)


def test_games_in_two_processes_are_rated_one_after_another(postgres: Postgres) -> None:
    with temporary_database(postgres) as url, InProcessServer(url) as server, InProcessServer(url) as other:

        def one_game(number: int) -> str:
            game, people = friends((server, other)[number % 2], "Ada", "Bob")
            play_to_the_end(game, people)
            return game

        with ThreadPoolExecutor(4) as threads:
            games = list(threads.map(one_game, range(4)))
        assert all(wait_and_see_if_it_counts((server, other)[number % 2], game) for number, game in enumerate(games))
        assert_recomputing_changes_nothing(server)
        assert "Traceback" not in server.errors + other.errors


def test_an_operator_can_check_ratings_against_the_logs_and_rebuild_them(
    client: Client, server: InProcessServer
) -> None:
    game = client.new_game(ME, SNAIL, **RATED)
    with client.open(game) as page:
        page.play_on()
    assert wait_and_see_if_it_counts(server, game)
    assert "all ratings match the logs" in done(admin("ratings", database=server.database))
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        connection.execute("UPDATE ratings SET mu = mu + 1 WHERE player = 'b:snail'")
    result = admin("ratings", database=server.database)
    assert result.returncode == 1
    assert "b:snail" in result.stdout
    assert "all ratings match the logs" in done(admin("ratings", "--rebuild", database=server.database))
    assert_recomputing_changes_nothing(server)
