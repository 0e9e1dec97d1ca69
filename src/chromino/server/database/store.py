"""The database: people, games and their logs, on SQLite (`sqlite.py`) or PostgreSQL (`postgres.py`).

Everything that must hold together is one transaction: an event is there with the digest of its game, or not at all.
Whoever changes something says what it was about, and every process that listens hears of it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Integer, Select, bindparam, exists, insert, inspect, select, text, tuple_, update

from chromino.errors import ChrominoError
from chromino.messages.deals import DealKind
from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.shared_clock import SharedClock, as_text, seconds_now
from chromino.server.operating.metrics import STORING, timed
from chromino.server.problems import Problem

T = TypeVar("T")

_COUNT_WINS = text(
    "INSERT INTO tallies (person, preset, played, won)"
    " SELECT person, CAST(:preset AS VARCHAR(20)), 1, MAX(CASE WHEN seat IN :winners THEN 1 ELSE 0 END)"
    " FROM seats WHERE game = :game AND person IS NOT NULL AND ended IS NULL GROUP BY person ORDER BY person"
    " ON CONFLICT (person, preset) DO UPDATE SET played = tallies.played + 1, won = tallies.won + excluded.won"
).bindparams(bindparam("winners", expanding=True, type_=Integer))  # As games are played at one device, too.
_FIRST_TABLES = {"people", "devices", "codes", "solved", "gatherings", "games", "seats", "events"}
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(75)"  # Processes that start together migrate one after another.

log = logging.getLogger(__name__)


class StoreError(ChrominoError):
    """A database that cannot be opened."""

    def __init__(self, text: str, *, is_away: bool = False) -> None:
        super().__init__(text)
        self.is_away = is_away
        """May it be there in a moment?"""


class Taken(Exception):
    """Someone else appended an event with this number, or with this id, before; or the game is gone."""


class Change(NamedTuple):
    """What was changed, as the processes tell each other: never the content."""

    kind: Literal["event", "seats", "game", "said", "gathering", "devices", "all"]
    """A game's log, who is there, the rest of a game, a phrase, a table, a person's devices; "all": something may have
    been missed."""
    id: str = ""
    version: int = 0
    """How many events there are, or the number of the phrase."""


class SeatsNow(NamedTuple):
    """Who sits where in a game, and is there or not."""

    seats: tuple[Seat, ...]
    process: str | None
    """The one that sees to what is due."""
    due: float | None


class LogRow(NamedTuple):
    """An event as it is stored."""

    event: str
    action_id: str | None
    at: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it is stored; `header` and the events are the lines of its record."""

    id: str
    header: str
    aids: bool
    pace: bool
    seats: tuple[Seat, ...]
    watch: bool = False
    """May others look on?"""
    turn_limit: int | None = None
    """Seconds."""
    next_game: str | None = None
    """The rematch."""
    turn_ends: float | None = None
    due: float | None = None
    """When something goes by itself next."""
    process: str | None = None
    """The one that sees to it."""
    deal: DealKind = "server"
    """Who picked it."""
    log: tuple[LogRow, ...] = ()
    created: str = "1970-01-01T00:00:00+00:00"
    rated: bool = False


class Entry(NamedTuple):
    """An event to append, with what else is then true of the game."""

    game: str
    seq: int
    event: str
    action_id: str | None
    over: bool
    digest: dict[str, Any]
    turn_ends: float | None = None
    due: float | None = None
    preset: str = ""
    """The name of its rules, if they have one."""


class ListedGame(NamedTuple):
    """What a list of games needs to know."""

    id: str
    header: str
    seats: tuple[Seat, ...]
    created: str
    updated: str
    over: bool
    digest: dict[str, Any]
    rated: bool = False


class ListEnd(NamedTuple):
    """The last game of a page of someone's games, after which the next page begins."""

    over: bool
    at: str
    """When it was over, or when it last changed."""
    id: str

    @classmethod
    def of(cls, game: ListedGame) -> ListEnd:
        return cls(game.over, game.updated, game.id)


