"""Nothing waits forever: people who go away or leave, stand-in bots, and limited turns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path
from time import monotonic

import pytest

from chromino import Game, Rules
from chromino.events import Draw, Pass
from tests.helpers import more
from tests.server.in_process import InProcessServer
from tests.server.serving import (
    FREE,
    ME,
    PATIENCE,
    SNAIL,
    Client,
    GameSocket,
    Json,
    Server,
    gathering_when,
    goes_and_is_stood_in_for,
    leave,
    patiently,
    plant_apart,
    play_together,
)

GRACE = 2.0
LIMIT = 5
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server with a short grace period."""
    with InProcessServer(tmp_path_factory.mktemp("hasty") / "games.sqlite", grace=GRACE) as server:
        yield server
    assert "Traceback" not in server.errors


def two(
    server: Server | InProcessServer, game: Game = START, turn_limit: int | None = None
) -> tuple[str, Client, Client]:
    """A game of two people; it's Ada's turn."""
    planted, (ada, bob) = plant_apart(server.database, game, turn_limit=turn_limit)
    return planted, Client(server.url, ada), Client(server.url, bob)


def someone_is_stood_in_for(server: InProcessServer) -> None:
    """Someone goes away in another game, and a bot stands in: by then, anyone's earlier grace period is over too."""
    goes_and_is_stood_in_for(*two(server))


def waited_for(client: Client, game: str, seat: int = 0) -> float | None:
    """The seconds until a bot stands in for this seat, as others see it."""
    seconds: float | None = client.whole_state(game)["seats"][seat]["stand_in_in"]
    return seconds


def goes_away(person: Client, game: str, witness: GameSocket) -> Json:
    """Someone opens the page of seat 0 and closes it; what the witness then sees of them."""
    with person.open(game) as socket:
        socket.state_since(0)
        witness.seats_when(lambda seats: seats[0]["present"])
    return witness.seats_when(lambda seats: not seats[0]["present"])[0]


# People who go away.


def test_the_others_see_who_is_away_and_for_how_long_they_wait(server: Server) -> None:
    game, ada, bob = two(server)
    with bob.open(game) as socket:
        away = goes_away(ada, game, socket)
        assert 0 < away["stand_in_in"] <= 60
        assert not away["has_left"]
        assert socket.seats[1]["present"]
        assert socket.seats[1]["stand_in_in"] is None
        patiently(lambda: (waited_for(bob, game) or 99) < away["stand_in_in"] - 0.2)
        with ada.open(game):
            back = socket.seats_when(lambda seats: seats[0]["present"])[0]
            assert back["stand_in_in"] is None


def test_who_has_two_pages_open_is_there_until_both_are_closed(server: Server) -> None:
    game, ada, bob = two(server)
    with bob.open(game) as socket:
        with ada.open(game) as stays:
            with ada.open(game) as goes:
                assert goes.my_turn() == stays.my_turn()
            assert stays.act(stays.state["view"]["actions"][0])["type"] == "done"
            socket.state_since(1)
            assert socket.seats[0]["present"]
        socket.seats_when(lambda seats: not seats[0]["present"])


@pytest.mark.parametrize("turn_limit", [None, more(60)])
def test_who_comes_back_in_time_finds_the_turn_as_it_was(turn_limit: int | None, server: Server) -> None:
    game, ada, bob = two(server, turn_limit=turn_limit)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        with ada.open(game) as again:
            assert socket.seats_when(lambda seats: seats[0]["present"])[0]["stand_in_in"] is None
            assert again.my_turn()["version"] == 0
            assert again.act(str(START.actions()[0]))["type"] == "done"


def test_if_the_host_is_gone_the_next_to_arrive_becomes_host(hasty: InProcessServer) -> None:
    ada, bob = Client(hasty.url), Client(hasty.url)
    table = ada.gather(ME, FREE)
    with ada.watch(table) as page:
        page.recv(PATIENCE)
    someone_is_stood_in_for(hasty)  # All who were waited for are given up.
    bob.sit(table, "Bob")
    gathering_when(bob, table, lambda now: bool(now["host"]))
    bob.begin(table)


@pytest.mark.long
def test_coming_back_for_a_moment_restarts_the_grace_period(hasty: InProcessServer) -> None:
    game, ada, bob = two(hasty)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        patiently(lambda: (waited_for(bob, game) or 99) < GRACE / 2)
        away = goes_away(ada, game, socket)
        since = monotonic()
        assert away["stand_in_in"] > GRACE - 0.3
        socket.state_since(1)
        assert monotonic() - since > GRACE - 0.3


