"""No game waits forever: people who go away or leave, stand-in bots, and turn limits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from chromino import Game, Rules
from chromino.events import Draw, Pass
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    FREE,
    ME,
    PATIENCE,
    SNAIL,
    Client,
    GameSocket,
    Json,
    Server,
    gathering_when,
    leave,
    plant_multiplayer,
    play_together,
)

GRACE = 60.0  # Seconds.
LIMIT = 60  # Seconds.
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server on which time passes only when a test says so."""
    with InProcessServer(tmp_path_factory.mktemp("site") / "games.sqlite", GRACE, has_movable_clock=True) as server:
        yield server
    assert "Traceback" not in server.errors


def two(server: InProcessServer, game: Game = START, turn_limit: int | None = None) -> tuple[str, Client, Client]:
    """A game between two people; it's Ada's turn."""
    planted, (ada, bob) = plant_multiplayer(server.database, game, turn_limit=turn_limit, ahead=server.ahead)
    return planted, Client(server.url, ada), Client(server.url, bob)


def let_grace_periods_end(server: InProcessServer) -> None:
    """Wait until a bot stands in for someone in another game: by then, all earlier grace periods are over too."""
    game, ada, bob = two(server)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        server.let_pass(GRACE)
        socket.state_since(1)


def stand_in_in(client: Client, game: str, seat: int = 0) -> float | None:
    """The seconds until a bot stands in for this seat, as others see it."""
    seconds: float | None = client.whole_state(game)["seats"][seat]["stand_in_in"]
    return seconds


def goes_away(person: Client, game: str, witness: GameSocket) -> Json:
    """Open and close the page of seat 0; returns what the witness then sees of that seat."""
    with person.open(game) as socket:
        socket.state_since(0)
        witness.seats_when(lambda seats: seats[0]["present"])
    return witness.seats_when(lambda seats: not seats[0]["present"])[0]


# People who go away.


def test_the_others_see_who_is_away_and_how_long_they_will_wait(site: InProcessServer) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        away = goes_away(ada, game, socket)
        assert 0 < away["stand_in_in"] <= 60
        assert not away["has_left"]
        assert socket.seats[1]["present"]
        assert socket.seats[1]["stand_in_in"] is None
        site.let_pass(20)
        remaining = stand_in_in(bob, game)
        assert remaining is not None
        assert 0 < remaining <= away["stand_in_in"] - 20
        with ada.open(game):
            back = socket.seats_when(lambda seats: seats[0]["present"])[0]
            assert back["stand_in_in"] is None


def test_with_two_pages_open_you_are_present_until_both_are_closed(server: InProcessServer) -> None:
    game, ada, bob = two(server)
    with bob.open(game) as socket:
        with ada.open(game) as stays:
            with ada.open(game) as goes:
                assert goes.my_turn() == stays.my_turn()
            assert stays.act(stays.state["view"]["actions"][0])["type"] == "done"
            socket.state_since(1)
            assert socket.seats[0]["present"]
        socket.seats_when(lambda seats: not seats[0]["present"])


@pytest.mark.parametrize("turn_limit", [None, 60])
def test_if_you_come_back_in_time_your_turn_is_unchanged(turn_limit: int | None, server: InProcessServer) -> None:
    game, ada, bob = two(server, turn_limit=turn_limit)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        with ada.open(game) as again:
            assert socket.seats_when(lambda seats: seats[0]["present"])[0]["stand_in_in"] is None
            assert again.my_turn()["version"] == 0
            assert again.act(str(START.actions()[0]))["type"] == "done"


def test_if_the_host_is_gone_the_next_to_arrive_becomes_host(site: InProcessServer) -> None:
    ada, bob = Client(site.url), Client(site.url)
    table = ada.gather(ME, FREE)
    with ada.watch(table) as page:
        page.recv(PATIENCE)
    let_grace_periods_end(site)  # By now, nobody is waiting for Ada anymore.
    bob.sit(table, "Bob")
    gathering_when(bob, table, lambda now: bool(now["host"]))
    bob.begin(table)


