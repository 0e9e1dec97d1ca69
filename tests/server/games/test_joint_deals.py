"""Joint deals over the wire: they include everyone's part, wait for missing ones, and reveal cheating."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from chromino import Game
from chromino.client import CallRefused, Client
from chromino.fair_deal import Verdict, commitment_of, derived_part, joined, new_part
from chromino.messages.games import NewGame, SeatChoice
from chromino.messages.gatherings import ChairChoice, GatheringState, NewGathering
from chromino.seated import Gathering, dealing
from chromino.server.database import gatherings, schema
from chromino.server.database.store import Store
from chromino.server.people import people
from chromino.server.problems import Problem
from tests.seated.tables import gathered
from tests.server.databases import in_store
from tests.server.serving import FREE, ME, PATIENCE, SNAIL, Server
from tests.server.serving import Client as OldClient

ALONE = NewGame([SeatChoice("me", "Ada"), SeatChoice("bot", "Snail", 1)], rules={"hand_size": 1}, first=0, pace=False)
TABLE = NewGathering([ChairChoice("me", "Ada"), ChairChoice("free")], rules={"hand_size": 1}, pace=False)


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def patiently() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work()

    return asyncio.run(patiently())


async def play(client: Client, game: str) -> None:
    """Play to the end."""
    async with client.play(game) as table:
        state = await table.my_turn()
        while not state.view.over:
            state = await table.my_turn(await table.act(state, state.view.actions[0]))


async def gather(ada: Client, bob: Client) -> str:
    game = await ada.gather(TABLE)
    await bob.sit(game, "Bob")
    await ada.begin(game)
    return game


def test_someone_alone_and_the_server_deal_jointly(server: Server) -> None:
    async def work() -> None:
        async with Client(server.url) as ada:
            game = await ada.start(ALONE)
            assert (await ada.state(game)).deal == "joint"
            await play(ada, game)
            assert await ada.verify(game) == "verified"
            assert len((Game.replay(await ada.record(game)).deal.seed or "").split("-")) == 2
            again = await ada.rematch(game)
            assert (await ada.state(again)).deal == "joint"  # Nobody has to wait for a bot.
            assert (await ada.state(again)).view.first == 1

    run(work)


def test_who_gives_no_part_is_told_that_the_server_deals_alone(server: Server) -> None:
    ada, bob = OldClient(server.url), OldClient(server.url)
    assert ada.state(ada.new_game(ME, SNAIL))["deal"] == "server"
    table = ada.gather(ME, FREE)
    assert [chair["deal"] for chair in bob.sit(table, "Bob")["chairs"]] == [None, None]
    assert ada.state(ada.begin(table))["deal"] == "server"


def test_a_table_waits_for_every_part(server: Server) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob, Client(server.url) as cleo:
            game = await gather(ada, bob)
            table = await bob.gathering(game)
            assert [chair.deal for chair in table.chairs] == ["revealed", "committed"]
            with pytest.raises(CallRefused, match="all seats are taken"):
                await cleo.sit(game, "Cleo")
            with pytest.raises(CallRefused, match="there is no such game"):
                await ada.state(game)
            await bob.dealt(game)  # Whenever the page wakes up.
            assert (await bob.state(game)).deal == "joint"

    run(work)


@pytest.mark.parametrize("call", ["stop", "remove"])
def test_the_host_gives_up_waiting_and_everyone_commits_anew(server: Server, call: str) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            before = (await ada.gathering(game)).deal
            body = {"seat": 1} if call == "remove" else None
            table = await ada.call("POST", f"/api/gatherings/{game}/{call}", GatheringState, body)
            assert not table.deal.begun
            if call == "remove":
                await bob.sit(game, "Bob")
            waiting = asyncio.create_task(bob.dealt(game))
            await ada.begin(game)
            await asyncio.gather(waiting, ada.dealt(game))
            await asyncio.gather(play(ada, game), play(bob, game))
            # Ada had revealed a part before, so the server could have known half of another deal.
            assert [await one.verify(game) for one in (ada, bob)] == ["repeated", "verified"]
            parts = (Game.replay(await ada.record(game)).deal.seed or "").split("-")
            assert not {commitment_of(part) for part in parts} & set(before.commitments)

    run(work)


def cheat(monkeypatch: pytest.MonkeyPatch, parts: Callable[[list[str]], list[str]]) -> None:
    """A server that deals by other parts than those that were promised."""
    honest = dealing._dealt

    def dealt(table: Gathering, seed: str) -> Game:
        return honest(table, joined(parts(seed.split("-"))))

    monkeypatch.setattr(dealing, "_dealt", dealt)


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (lambda parts: [*parts[:-1], best_server_part(parts)], "changed"),
        (lambda parts: [parts[0], new_part(), *parts[2:]], "changed"),  # Bob is a puppet of the operator's.
        (lambda _: [new_part()], "not-in-it"),
        (lambda parts: [*reversed(parts)], "not-in-it"),
    ],
    ids=["tries parts", "puppet seat", "another seed", "another order"],
)
def test_a_server_that_cheats_is_caught(
    server: Server, monkeypatch: pytest.MonkeyPatch, parts: Callable[[list[str]], list[str]], found: Verdict
) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            await bob.dealt(game)
            await asyncio.gather(play(ada, game), play(bob, game))
            assert await ada.verify(game) == found

    cheat(monkeypatch, parts)
    run(work)


def best_server_part(parts: list[str]) -> str:
    """The one of a few with the smallest first hash: as good as any other wish."""
    return min((derived_part("tried", number) for number in range(10)), key=lambda part: commitment_of(parts[0] + part))


def test_a_part_is_not_revealed_again_for_other_commitments(server: Server) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            terms = (await ada.gathering(game)).deal
            terms.commitments[1] = commitment_of(new_part())
            assert not await ada.take_part(game, terms)

    run(work)


def test_a_rematch_of_people_waits_for_them_and_can_be_given_up(server: Server) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            await bob.dealt(game)
            await asyncio.gather(play(ada, game), play(bob, game))
            again = await ada.rematch(game)
            table = await ada.gathering(again)
            assert [chair.deal for chair in table.chairs] == ["committed", "waiting"]
            assert (await bob.state(game)).next_game == again
            for person in (ada, bob):
                await person.stand_up(again)
            other = await bob.rematch(game)
            assert other != again
            assert (await bob.gathering(other)).host
            assert await ada.rematch(game) == other
            await asyncio.gather(ada.dealt(other), bob.dealt(other))
            assert (await ada.state(other)).deal == "joint"

    run(work)


def test_tables_of_someone_alone_that_were_never_dealt_do_not_pile_up(empty: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.write(people.add("ada", "hash"))
        for name in ("one", "two"):
            waiting = replace(gathered("ada", parts=True), id=name, dealing=True)
            await store.write(gatherings.add(waiting, 1))
            old = update(schema.gatherings).values(updated="2026-01-01T00:00:00.000+00:00")
            await store.write(partial(Connection.execute, statement=old))
        with pytest.raises(Problem, match="this table is closed"):
            await store.read(gatherings.find("one"))

    in_store(empty, work)
