"""Many people play while the server is killed again and again; nothing may be lost, duplicated or stuck: `make soak`.

It kills the server, one of its worker processes, or PostgreSQL, or restarts the processes behind nginx one by one.
Everyone must reconnect automatically.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

import uvloop

from chromino.client import Answer, Http, Unreachable
from chromino.rules import PRESETS
from tests.server.returning_players import Person, World
from tests.server.sites.nginx import ServersBehindNginx
from tests.server.sites.processes import children, family
from tests.server.sites.serving import Server
from tests.server.sites.site import DATABASES, Site, run_site

KILLS = ("server", "worker", "postgres", "restart")
BACK_WITHIN = 10.0  # Seconds from when the server answers until everyone is back.
WAIT_AT_MOST = 2.0  # Seconds, during a rolling restart.
ADVANCES_WITHIN = 20.0  # Seconds within which each game must advance.

_BETWEEN = 4.0  # Seconds from when the server answers to the next kill, at most.
_STEPS = 10  # Events by which each game must advance in a check.
_CALM_EVERY = 10  # Kills between checks of all games.
_GRACE = 3.0  # Seconds; short, so that stand-in bots play, too.
_LIMITS = (None, None, 5, 60)  # Seconds per turn.
_NEW_TABLE_CHANCE = 0.25  # How often people open a new table instead of a rematch.
_RETRY_SECONDS = 0.3
_TRAVEL_SECONDS = 0.004  # How long a message may take to the server and back.


@dataclass(frozen=True)
class Plan:
    """What to kill, how often, and who plays."""

    kills: int
    clients: int
    workers: int
    kill: str
    """One of `KILLS`."""
    between: float
    """Seconds from when the server answers to the next kill, at most."""


@dataclass
class Result:
    """What happened."""

    seed: int
    kills: int = 0
    games: int = 0
    acknowledged: int = 0
    resent: int = 0
    """Actions that were sent again, because their answer was lost."""
    refusals: Counter[str] = field(default_factory=Counter)
    slowest_return: float = 0.0
    """Seconds from when the server answered until the last person was back."""
    slowest_answer: float = 0.0
    """Seconds from an action to its acknowledgment, including the time until someone was back."""
    complaints: list[str] = field(default_factory=list)
    """Everything that went wrong."""


class Table:
    """People, and perhaps bots, who play one game after another."""

    def __init__(self, world: World, people: int, bots: int) -> None:
        self.world = world
        self.game = ""
        self.steps = 0
        """How often a game has advanced."""
        self.games = 0
        self.people = [Person(world, f"Player {number}", self._changed) for number in range(people)]
        self._bots = bots
        self._version = -1
        self._over = asyncio.Event()

    async def live(self) -> None:
        """Gather, play, and repeat."""
        while True:
            if not self.games or self.world.rng.random() < _NEW_TABLE_CHANCE:
                game = await self._gather()
            else:
                game = await self._rematch()
            self.games += 1
            for person in self.people:  # Someone who returns to the last game would find it over.
                await person.leave()
            self.game, self._version = game, -1
            self._over.clear()
            for person in self.people:
                await person.go(game)
            await self._over.wait()
            await until(lambda: all(person.is_answered for person in self.people))

    def _changed(self, version: int, over: bool) -> None:
        if version > self._version:
            self._version = version
            self.steps += 1
        if over:
            self._over.set()

    async def _gather(self) -> str:
        """Gather at a new table; requests without an answer are sent again."""
        rng, (host, *others) = self.world.rng, self.people
        chairs: list[dict[str, Any]] = [{"kind": "me", "name": host.name}, *[{"kind": "free"}] * len(others)]
        chairs += [{"kind": "bot", "name": f"Bot {bot}", "level": rng.randint(1, 3)} for bot in range(self._bots)]
        rules = PRESETS[rng.choice(list(PRESETS))].to_json()
        choices = {"chairs": chairs, "rules": rules, "pace": False, "turn_limit": rng.choice(_LIMITS)}
        game: str = (await self._call(host, "/api/gatherings", choices)).json["game"]
        for person in others:
            await self._call(person, f"/api/gatherings/{game}/sit", {"name": person.name})
        begun = await self._call(host, f"/api/gatherings/{game}/begin")
        # If an earlier request started the game but its answer was lost, it's no longer a gathering.
        assert begun.status == 200 or begun.json["code"] == "no-such-gathering", begun
        return game

    async def _rematch(self) -> str:
        """Everyone asks for a rematch, and gets the same game."""
        path = f"/api/games/{self.game}/rematch"
        replies = await asyncio.gather(*(self._call(person, path) for person in self.people))
        games = {reply.json["game"] for reply in replies}
        if len(games) != 1:
            self.world.complaints.append(f"game {self.game} has several rematches: {games}")
        return str(min(games))

    async def _call(self, person: Person, path: str, body: object = None) -> Answer:
        """Ask until there's an answer other than "not now"."""
        while True:
            with suppress(Unreachable):
                answer = await person.client.ask("POST", path, body)
                if answer.status < 500 and answer.status != 429:
                    return answer
            await asyncio.sleep(_RETRY_SECONDS)


