"""When machines' clocks jump or disagree, nobody gains or loses time, and no bot stands in because of it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import select, update

from chromino import Game, Rules
from chromino.server.database import presence, schema
from chromino.server.database.store import Store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import (
    FREE,
    ME,
    Client,
    Server,
    gathering_when,
    go_away_until_a_bot_plays,
    plant_multiplayer,
)

HOUR = 3600.0
LIMIT = 120
GRACE = 60.0
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.


class Machine:
    """The clock of the machine the tests run on."""

    def __init__(self) -> None:
        self.jumped = 0.0
        self._real = time.time

    def now(self) -> float:
        return self._real() + self.jumped


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine()
    monkeypatch.setattr(time, "time", found.now)
    return found


@pytest.mark.parametrize("jump", [HOUR, -2 * HOUR])
def test_a_clock_jump_during_play_changes_nothing(jump: float, machine: Machine, tmp_path: Path) -> None:
    game, secrets = plant_multiplayer(tmp_path / "db.sqlite", START, turn_limit=LIMIT)
    with InProcessServer(tmp_path / "db.sqlite") as server:
        ada, bob = (Client(server.url, secret) for secret in secrets)
        with ada.open(game) as one, bob.open(game) as other:
            one.my_turn()
            other.seats_when(lambda seats: seats[0]["present"])
            code = ada.post("/api/me/code", None).json["code"]
            machine.jumped = jump
            for client in (ada, bob):
                assert LIMIT - 30 < client.state(game)["turn_left"] <= LIMIT
            assert one.act(one.state["view"]["actions"][0])["type"] == "done"
            assert LIMIT - 30 < other.state_since(1)["turn_left"] <= LIMIT
        with ada.open(game) as one:
            away = one.seats_when(lambda seats: not seats[1]["present"])[1]
            assert GRACE - 30 < away["stand_in_in"] <= GRACE
            assert ada.state(game)["version"] == 1
        assert Client(server.url).post("/api/me/claim", {"code": code}).status == 204
        assert "Traceback" not in server.errors


@pytest.mark.parametrize("jump", [HOUR, -2 * HOUR])
def test_a_clock_jump_between_two_starts_changes_nothing(jump: float, machine: Machine, tmp_path: Path) -> None:
    game, secrets = plant_multiplayer(tmp_path / "db.sqlite", START, turn_limit=LIMIT)
    with InProcessServer(tmp_path / "db.sqlite") as server:
        ada, bob = (Client(server.url, secret) for secret in secrets)
        before = ada.state(game)["turn_left"]
        table = ada.gather(ME, FREE)
        bob.sit(table, "Bob")
    machine.jumped = jump
    with InProcessServer(tmp_path / "db.sqlite", grace=1.0) as server:
        ada.url = bob.url = server.url
        assert before - 30 < ada.state(game)["turn_left"] <= before
        with ada.open(game) as one, bob.open(game):
            seats = one.seats_when(lambda seats: seats[1]["present"])
            assert [seat["present"] for seat in seats] == [True, True]
            assert one.act(one.my_turn()["view"]["actions"][0])["type"] == "done"
        gathering_when(bob, table, lambda now: bool(now["host"]))  # Ada was away when the clock was set back.
        go_away_until_a_bot_plays(*_another_game(server.where, ada, bob))
        assert "Traceback" not in server.errors


def _another_game(database: Path | str, *clients: Client) -> tuple[str, Client, Client]:
    game, secrets = plant_multiplayer(database, START)
    one, other = (Client(client.url, secret) for client, secret in zip(clients, secrets, strict=True))
    return game, one, other


def test_machines_whose_clocks_differ_by_an_hour_agree(postgres: Postgres) -> None:
    ahead = (sys.executable, "-m", "tests.server.sites.wrong_clock", str(HOUR))
    with temporary_database(postgres) as url, Server(url) as here, Server(url, run_by=ahead) as there:
        game, secrets = plant_multiplayer(url, START, turn_limit=LIMIT)
        ada, bob = Client(here.url, secrets[0]), Client(there.url, secrets[1])
        with ada.open(game) as one, bob.open(game) as other:
            one.my_turn()
            other.seats_when(lambda seats: seats[0]["present"])
            one.seats_when(lambda seats: seats[1]["present"])
            seen = [ada.state(game), bob.state(game), ada.state(game)]
            assert [state["version"] for state in seen] == [0, 0, 0]
            assert LIMIT >= seen[0]["turn_left"] >= seen[1]["turn_left"] >= seen[2]["turn_left"] > LIMIT - 30
            assert one.act(one.state["view"]["actions"][0])["type"] == "done"
            assert LIMIT - 30 < other.my_turn(since=1)["turn_left"] <= LIMIT
            assert other.act(other.state["view"]["actions"][0])["type"] == "done"
            assert LIMIT - 30 < one.state_since(2)["turn_left"] <= LIMIT
        code = bob.post("/api/me/code", None).json["code"]
        assert Client(here.url).post("/api/me/claim", {"code": code}).status == 204
        assert "Traceback" not in here.errors + there.errors


# The clock of PostgreSQL itself.


def on_processes(postgres: Postgres, work: Callable[[Store, Store, str], Awaitable[None]]) -> None:
    """Do this work with two running processes and the address of their database."""

    async def run(url: str) -> None:
        one, other = await Store.open(url), await Store.open(url)
        try:
            for store in (one, other):
                await store.write(presence.start, isolated=False)
            await work(one, other, url)
        finally:
            await one.close()
            await other.close()

    with temporary_database(postgres) as url:
        asyncio.run(run(url))


async def jump(store: Store, seconds: float) -> None:
    """Make the database's clock jump, as far as processes can tell."""
    change = update(schema.clock).values(ahead=schema.clock.c.ahead + seconds)
    await store.write(lambda connection: connection.execute(change) and None)


