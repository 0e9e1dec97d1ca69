"""The database: what is appended once, what is kept, and what cannot be opened."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine

from chromino import Game, Rules
from chromino.server import people, schema
from chromino.server.live import digest
from chromino.server.problems import Problem
from chromino.server.store import GameRow, ListedGame, SeatRow, Store, StoreError, Taken

T = TypeVar("T")
GAME = Game.start(Rules.classic(), ["Ada", "Snail"], seed=7)
ROW = GameRow(
    id="a-game",
    header=str(GAME.record).partition("\n")[0],
    aids=True,
    pace=False,
    seats=(SeatRow("ada", None), SeatRow(None, "snail")),
)
EVENTS = ['{"seat":0,"pass":true}', '{"seat":1,"draw":"RRR"}', '{"seat":1,"pass":true}']


def in_store(path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    """Open the database, do this, and close it."""

    async def run() -> T:
        store = await Store.open(path)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one person, and one game with one event."""
    path = tmp_path / "a folder" / "games.sqlite"

    async def begin(store: Store) -> None:
        await store.write(people.add("ada", "hash-of-ada"))
        await store.add_game(ROW, digest(GAME))
        await store.append("a-game", 0, EVENTS[0], "action-0", over=False, digest={"tiles": 1})

    in_store(path, begin)
    return path


def kept(path: Path) -> tuple[GameRow | None, list[ListedGame]]:
    async def read(store: Store) -> tuple[GameRow | None, list[ListedGame]]:
        return await store.game("a-game"), await store.games_of("ada")

    return in_store(path, read)


def test_an_event_and_its_digest_are_there_after_reopening(database: Path) -> None:
    in_store(database, lambda store: store.append("a-game", 1, EVENTS[1], None, over=True, digest={"tiles": 2}))
    row, listed = kept(database)
    assert row is not None
    assert row.header == ROW.header
    assert row.seats == ROW.seats
    assert (row.aids, row.pace) == (True, False)
    assert row.events == tuple(EVENTS[:2])
    assert row.action_ids == ("action-0", None)
    assert [(game.id, game.over, game.digest) for game in listed] == [("a-game", True, {"tiles": 2})]
    assert listed[0].updated >= listed[0].created


@pytest.mark.parametrize(
    ("seq", "action_id"), [(0, None), (0, "action-1"), (0, "action-0"), (1, "action-0")], ids=lambda value: str(value)
)
def test_a_number_or_an_id_that_is_taken_changes_nothing(database: Path, seq: int, action_id: str | None) -> None:
    before = kept(database)

    async def append(store: Store) -> None:
        with pytest.raises(Taken):
            await store.append("a-game", seq, EVENTS[1], action_id, over=True, digest={"tiles": 99})

    in_store(database, append)
    assert kept(database) == before


def test_after_a_number_was_taken_the_next_one_is_free(database: Path) -> None:
    async def append(store: Store) -> None:
        with pytest.raises(Taken):
            await store.append("a-game", 0, EVENTS[1], None, over=False, digest={})
        await store.append("a-game", 1, EVENTS[1], "action-1", over=False, digest={})
        await store.append("a-game", 2, EVENTS[2], None, over=False, digest={})

    in_store(database, append)
    row, _ = kept(database)
    assert row is not None
    assert row.events == tuple(EVENTS)


def test_of_many_who_append_the_same_number_one_succeeds(database: Path) -> None:
    async def race() -> list[BaseException | None]:
        stores = [await Store.open(database) for _ in range(4)]
        appends = [
            store.append("a-game", 1, EVENTS[1], f"action-of-{number}", over=False, digest={"tiles": number})
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
    assert row.action_ids == ("action-0", f"action-of-{results.index(None)}")
    assert listed[0].digest == {"tiles": results.index(None)}


def test_the_same_id_may_be_used_in_two_games(database: Path) -> None:
    async def append(store: Store) -> None:
        await store.add_game(GameRow("another", ROW.header, True, False, ROW.seats), digest(GAME))
        await store.append("another", 0, EVENTS[0], "action-0", over=False, digest={})

    in_store(database, append)


def test_people_are_known_by_their_hash(database: Path) -> None:
    assert in_store(database, lambda store: store.read(people.find("hash-of-ada"))) == "ada"
    assert in_store(database, lambda store: store.read(people.find("hash-of-bob"))) is None
    assert in_store(database, lambda store: store.games_of("bob")) == []
    assert in_store(database, lambda store: store.game("no-game")) is None


def test_a_game_is_added_whole_or_not_at_all(database: Path) -> None:
    async def add(store: Store) -> GameRow | None:
        with pytest.raises(Problem, match="cannot be stored"):
            await store.add_game(GameRow("new", ROW.header, True, True, (SeatRow("nobody", None),)), digest(GAME))
        return await store.game("new")

    assert in_store(database, add) is None


def test_migrations_lead_to_the_schema(database: Path) -> None:
    engine = create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, schema.metadata) == []
    engine.dispose()


def test_opening_again_migrates_nothing(database: Path) -> None:
    def dump() -> list[str]:
        with closing(sqlite3.connect(database)) as connection:
            return list(connection.iterdump())

    before = dump()
    in_store(database, lambda store: store.ping())
    assert dump() == before


def test_a_database_of_a_newer_version_is_left_alone(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = database.read_bytes()
    with pytest.raises(StoreError, match=r"games\.sqlite was written by a newer version of Chromino"):
        in_store(database, lambda store: store.ping())
    assert database.read_bytes() == before


@pytest.mark.parametrize("content", [b"This is a letter, and no database. " * 100, b"SQLite format 3\0" + b"x" * 2000])
def test_a_file_that_is_not_a_database_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"letter\.txt cannot be used as a database"):
        in_store(path, lambda store: store.ping())
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE games (title TEXT)")
        connection.execute("INSERT INTO games VALUES ('Go')")
    with pytest.raises(StoreError, match=r"other\.sqlite cannot be used as a database"):
        in_store(path, lambda store: store.ping())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == [
            ("games", "CREATE TABLE games (title TEXT)")
        ]


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used as a database"):
        in_store(tmp_path, lambda store: store.ping())


@pytest.mark.parametrize(
    "name", ["plain.sqlite", "with space.sqlite", "who?.sqlite", "50%20.sqlite", "#1.sqlite", "é🦊"]
)
def test_the_file_has_the_name_it_was_given(name: str, tmp_path: Path) -> None:
    in_store(tmp_path / name, lambda store: store.ping())
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_all_is_synchronized_to_the_disk(database: Path) -> None:
    """What is acknowledged survives a power cut: a write-ahead log, written through at each commit."""

    async def pragmas(store: Store) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        with store._engine.connect() as connection:
            return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    assert in_store(database, pragmas) == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_the_digest_says_what_the_list_shows() -> None:
    assert json.loads(json.dumps(digest(GAME))) == {"seat": GAME.seat, "winners": [], "scores": [0, 0], "tiles": 1}
