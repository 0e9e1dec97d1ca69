"""The database: people, games and their logs on SQLite, through one thread of its own.

Everything that must hold together is one transaction: an event is there with the digest of its game, or not at all.
The schema is made and migrated by Alembic when a database is opened.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, select, update
from sqlalchemy.exc import DBAPIError

from chromino.errors import ChrominoError
from chromino.server import schema
from chromino.server.problems import Problem

T = TypeVar("T")

_APPEND = "INSERT INTO events (game, seq, event, action_id, at) VALUES (?, ?, ?, ?, ?)"
_DIGEST = "UPDATE games SET updated = ?, over = ?, digest = ? WHERE id = ?"


class StoreError(ChrominoError):
    """A database that cannot be opened."""


class Taken(Exception):
    """Someone else appended an event with this number, or with this id, before."""


class SeatRow(NamedTuple):
    """Who plays a seat: a person by id, or a bot by name."""

    person: str | None
    bot: str | None
    has_left: bool = False
    """A person who went for good: a bot plays on."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it is stored; `header` and the events are the lines of its record."""

    id: str
    header: str
    aids: bool
    pace: bool
    seats: tuple[SeatRow, ...]
    watch: bool = False
    """May others look on?"""
    turn_limit: int | None = None
    """Seconds."""
    next_game: str | None = None
    """The rematch."""
    turn_began: float = 0.0
    """When the turn began that is going on, in seconds since 1970."""
    events: tuple[str, ...] = ()
    action_ids: tuple[str | None, ...] = ()
    """The client's id of each event."""


class ListedGame(NamedTuple):
    """What a list of games needs to know."""

    id: str
    header: str
    seats: tuple[SeatRow, ...]
    created: str
    updated: str
    over: bool
    digest: dict[str, Any]


