"""The database: what's appended once, what's kept, and what can't be opened."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import get_args

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, select, text, update

from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.database_urls import StoreError
from chromino.server.database.postgres import PostgresStore
from chromino.server.database.rows import digest
from chromino.server.database.sqlite import SqliteStore
from chromino.server.database.store import Change, ChangeKind, Entry, GameRow, ListedGame, Store, Taken
from chromino.server.people import people
from chromino.server.problems import Problem
from tests.server.sites.databases import GAME, ROW, Database, in_store
from tests.server.sites.postgres import Postgres

EVENTS = ['{"seat":0,"pass":true}', '{"seat":1,"draw":"RRR"}', '{"seat":1,"pass":true}']


@pytest.fixture
def database(empty: Database) -> Database:
    """A database with one person, and one game with one event."""

    async def begin(store: Store) -> None:
        await store.write(people.add("ada", "hash-of-ada"))
        await store.add_game(ROW, digest(GAME))
        await store.append(Entry("a-game", 0, EVENTS[0], "action-0", over=False, digest={"tiles": 1}))

    in_store(empty, begin)
    return empty


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty SQLite database."""
    path = tmp_path / "games.sqlite"
    in_store(path, lambda store: store.ping())
    return path


def kept(database: Database) -> tuple[GameRow | None, list[ListedGame]]:
    async def read(store: Store) -> tuple[GameRow | None, list[ListedGame]]:
        return await store.game("a-game"), await store.games_of("ada", 10)

    return in_store(database, read)


def test_an_event_and_its_digest_survive_reopening(database: Database) -> None:
    in_store(database, lambda store: store.append(Entry("a-game", 1, EVENTS[1], None, over=True, digest={"tiles": 2})))
    row, listed = kept(database)
    assert row is not None
    assert row.header == ROW.header
    assert [(who.person, who.bot) for who in row.seats] == [(who.person, who.bot) for who in ROW.seats]
    assert (row.aids, row.pace) == (True, False)
    assert tuple(entry.event for entry in row.log) == tuple(EVENTS[:2])
    assert tuple(entry.action_id for entry in row.log) == ("action-0", None)
    assert [(game.id, game.over, game.digest) for game in listed] == [("a-game", True, {"tiles": 2})]
    assert listed[0].updated >= listed[0].created


@pytest.mark.parametrize(
    ("seq", "action_id"), [(0, None), (0, "action-1"), (0, "action-0"), (1, "action-0")], ids=lambda value: str(value)
)
def test_appending_with_a_taken_number_or_id_changes_nothing(
    database: Database, seq: int, action_id: str | None
) -> None:
    before = kept(database)

    async def append(store: Store) -> None:
        with pytest.raises(Taken):
            await store.append(Entry("a-game", seq, EVENTS[1], action_id, over=True, digest={"tiles": 99}))

    in_store(database, append)
    assert kept(database) == before


def test_after_a_taken_number_the_next_one_is_free(database: Database) -> None:
    async def append(store: Store) -> None:
        with pytest.raises(Taken):
            await store.append(Entry("a-game", 0, EVENTS[1], None, over=False, digest={}))
        await store.append(Entry("a-game", 1, EVENTS[1], "action-1", over=False, digest={}))
        await store.append(Entry("a-game", 2, EVENTS[2], None, over=False, digest={}))

    in_store(database, append)
    row, _ = kept(database)
    assert row is not None
    assert tuple(entry.event for entry in row.log) == tuple(EVENTS)


def test_only_one_of_many_appends_with_the_same_number_succeeds(database: Database) -> None:
    async def race() -> list[BaseException | None]:
        stores = [await Store.open(database) for _ in range(4)]
        appends = [
            store.append(Entry("a-game", 1, EVENTS[1], f"action-of-{number}", over=False, digest={"tiles": number}))
            for number, store in enumerate(stores)
        ]
        results = await asyncio.gather(*appends, return_exceptions=True)
        for store in stores:
            await store.close()
        return results

    results = asyncio.run(race())
    assert sorted(type(result).__name__ for result in results) == ["NoneType", "Taken", "Taken", "Taken"]
    row, listed = kept(database)
    assert row is not None
    assert tuple(entry.action_id for entry in row.log) == ("action-0", f"action-of-{results.index(None)}")
    assert listed[0].digest == {"tiles": results.index(None)}


