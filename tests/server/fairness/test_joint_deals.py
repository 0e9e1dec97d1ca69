"""Joint deals over the wire: they include everyone's part, wait for missing parts, and expose cheating."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from chromino import Game, Rules
from chromino.client import CallRefused, Client
from chromino.fair_deal import DealCheck, Verdict, commitment_of, derived_part, join_parts, new_part
from chromino.messages.games import NewGame, SeatChoice
from chromino.messages.gatherings import ChairChoice, GatheringState, NewGathering, Sit
from chromino.seated import Chair, Gathering, SeatedGame, dealing
from chromino.server.database import gatherings, schema
from chromino.server.database.store import Store
from chromino.server.people import people
from chromino.server.problems import Problem
from tests.seated.tables import gathered
from tests.server.sites.databases import in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, PATIENCE, SNAIL, plant
from tests.server.sites.serving import Client as PlainClient

ALONE = NewGame([SeatChoice("me", "Ada"), SeatChoice("bot", "Snail", 1)], rules={"hand_size": 1}, first=0, pace=False)
TABLE = NewGathering([ChairChoice("me", "Ada"), ChairChoice("free")], rules={"hand_size": 1}, pace=False)


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def with_timeout() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work()

    return asyncio.run(with_timeout())


async def play(client: Client, game: str) -> None:
    """Play a game to the end."""
    async with client.play(game) as table:
        state = await table.my_turn()
        while not state.view.over:
            state = await table.my_turn(await table.act(state, state.view.actions[0]))


async def gather(ada: Client, bob: Client) -> str:
    game = await ada.gather(TABLE)
    await bob.sit(game, "Bob")
    await ada.begin(game)
    return game


async def verdict(client: Client, game: str) -> Verdict | None:
    found = await client.verify(game)
    assert found is None or not found.silent
    return None if found is None else found.verdict


def test_a_solo_player_and_the_server_deal_jointly(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(server.url) as ada:
            game = await ada.start(ALONE)
            assert (await ada.state(game)).deal == "joint"
            await play(ada, game)
            assert await verdict(ada, game) == "verified"
            assert len((Game.replay(await ada.record(game)).deal.seed or "").split("-")) == 2
            again = await ada.rematch(game)
            assert (await ada.state(again)).deal == "joint"  # Nobody has to wait for a bot.
            assert (await ada.state(again)).view.first == 1

    run(work)


def test_without_a_part_the_deal_is_labeled_as_the_servers(server: InProcessServer) -> None:
    ada, bob = PlainClient(server.url), PlainClient(server.url)
    assert ada.state(ada.new_game(ME, SNAIL))["deal"] == "server"
    table = ada.gather(ME, FREE)
    assert [chair["deal"] for chair in bob.sit(table, "Bob")["chairs"]] == [None, None]
    assert ada.state(ada.begin(table))["deal"] == "server"


def test_the_check_names_people_who_gave_no_part(server: InProcessServer) -> None:
    async def work() -> None:
        old, messages = PlainClient(server.url), list[str]()
        async with Client(server.url, tell=messages.append) as bob:
            game = await asyncio.to_thread(lambda: old.gather(ME, FREE, SNAIL, rules={"hand_size": 1}))
            assert await bob.verify(game) is None
            await bob.sit(game, "Bob")
            await asyncio.gather(asyncio.to_thread(old.begin, game), bob.dealt(game))
            await asyncio.gather(asyncio.to_thread(lambda: play_blocking(old, game)), play(bob, game))
            assert await bob.verify(game) == DealCheck("verified", silent=(0,))
            assert messages == []

    run(work)


def play_blocking(client: PlainClient, game: str) -> None:
    with client.open(game) as table:
        table.play_on()


def test_a_fixed_deal_is_labeled(server: InProcessServer) -> None:
    fixed = Game.start(Rules.classic(), ["Ada", "Snail"], seed="2026-11-17")
    game, secret = plant(server.database, fixed, {1: "snail"}, deal="fixed")
    assert PlainClient(server.url, secret).state(game)["deal"] == "fixed"


def test_a_table_waits_for_every_part(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob, Client(server.url) as cleo:
            game = await gather(ada, bob)
            table = await bob.gathering(game)
            assert [chair.deal for chair in table.chairs] == ["revealed", "committed"]
            with pytest.raises(CallRefused, match="all seats are taken"):
                await cleo.sit(game, "Cleo")
            with pytest.raises(CallRefused, match="there's no such game"):
                await ada.state(game)
            await bob.dealt(game)  # Now Bob reveals his part.
            assert (await bob.state(game)).deal == "joint"

    run(work)


def test_a_state_from_before_my_commitment_is_not_mistaken_for_a_stopped_deal(server: InProcessServer) -> None:
    async def work() -> None:
        told: list[str] = []
        async with Client(server.url) as ada, Client(server.url, tell=told.append) as bob:
            game = await gather(ada, bob)
            await ada.call("POST", f"/api/gatherings/{game}/stop", GatheringState)
            await ada.begin(game)
            before = await bob.gathering(game)
            await bob.take_part(game, before.deal, before.version)  # He commits, and reveals if Ada has committed.
            await asyncio.gather(ada.dealt(game), bob.dealt(game))
            assert await bob.take_part(game, before.deal, before.version)  # The old state arrives late.
            assert told == []

    run(work)


@pytest.mark.parametrize("call", ["stop", "remove"])
def test_if_the_host_stops_waiting_everyone_commits_again(server: InProcessServer, call: str) -> None:
    async def work() -> None:
        messages: list[str] = []
        async with Client(server.url, tell=messages.append) as ada, Client(server.url, tell=messages.append) as bob:
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
            # Only Ada is told, because Bob hadn't revealed anything yet.
            assert [text.split(" after")[0] for text in messages] == ["The deal was stopped"]
            # Ada had revealed a part before, so the server could have known half of another deal.
            assert [await verdict(one, game) for one in (ada, bob)] == ["repeated", "verified"]
            parts = (Game.replay(await ada.record(game)).deal.seed or "").split("-")
            assert not {commitment_of(part) for part in parts} & set(before.commitments)

    run(work)


def cheat(monkeypatch: pytest.MonkeyPatch, parts: Callable[[list[str]], list[str]]) -> None:
    """Make the server deal from different parts than the ones it promised."""
    honest = dealing._dealt

    def dealt(table: Gathering, seed: str) -> Game:
        return honest(table, join_parts(parts(seed.split("-"))))

    monkeypatch.setattr(dealing, "_dealt", dealt)


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (lambda parts: [*parts[:-1], best_server_part(parts)], "changed"),
        (lambda parts: [parts[0], new_part(), *parts[2:]], "changed"),  # Bob is the operator's puppet.
        (lambda _: [new_part()], "not-in-it"),
        (lambda parts: [*reversed(parts)], "not-in-it"),
    ],
    ids=["tries parts", "puppet seat", "another seed", "another order"],
)
def test_a_server_that_cheats_is_caught(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch, parts: Callable[[list[str]], list[str]], found: Verdict
) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            await bob.dealt(game)
            await asyncio.gather(play(ada, game), play(bob, game))
            assert await verdict(ada, game) == found

    cheat(monkeypatch, parts)
    run(work)


def test_a_server_that_deals_by_different_rules_is_caught(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then the server knows the seed, which leads to different hands under different rules."""
    honest = dealing._dealt
    monkeypatch.setattr(
        dealing, "_dealt", lambda table, seed: honest(replace(table, rules=replace(table.rules, hand_size=2)), seed)
    )

    async def work() -> None:
        async with Client(server.url) as ada:
            game = await ada.start(ALONE)
            await play(ada, game)
            assert await verdict(ada, game) == "other-rules"

    run(work)


