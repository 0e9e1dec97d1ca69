"""The parent of several workers."""

from __future__ import annotations

import os
import signal
import socket
from threading import Thread

import uvicorn
from starlette.applications import Starlette

from chromino.server.running.supervisor import Worker
from tests.server.blocking import PATIENCE

app = Starlette()


def test_a_worker_that_dies_while_the_parent_is_waiting_for_its_answer_is_noticed_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        worker = Worker(uvicorn.Config(f"{__name__}:app", log_config=None), [listening])
        worker.start()
        assert worker.wait_until_ready(PATIENCE)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        os.waitpid(worker.pid, os.WUNTRACED)
        while worker.parent_conn.poll():
            worker.parent_conn.recv()  # An answer that came too late.
        answers: list[bool] = []
        asking = Thread(target=lambda: answers.append(worker.ping(timeout=10 * PATIENCE)), daemon=True)
        asking.start()
        os.kill(worker.pid, signal.SIGKILL)
        asking.join(PATIENCE)
        assert answers == [False]
        worker.kill()
        worker.join()