def test_the_same_id_may_be_used_in_two_games(database: Database) -> None:
    async def append(store: Store) -> None:
        await store.add_game(GameRow("another", ROW.header, True, False, ROW.seats), digest(GAME))
        await store.append(Entry("another", 0, EVENTS[0], "action-0", over=False, digest={}))

    in_store(database, append)


def test_people_are_found_by_their_hash(database: Database) -> None:
    assert in_store(database, lambda store: store.read(people.find("hash-of-ada"))) == "ada"
    assert in_store(database, lambda store: store.read(people.find("hash-of-bob"))) is None
    assert in_store(database, lambda store: store.games_of("bob", 10)) == []
    assert in_store(database, lambda store: store.game("no-game")) is None


def test_a_game_is_added_whole_or_not_at_all(database: Database) -> None:
    async def add(store: Store) -> GameRow | None:
        with pytest.raises(Problem, match="no identity"):
            await store.add_game(GameRow("new", ROW.header, True, True, (Seat("nobody", None),) * 2), digest(GAME))
        return await store.game("new")

    assert in_store(database, add) is None


def test_a_new_database_matches_the_schema(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, schema.metadata))

    assert in_store(database, lambda store: store.read(differences)) == []


def dump(connection: Connection) -> dict[str, list[object]]:
    """Everything in a database."""
    names = inspect(connection).get_table_names()
    return {name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))] for name in names}  # noqa: S608


def test_opening_again_migrates_nothing(database: Database) -> None:
    before = in_store(database, lambda store: store.read(dump))
    assert len(before["events"]) == 1
    assert in_store(database, lambda store: store.read(dump)) == before


def test_a_database_from_a_newer_version_is_left_alone(database: Database) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    in_store(database, lambda store: store.write(lambda connection: connection.execute(newer) and None))
    for _ in range(2):
        with pytest.raises(StoreError, match=r"games\S+ was written by a newer version of Chromino"):
            in_store(database, lambda store: store.ping())


