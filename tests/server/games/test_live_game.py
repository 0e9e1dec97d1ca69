"""A game in memory, without sockets: how it works with the database, and what happens if others change the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, update

from chromino import seated
from chromino.messages.games import Act, Done
from chromino.messages.gatherings import Sit
from chromino.seated import Declined
from chromino.server.database import gatherings, presence, schema
from chromino.server.database.rows import digest, seconds_of, table_of
from chromino.server.database.store import Store
from chromino.server.games.live_game import LiveGame
from chromino.server.games.live_games import LiveGames
from chromino.server.games.watcher import Watcher
from chromino.server.people import people
from chromino.server.problems import Problem
from chromino.server.work.bot_threads import BotThreads
from chromino.server.work.work_queue import WorkQueue
from tests.seated.tables import gathered
from tests.server.sites.databases import GAME, ROW, in_store


def in_memory(path: Path, work: Callable[[Store, LiveGame], Awaitable[None]]) -> None:
    """Do this work with a stored game between Ada and a bot, loaded into memory."""

    async def run(store: Store) -> None:
        bot_threads, queue = BotThreads(), WorkQueue(60.0)
        await store.write(people.add("ada", "hash-of-ada"))
        await store.add_game(ROW, digest(GAME))
        games = LiveGames(store, bot_threads, queue, grace=60)
        store.hear = games.hear
        try:
            await work(store, await games.get(ROW.id))
        finally:
            games.stop()
            await queue.stop()
            bot_threads.stop()

    in_store(path, run)


def first_action() -> Act:
    return Act("an-action", 0, GAME.seat, str(GAME.actions()[0]))


def delete_game(connection: Connection) -> None:
    connection.execute(delete(schema.seats).where(schema.seats.c.game == ROW.id))
    connection.execute(delete(schema.games).where(schema.games.c.id == ROW.id))


def test_an_action_is_stored_before_it_is_acknowledged(tmp_path: Path) -> None:
    async def work(store: Store, live: LiveGame) -> None:
        assert await live.answer("ada", "", first_action()) == Done("an-action", 1)
        assert await live.answer("ada", "", first_action()) == Done("an-action", 1)
        assert len(await store.events_since(ROW.id, 0)) == 1

    in_memory(tmp_path / "db.sqlite", work)


def test_an_action_in_a_deleted_game_is_not_acknowledged(tmp_path: Path) -> None:
    async def work(store: Store, live: LiveGame) -> None:
        store.hear = lambda _change: None  # Another program has deleted the game, and we haven't been notified yet.
        await store.write(delete_game)
        with pytest.raises(Problem) as caught:
            await live.answer("ada", "", first_action())
        assert caught.value.code == "stale"

    in_memory(tmp_path / "db.sqlite", work)


def test_a_strangers_action_is_refused_without_asking_the_database(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(tmp_path / "db.sqlite")
        bot_threads, queue = BotThreads(), WorkQueue(60.0)
        await store.write(people.add("ada", "hash-of-ada"))
        await store.add_game(ROW, digest(GAME))
        live = await LiveGames(store, bot_threads, queue, grace=60).get(ROW.id)
        await store.close()
        with pytest.raises(Declined, match="not-your-seat"):
            await live.answer("a stranger", "", Act("an-action", 10**9, 0, "draw"))
        bot_threads.stop()

    asyncio.run(run())


def test_the_first_turn_starts_when_the_game_is_dealt(tmp_path: Path) -> None:
    async def work(store: Store, _live: LiveGame) -> None:
        row = await store.game(ROW.id)
        assert row is not None
        assert table_of(row).since == seconds_of(row.created)

    in_memory(tmp_path / "db.sqlite", work)


def test_someone_who_returns_before_their_absence_was_recorded_is_present(tmp_path: Path) -> None:
    async def work(_store: Store, live: LiveGame) -> None:
        first, second = Watcher("ada"), Watcher("ada")
        live.enter(first)
        live.exit(first)
        live.enter(second)
        for _ in range(100):
            assert live.table.is_present("ada")
            await asyncio.sleep(0)
        while live._tasks:
            await asyncio.wait(live._tasks)
            assert live.table.is_present("ada")

    in_memory(tmp_path / "db.sqlite", work)


def test_the_process_that_seated_a_latecomer_runs_the_game(tmp_path: Path) -> None:
    """That process has recorded itself with the game, so no other process runs it."""
    seat = next(number for number, who in enumerate(ROW.seats) if who.bot is not None)

    async def work(store: Store, live: LiveGame) -> None:
        await store.write(people.add("bob", "hash-of-bob"))
        await store.write(lambda connection: connection.execute(update(schema.games).values(latecomers=True)))
        assert not live.acts_next
        await live.change_latecomers("bob", lambda table, _: seated.take_seat(table, "bob", seat, "Bob", live.now()))
        assert (live.table.seats_of("bob"), live.acts_next) == ([seat], True)

    in_memory(tmp_path / "db.sqlite", work)


def test_someone_who_sits_down_with_their_page_open_is_present(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for person in ("ada", "bob"):
            await store.write(people.add(person, f"hash-of-{person}"))
        await store.write(gatherings.add(gathered("ada"), 20, 0))
        await store.write(presence.note("a-game", "bob", "p", True))
        sat = await store.write(gatherings.sit("a-game", "bob", Sit("Bob"), 5.0, 20))
        assert [chair.away_since for chair in sat.chairs] == [None, None]
        await store.write(presence.note("a-game", "bob", "p", False))
        found = await store.read(gatherings.find("a-game"))
        assert found.chairs[1].away_since is not None
        assert found.chairs[0].away_since is None

    in_store(tmp_path / "db.sqlite", work)