def test_a_bot_stands_in_until_the_person_is_back(hasty: InProcessServer) -> None:
    game, ada, bob = two(hasty)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        since = monotonic()
        socket.my_turn(since=1)
        assert monotonic() - since > GRACE - 0.3
        assert [move["seat"] for move in socket.moves] == [0]
        assert socket.seats[0]["stand_in_in"] == 0
        assert socket.seats[0]["kind"] == "person"
        assert socket.seats[0]["away_for"] >= int(GRACE)
        assert socket.state["stand_in"] == "fox"
        while [move["seat"] for move in socket.moves].count(0) < 4:  # From now on nobody waits.
            socket.play_on(1)
            assert socket.seats[0]["stand_in_in"] == 0

        with ada.open(game) as again:
            assert socket.seats_when(lambda seats: seats[0]["present"])[0]["stand_in_in"] is None
            told = again.state_since(0)
            assert told["played_for_me"] == told["stood_in"] != []
            seen = play_together({1: socket}, again, lambda state: state["view"]["seat"] == 0)
            someone_is_stood_in_for(hasty)
            assert bob.state(game)["version"] == seen["version"]
            assert again.act(seen["view"]["actions"][0])["type"] == "done"


@pytest.mark.long
def test_bots_stand_in_for_someone_whose_turn_comes_later(hasty: InProcessServer) -> None:
    """The grace runs in the turns of the others, too."""
    game, ada, bob = two(hasty)
    with ada.open(game) as socket:
        socket.my_turn()
        with bob.open(game):
            socket.seats_when(lambda seats: seats[1]["present"])
        patiently(lambda: waited_for(ada, game, seat=1) == 0)
        assert socket.act(socket.state["view"]["actions"][0])["type"] == "done"
        socket.my_turn(since=2)
        assert [move["seat"] for move in socket.moves][:2] == [0, 1]


def test_no_bot_stands_in_for_a_single_person(hasty: InProcessServer) -> None:
    client = Client(hasty.url)
    game = client.new_game(ME, SNAIL, first=0)
    with client.open(game) as socket:
        socket.my_turn()
    patiently(lambda: not client.whole_state(game)["seats"][0]["present"])
    state = client.whole_state(game)
    assert state["seats"][0]["stand_in_in"] is None
    someone_is_stood_in_for(hasty)
    assert client.state(game)["version"] == 0


@pytest.mark.long
def test_no_bot_stands_in_for_the_last_person_to_stay(hasty: InProcessServer) -> None:
    game, ada, bob = two(hasty)
    with bob.open(game) as socket:
        assert socket.ask(leave())["type"] == "done"
    with ada.open(game) as socket:
        socket.my_turn()
    someone_is_stood_in_for(hasty)
    state = ada.whole_state(game)
    assert (state["version"], state["seats"][0]["stand_in_in"]) == (0, None)


@pytest.mark.long
def test_bots_do_not_play_a_game_to_its_end_when_nobody_is_there(hasty: InProcessServer) -> None:
    """Nobody waits for anybody: both find it as they left it."""
    game, ada, bob = two(hasty)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
    someone_is_stood_in_for(hasty)
    someone_is_stood_in_for(hasty)
    assert bob.state(game)["version"] == 0


@pytest.mark.long
def test_a_look_from_outside_sets_no_game_going(hasty: InProcessServer) -> None:
    game, ada, _ = two(hasty)
    assert Client(hasty.url).state(game)["version"] == 0
    someone_is_stood_in_for(hasty)
    assert ada.state(game)["version"] == 0


@pytest.mark.long
def test_no_bot_stands_in_in_a_game_over_days(hasty: InProcessServer) -> None:
    game, ada, bob = two(hasty, turn_limit=24 * 3600)
    with bob.open(game) as socket:
        assert goes_away(ada, game, socket)["stand_in_in"] is None
        someone_is_stood_in_for(hasty)
        assert bob.state(game)["version"] == 0
        assert 24 * 3600 - 60 < bob.state(game)["turn_left"] <= 24 * 3600