FINISHED = ListEnd(over=True, at="9", id="")
"""Where the games in progress end: later than any time."""


class Tally(NamedTuple):
    """How often someone finished a game by these rules, and won."""

    preset: str
    played: int
    won: int


def nothing(_found: object) -> tuple[Change, ...]:
    """What a change was about, if nobody need know."""
    return ()


class Store(ABC):
    """All that is kept. What a database cannot do now is a `Problem`; nothing is changed then."""

    is_alone: bool
    """Is no other process expected on this database?"""

    def __init__(self) -> None:
        self.process = new_id()
        self.clock = SharedClock()
        self.hear: Callable[[Change], None] = lambda _change: None
        """Called for each change, of this process or another; set by whoever wants to know."""
        self.rating = asyncio.Lock()
        """Ratings wait for each other in any case: here without holding a connection."""
        self.is_failing = False
        """Did the last write fail, and none succeed since?"""
        self.is_closing = False
        """Does the process end? Then it is noted once who is not here any more."""

    @staticmethod
    async def open(database: Path | str, revision: str | None = "head") -> Store:
        """The database at this path or `postgresql://` address, made or brought to this revision of the schema.

        None: its schema is left as it is.
        """
        from chromino.server.database import postgres, sqlite  # Both build on this module.

        if is_address(database):
            return await postgres.PostgresStore.connect(str(database), revision)
        return await sqlite.SqliteStore.at(database, revision)

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading of `people.py` and the like, on one state of the database."""

    async def write(
        self, work: Callable[[Connection], T], about: Callable[[T], Iterable[Change]] = nothing, *, alone: bool = True
    ) -> T:
        """Run a change of theirs, all of it or nothing, and tell what it was about.

        It is as if nobody else wrote at the same time. That has its price with many processes: work that locks what it
        depends on, or depends on nothing, need not be `alone`.
        """
        return await self._watched(self._write(work, about, alone))

    async def append(self, entry: Entry) -> None:
        """Append one event; `Taken` if its number or its id is there already."""
        with timed(STORING):
            await self._watched(self._append(entry))

    @abstractmethod
    async def _write(
        self, work: Callable[[Connection], T], about: Callable[[T], Iterable[Change]], alone: bool
    ) -> T: ...

    @abstractmethod
    async def _append(self, entry: Entry) -> None:
        """The one hot statement: it goes to the driver, past SQLAlchemy."""

    @abstractmethod
    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        """The log from this number on."""

    @abstractmethod
    async def seats_now(self, game: str) -> SeatsNow:
        """Who sits where; nobody, if the game is gone."""

    @abstractmethod
    async def ping(self) -> None:
        """Raise a `Problem` unless the database answers and can be written."""

    def explain(self, problem: Problem) -> str:
        """The same for an operator, with what to do next where we know."""
        words = str(getattr(problem.__cause__, "orig", None) or problem).splitlines()[0]
        return words.partition(">: ")[2] or words

    async def scrub(self) -> None:  # noqa: B027
        """Leave nothing of what was deleted in files of the database's own making, where that is ours to do."""

    async def look(self) -> None:  # noqa: B027
        """See whether another process changed something, where it cannot say so itself; `hear` is told."""

    async def _watched(self, writing: Coroutine[Any, Any, T]) -> T:
        try:
            found = await writing
        except Problem as problem:
            if problem.is_storage:
                if not self.is_failing:  # Once, not for everybody who waits; the kind alone, for texts may hold names.
                    cause = problem.__cause__ or problem
                    kind = type(getattr(cause, "orig", None) or cause).__name__
                    log.warning("the database fails: %s (%s)", problem, kind)
                self.is_failing = True
            raise
        self.is_failing = False
        return found

    def to_others(self, game: str, kind: Literal["game", "seats"] = "game") -> Callable[[object], tuple[Change, ...]]:
        """Something of a game was changed, other than its log, and this process knows it already."""
        return nothing if self.is_alone else lambda _found: (Change(kind, game),)

    # Games.

    async def add_game(self, row: GameRow, digest: dict[str, Any]) -> None:
        """Keep a game that begins."""
        await self.write(lambda connection: insert_game(connection, row, digest, self.process), alone=False)

    async def game(self, game: str) -> GameRow | None:
        """A game with its log."""
        return await self.read(find_game(game)) if is_id(game) else None

    async def games_of(self, person: str, most: int, after: ListEnd | None = None) -> list[ListedGame]:
        """Games in which a person has a seat: first those in progress, then the finished ones, each latest first."""

        def work(connection: Connection) -> list[ListedGame]:
            found = [] if after is not None and after.over else _listed(connection, _open_games(person, after), most)
            if len(found) < most:
                last = after if after is not None and after.over else None
                found += _listed(connection, _ended_games(person, last), most - len(found))
            return found

        return await self.read(work)

    async def tallies_of(self, person: str) -> list[Tally]:
        """How often a person played and won, by preset; the most played first."""
        table = schema.tallies.c
        query = select(table.preset, table.played, table.won).where(table.person == person)
        rows = await self.read(lambda connection: connection.execute(query).all())
        return sorted((Tally(*row) for row in rows), key=lambda tally: (-tally.played, tally.preset))

    async def set_pace(self, game: str, pace: bool) -> None:
        change = update(schema.games).where(schema.games.c.id == game).values(pace=pace)
        await self.write(lambda connection: connection.execute(change), self.to_others(game))

    async def leave(self, game: str, person: str) -> None:
        """The seats of a person who goes for good; what a bot has to do for them is due at once. Not after the end."""
        mine = (schema.seats.c.game == game) & (schema.seats.c.person == person)
        games = schema.games.c
        goes_on = (games.id == game) & ~games.over

        def work(connection: Connection) -> None:
            connection.execute(update(schema.seats).where(mine, exists().where(goes_on)).values(has_left=True))
            due = seconds_now(connection)
            connection.execute(update(schema.games).where(goes_on).values(due=due, process=self.process))

        await self.write(work, self.to_others(game))

    async def add_rematch(self, game: str, row: GameRow, digest: dict[str, Any]) -> str:
        """Keep the game that follows another, unless there is one already; its id."""
        games = schema.games.c

        def work(connection: Connection) -> str:
            found = connection.scalar(select(games.next_game).where(games.id == game).with_for_update())
            if found is not None:
                return str(found)
            insert_game(connection, row, digest, self.process)
            connection.execute(update(schema.games).where(games.id == game).values(next_game=row.id))
            return row.id

        return await self.write(work, self.to_others(game), alone=False)