def test_once_a_game_is_over_nobody_in_it_is_recorded_as_here(site: InProcessServer) -> None:
    game, ada, bob = two(site)
    with ada.open(game) as one, bob.open(game) as other:
        play_together({0: one, 1: other}, one, lambda state: bool(state["view"]["over"]))
        with closing(sqlite3.connect(site.database)) as connection:
            assert connection.execute("SELECT * FROM presence WHERE game = ?", (game,)).fetchall() == []


def test_coming_back_for_a_moment_restarts_the_grace_period(site: InProcessServer) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        site.let_pass(GRACE / 2)
        away = goes_away(ada, game, socket)
        assert away["stand_in_in"] > GRACE / 2
        site.let_pass(GRACE / 2)
        assert bob.state(game)["version"] == 0
        site.let_pass(GRACE / 2)
        socket.state_since(1)


def test_a_bot_stands_in_until_the_person_is_back(site: InProcessServer) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
        site.let_pass(GRACE / 2)
        assert bob.state(game)["version"] == 0
        site.let_pass(GRACE / 2)
        socket.my_turn(since=1)
        assert [move["seat"] for move in socket.moves] == [0]
        assert socket.seats[0]["stand_in_in"] == 0
        assert socket.seats[0]["kind"] == "person"
        assert socket.seats[0]["away_for"] >= int(GRACE)
        assert socket.state["stand_in"] == "fox"
        while [move["seat"] for move in socket.moves].count(0) < 4:  # From now on, nobody has to wait.
            socket.play_on(1)
            assert socket.seats[0]["stand_in_in"] == 0

        with ada.open(game) as again:
            assert socket.seats_when(lambda seats: seats[0]["present"])[0]["stand_in_in"] is None
            state = again.state_since(0)
            assert state["played_for_me"] == state["stood_in"] != []
            seen = play_together({1: socket}, again, lambda state: state["view"]["seat"] == 0)
            let_grace_periods_end(site)
            assert bob.state(game)["version"] == seen["version"]
            assert again.act(seen["view"]["actions"][0])["type"] == "done"


def test_bots_stand_in_for_someone_whose_turn_comes_later(site: InProcessServer) -> None:
    """The grace period also runs during other people's turns."""
    game, ada, bob = two(site)
    with ada.open(game) as socket:
        socket.my_turn()
        with bob.open(game):
            socket.seats_when(lambda seats: seats[1]["present"])
        socket.seats_when(lambda seats: not seats[1]["present"])
        site.let_pass(GRACE)
        assert stand_in_in(ada, game, seat=1) == 0
        assert socket.act(socket.state["view"]["actions"][0])["type"] == "done"
        socket.my_turn(since=2)
        assert [move["seat"] for move in socket.moves][:2] == [0, 1]


def test_no_bot_stands_in_for_the_only_person(site: InProcessServer) -> None:
    client = Client(site.url)
    game = client.new_game(ME, SNAIL, first=0)
    with client.open(game) as socket:
        socket.my_turn()
    site.until(lambda: not client.whole_state(game)["seats"][0]["present"])
    state = client.whole_state(game)
    assert state["seats"][0]["stand_in_in"] is None
    let_grace_periods_end(site)
    assert client.state(game)["version"] == 0


def test_no_bot_stands_in_for_the_last_person_left(site: InProcessServer) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        assert socket.ask(leave())["type"] == "done"
    with ada.open(game) as socket:
        socket.my_turn()
    let_grace_periods_end(site)
    state = ada.whole_state(game)
    assert (state["version"], state["seats"][0]["stand_in_in"]) == (0, None)


def test_bots_do_not_play_a_game_to_its_end_when_nobody_is_there(site: InProcessServer) -> None:
    """Nobody is waiting for anybody, so both find the game as they left it."""
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        goes_away(ada, game, socket)
    let_grace_periods_end(site)
    let_grace_periods_end(site)
    assert bob.state(game)["version"] == 0


def test_watching_a_game_starts_no_clock(site: InProcessServer) -> None:
    game, ada, _ = two(site)
    assert Client(site.url).state(game)["version"] == 0
    let_grace_periods_end(site)
    assert ada.state(game)["version"] == 0