@pytest.mark.parametrize("seconds", [HOUR, -2 * HOUR])
def test_if_the_database_clock_jumps_no_process_follows(seconds: float, postgres: Postgres) -> None:
    async def work(one: Store, other: Store, url: str) -> None:
        before = one.clock.now()
        await jump(one, seconds)
        for store in (other, one):
            await store.poll()
            await store.write(presence.note_time)
        third = await Store.open(url)
        times = [store.clock.now() for store in (one, other, third)]
        assert all(before <= at < before + 60 for at in times)
        assert await third.write(presence.mark_away(third.process)) == []
        await third.close()

    on_processes(postgres, work)


def test_a_process_that_was_asleep_catches_up_with_the_others(postgres: Postgres) -> None:
    async def work(one: Store, other: Store, _url: str) -> None:
        one.clock.move(-HOUR)  # Its steady clock was stopped.
        await one.poll()
        assert abs(one.clock.now() - other.clock.now()) < 1
        await other.poll()
        assert abs(one.clock.now() - other.clock.now()) < 1

    on_processes(postgres, work)


def test_without_running_processes_the_database_clock_is_trusted_again(postgres: Postgres) -> None:
    async def work(one: Store, other: Store, url: str) -> None:
        await jump(one, 5 * HOUR)
        at = one.clock.now() + 5 * HOUR
        for store in (one, other):
            await store.write(presence.stop(store.process), isolated=False)
        third = await Store.open(url)
        ahead = await third.read(lambda connection: connection.scalar(select(schema.clock.c.ahead)))
        assert ahead == 0
        assert at - third.clock.now() > 4 * HOUR
        await third.close()

    on_processes(postgres, work)


def test_no_turn_gets_more_time_back_than_its_limit(tmp_path: Path) -> None:
    """For example, a server may be killed after having had nothing to do for days."""
    game, (ada, _) = plant_multiplayer(tmp_path / "db.sqlite", START, turn_limit=LIMIT)

    async def idle() -> None:
        store = await Store.open(tmp_path / "db.sqlite")
        ran = update(schema.clock).values(ran=store.clock.now() - 3 * 24 * HOUR)
        await store.write(lambda connection: connection.execute(ran) and None)
        await store.close()

    asyncio.run(idle())
    with InProcessServer(tmp_path / "db.sqlite") as server:
        assert LIMIT - 30 < Client(server.url, ada).state(game)["turn_left"] <= LIMIT
