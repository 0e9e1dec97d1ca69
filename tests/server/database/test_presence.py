"""Several processes record who's present: only one does each piece of housekeeping, and one that dies is noticed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, Update, select, update

from chromino.seated.dealing import begin
from chromino.seated.events import TimeGivenBack
from chromino.seated.game import SeatedGame, apply, as_of
from chromino.seated.gathering import Gathering
from chromino.seated.seats import FREE, Chair, Seat
from chromino.server.database import presence, schema
from chromino.server.database.postgres import PostgresStore
from chromino.server.database.rows import digest, table_of
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings, GatheringWatcher
from chromino.server.games.live_games import LiveGames
from chromino.server.games.watcher import Watcher
from chromino.server.people import people
from tests.server.rated_games import other_process
from tests.server.sites.changes import Writes
from tests.server.sites.databases import GAME, ROW, Database, in_store
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import PATIENCE

T = TypeVar("T")
DEAD = "1000"  # A process that holds no lock.
_GAMES = [f"game-{number}" for number in range(12)]
_games, _seats = schema.games.c, schema.seats.c


def in_two_stores(database: Database, work: Callable[[Store, Store], Awaitable[T]]) -> T:
    """Do this work in two processes on one database with games. SQLite allows only one, so both are the same there."""

    async def run() -> T:
        one = await Store.open(database)
        other = one if isinstance(database, Path) else await Store.open(database)
        try:
            for name in _GAMES:
                await one.write(people.add(f"ada of {name}", f"hash for {name}"))
                seats = (Seat(f"ada of {name}", None), Seat(None, "snail"))
                await one.add_game(replace(ROW, id=name, seats=seats), digest(GAME))
            return await work(one, other)
        finally:
            for store in {one, other}:
                await store.close()

    return asyncio.run(run())


def test_downtime_is_given_back_once_even_if_many_processes_start_during_play(empty: Database) -> None:
    async def start(one: Store, other: Store) -> list[float | None]:
        await set_times(one, ran=one.clock.now() - 100, turn_ends=1000.0)
        writers = [asyncio.create_task(_write(store, name)) for store in (one, other) for name in _GAMES]
        await asyncio.gather(*(store.write(presence.start, isolated=False) for store in [one, other] * 4))
        await asyncio.gather(*writers)
        return await one.read(lambda connection: list(connection.scalars(select(_games.turn_ends))))

    ends = in_two_stores(empty, start)
    assert len(ends) == len(_GAMES)
    assert all(end is not None and 1100 <= end < 1190 for end in ends)


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_a_short_downtime_is_given_back_when_several_processes_start_together(empty: Database) -> None:
    async def start(one: Store, other: Store) -> list[float | None]:
        await set_times(one, ran=one.clock.now() - 3, turn_ends=1000.0)
        for store in (one, other):
            await store.write(presence.start, isolated=False)
        return await one.read(lambda connection: list(connection.scalars(select(_games.turn_ends))))

    assert all(end is not None and 1003 <= end < 1005 for end in in_two_stores(empty, start))


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_no_time_is_given_back_or_taken_while_another_process_is_running(empty: Database) -> None:
    async def start(one: Store, other: Store) -> list[float | None]:
        await set_times(other, ran=other.clock.now() + 0.5, turn_ends=1000.0)  # This one runs while another starts.
        await one.write(presence.start, isolated=False)
        return await one.read(lambda connection: list(connection.scalars(select(_games.turn_ends))))

    assert in_two_stores(empty, start) == [1000.0] * len(_GAMES)


@pytest.mark.parametrize("seconds", [30.0, -30.0])
def test_the_database_gives_time_back_just_as_a_table_does(empty: Database, seconds: float) -> None:
    """`extend_turns` changes all games at once, and comes to the same result as `TimeGivenBack` and `as_of`."""
    limit = 60

    async def check(one: Store, _other: Store) -> None:
        now = one.clock.now()
        for number, name in enumerate(_GAMES):
            ends = now + 10 * number
            times = {"turn_limit": limit, "turn_ends": ends, "due": ends}
            await one.write(partial(_execute, update(schema.games).where(_games.id == name).values(times)))
        stored = [await table(one, name) for name in _GAMES]
        begin = one.clock.now()
        await one.write(lambda connection: presence.extend_turns(connection, seconds))
        end = one.clock.now()
        for before, name in zip(stored, _GAMES, strict=True):
            extended = apply(before, TimeGivenBack(seconds))
            earliest, latest = as_of(extended, begin), as_of(extended, end)
            found = as_of(await table(one, name), one.clock.now())
            assert earliest.turn_ends is not None
            assert found.turn_ends is not None
            assert latest.turn_ends is not None
            assert earliest.turn_ends <= found.turn_ends <= latest.turn_ends

    async def table(store: Store, name: str) -> SeatedGame:
        row = await store.game(name)
        assert row is not None
        return table_of(row)

    in_two_stores(empty, check)


def _execute(change: Update, connection: Connection) -> None:
    connection.execute(change)


async def set_times(store: Store, ran: float, turn_ends: float) -> None:
    """Set when the site last ran, and when all turns end."""

    def work(connection: Connection) -> None:
        connection.execute(update(schema.clock).values(ran=ran))
        connection.execute(update(schema.games).values(turn_ends=turn_ends, due=turn_ends))

    await store.write(work)


async def _write(store: Store, name: str) -> None:
    """Keep changing a game, like someone who's playing."""
    for number in range(20):
        await store.set_pace(name, number % 2 == 0)