def new_id() -> str:
    """For a person, a game or whatever else others can't guess; never one that a command takes for an option."""
    while (found := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return found


def is_address(database: Path | str) -> bool:
    """Is this the address of a PostgreSQL, and not a path?"""
    return str(database).startswith(("postgresql://", "postgres://"))


def is_id(text: str) -> bool:
    """Could this be the id of something? What a client made up is not even looked for."""
    return 0 < len(text) <= 22 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def find_game(game: str) -> Callable[[Connection], GameRow | None]:
    """A game with its log, as work for `read`."""

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
            turn_ends=row.turn_ends,
            due=row.due,
            process=row.process,
            deal=row.deal,
            log=tuple(LogRow(*entry) for entry in log),
            created=row.created,
            rated=row.rated,
        )

    return work


def end_game(connection: Connection, entry: Entry, at: str) -> None:
    """The game of this entry is over: note it where lists of games look, and count who won.

    Done twice, it counts once.
    """
    values = {"game": entry.game, "preset": entry.preset, "winners": entry.digest.get("winners", [])}
    connection.execute(_COUNT_WINS, values)
    seats = update(schema.seats).where(schema.seats.c.game == entry.game, schema.seats.c.ended.is_(None))
    connection.execute(seats.values(ended=at))


def insert_game(connection: Connection, row: GameRow, digest: dict[str, Any], process: str) -> None:
    """A game that begins, and who sits where."""
    since = seconds_now(connection)
    at = as_text(since)
    turn_ends = None if row.turn_limit is None else since + row.turn_limit
    connection.execute(
        insert(schema.games),
        {
            "id": row.id,
            "header": row.header,
            "aids": row.aids,
            "pace": row.pace,
            "watch": row.watch,
            "turn_limit": row.turn_limit,
            "rated": row.rated,
            "next_game": None,
            "deal": row.deal,
            "created": at,
            "updated": at,
            "over": False,
            "digest": json.dumps(digest),
            "turn_ends": turn_ends,
            "due": turn_ends,  # If a bot begins, it does so when somebody comes to the table.
            "process": process,
        },
    )
    seats = [
        {
            "game": row.id,
            "seat": seat,
            "person": who.person,
            "bot": who.bot,
            "has_left": who.has_left,
            "away_since": None if who.person is None else since,
            "face": who.face,
        }
        for seat, who in enumerate(row.seats)
    ]
    connection.execute(insert(schema.seats), seats)