@pytest.mark.parametrize("lie", [{"dealt": [["BBB", "GGG"], None]}, {"table": "BBB@0,0>"}])
def test_a_server_that_shows_different_tiles_than_it_dealt_is_caught(
    server: InProcessServer, lie: dict[str, Any]
) -> None:
    async def work() -> None:
        async with Client(server.url) as ada:
            game = await ada.start(ALONE)
            state = await ada.state(game)
            ada.deals.note_start(replace(state, view=replace(state.view, **lie)))
            await play(ada, game)
            assert await verdict(ada, game) == "other-tiles"

    run(work)


def best_server_part(parts: list[str]) -> str:
    """Choose one of a few parts, by whatever criterion suits the server: here, the smallest hash."""
    return min((derived_part("tried", number) for number in range(10)), key=lambda part: commitment_of(parts[0] + part))


def test_a_part_is_not_revealed_again_for_different_commitments(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await gather(ada, bob)
            terms = (await ada.gathering(game)).deal
            terms.commitments[1] = commitment_of(new_part())
            assert not await ada.take_part(game, terms)

    run(work)


def test_a_rematch_waits_for_everyone_and_can_be_canceled(server: InProcessServer) -> None:
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


def test_a_table_without_entropy_gets_some_before_the_deal(empty: Path | str) -> None:
    """An older version may have opened the table."""

    async def work(store: Store) -> None:
        for person in ("ada", "bob"):
            await store.write(people.add(person, f"hash of {person}"))
        seeds = []
        for name in ("one", "two", "three"):
            await store.write(gatherings.add(replace(gathered("ada", free=1), id=name, entropy="0"), 9))
            if name == "three":
                after = await store.write(gatherings.sit(name, "bob", Sit("Bob"), 0.0, 9))
                assert after == await store.read(gatherings.find(name))  # From now on, the entropy doesn't change.
            begun = await store.write(gatherings.change(name, lambda table: dealing.begin(table, "ada", 0.0)))
            assert isinstance(begun, SeatedGame)
            seeds.append(begun.game.deal.seed)
        assert len({*seeds, derived_part("0", 0)}) == 4

    in_store(empty, work)


def test_chairs_in_missed_rematches_do_not_count_as_taken(empty: Path | str) -> None:
    async def work(store: Store) -> None:
        for person in ("ada", "bob"):
            await store.write(people.add(person, f"hash of {person}"))
        open_table = replace(gathered("ada", free=2), id="open")
        asked = (Chair("person", "Bob", "bob", commitment=""), Chair("person", "Bob's guest", "bob"))
        rematch = replace(gathered("ada", free=0), dealing=True)
        rematch = replace(rematch, chairs=(*rematch.chairs, *asked))
        await store.write(gatherings.add(open_table, 9))
        for name in ("one", "two"):
            await store.write(gatherings.add(replace(rematch, id=name), 9))
        await store.write(gatherings.sit("open", "bob", Sit("Bob", None), 0.0, 1))
        await store.write(gatherings.sit("one", "bob", Sit("Bob", "c" * 64), 0.0, 2))  # Now the chair counts as Bob's.
        with pytest.raises(Problem, match="too many"):
            await store.write(gatherings.sit("two", "bob", Sit("Bob", "c" * 64), 0.0, 2))

    in_store(empty, work)


def test_solo_tables_that_were_never_dealt_do_not_pile_up(empty: Path | str) -> None:
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