def test_overdue_games_are_taken_over_by_one_process(empty: Database) -> None:
    async def take_over_late(one: Store, other: Store) -> list[dict[str, float]]:
        await one.write(lambda connection: connection.execute(update(schema.games).values(due=1.0)) and None)
        takes = [
            (store, presence.take_over_late(f"process-{number}", 2.0)) for number, store in enumerate([one, other] * 3)
        ]
        return await asyncio.gather(*(store.write(work, isolated=False) for store, work in takes))

    taken = in_two_stores(empty, take_over_late)
    assert sorted(name for found in taken for name in found) == sorted(_GAMES)


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)  # SQLite allows only one process.
def test_people_can_return_while_they_are_being_marked_as_away(empty: Database) -> None:
    async def meet(one: Store, other: Store) -> list[float | None]:
        for name in _GAMES:
            await one.write(presence.note(name, f"ada of {name}", DEAD, is_here=True), isolated=False)
        back = [presence.note(name, f"ada of {name}", other.process, is_here=True) for name in _GAMES]
        found, *_ = await asyncio.gather(
            one.write(presence.mark_away(one.process), isolated=False),
            *(other.write(work, isolated=False) for work in back),
        )
        assert found == sorted(_GAMES)
        mine = select(_seats.away_since).where(_seats.person.is_not(None))
        return await one.read(lambda connection: list(connection.scalars(mine)))

    assert in_two_stores(empty, meet) == [None] * len(_GAMES)


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_when_two_processes_notice_a_death_only_one_marks_people_as_away(empty: Database) -> None:
    async def notice(one: Store, other: Store) -> list[list[str]]:
        for name in _GAMES:
            await one.write(presence.note(name, f"ada of {name}", DEAD, is_here=True), isolated=False)
        # Others may still come back after a restart of PostgreSQL.
        assert (await one.poll()).has_dead_processes is False
        settle(one, other)
        assert [(await store.poll()).has_dead_processes for store in (one, other)] == [True, True]
        away = [store.write(presence.mark_away(store.process), isolated=False) for store in (one, other)]
        found = await asyncio.gather(*away)
        assert [(await store.poll()).has_dead_processes for store in (one, other)] == [False, False]
        return found

    assert sorted(in_two_stores(empty, notice)) == [[], sorted(_GAMES)]