@pytest.mark.parametrize("change", ["write", "append"])
def test_every_store_hears_of_a_change(database: Database, change: str) -> None:
    """On SQLite there's only one store, which hears its own changes."""
    of_each_kind = [Change(kind, "a-game", 7) for kind in get_args(ChangeKind)]

    async def work(store: Store) -> list[Change]:
        other = store if store.is_only_process else await Store.open(database)
        heard: asyncio.Queue[Change] = asyncio.Queue()
        other.hear = heard.put_nowait
        await other.follow("a-game")
        if change == "write":
            await store.write(lambda _: None, changes=lambda _: of_each_kind)
        elif not store.is_only_process:
            await store.append(Entry("a-game", 1, EVENTS[1], None, False, {}))
        count = {"write": len(of_each_kind), "append": 0 if store.is_only_process else 1}[change]
        found = [await heard.get() for _ in range(count)]
        if other is not store:
            await other.close()
        return found

    found = in_store(database, work)
    if change == "write":
        assert found == of_each_kind
    else:
        assert found in ([], [Change("event", "a-game", 2)])


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_closing_leaves_no_connection_open_even_if_the_database_hangs(empty: Database) -> None:
    """An open connection would keep uvloop from closing its loop."""

    async def backend(store: Store) -> int:
        backend_id: int = await store.read(lambda connection: connection.scalar(text("SELECT pg_backend_pid()")) or 0)
        return backend_id

    async def run() -> None:
        store = await Store.open(empty)
        backends = set(await asyncio.gather(backend(store), backend(store)))
        assert len(backends) == 2
        for process in backends:
            os.kill(process, signal.SIGSTOP)
        try:
            await store.close()
        finally:
            for process in backends:
                os.kill(process, signal.SIGCONT)

    asyncio.run(run())  # A connection that's still open is reported as a ResourceWarning.
    gc.collect()


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_a_query_is_finished_even_if_its_caller_is_canceled_twice(
    empty: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A query cut short would cost its connection, and a second cancellation would log a traceback."""
    finished = []

    async def work(store: Store) -> None:
        started = asyncio.Event()

        def wait_for_the_lock(connection: Connection) -> None:
            started.set()
            finished.append(connection.scalar(text("SELECT 'done' FROM pg_advisory_xact_lock(7)")))

        lock = await asyncpg.connect(str(empty))
        await lock.execute("SELECT pg_advisory_lock(7)")
        reading = asyncio.create_task(store.read(wait_for_the_lock))
        await started.wait()
        for _ in range(2):
            await asyncio.sleep(0)  # Let the query, or the cleanup after the first cancellation, begin.
            reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await lock.close()  # This releases the lock.

    in_store(empty, work)
    assert finished == ["done"]
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("empty", ["postgresql"], indirect=True)
def test_only_followed_games_are_heard_even_after_a_lost_connection(database: Database) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store, PostgresStore)
        heard: asyncio.Queue[Change] = asyncio.Queue()
        store.hear = heard.put_nowait

        async def assert_heard(*names: str) -> None:
            changes = [Change("game", name) for name in ("a-game", "another", "last")]
            await store.write(lambda _: None, changes=lambda _: changes)
            assert [(await heard.get()).id for _ in names] == [*names]

        async def no_longer_listens_to(name: str) -> None:
            while name in store._followed:
                await store.ping()
            async with store._listener_turn:
                pass

        for name in ("a-game", "a-game", "another", "last"):
            await store.follow(name)
        store.unfollow("a-game")  # The other page still follows it.
        store.unfollow("another")
        await no_longer_listens_to("another")
        await assert_heard("a-game", "last")
        store.unfollow("a-game")
        await store.follow("a-game")  # Right away, before the store has stopped listening.
        await store.follow("another")
        store.unfollow("another")
        await no_longer_listens_to("another")
        await assert_heard("a-game", "last")
        assert store._listener is not None
        store._listener.terminate()
        await store.follow("another")
        assert await heard.get() == Change("all")
        await assert_heard("a-game", "another", "last")
        assert heard.empty()

    in_store(database, work)


def test_a_failed_change_notifies_nobody(database: Database) -> None:
    async def work(store: Store) -> Change:
        heard = asyncio.Queue[Change]()

        def fails(connection: Connection) -> None:
            people.add("bob", "hash-of-bob")(connection)
            raise Problem("no-such-game")

        store.hear = heard.put_nowait
        for game in ("a-game", "another"):
            await store.follow(game)
        with pytest.raises(Problem, match="no such game"):
            await store.write(fails, changes=lambda _: [Change("game", "a-game")])
        assert await store.read(people.find("hash-of-bob")) is None
        await store.write(lambda _: None, changes=lambda _: [Change("game", "another")])
        return await heard.get()

    assert in_store(database, work) == Change("game", "another")


def test_changes_that_share_a_commit_fail_individually(database: Database) -> None:
    """While the first change is being written, the others wait; then they're written together."""
    names = ["bob", "cy", "dan", "eve"]

    def add(name: str) -> Callable[[Connection], str]:
        def work(connection: Connection) -> str:
            people.add(name, f"hash-of-{name}")(connection)
            if name == "dan":
                raise Problem("no-such-game")
            return name

        return work

    async def work(store: Store) -> tuple[list[object], list[str | None]]:
        adding = [store.write_few_rows(add(name)) for name in names]
        taken = store.append(Entry("a-game", 0, EVENTS[1], None, over=True, digest={}))
        found = await asyncio.gather(*adding, taken, return_exceptions=True)
        return [*found], [await store.read(people.find(f"hash-of-{name}")) for name in names]

    found, known = in_store(database, work)
    assert found[:2] == ["bob", "cy"]
    assert found[3] == "eve"
    assert isinstance(found[2], Problem)
    assert isinstance(found[4], Taken)
    assert known == ["bob", "cy", None, "eve"]
    assert kept(database)[1][0].digest == {"tiles": 1}


def test_a_full_file_stores_exactly_what_was_acknowledged(file: Path) -> None:
    """Some changes share a commit with one that doesn't fit into the file."""
    names = [f"person-{number}" for number in range(12)]

    def add(name: str) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            people.add(name, f"hash-of-{name}")(connection)
            if name == "person-5":
                connection.exec_driver_sql("CREATE TABLE large AS SELECT randomblob(1000000) AS bytes")

        return work

    async def work(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        writer = store._writer
        [pages] = await writer.do(lambda: writer.pragma("page_count"))
        await writer.do(lambda: writer.pragma(f"max_page_count={pages + 5}"))
        found = await asyncio.gather(*(store.write_few_rows(add(name)) for name in names), return_exceptions=True)
        assert isinstance(found[5], Problem)
        assert found[5].code == "storage"
        for name, result in zip(names, found, strict=True):
            assert (await store.read(people.find(f"hash-of-{name}")) is None) is isinstance(result, Problem)
        await writer.do(lambda: writer.pragma("max_page_count=1000000"))
        await store.write_few_rows(people.add("later", "hash-of-later"))

    in_store(file, work)


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)
def test_the_event_loop_goes_on_while_another_program_locks_the_file(database: Database) -> None:
    async def work(store: Store) -> None:
        with closing(sqlite3.connect(database)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.ensure_future(store.write_few_rows(people.add("bob", "hash-of-bob")))
            moving = asyncio.ensure_future(store.append(Entry("a-game", 1, EVENTS[1], None, False, {})))
            assert await store.look_up(people.find("hash-of-bob")) is None
            assert not writing.done()
            other.rollback()
            await asyncio.gather(writing, moving)

    in_store(database, work)


def test_everything_acknowledged_before_the_store_closes_is_stored(file: Path) -> None:
    """People keep writing while the store is closed: what's acknowledged is kept, and nobody waits forever."""
    stored: list[str] = []
    has_begun = asyncio.Event()

    async def keep_adding(store: Store, letter: str) -> None:
        for number in range(1000):
            await store.write_few_rows(people.add(f"{letter}{number}", f"hash-of-{letter}{number}"))
            stored.append(f"{letter}{number}")
            if len(stored) == 20:
                has_begun.set()

    async def work(store: Store) -> None:
        adding = [asyncio.ensure_future(keep_adding(store, letter)) for letter in "abc"]
        await has_begun.wait()
        await store.close()
        results = await asyncio.gather(*adding, return_exceptions=True)
        assert [type(result) for result in results] == [Problem] * 3

    async def opened() -> None:
        await work(await Store.open(file))

    asyncio.run(opened())

    async def found(store: Store) -> list[str | None]:
        return [await store.read(people.find(f"hash-of-{name}")) for name in stored]

    assert in_store(file, found) == stored


def test_a_change_that_raises_stop_iteration_fails_alone(file: Path) -> None:
    def work(_connection: Connection) -> None:
        next(iter(()))

    async def fail(store: Store) -> None:
        for write in (store.write_few_rows, store.write):
            with pytest.raises(RuntimeError, match="StopIteration"):
                await write(work)
            await store.write_few_rows(people.add(write.__name__, f"hash-of-{write.__name__}"))

    in_store(file, fail)


def test_a_commit_that_another_program_prevents_is_undone(file: Path) -> None:
    """Without a write-ahead log, someone who reads keeps us from committing."""

    async def work(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        writer = store._writer
        assert await writer.do(lambda: writer.pragma("journal_mode=DELETE")) == ("delete",)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM people").fetchone()
            with pytest.raises(Problem) as caught:
                await store.write_few_rows(people.add("bob", "hash-of-bob"))
            assert caught.value.code == "database-locked"
            other.execute("ROLLBACK")
            await store.write_few_rows(people.add("cy", "hash-of-cy"))

    in_store(file, work)


def test_a_file_that_is_locked_at_the_start_is_reported(file: Path) -> None:
    in_store(file, lambda store: store.ping())
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is in use by another program"):
            in_store(file, lambda store: store.ping())


def test_concurrent_changes_are_serialized(database: Database) -> None:
    """Each change reads a number and writes the next one, and none is lost."""
    games = schema.games.c

    def increment(connection: Connection) -> None:
        tiles = json.loads(connection.scalars(select(games.digest).where(games.id == "a-game")).one())["tiles"]
        change = update(schema.games).where(games.id == "a-game").values(digest=json.dumps({"tiles": tiles + 1}))
        connection.execute(change)

    async def work(store: Store) -> None:
        await asyncio.gather(*(store.write(increment) for _ in range(20)))

    in_store(database, work)
    assert kept(database)[1][0].digest == {"tiles": 21}


def test_events_since_a_number_are_read(database: Database) -> None:
    async def work(store: Store) -> list[list[str]]:
        await store.append(Entry("a-game", 1, EVENTS[1], None, False, {}))
        return [[entry.event for entry in await store.events_since("a-game", since)] for since in (0, 1, 2, 99)]

    assert in_store(database, work) == [EVENTS[:2], EVENTS[1:2], [], []]


def test_impossible_ids_are_not_searched_for(database: Database) -> None:
    for name in ("", "a\0b", "é", "a b", "x" * 23, "'; DROP TABLE games"):
        assert in_store(database, lambda store, name=name: store.game(name)) is None  # type: ignore[misc]


@pytest.mark.parametrize("content", [b"This is a letter, not a database. " * 100, b"SQLite format 3\0" + b"x" * 2000])
def test_a_file_that_is_not_a_database_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"letter\.txt can't be used as a database"):
        in_store(path, lambda store: store.ping())
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE games (title TEXT)")
        connection.execute("INSERT INTO games VALUES ('Go')")
    with pytest.raises(StoreError, match=r"other\.sqlite can't be used as a database"):
        in_store(path, lambda store: store.ping())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == [
            ("games", "CREATE TABLE games (title TEXT)")
        ]


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be used as a database"):
        in_store(tmp_path, lambda store: store.ping())


@pytest.mark.parametrize(
    "name", ["plain.sqlite", "with space.sqlite", "who?.sqlite", "50%20.sqlite", "#1.sqlite", "é🦊"]
)
def test_the_file_has_the_name_it_was_given(name: str, tmp_path: Path) -> None:
    in_store(tmp_path / name, lambda store: store.ping())
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_every_commit_is_synced_to_disk(file: Path) -> None:
    """Acknowledged events survive a power failure: the write-ahead log is synced at each commit."""

    def pragmas(connection: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    assert in_store(file, lambda store: store.read(pragmas)) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
    }


def test_emptying_the_log_does_not_change_how_long_writers_wait(file: Path) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store, SqliteStore)

        async def timeout() -> int:
            pragma = store._writer.run(lambda it: it.exec_driver_sql("PRAGMA busy_timeout").scalar_one(), write=False)
            return int(await pragma)

        usual = await timeout()
        assert not await store.write(lambda _: store._truncate_log())  # It raises an error during a transaction.
        assert await timeout() == usual
        with closing(sqlite3.connect(file)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Problem):
                await store.ping()
            short = await timeout()
            await store.scrub()
            assert await timeout() == short < usual

    in_store(file, work)


def test_the_digest_contains_what_the_list_shows() -> None:
    assert json.loads(json.dumps(digest(GAME))) == {
        "seat": GAME.seat,
        "winners": [],
        "scores": [0, 0],
        "tiles": 1,
        "table": str(GAME.table),
    }


@pytest.mark.parametrize(
    "url", ["postgresql://127.0.0.1:1/games", "postgresql://chromino:secret@127.0.0.1:1/games", "postgresql://[/games"]
)
def test_an_unreachable_database_is_reported_in_one_line_without_the_password(url: str) -> None:
    with pytest.raises(StoreError, match=r"^postgresql://.*/games (can't be used as) a database: ") as caught:
        in_store(url, lambda store: store.ping())
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_database_is_reported(postgres: Postgres) -> None:
    with pytest.raises(StoreError, match='database "nothing" does not exist'):
        in_store(postgres.url.replace("/postgres", "/nothing"), lambda store: store.ping())
