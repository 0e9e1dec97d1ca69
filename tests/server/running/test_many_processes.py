"""Several processes on one PostgreSQL: any of them can serve any game, and one that dies is replaced."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from tests.command import run
from tests.server.sites.full_databases import assert_one_line
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.processes import wait_until_gone
from tests.server.sites.serving import (
    FREE,
    HERE,
    ME,
    PATIENCE,
    SNAIL,
    Client,
    GameSocket,
    Json,
    Server,
    act,
    gathering_when,
    go_away_until_a_bot_plays,
    plant,
    plant_multiplayer,
    play_together,
    say,
)

GRACE = 2.0  # Seconds.
LIMIT = 5  # Seconds.
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.


class Site(NamedTuple):
    """Two servers, as on two machines: they share nothing but the database."""

    here: InProcessServer
    there: InProcessServer
    database: str


@pytest.fixture(scope="module")
def site(postgres: Postgres) -> Iterator[Site]:
    with temporary_database(postgres) as url, InProcessServer(url, GRACE) as here, InProcessServer(url, GRACE) as there:
        yield Site(here, there, url)
        errors = here.errors + there.errors
        assert "Traceback" not in errors, errors


@pytest.fixture
def third_server(site: Site) -> Iterator[Server]:
    """A third server, to be killed or suspended."""
    with ExitStack() as stack:
        server = Server(site.database, GRACE)
        server.start()
        stack.callback(lambda: server.stop() if server.is_running else None)
        yield server


def two(site: Site, turn_limit: int | None = None) -> tuple[str, Client, Client]:
    """A game between two people on two servers; it's Ada's turn."""
    game, (ada, bob) = plant_multiplayer(site.database, START, turn_limit=turn_limit)
    return game, Client(site.here.url, ada), Client(site.there.url, bob)


def test_a_whole_game_can_be_played_with_everyone_on_a_different_server(site: Site) -> None:
    ada, bob = Client(site.here.url), Client(site.there.url)
    game = ada.gather(ME, FREE, SNAIL)
    with bob.watch(game) as table:
        bob.sit(game, "Bob")
        ada.begin(game)
        while '"begun":true' not in str(table.recv(PATIENCE)):
            pass
    spectator = Client(site.there.url)
    with ada.open(game) as one, bob.open(game) as other, spectator.open(game) as looking:
        play_together({0: one, 1: other}, looking, lambda state: bool(state["view"]["over"]))
        end = looking.state
        for socket, seat in ((one, 0), (other, 1)):
            mine = socket.state_since(end["version"])
            assert (mine["view"]["me"], mine["seed"]) == (seat, end["seed"])
            assert mine["view"]["table"] == end["view"]["table"]
            assert mine["view"]["winners"] == end["view"]["winners"]
    assert ada.record(game) == bob.record(game)


def test_a_latecomer_takes_over_a_bot_on_another_server(site: Site) -> None:
    ada, bob, cy = Client(site.here.url), Client(site.there.url), Client(site.there.url)
    game = ada.begin(ada.gather(ME, SNAIL))
    with ada.open(game) as host, bob.open(game) as looking:
        looking.state_when(lambda state: len(state["latecomers"]["seats"]) == 1)
        assert cy.post(f"/api/games/{game}/wait", {"name": "Cy"}).status == 200
        host.state_when(lambda state: [one["name"] for one in state["latecomers"]["waiting"]] == ["Cy"])
        assert bob.post(f"/api/games/{game}/take-seat", {"seat": 1, "name": "Bob"}).status == 200
        host.state_when(lambda state: state["view"]["players"] == ["Ada", "Bob"])
        assert ada.post(f"/api/games/{game}/take-seat", {"seat": 1, "name": "Ada"}).refused == (409, "has-seat")
    elsewhere = Client(site.here.url, cy.secret)
    assert elsewhere.post(f"/api/games/{game}/take-seat", {"seat": 1, "name": "Cy"}).refused == (409, "seat-taken")
    with ada.open(game) as one, bob.open(game) as other, elsewhere.open(game) as looking:
        play_together({0: one, 1: other}, looking, lambda state: bool(state["view"]["over"]))
    rematch = ada.post(f"/api/games/{game}/rematch", None).json["game"]
    assert [chair["name"] for chair in cy.gathering(rematch)["chairs"]] == ["Ada", "Bob", "Cy"]


def test_a_latecomer_whose_page_is_open_on_another_server_is_present(site: Site) -> None:
    ada, bob = Client(site.here.url), Client(site.there.url)
    game = ada.begin(ada.gather(ME, SNAIL))
    assert bob.post(f"/api/games/{game}/wait", {"name": "Bob"}).status == 200
    with ada.open(game) as host, bob.open(game) as mine:
        mine.state_when(lambda state: state["watching"])
        elsewhere = Client(site.here.url, bob.secret)
        assert elsewhere.post(f"/api/games/{game}/take-seat", {"seat": 1, "name": "Bob"}).status == 200
        mine.state_when(lambda state: state["view"]["me"] == 1)
        host.seats_when(lambda seats: seats[1]["name"] == "Bob" and seats[1]["present"])


def test_a_device_signed_out_on_one_server_is_signed_out_on_the_other(site: Site) -> None:
    laptop = Client(site.here.url)
    game = laptop.new_game(ME, HERE)
    phone = Client(site.there.url)
    code = laptop.post("/api/me/recovery", None).json["code"]
    assert phone.post("/api/me/claim", {"code": code}).status == 204
    with phone.open(game) as socket, laptop.open(game) as stays:
        assert socket.my_turn()["seats"][0]["mine"]
        assert laptop.post("/api/me/sign-out-others", None).json["devices"] == 1
        assert socket.message("refused")["code"] == "signed-out"
        assert stays.act(stays.my_turn()["view"]["actions"][0])["type"] == "done"
    assert phone.post("/api/me/code", None).refused == (403, "nobody")


def test_of_two_simultaneous_actions_one_succeeds_and_the_other_is_refused(site: Site) -> None:
    client = Client(site.here.url)
    elsewhere = Client(site.there.url)
    for _ in range(3):
        game = client.new_game(ME, HERE)
        elsewhere.secret = client.secret
        with client.open(game) as one, elsewhere.open(game) as other:
            states = one.my_turn(), other.my_turn()
            assert states[0] == states[1]
            actions = states[0]["view"]["actions"]
            for socket, action in ((one, actions[0]), (other, actions[-1])):
                socket.send(act(states[0], action))
            answers = [answer_of(one), answer_of(other)]
            assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
            assert next(answer for answer in answers if answer["type"] == "refused")["code"] == "stale"
            assert one.state_since(1) == other.state_since(1)


def test_an_action_sent_to_both_servers_happens_once(site: Site) -> None:
    client = Client(site.here.url)
    game = client.new_game(ME, HERE)
    elsewhere = Client(site.there.url, client.secret)
    with client.open(game) as one, elsewhere.open(game) as other:
        message = act(one.my_turn(), one.my_turn()["view"]["actions"][0])
        other.my_turn()
        one.send(message)
        other.send(message)
        done = {"type": "done", "id": message["id"], "version": 1}
        assert [answer_of(one), answer_of(other)] == [done, done]
        assert one.my_turn(since=1) == other.my_turn(since=1)
    assert [event.get("place") for event in one.state["view"]["log"]].count(message["action"]) <= 1


def answer_of(socket: GameSocket) -> Json:
    """The next answer to a message."""
    while (message := socket.receive())["type"] not in ("done", "refused"):
        pass
    return message


def test_presence_and_phrases_reach_the_other_server(site: Site) -> None:
    game, ada, bob = two(site)
    with ada.open(game) as one:
        with bob.open(game) as other:
            one.seats_when(lambda seats: seats[1]["present"])
            other.seats_when(lambda seats: seats[0]["present"])
            assert other.ask(say("good-luck"))["type"] == "done"
            assert one.message("said") == {"type": "said", "seat": 1, "phrase": "good-luck"}
        away = one.seats_when(lambda seats: not seats[1]["present"])[1]
        assert 0 < away["stand_in_in"] <= GRACE
        with Client(site.here.url, bob.secret).open(game):
            back = one.seats_when(lambda seats: seats[1]["present"])[1]
            assert back["stand_in_in"] is None


@pytest.mark.long
def test_with_pages_on_both_servers_you_are_present_until_both_are_closed(site: Site) -> None:
    game, ada, bob = two(site)
    with ada.open(game) as one:
        with bob.open(game) as first:
            one.seats_when(lambda seats: seats[1]["present"])
            with Client(site.here.url, bob.secret).open(game) as second:
                second.state_since(0)
            first.state_since(0)
            assert one.act(one.state["view"]["actions"][0])["type"] == "done"
            one.state_since(1)
            assert one.seats[1]["present"]
        one.seats_when(lambda seats: not seats[1]["present"])


@pytest.mark.long
def test_a_stand_in_plays_for_someone_who_was_on_the_other_server(site: Site) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        with ada.open(game):
            socket.seats_when(lambda seats: seats[0]["present"])
        since = monotonic()
        socket.state_since(1)
        assert monotonic() - since > GRACE - 0.5


@pytest.mark.long
def test_a_guest_who_leaves_does_not_unseat_a_host_on_the_other_server(site: Site) -> None:
    ada, bob, cleo = Client(site.here.url), Client(site.there.url), Client(site.there.url)
    table = ada.gather(ME, FREE, FREE)
    bob.sit(table, "Bob")
    cleo.sit(table, "Cleo")
    with ada.watch(table), cleo.watch(table):
        with bob.watch(table):
            pass
        let_grace_periods_end(site)
        assert ada.gathering(table)["host"]
    # Now the host goes, too, and stays away.
    gathering_when(cleo, table, lambda now: bool(now["host"]))


def let_grace_periods_end(site: Site) -> None:
    """Wait until a bot stands in for someone in another game: by then, all earlier grace periods are over too."""
    go_away_until_a_bot_plays(*two(site))


def test_someone_on_a_server_that_dies_is_marked_away_and_replaced(site: Site, third_server: Server) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        ada.url = third_server.url
        with ada.open(game):
            socket.seats_when(lambda seats: seats[0]["present"])
            third_server.kill()
            socket.seats_when(lambda seats: not seats[0]["present"])
            socket.state_since(1)


@pytest.mark.long
def test_someone_on_a_server_that_hangs_is_away_until_it_recovers(site: Site, third_server: Server) -> None:
    game, ada, bob = two(site)
    with bob.open(game) as socket:
        ada.url = third_server.url
        with ada.open(game):
            socket.seats_when(lambda seats: seats[0]["present"])
            os.kill(third_server.pid, signal.SIGSTOP)
            socket.seats_when(lambda seats: not seats[0]["present"])
            os.kill(third_server.pid, signal.SIGCONT)
            socket.seats_when(lambda seats: seats[0]["present"])


@pytest.mark.long
def test_a_turn_limit_survives_its_process_even_if_nobody_is_watching(site: Site, third_server: Server) -> None:
    ada, bob = Client(third_server.url), Client(third_server.url)
    game = ada.gather(ME, FREE, first=0, turn_limit=LIMIT)
    bob.sit(game, "Bob")
    ada.begin(game)
    with ada.open(game) as socket:
        socket.my_turn()
    third_server.kill()
    bob.url = site.there.url
    site.there.until(lambda: bob.state(game)["version"] > 0)


def test_an_overdue_bot_turn_is_taken_over(site: Site, postgres: Postgres) -> None:
    start = Game.start(Rules.classic(), ["Bot", "Ada"], seed=7, first=0)
    game, secret = plant(site.database, start, bots={0: "snail"})
    # A process that died during the bot's turn would leave the game like this.
    postgres.execute(f"UPDATE games SET due = 0, process = 'gone' WHERE id = '{game}'", site.database)  # noqa: S608
    with Client(site.here.url, secret).open(game) as socket:
        socket.state_since(1)


def test_a_worker_that_dies_is_replaced_and_none_outlives_its_parent(postgres: Postgres) -> None:
    with temporary_database(postgres) as url, Server(url, workers=2) as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        before = server.workers
        assert len(before) == 2
        with client.open(game) as socket:
            socket.play_on(2)
            for worker in before:  # The socket is on one of them.
                os.kill(worker, signal.SIGKILL)
            with pytest.raises(ConnectionClosed):
                socket.my_turn(since=10_000)
        with client.open(game) as socket:  # The listening socket stays, so new connections wait for the next worker.
            assert socket.my_turn()["version"] >= 2
            socket.play_on()
        workers = server.workers
        assert workers
        assert not set(workers) & set(before)
        server.kill()
        for worker in workers:
            wait_until_gone(worker)
        assert "Traceback" not in server.errors


def test_pages_wait_out_a_database_outage_and_keep_playing() -> None:
    with Postgres() as postgres, InProcessServer(postgres.url) as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        with client.open(game) as socket:
            state = socket.my_turn()
            message = act(state, state["view"]["actions"][0])
            postgres.stop()
            socket.send(message)
            with pytest.raises(ConnectionClosed) as closed:
                socket.my_turn(since=1)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013  # "Try again later": the page shows that it's reconnecting.
        assert client.get("/readyz").refused == (503, "database-away")
        assert client.get("/healthz").status == 200
        assert client.get("/api/games").refused == (503, "database-away")
        with client.connect(game) as bare, pytest.raises(ConnectionClosed) as closed:
            bare.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        postgres.start()
        server.until(lambda: client.get("/readyz").status == 200)
        with client.open(game) as socket:
            assert socket.my_turn() == state
            assert socket.ask(message)["type"] == "done"
            socket.my_turn(since=1)
            socket.play_on()
        assert "Traceback" not in server.errors


def test_servers_hear_each_other_again_after_a_database_restart() -> None:
    with Postgres() as postgres, InProcessServer(postgres.url) as here, InProcessServer(postgres.url) as there:
        game, (ada, bob) = plant_multiplayer(postgres.url, START)
        with Client(here.url, ada).open(game) as one, Client(there.url, bob).open(game) as other:
            one.seats_when(lambda seats: seats[1]["present"])
            other.seats_when(lambda seats: seats[0]["present"])
            postgres.restart()
            for server in (here, there):
                server.until(lambda: Client(server.url).get("/readyz").status == 200)  # noqa: B023
            assert one.act(str(START.actions()[0]))["type"] == "done"
            # The other server hears of the action, or reads the game again once it's listening.
            other.state_since(1)


def test_sqlite_is_for_one_process(tmp_path: Path) -> None:
    several = run("serve", "--no-open", "--port", "0", "--workers", "2", "--database", str(tmp_path / "db.sqlite"))
    assert_one_line(several, "more than one worker requires PostgreSQL")
