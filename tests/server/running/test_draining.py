"""Stopping a server: nobody sees an error, nothing is lost, and no clock runs while it's down."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from tests.helpers import more
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.processes import wait_until_gone
from tests.server.sites.serving import COMMAND, HERE, ME, PATIENCE, Client, Server, act, plant_multiplayer

START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)


@contextmanager
def handed_over(listening: socket.socket, database: Path | str, workers: int) -> Iterator[Callable[[], None]]:
    """A server on an inherited socket, as with systemd, and a function that restarts it."""
    arguments = ["serve", "--no-open", "--limits", "identity", "--database", str(database), "--workers", str(workers)]
    script = (
        "import os, sys\n"
        f"os.dup2({listening.fileno()}, 3)\n"
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )

    def started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", script, *COMMAND, *arguments],
            pass_fds=[listening.fileno()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    process = started()

    def end() -> None:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    def restart() -> None:
        nonlocal process
        end()
        process = started()

    try:
        yield restart
        end()
    finally:
        process.kill()
        process.wait()


@contextmanager
def calling(url: str) -> Iterator[Client]:
    """Four people keep calling; this yields one. In the end, all calls must have succeeded and all games must exist."""
    clients = [Client(url) for _ in range(4)]
    games = [client.new_game(ME, HERE) for client in clients]
    done = Event()

    def call(client: Client) -> set[int]:
        found = set()
        while not done.is_set():
            found.add(client.get("/api/solved").status)
            done.wait(0.02)  # Not a flood.
        return found

    with ThreadPoolExecutor(4) as people:
        calls = [people.submit(call, client) for client in clients]
        try:
            yield clients[0]
        finally:
            done.set()
        assert [found.result() for found in calls] == [{200}] * 4
    assert [client.state(game)["version"] for client, game in zip(clients, games, strict=True)] == [0] * 4


@pytest.mark.parametrize("empty", ["sqlite", more("postgresql")], indirect=True)
def test_no_call_fails_during_a_restart_on_an_inherited_socket(empty: Path | str) -> None:
    workers = 1 if isinstance(empty, Path) else 2
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        handed_over(listening, empty, workers) as restart,
        calling(f"http://127.0.0.1:{listening.getsockname()[1]}/") as client,
    ):
        restart()
        assert client.get("/readyz").status == 200  # The socket is open, so this waits for the next server.


@pytest.mark.long
def test_no_call_fails_while_workers_are_replaced_one_by_one(postgres: Postgres) -> None:
    with temporary_database(postgres) as url, Server(url, workers=2) as server, calling(server.url):
        before = server.workers
        os.kill(server.pid, signal.SIGHUP)
        for worker in before:
            wait_until_gone(worker)
        assert len(server.workers) == 2


def test_a_request_in_flight_during_a_stop_happens_once(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game(ME, HERE)
        with client.open(game) as page:
            state = page.my_turn()
            message = act(state, state["view"]["actions"][0])
            page.send(message)
            os.kill(server.pid, signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                page.my_turn(since=10_000)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012  # "Service restart".
        server.restart()
        client.url = server.url
        with client.open(game) as page:
            assert page.ask(message) == {"type": "done", "id": message["id"], "version": 1}
        assert client.state(game)["version"] >= 1
        assert "Traceback" not in server.errors


def test_clocks_stop_while_the_server_is_down(tmp_path: Path) -> None:
    """A week passes, so everything in the database is a week older."""
    database, week = tmp_path / "db.sqlite", 7 * 24 * 3600
    with InProcessServer(database) as server:
        game, (secret, _) = plant_multiplayer(database, START, turn_limit=3600)
        assert Client(server.url, secret).state(game)["turn_left"] > 1800
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE clock SET ran = ran - ?", [week])
        connection.execute("UPDATE games SET turn_ends = turn_ends - ?, due = due - ?", [week, week])
    with InProcessServer(database) as server:
        state = Client(server.url, secret).state(game)
        assert state["version"] == 0
        assert state["turn_left"] > 1800