def migrate(connection: Connection, revision: str | None = "head") -> None:
    """Make the schema, or bring it up or down to this revision; None: leave it, if it is one that we know."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    if connection.dialect.name == "postgresql" and revision is not None:
        connection.execute(text(_ONE_AT_A_TIME))
    script, found = ScriptDirectory.from_config(config), revision_of(connection)
    if found is not None:
        script.get_revision(found)  # An error if it is of a later version.
        if not set(inspect(connection).get_table_names()) >= _FIRST_TABLES:
            raise StoreError("this database was made before version 1.0, and can't be read: start with a new one")
    if revision is None:
        return
    if found is not None and found not in {step.revision for step in script.iterate_revisions(revision, "base")}:
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def revision_of(connection: Connection) -> str | None:
    """The revision of the schema, None if there is none of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def _open_games(person: str, after: ListEnd | None) -> Select[Any]:
    """Games in progress, the latest first. They are sorted here; limits keep anyone from having very many."""
    games, seats = schema.games.c, schema.seats.c
    mine = select(seats.game).where(seats.person == person, seats.ended.is_(None))
    query = select(games.id, games.updated).where(games.id.in_(mine)).order_by(games.updated.desc(), games.id.desc())
    return query if after is None else query.where(tuple_(games.updated, games.id) < tuple_(after.at, after.id))


def _ended_games(person: str, after: ListEnd | None) -> Select[Any]:
    """Finished games, the latest first, straight from the index."""
    seats = schema.seats.c
    query = select(seats.game, seats.ended).distinct().where(seats.person == person, seats.ended.is_not(None))
    query = query.order_by(seats.ended.desc(), seats.game.desc())
    return query if after is None else query.where(tuple_(seats.ended, seats.game) < tuple_(after.at, after.id))


def _listed(connection: Connection, query: Select[Any], most: int) -> list[ListedGame]:
    games = schema.games.c
    ids = list(connection.scalars(query.limit(most)))
    columns = select(games.id, games.header, games.created, games.updated, games.over, games.digest, games.rated)
    rows = {row.id: row for row in connection.execute(columns.where(games.id.in_(ids)))}
    seats = _seats(connection, ids)
    found = [rows[name] for name in ids]
    return [
        ListedGame(
            row.id, row.header, seats[row.id], row.created, row.updated, row.over, json.loads(row.digest), row.rated
        )
        for row in found
    ]


def _seats(connection: Connection, games: Sequence[str]) -> dict[str, tuple[Seat, ...]]:
    """Who sits in each of these games, in order."""
    people = schema.people
    both = schema.seats.outerjoin(people, people.c.id == schema.seats.c.person)
    query = select(schema.seats, people.c.is_program).select_from(both).where(schema.seats.c.game.in_(games))
    found: dict[str, tuple[Seat, ...]] = {}
    for row in connection.execute(query.order_by(schema.seats.c.seat)):
        who = Seat(row.person, row.bot, row.has_left, row.away_since, bool(row.is_program), row.face)
        found[row.game] = (*found.get(row.game, ()), who)
    return found