def test_others_see_who_left_and_a_bot_takes_over_at_once(server: Server) -> None:
    game, ada, bob = two(server)
    with ada.open(game) as one, bob.open(game) as other:
        one.my_turn()
        assert one.ask(leave())["type"] == "done"
        gone = other.seats_when(lambda seats: seats[0]["has_left"])[0]
        assert gone["kind"] == "person"
        assert gone["name"] == "Ada"
        assert gone["stand_in_in"] is None
        other.play_on(6)
    assert [move["seat"] for move in other.moves].count(0) >= 2
    assert bob.whole_state(game)["seats"][0]["has_left"]
    assert ada.whole_state(game)["seats"][0]["has_left"]


# Limited turns.


def test_a_limit_that_runs_out_lets_a_bot_play_that_one_turn(server: Server) -> None:
    ada, bob = Client(server.url), Client(server.url)
    game = ada.gather(ME, FREE, first=0, turn_limit=LIMIT)
    bob.sit(game, "Bob")
    since = monotonic()
    ada.begin(game)
    with ada.open(game) as one, bob.open(game) as other:
        assert one.my_turn()["turn_left"] <= LIMIT
        one.state_when(lambda state: state["view"]["seat"] == 1)
        assert monotonic() - since > LIMIT - 0.1
        assert [move["seat"] for move in one.moves] == [0]
        assert one.seats[0]["present"]
        assert one.seats[0]["stand_in_in"] is None
        assert 0 < one.state["turn_left"] <= LIMIT
        # The next turn is Ada's own again.
        state = play_together({1: other}, one, lambda state: state["view"]["seat"] == 0 and state["version"] > 1)
        assert 0 < state["turn_left"] <= LIMIT
        assert one.act(state["view"]["actions"][0])["type"] == "done"


@pytest.mark.long
def test_drawing_a_tile_gains_no_time(server: Server) -> None:
    for seed in count():
        start = Game.start(Rules.classic(), ["Ada", "Bob"], seed, first=0)
        if start.actions() == [Draw()] and start.apply(Draw()).actions() != [Pass()]:
            break
    game, ada, _ = two(server, start, turn_limit=LIMIT)
    with ada.open(game) as socket:
        socket.my_turn()
        patiently(lambda: ada.state(game)["turn_left"] < LIMIT - 1)
        assert socket.act("draw")["type"] == "done"
        assert socket.my_turn(since=1)["turn_left"] < LIMIT - 1
    assert ada.state(game)["turn_left"] < LIMIT - 1


def test_without_a_limit_no_clock_runs(server: Server) -> None:
    game, ada, _ = two(server)
    assert ada.state(game)["turn_left"] is None


def test_no_clock_runs_when_the_game_is_over(server: Server) -> None:
    start = Game.start(Rules(hand_size=1, draw_limit=None, ending="at_once"), ["Ada", "Bob"], seed=7, first=0)
    game, ada, bob = two(server, start, turn_limit=LIMIT)
    with ada.open(game) as one, bob.open(game) as other:
        last = play_together({0: one, 1: other}, one, lambda state: bool(state["view"]["over"]))
    assert last["turn_left"] is None


def seconds_of_the_first_turn(database: Path, game: str) -> float | None:
    """How long the first turn took according to the database, without loading the game; None if it isn't over."""
    query = "SELECT created, at, event FROM games JOIN events ON game = id WHERE id = ? ORDER BY seq"
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        for created, at, event in connection.execute(query, (game,)):
            if "draw" not in event:
                return (datetime.fromisoformat(at) - datetime.fromisoformat(created)).total_seconds()
    return None


def test_a_limit_holds_after_a_restart_even_if_nobody_looks(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        game, ada, _ = two(server, turn_limit=LIMIT)
        patiently(lambda: ada.state(game)["turn_left"] < LIMIT - 2.5)
        server.kill()
        assert seconds_of_the_first_turn(server.database, game) is None
        server.restart()
        patiently(lambda: seconds_of_the_first_turn(server.database, game) is not None)
        # The time without a server is given back.
        assert (seconds_of_the_first_turn(server.database, game) or 0) > LIMIT - 0.1
        state = ada.state(game)
        assert [event["seat"] for event in state["view"]["log"] if "draw" not in event] == [0]
        assert "Traceback" not in server.errors


@pytest.mark.long
def test_a_limit_holds_from_the_beginning_even_if_nobody_looks(server: Server) -> None:
    """As in a game over days that the host begins and leaves at once."""
    ada, bob = Client(server.url), Client(server.url)
    game = ada.gather(ME, FREE, first=1, turn_limit=LIMIT)
    bob.sit(game, "Bob")
    ada.begin(game)
    patiently(lambda: seconds_of_the_first_turn(server.database, game) is not None)
