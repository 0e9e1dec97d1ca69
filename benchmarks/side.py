"""One version of the server and its crowd, in a separate process, for `benchmarks.load --against`.

It runs on the code of one checkout, clients included, since older servers don't know newer messages. It reads commands
as JSON lines, each a list, and answers each with one line: `["come", 1000, 4]`, `["play", 200.0, 50.0]`, `["close"]`.
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
    """Run one command and return its result."""
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
            played.server.stop()  # It may still be recording who left.
            return await crowd.ledger.check(played.database)
    return None


async def run(played: Stage, seed: int) -> None:
    """Run commands line by line; pings are answered in between."""
    crowd = Crowd(played.server.port, seed)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await crowd.http.close()  # The server closes connections that stay idle.
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