def now() -> str:
    """The time as the database keeps it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store:
    """All that is kept. Methods are awaited; they run one after another in one thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")

    @classmethod
    async def open(cls, path: Path | str) -> Store:
        """The database at this path, made or brought up to date; `:memory:` is one that is not kept."""
        if str(path) != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        store = cls(_engine(path))
        try:
            await store._run(_migrate, write=True)
        except DBAPIError as error:
            await store.close()
            raise StoreError(f"{path} cannot be used as a database: {error.orig}") from None
        except Exception as error:
            await store.close()
            if "Can't locate revision" in str(error):
                raise StoreError(f"{path} was written by a newer version of Chromino") from None
            raise
        return store

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading of `people.py` or `gatherings.py`."""
        return await self._safely(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a change of theirs, all of it or nothing."""
        return await self._safely(work, write=True)

    async def add_game(self, row: GameRow, digest: dict[str, Any]) -> None:
        """Keep a game that begins."""
        await self._safely(lambda connection: insert_game(connection, row, digest), write=True)

    async def game(self, game: str) -> GameRow | None:
        """A game with its log."""

        def work(connection: Connection) -> GameRow | None:
            row = connection.execute(select(schema.games).where(schema.games.c.id == game)).one_or_none()
            if row is None:
                return None
            log = connection.execute(
                select(schema.events.c.event, schema.events.c.action_id, schema.events.c.at)
                .where(schema.events.c.game == game)
                .order_by(schema.events.c.seq)
            ).all()
            return GameRow(
                id=game,
                header=row.header,
                aids=row.aids,
                pace=row.pace,
                seats=_seats(connection, [game])[game],
                watch=row.watch,
                turn_limit=row.turn_limit,
                next_game=row.next_game,
                turn_began=_turn_began(row.created, [(entry.event, entry.at) for entry in log]),
                events=tuple(entry.event for entry in log),
                action_ids=tuple(entry.action_id for entry in log),
            )

        return await self._safely(work)

    async def games_of(self, person: str) -> list[ListedGame]:
        """The games in which a person has a seat, the latest first."""
        games = schema.games.c
        mine = select(schema.seats.c.game).where(schema.seats.c.person == person)

        def work(connection: Connection) -> list[ListedGame]:
            rows = connection.execute(
                select(games.id, games.header, games.created, games.updated, games.over, games.digest)
                .where(games.id.in_(mine))
                .order_by(games.updated.desc(), games.id)
            ).all()
            seats = _seats(connection, [row.id for row in rows])
            return [
                ListedGame(
                    row.id, row.header, seats[row.id], row.created, row.updated, row.over, json.loads(row.digest)
                )
                for row in rows
            ]

        return await self._safely(work)

    async def append(
        self, game: str, seq: int, line: str, action_id: str | None, over: bool, digest: dict[str, Any]
    ) -> None:
        """Append one event; `Taken` if its number or its id is there already.

        The one hot statement: it goes to the driver, past SQLAlchemy.
        """
        at = now()

        def work(connection: Connection) -> None:
            driver = connection.connection.cursor()
            try:
                driver.execute(_APPEND, (game, seq, line, action_id, at))
            except sqlite3.IntegrityError:
                raise Taken from None
            driver.execute(_DIGEST, (at, over, json.dumps(digest), game))

        await self._safely(work, write=True)

    async def set_pace(self, game: str, pace: bool) -> None:
        change = update(schema.games).where(schema.games.c.id == game).values(pace=pace)
        await self._safely(lambda connection: connection.execute(change), write=True)

    async def leave(self, game: str, person: str) -> None:
        """The seats of a person who goes for good."""
        mine = (schema.seats.c.game == game) & (schema.seats.c.person == person)
        change = update(schema.seats).where(mine).values(has_left=True)
        await self._safely(lambda connection: connection.execute(change), write=True)

    async def add_rematch(self, game: str, row: GameRow, digest: dict[str, Any]) -> str:
        """Keep the game that follows another, unless there is one already; its id."""
        games = schema.games.c

        def work(connection: Connection) -> str:
            found = connection.scalar(select(games.next_game).where(games.id == game))
            if found is not None:
                return str(found)
            insert_game(connection, row, digest)
            connection.execute(update(schema.games).where(games.id == game).values(next_game=row.id))
            return row.id

        return await self._safely(work, write=True)

    async def games_with_limits(self) -> list[str]:
        """Games that go on, and whose clock runs even if nobody looks."""
        games = schema.games.c
        query = select(games.id).where(~games.over, games.turn_limit.is_not(None))
        return list(await self._safely(lambda connection: connection.scalars(query).all()))

    async def ping(self) -> None:
        """Raise a `Problem` unless the database answers and can be written."""
        await self._safely(lambda connection: connection.exec_driver_sql("SELECT 1"), write=True)

    async def _safely(self, work: Callable[[Connection], T], *, write: bool = False) -> T:
        """Run, and turn what the database cannot do (a full disk, a file that is read-only) into a `Problem`."""
        try:
            return await self._run(work, write=write)
        except (DBAPIError, sqlite3.Error) as error:
            raise Problem("storage") from error

    async def _run(self, work: Callable[[Connection], T], *, write: bool) -> T:
        def transaction() -> T:
            with self._engine.connect() as connection:
                connection.execution_options(immediate=write)
                with connection.begin():
                    return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)


def insert_game(connection: Connection, row: GameRow, digest: dict[str, Any]) -> None:
    """A game that begins, and who sits where."""
    at = now()
    connection.execute(
        insert(schema.games),
        {
            "id": row.id,
            "header": row.header,
            "aids": row.aids,
            "pace": row.pace,
            "watch": row.watch,
            "turn_limit": row.turn_limit,
            "next_game": None,
            "created": at,
            "updated": at,
            "over": False,
            "digest": json.dumps(digest),
        },
    )
    seats = [{"game": row.id, "seat": seat, **who._asdict()} for seat, who in enumerate(row.seats)]
    connection.execute(insert(schema.seats), seats)


def _turn_began(created: str, log: Sequence[tuple[str, str]]) -> float:
    """When the last turn ended: drawing a tile does not end one."""
    ended = [at for event, at in log if "draw" not in json.loads(event)]
    return datetime.fromisoformat(ended[-1] if ended else created).timestamp()


def _engine(path: Path | str) -> Engine:
    # SQLite rolls back changes of the schema only if the driver leaves transactions alone: BEGIN is ours.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _seats(connection: Connection, games: Sequence[str]) -> dict[str, tuple[SeatRow, ...]]:
    """Who sits in each of these games, in order."""
    query = select(schema.seats).where(schema.seats.c.game.in_(games)).order_by(schema.seats.c.seat)
    found: dict[str, tuple[SeatRow, ...]] = {}
    for row in connection.execute(query):
        found[row.game] = (*found.get(row.game, ()), SeatRow(row.person, row.bot, row.has_left))
    return found
