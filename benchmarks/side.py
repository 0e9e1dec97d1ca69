"""One version of the server with a crowd of its own, in a process of its own: for `benchmarks.load --against`.

It runs on the code of one checkout, clients included, since older servers don't know newer messages. It is told what to
do by lines of JSON, each a list, and answers with one line: `["come", 1000, 4]`, `["play", 200.0, 50.0]`, `["close"]`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from typing import Any

import uvloop

from benchmarks.crowd import Crowd
from benchmarks.load import measured
from tests.server.stage import Stage, stage


async def answer(played: Stage, crowd: Crowd, what: str, *details: Any) -> Any:
    """Do it, and say what came of it."""
    match what:
        case "come":
            await crowd.come(*details)
        case "warm":
            await crowd.play(*details)
        case "play":
            what_is_measured: Any = (
                played if hasattr(played, "pids") else played.server
            )  # Older versions want the server.
            return asdict(await measured(crowd, what_is_measured, *details))
        case "close":
            await crowd.close()
            played.server.stop()  # It may still be writing down who went.
            return await crowd.ledger.check(played.database)
    return None


async def run(played: Stage, seed: int) -> None:
    """Do what is asked, line by line; in between, pings are answered."""
    crowd = Crowd(played.server.port, seed)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await crowd.http.close()  # The server hangs up on those that wait for their turn.
        print(json.dumps(await answer(played, crowd, *json.loads(line))), flush=True)


def main() -> None:
    database, workers, seed, *proxy = sys.argv[1:]
    with (
        stage(
            database, int(workers), limits="identity", behind_nginx=bool(proxy)
        ) as played,  # All come from one address.
        played.server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(run(played, int(seed)))


if __name__ == "__main__":
    main()
