"""A server that is told to end: nobody sees an error, nothing is lost, and nobody's time runs while it is away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic, sleep

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from tests.server.serving import COMMAND, HERE, ME, PATIENCE, Client, Server, act, patiently, plant_apart

START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)


@contextmanager
def handed_over(listening: socket.socket, database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server on a socket that outlives it, handed over as systemd does."""
    words = ["serve", "--no-open", "--limits", "identity", "--database", str(database)]
    script = (
        "import os, sys\n"
        f"os.dup2({listening.fileno()}, 3)\n"
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *COMMAND, *words],
        pass_fds=[listening.fileno()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()


def test_a_restart_on_a_socket_that_stays_open_is_seen_by_no_call(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        database = tmp_path / "db.sqlite"
        done = Event()

        def ask(client: Client) -> list[int]:
            found = []
            while not done.is_set():
                found.append(client.get("/api/games").status)
                sleep(0.02)  # Not a flood.
            return found

        with ThreadPoolExecutor(4) as people:
            with handed_over(listening, database):
                clients = [Client(url) for _ in range(4)]
                games = [client.new_game(ME, HERE) for client in clients]
                asking = [people.submit(ask, client) for client in clients]
                patiently(lambda: clients[0].get("/healthz").status == 200)
            with handed_over(listening, database):
                patiently(lambda: clients[0].get("/readyz").status == 200)
                done.set()
                assert {status for answers in asking for status in answers.result()} == {200}
                assert [client.state(game)["version"] for client, game in zip(clients, games, strict=True)] == [0] * 4


def test_what_was_on_its_way_when_it_ended_happens_once(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        for _ in range(5):
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


def test_time_does_not_run_while_the_server_is_away(tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        game, (secret, _) = plant_apart(server.database, START, turn_limit=60)
        ada = Client(server.url, secret)
        began = monotonic()
        before = ada.state(game)["turn_left"]
        server.stop()
        stopped = monotonic()
        server.start()
        away = monotonic() - stopped
        after = Client(server.url, secret).state(game)["turn_left"]
        ran = monotonic() - began - away
        assert before - after < ran + 0.4 * away
