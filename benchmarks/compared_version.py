"""One version of the server and its crowd, in a separate process, for `--against` and `--homes` in `benchmarks.load`.

It uses the code of one checkout, including the clients, since older servers don't know newer messages. It reads
commands as lines of JSON, like `["come", 1000, 4]`, `["play", 200.0, 50.0]` or `["close"]`, and answers each with one
line.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from dataclasses import asdict
from typing import Any

import uvloop

from benchmarks.crowd import Crowd
from benchmarks.load import measured

try:
    from tests.server.sites.site import Site, run_site
except ModuleNotFoundError:  # Older versions have other names for these.
    from tests.server.stage import Stage as Site  # type: ignore[import-not-found, no-redef]
    from tests.server.stage import stage as run_site  # type: ignore[no-redef]


async def answer(site: Site, crowd: Crowd, command: str, *details: Any) -> Any:
    """Run one command and return its result."""
    match command:
        case "come":
            await crowd.come(*details)
        case "warm":
            await crowd.play(*details)
            gc.collect()  # From now on, garbage collection would make the clients late.
            gc.freeze()
            gc.disable()
        case "play":
            # In older versions, `measured` expects the server.
            target: Any = site if hasattr(site, "pids") else site.server
            return asdict(await measured(crowd, target, *details))
        case "close":
            await crowd.close()
            site.server.stop()  # The server may still be recording who left.
            return await crowd.ledger.check(site.database)
    return None


async def run(site: Site, seed: int) -> None:
    """Run commands line by line, and answer pings while waiting for the next one."""
    crowd = Crowd(site.server.port, seed)
    while line := await asyncio.to_thread(sys.stdin.readline):
        if hasattr(crowd, "http"):  # Older versions open a connection for each call.
            await crowd.http.close()  # The server closes connections that stay idle.
        print(json.dumps(await answer(site, crowd, *json.loads(line))), flush=True)


def main() -> None:
    database, workers, seed, *proxy = sys.argv[1:]
    options: dict[str, Any] = {"behind_nginx": True} if proxy else {}  # Older versions don't know this option.
    with (
        # Everyone comes from one address, so there are no limits per address.
        run_site(database, int(workers), limits="identity", **options) as site,
        site.server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(run(site, int(seed)))


if __name__ == "__main__":
    main()