def test_people_whose_only_process_died_are_away_after_the_next_start(empty: Database) -> None:
    async def run() -> None:
        store = await Store.open(empty)
        await store.write(people.add("ada", "hash of ada"))
        await store.add_game(replace(ROW, seats=(Seat("ada", None), Seat(None, "snail"))), digest(GAME))
        await store.write(presence.note(ROW.id, "ada", store.process, is_here=True), isolated=False)
        assert (await store.seats_now(ROW.id)).seats[0].away_since is None
        await store.close()  # The process doesn't record that it's stopping.
        async with other_process(empty) as (later, _):
            if isinstance(later, PostgresStore):
                settle(later)
            await away(1, later)

    asyncio.run(run())


def settle(*stores: Store) -> None:
    """Pretend that these processes have held their locks for a while, so that others have had time to come back."""
    for store in stores:
        assert isinstance(store, PostgresStore)
        store._locked_at = 0.0


Process = tuple[Store, LiveGames]


def on_two_processes(postgres: Postgres, work: Callable[[Process, Process], Awaitable[None]]) -> None:
    """Do this work in two processes with a game between Ada and Bob; it's Ada's turn."""

    async def run(url: str) -> None:
        async with other_process(url) as here, other_process(url) as there:
            for name in ("ada", "bob"):
                await here[0].write(people.add(name, f"hash of {name}"))
            mover = GAME.seat
            seats = tuple(Seat("ada" if seat == mover else "bob", None) for seat in range(2))
            await here[0].add_game(replace(ROW, seats=seats), digest(GAME))
            await work(here, there)

    with temporary_database(postgres) as url:
        asyncio.run(asyncio.wait_for(run(url), PATIENCE))


async def due_within_the_grace_period(*stores: Store) -> str | None:
    """Wait until a bot is due to play for Ada; returns the process that will perform the bot's turn."""

    async def is_due() -> bool:
        due = (await stores[0].seats_now(ROW.id)).due
        return due is not None and due <= time.time() + 61

    await Writes(*stores).until(is_due)
    return (await stores[0].seats_now(ROW.id)).process


async def away(number: int, *stores: Store) -> None:
    """Wait until this many people are away."""

    async def are_away() -> bool:
        seats = (await stores[0].seats_now(ROW.id)).seats
        return sum(who.away_since is not None for who in seats) == number

    await Writes(*stores).until(are_away)


def test_a_due_time_is_recorded_despite_an_unheard_change(postgres: Postgres) -> None:
    """Ada's process hasn't heard yet what another one has recorded when she leaves: a bot must stand in anyway."""

    async def work(one: Process, other: Process) -> None:
        (here, games), (there, _) = one, other
        live = await games.get(ROW.id)
        here.hear = lambda _change: None  # As if the notification were still on its way.
        assert await there.write(presence.note_due(ROW.id, there.process, None, time.time() + 10_000))
        ada = Watcher("ada")
        live.enter(ada)
        live.enter(Watcher("bob"))
        live.exit(ada)
        assert await due_within_the_grace_period(there, here) == here.process
        assert live.acts_next

    on_two_processes(postgres, work)


def test_a_bot_stands_in_even_if_one_process_has_not_heard_who_is_waiting(postgres: Postgres) -> None:
    async def work(one: Process, other: Process) -> None:
        (here, games), (there, games_there) = one, other
        live = await games.get(ROW.id)
        here.hear = lambda _change: None  # This process won't hear that Bob has come.
        ada = Watcher("ada")
        live.enter(ada)
        await away(1, there, here)
        live_there = await games_there.get(ROW.id)
        live_there.enter(Watcher("bob"))
        await away(0, there, here)
        live.exit(ada)
        assert await due_within_the_grace_period(there, here) == there.process
        assert live_there.acts_next

    on_two_processes(postgres, work)


def end_connections(postgres: Postgres, process: str | None = None) -> None:
    """End the connection on which this process holds its lock, or those of all processes."""
    whose = "" if process is None else f" AND objid = {process}"
    locks = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = {presence.LOCK}{whose}"  # noqa: S608
    postgres.execute(f"SELECT pg_terminate_backend(pid, 10000) FROM ({locks}) AS held")  # noqa: S608