def test_no_bot_stands_in_during_a_multi_day_game(site: InProcessServer) -> None:
    game, ada, bob = two(site, turn_limit=24 * 3600)
    with bob.open(game) as socket:
        assert goes_away(ada, game, socket)["stand_in_in"] is None
        let_grace_periods_end(site)
        assert bob.state(game)["version"] == 0
        assert 23 * 3600 < bob.state(game)["turn_left"] <= 24 * 3600 - GRACE


def test_others_see_who_left_and_a_bot_takes_over_at_once(server: InProcessServer) -> None:
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


# Turn limits.


def test_when_time_runs_out_a_bot_plays_only_that_turn(site: InProcessServer) -> None:
    ada, bob = Client(site.url), Client(site.url)
    game = ada.gather(ME, FREE, first=0, turn_limit=LIMIT)
    bob.sit(game, "Bob")
    ada.begin(game)
    with ada.open(game) as one, bob.open(game) as other:
        assert one.my_turn()["turn_left"] <= LIMIT
        site.let_pass(LIMIT / 2)
        assert 0 < ada.state(game)["turn_left"] <= LIMIT / 2
        site.let_pass(LIMIT / 2)
        one.state_when(lambda state: state["view"]["seat"] == 1)
        assert [move["seat"] for move in one.moves] == [0]
        assert one.seats[0]["present"]
        assert one.seats[0]["stand_in_in"] is None
        assert 0 < one.state["turn_left"] <= LIMIT
        # The next turn is Ada's own again.
        state = play_together({1: other}, one, lambda state: state["view"]["seat"] == 0 and state["version"] > 1)
        assert 0 < state["turn_left"] <= LIMIT
        assert one.act(state["view"]["actions"][0])["type"] == "done"


def test_drawing_a_tile_gains_no_time(site: InProcessServer) -> None:
    for seed in count():
        start = Game.start(Rules.classic(), ["Ada", "Bob"], seed, first=0)
        if start.actions() == [Draw()] and start.apply(Draw()).actions() != [Pass()]:
            break
    game, ada, _ = two(site, start, turn_limit=LIMIT)
    with ada.open(game) as socket:
        socket.my_turn()
        site.let_pass(LIMIT / 2)
        assert socket.act("draw")["type"] == "done"
        assert socket.my_turn(since=1)["turn_left"] <= LIMIT / 2
    assert ada.state(game)["turn_left"] <= LIMIT / 2


def test_without_a_limit_no_clock_runs(server: InProcessServer) -> None:
    game, ada, _ = two(server)
    assert ada.state(game)["turn_left"] is None


def test_no_clock_runs_when_the_game_is_over(server: InProcessServer) -> None:
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


def test_a_limit_applies_after_a_restart_even_if_nobody_is_watching(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite"
    with Server(database) as first_server:
        game, (secret, _) = plant_multiplayer(database, START, turn_limit=LIMIT)
        assert 0 < Client(first_server.url, secret).state(game)["turn_left"] <= LIMIT
        first_server.kill()
    with InProcessServer(database, has_movable_clock=True) as server:
        server.let_pass(LIMIT / 2)
        assert seconds_of_the_first_turn(database, game) is None
        server.let_pass(LIMIT / 2)
        server.until(lambda: seconds_of_the_first_turn(database, game) is not None)
        # The time without a server is given back.
        assert (seconds_of_the_first_turn(database, game) or 0) > LIMIT - 0.1
        state = Client(server.url, secret).state(game)
        assert [event["seat"] for event in state["view"]["log"] if "draw" not in event] == [0]
        assert "Traceback" not in server.errors


def test_a_limit_applies_from_the_start_even_if_nobody_is_watching(site: InProcessServer) -> None:
    """For example, the host of a multi-day game may start it and leave right away."""
    ada, bob = Client(site.url), Client(site.url)
    game = ada.gather(ME, FREE, first=1, turn_limit=LIMIT)
    bob.sit(game, "Bob")
    ada.begin(game)
    site.let_pass(LIMIT)
    site.until(lambda: seconds_of_the_first_turn(site.database, game) is not None)