class Killer:
    """Kills something, and makes sure that it comes back."""

    def __init__(self, plan: Plan, site: Site, world: World) -> None:
        self._plan = plan
        self._site = site
        self._world = world
        self._restarted = 0

    async def kill(self) -> None:
        """Kill or restart what the plan says; returns when the server answers again."""
        server = self._site.server
        if isinstance(server, ServersBehindNginx):
            process = server.servers[self._restarted % self._plan.workers]
            self._restarted += 1
            await asyncio.to_thread(process.restart)
            return
        if self._plan.kill == "worker":
            found = children(server.pid)
            os.kill(self._world.rng.choice(found), signal.SIGKILL)
            if not await within(BACK_WITHIN, lambda: self._is_whole(server, killed=found)):
                self._world.complaints.append(
                    f"only {len(children(server.pid))} of {self._plan.workers} workers are running"
                )
            return
        if self._plan.kill == "postgres":
            assert self._site.postgres is not None, "--kill postgres needs --database postgresql"
            await asyncio.to_thread(self._site.postgres.restart)
        else:
            running = family(server.pid)
            os.kill(server.pid, signal.SIGKILL)
            await asyncio.to_thread(self._see_it_end, server, running)
            await asyncio.to_thread(server.start)
        self._world.up_since = monotonic()

    def _see_it_end(self, server: Server, running: list[int]) -> None:
        try:
            server.kill()
        except subprocess.TimeoutExpired:
            self._world.complaints.append("the server was killed, but its workers are still running")
            for pid in running:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            server.kill()

    def _is_whole(self, server: Server, killed: list[int]) -> bool:
        """Are there as many workers as before, and is one of them new?"""
        now = children(server.pid)
        return len(now) >= len(killed) and set(now) != set(killed)