def test_a_process_that_lost_its_lock_is_declared_dead_and_returns_with_its_people(postgres: Postgres) -> None:
    async def work(one: Process, other: Process) -> None:
        (here, games), (there, _) = one, other
        live = await games.get(ROW.id)
        live.enter(Watcher("ada"))
        await away(1, there, here)
        await asyncio.to_thread(end_connections, postgres, here.process)
        assert await there.write(presence.mark_away(there.process), isolated=False) == [ROW.id]
        assert sum(who.away_since is not None for who in (await there.seats_now(ROW.id)).seats) == 2
        await away(1, there, here)
        assert await there.write(presence.mark_away(there.process), isolated=False) == []

    on_two_processes(postgres, work)


def test_people_at_a_table_return_with_their_process(postgres: Postgres) -> None:
    async def work(one: Process, other: Process) -> None:
        (here, _), (there, _) = one, other
        tables = Gatherings(here, grace=60)
        here.hear = tables.hear
        chairs = (Chair("person", "Ada", "ada", away_since=1.0), FREE)
        await tables.add(Gathering("table", "ada", chairs, entropy=""))

        async def is_here() -> bool:
            return (await tables.get("table")).chairs[0].away_since is None

        await tables.watch("table", GatheringWatcher("ada"))
        await Writes(here, there).until(is_here)
        await asyncio.to_thread(end_connections, postgres, here.process)
        assert await there.write(presence.mark_away(there.process), isolated=False) == ["table"]
        assert not await is_here()
        await Writes(here, there).until(is_here)
        assert await there.write(presence.mark_away(there.process), isolated=False) == []
        tables.stop()

    on_two_processes(postgres, work)


def test_people_whose_process_nobody_ever_saw_are_away(postgres: Postgres) -> None:
    """The process started, and died before the others looked."""

    async def work(one: Process, other: Process) -> None:
        (here, _), (there, _) = one, other
        await here.write(presence.note(ROW.id, "ada", DEAD, is_here=True), isolated=False)
        await away(1, there, here)
        settle(there)
        await away(2, there, here)

    on_two_processes(postgres, work)


def locked_again(store: Store) -> asyncio.Event:
    """An event that's set once this process has a new lock and reads everything again."""
    event, hear = asyncio.Event(), store.hear

    def heard(change: Change) -> None:
        hear(change)
        if change.kind == "all":
            event.set()

    store.hear = heard
    return event


def test_nobody_is_declared_dead_when_all_lose_their_locks_at_once(postgres: Postgres) -> None:
    """For example, when PostgreSQL is restarted or another machine takes over."""

    async def work(one: Process, other: Process) -> None:
        (here, games), (there, _) = one, other
        live = await games.get(ROW.id)
        live.enter(Watcher("ada"))
        await away(1, there, here)
        locked = [locked_again(store) for store in (here, there)]
        await asyncio.to_thread(end_connections, postgres)
        for store in (here, there):
            assert await store.write(presence.mark_away(store.process), isolated=False) == []
        for event in locked:
            await event.wait()
        assert await there.write(presence.mark_away(there.process), isolated=False) == []
        assert sum(who.away_since is not None for who in (await there.seats_now(ROW.id)).seats) == 1

    on_two_processes(postgres, work)


def test_leaving_a_game_counts_even_if_the_table_before_it_was_on_another_process(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.write(people.add("ada", "hash of ada"))
        tables, watcher = Gatherings(store, grace=60), GatheringWatcher("ada")
        await tables.add(Gathering("table", "ada", (Chair("person", "Ada", "ada", away_since=1.0),), entropy=""))

        async def is_here() -> bool:
            return (await tables.get("table")).chairs[0].away_since is None

        await tables.watch("table", watcher)
        await Writes(store).until(is_here)
        await tables.change("table", lambda table: begin(table, "ada", 0.0))
        watcher.has_game = True
        tables.forget("table", watcher)
        for opened in (True, False):
            since = await store.write_few_rows(presence.note("table", "ada", "another process", opened))
        assert since is not None
        tables.stop()

    in_store(tmp_path / "db.sqlite", work)