def soak(
    kills: int = 100,
    clients: int = 40,
    *,
    database: str = "sqlite",
    workers: int = 1,
    kill: str = "server",
    seed: int | None = None,
    between: float = _BETWEEN,
    tell: Callable[[str], None] = lambda _text: None,
) -> Result:
    """Play and kill; the result has everything that went wrong."""
    result = Result(secrets.randbelow(10**9) if seed is None else seed)
    tell(f"seed {result.seed}")
    with (
        run_site(database, workers, _GRACE, behind_nginx=kill == "restart") as site,
        site.server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(_soak(result, Plan(kills, clients, workers, kill, between), site, tell))
        if "Traceback" in site.server.errors:
            result.complaints.append(f"the server logged a traceback:\n{site.server.errors[-4000:]}")
    return result


async def _soak(result: Result, plan: Plan, site: Site, tell: Callable[[str], None]) -> None:
    rng = Random(result.seed)
    world = World(Http(site.server.url, connections=plan.clients, keep_alive=True), rng)
    killer = Killer(plan, site, world)
    tables = _tables(world, plan.clients)
    lives = [asyncio.create_task(table.live()) for table in tables]
    await calm(tables)
    while result.kills < plan.kills and not world.complaints:
        await asyncio.sleep(rng.uniform(0, plan.between))
        await world.sent.wait()  # Something is on its way: to the server, in it, or back.
        await asyncio.sleep(rng.uniform(0, _TRAVEL_SECONDS))
        world.complaints += _missing(tables)
        await killer.kill()
        result.kills += 1
        if result.kills % _CALM_EVERY == 0 or result.kills == plan.kills:
            await calm(tables)
            tell(
                f"{result.kills} kills, {len(world.ledger.acknowledged):,} moves, "
                f"slowest return {world.slowest_return:.1f} s, answer {world.slowest_answer:.1f} s"
            )
    world.plays = False
    people = [person for table in tables for person in table.people]
    if not await within(ADVANCES_WITHIN, lambda: all(person.is_answered for person in people)):
        world.complaints.append("some actions were never answered")
    for task in lives:
        if task.done() and not task.cancelled() and (error := task.exception()):
            world.complaints.append(f"a table failed: {error!r}")
        task.cancel()
    await asyncio.gather(*lives, return_exceptions=True)
    for person in people:
        await person.leave()
    await world.http.close()
    result.complaints = world.complaints + await world.ledger.check(site.database)
    result.games = sum(table.games for table in tables)
    result.acknowledged = len(world.ledger.acknowledged)
    result.refusals = world.ledger.codes
    result.resent = world.resent
    result.slowest_return = world.slowest_return
    result.slowest_answer = world.slowest_answer
    if plan.kill == "restart" and (longest := max(world.slowest_return, world.slowest_answer)) > WAIT_AT_MOST:
        result.complaints.append(f"someone waited {longest:.1f} s")


def _tables(world: World, clients: int) -> list[Table]:
    """Tables for 2 to 4 players, with or without bots; all clients have a seat."""
    tables = []
    while clients:
        size = world.rng.randint(2, 4)
        people = min(clients, world.rng.randint(1, size))
        tables.append(Table(world, people, max(0, size - people)))
        clients -= people
    return tables


async def calm(tables: list[Table]) -> None:
    """Leave everyone alone until they're all back and each game has advanced; complain if that takes too long."""
    world = tables[0].world
    everybody = [person for table in tables for person in table.people]
    await within(BACK_WITHIN, lambda: all(person.away is None for person in everybody))
    world.complaints += _missing(tables)
    aims = {table: table.steps + _STEPS for table in tables}
    if not await within(ADVANCES_WITHIN, lambda: all(table.steps >= aim for table, aim in aims.items())):
        world.complaints += [f"game {table.game} is stuck" for table, aim in aims.items() if table.steps < aim]


def _missing(tables: list[Table]) -> list[str]:
    """A complaint about each person who should be back by now."""
    return [
        f"{person.name} of game {table.game} isn't back after {away:.1f} s"
        for table in tables
        for person in table.people
        if (away := person.away) is not None and away > BACK_WITHIN
    ]


async def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Wait for a condition to become true, and return whether it did within this many seconds."""
    end = monotonic() + seconds
    while not condition():
        if monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--clients", type=int, default=40)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--workers", type=int, default=1, help="number of server processes")
    parser.add_argument("--kill", choices=KILLS, default="server", help="what to kill or restart")
    parser.add_argument("--seed", type=int, help="seed for random numbers (default: a new seed each time)")
    options = parser.parse_args()
    if options.kill == "worker" and options.workers < 2:
        parser.error("--kill worker needs --workers 2 or more")
    if options.kill == "restart" and (options.workers < 2 or options.database != "postgresql"):
        parser.error("--kill restart needs --workers 2 or more and --database postgresql")
    if options.kill == "postgres" and options.database != "postgresql":
        parser.error("--kill postgres needs --database postgresql")
    result = soak(**vars(options), tell=lambda text: print(text, flush=True))
    print(
        f"{result.kills} kills, {result.games:,} games, {result.acknowledged:,} moves acknowledged, "
        f"{result.resent:,} sent again; "
        f"refused: {dict(result.refusals) or 'none'}; everybody back within {result.slowest_return:.1f} s, "
        f"each move acknowledged within {result.slowest_answer:.1f} s"
    )
    if result.complaints:
        sys.exit("\n".join([f"What went wrong, with --seed {result.seed}:", *result.complaints]))


if __name__ == "__main__":
    main()
