"""The database: people, games and their logs, on SQLite (`sqlite.py`) or PostgreSQL (`postgres.py`).

Writes that belong together share a transaction: an event is stored with its game's digest, or not at all. Each write
says what it has changed, and every process that follows the game or gathering is notified.
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
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from sqlalchemy import Connection, Integer, Select, bindparam, delete, exists, insert, select, text, tuple_, update

from chromino.messages.deals import DealKind
from chromino.seated.seats import Latecomer, Seat
from chromino.server.database import schema
from chromino.server.database.database_urls import is_address
from chromino.server.database.shared_clock import SharedClock, as_text, seconds_now
from chromino.server.operating.metrics import STORING, timed
from chromino.server.problems import Problem

T = TypeVar("T")

# One person may hold several seats, if people share a device. Each game still counts only once.
_COUNT_WINS = text(
    "INSERT INTO tallies (person, preset, played, won)"
    " SELECT person, CAST(:preset AS VARCHAR(20)), 1, MAX(CASE WHEN seat IN :winners THEN 1 ELSE 0 END)"
    " FROM seats WHERE game = :game AND person IS NOT NULL AND ended IS NULL GROUP BY person ORDER BY person"
    " ON CONFLICT (person, preset) DO UPDATE SET played = tallies.played + 1, won = tallies.won + excluded.won"
).bindparams(bindparam("winners", expanding=True, type_=Integer))
# Frequent statements are built only once: building them takes longer than running them.
_FIND_GAME = select(schema.games).where(schema.games.c.id == bindparam("game_id"))
_HAS_GAME = select(exists().where(schema.games.c.id == bindparam("game_id")))
_FIND_LOG = (
    select(schema.events.c.event, schema.events.c.action_id, schema.events.c.at)
    .where(schema.events.c.game == bindparam("game_id"))
    .order_by(schema.events.c.seq)
)
_FIND_SEATS = (
    select(schema.seats, schema.people.c.is_program)
    .select_from(schema.seats.outerjoin(schema.people, schema.people.c.id == schema.seats.c.person))
    .where(schema.seats.c.game.in_(bindparam("game_ids", expanding=True)))
    .order_by(schema.seats.c.seat)
)
_FIND_WAITING = (
    select(schema.waiting, schema.people.c.is_program)
    .join(schema.people, schema.people.c.id == schema.waiting.c.person)
    .where(schema.waiting.c.game == bindparam("game_id"))
    .order_by(schema.waiting.c.since, schema.waiting.c.person)
)
_END_SEATS = (
    update(schema.seats)
    .where(schema.seats.c.game == bindparam("game_id"), schema.seats.c.ended.is_(None))
    .values(ended=bindparam("ended_at"))
)
FORGET_PAGES = delete(schema.presence).where(schema.presence.c.game == bindparam("game_id"))
_INSERT_GAME, _INSERT_SEATS = insert(schema.games), insert(schema.seats)

log = logging.getLogger(__name__)


class Taken(Exception):
    """The number or id of this event is already taken, or the game is gone."""


ChangeKind = Literal["event", "seats", "game", "said", "gathering", "devices", "notice", "ratings", "all"]
CHANGE_KINDS: tuple[str, ...] = get_args(ChangeKind)


class Change(NamedTuple):
    """Tells other processes what has changed, without the new data (except phrases, which aren't stored)."""

    kind: ChangeKind
    """What has changed:

    - "event": a game's log
    - "seats": who has which seat in a game, and who is connected
    - "game": anything else about a game
    - "said": someone said a phrase
    - "gathering": a gathering
    - "devices": a person's devices
    - "notice": there's a notification to send
    - "ratings": the leaderboards
    - "all": maybe everything, since changes may have been missed
    """
    id: str = ""
    version: int = 0
    """The number of events or, for "said", a number that encodes the speaker and the phrase."""


class SeatsNow(NamedTuple):
    """Who has which seat in a game, and who is connected."""

    seats: tuple[Seat, ...]
    process: str | None
    """The process that performs the next automatic action."""
    due: float | None


class SiteStatus(NamedTuple):
    """What each process checks every second."""

    ran: float
    """When a process last recorded that the site was running."""
    due: float
    """When the first automatic action in any game is due; infinite if there's none."""
    has_dead_processes: bool = False
    """Are there people whose process died while they were connected to it?"""


class LogRow(NamedTuple):
    """An event as stored in the database."""

    event: str
    action_id: str | None
    at: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as stored in the database.

    Its header and its events, except those that were taken back, are the lines of its record.
    """

    id: str
    header: str
    aids: bool
    pace: bool
    seats: tuple[Seat, ...]
    watch: bool = False
    """Are spectators allowed?"""
    turn_limit: int | None = None
    """Seconds."""
    next_game: str | None = None
    """The rematch."""
    turn_ends: float | None = None
    due: float | None = None
    """When the next automatic action is due."""
    process: str | None = None
    """The process that performs the next automatic action."""
    deal: DealKind = "server"
    """How the deal was made."""
    log: tuple[LogRow, ...] = ()
    created: str = "1970-01-01T00:00:00+00:00"
    rated: bool = False
    latecomers: bool = False
    """Can people who come late take over a bot's seat?"""
    waiting: tuple[Latecomer, ...] = ()
    """People who want to join the rematch."""


class Entry(NamedTuple):
    """An event to append, with the changes to the game's row."""

    game: str
    seq: int
    event: str
    action_id: str | None
    over: bool
    digest: dict[str, Any]
    turn_ends: float | None = None
    due: float | None = None
    preset: str = ""
    """The name of the game's rules, if they have one."""


class ListedGame(NamedTuple):
    """What a list of games shows about each game."""

    id: str
    header: str
    seats: tuple[Seat, ...]
    created: str
    updated: str
    over: bool
    digest: dict[str, Any]
    rated: bool = False


class PageEnd(NamedTuple):
    """The last game on a page of someone's games; the next page starts after it."""

    over: bool
    at: str
    """When that game ended or last changed."""
    id: str

    @classmethod
    def of(cls, game: ListedGame) -> PageEnd:
        return cls(game.over, game.updated, game.id)


FINISHED = PageEnd(over=True, at="9", id="")
"""The position just after the last game in progress: a page that starts here has only finished games.

"9" comes after the text of any time.
"""


class Tally(NamedTuple):
    """How many games a person has finished and won with a preset."""

    preset: str
    played: int
    won: int


def no_changes(_result: object) -> tuple[Change, ...]:
    """Report no changes, because nobody needs to hear about them."""
    return ()


class Store(ABC):
    """The database. A failure raises a `Problem` and changes nothing."""

    is_only_process: bool
    """Is this the only process using the database?"""

    def __init__(self) -> None:
        self.process = "0"
        """The number of this process. On PostgreSQL, each process has its own."""
        self.clock = SharedClock()
        self.hear: Callable[[Change], None] = lambda _change: None
        """Called for each change by any process, except to games and gatherings that we don't follow."""
        self.wrote: Callable[[], None] = lambda: None
        """Called after each write by this process, even if it failed. Tests use it to wait for writes."""
        self.rating_lock = asyncio.Lock()
        """Games are rated one at a time anyway. With this lock, they wait without occupying a connection."""
        self.is_failing = False
        """Did the last write fail?"""
        self.is_closing = False
        """Is the process stopping? If so, everyone's absence is recorded in one step."""

    @staticmethod
    async def open(database: Path | str, revision: str | None = "head") -> Store:
        """The database at this path or `postgresql://` address, created or migrated to this schema revision.

        With None, the schema stays as it is.
        """
        # These imports are here because both modules import this one, and `postgres.py` takes a while to load.
        if is_address(database):
            from chromino.server.database.postgres import PostgresStore

            return await PostgresStore.connect(str(database), revision)
        from chromino.server.database.sqlite import SqliteStore

        return await SqliteStore.at(database, revision)

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run queries, such as those in `people.py`, on a consistent snapshot of the database."""

    async def look_up(self, work: Callable[[Connection], T]) -> T:
        """Like `read`, for queries that only look up a few rows by key, such as the person making a request."""
        return await self.read(work)

    async def write(
        self,
        work: Callable[[Connection], T],
        changes: Callable[[T], Iterable[Change]] = no_changes,
        *,
        isolated: bool = True,
    ) -> T:
        """Make a change, all of it or none of it. `changes` gets the result, and says what has changed.

        With `isolated`, the change works as if nobody else were writing at the same time. That's expensive with many
        processes, and unnecessary for a change that locks what it depends on, or depends on nothing.
        """
        return await self._monitored(self._write(work, changes, isolated))

    async def write_few_rows(
        self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]] = no_changes
    ) -> T:
        """Like `write` without `isolated`, for changes to a few rows by key, such as who's at a table."""
        return await self._monitored(self._write_few_rows(work, changes))

    async def append(self, entry: Entry) -> None:
        """Append one event. Raises `Taken` if its number or id already exists."""
        with timed(STORING):
            await self._monitored(self._append(entry))

    @abstractmethod
    async def _write(
        self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]], isolated: bool
    ) -> T: ...

    async def _write_few_rows(self, work: Callable[[Connection], T], changes: Callable[[T], Iterable[Change]]) -> T:
        return await self._write(work, changes, isolated=False)

    @abstractmethod
    async def _append(self, entry: Entry) -> None:
        """Append one event. This runs so often that it bypasses SQLAlchemy."""

    @abstractmethod
    async def events_since(self, game: str, seq: int) -> list[LogRow]:
        """A game's log, starting with this number."""

    @abstractmethod
    async def seats_now(self, game: str) -> SeatsNow:
        """Who has which seat. There are no seats if the game is gone."""

    @abstractmethod
    async def ping(self) -> None:
        """Raise a `Problem` unless the database answers and is writable."""

    def explain(self, problem: Problem) -> str:
        """Explain a problem to an operator, and say what to do about it, if we know."""
        cause = problem.__cause__
        return first_line(getattr(cause, "orig", cause) or problem)

    async def scrub(self) -> None:  # noqa: B027
        """Remove traces of deleted data from the database's own files, if we manage those files."""

    @abstractmethod
    async def poll(self) -> SiteStatus:
        """Check in one query what needs to be done, and call `hear` for changes by programs that can't notify us."""

    async def _monitored(self, writing: Coroutine[Any, Any, T]) -> T:
        try:
            result = await writing
        except Problem as problem:
            if problem.is_storage:
                if not self.is_failing:  # Log a failure once, and only its kind, since messages may contain names.
                    cause = problem.__cause__ or problem
                    kind = type(getattr(cause, "orig", None) or cause).__name__
                    log.warning("the database is failing: %s (%s)", problem, kind)
                self.is_failing = True
            raise
        else:
            self.is_failing = False
            return result
        finally:
            self.wrote()

    @abstractmethod
    async def follow(self, name: str) -> None:
        """Report changes to this game or gathering from now on."""

    @abstractmethod
    def unfollow(self, name: str) -> None:
        """Undo one `follow`."""

    def changes_for_others(
        self, game: str, kind: Literal["game", "seats"] = "game"
    ) -> Callable[[object], tuple[Change, ...]]:
        """For `write`: something in this game has changed, other than its log. Empty if there's only one process."""
        return no_changes if self.is_only_process else lambda _result: (Change(kind, game),)

    # Games.

    async def add_game(self, row: GameRow, digest: dict[str, Any]) -> None:
        """Store a new game."""
        await self.write_few_rows(lambda connection: insert_game(connection, row, digest, self.process))

    async def game(self, game: str) -> GameRow | None:
        """A game with its log."""
        return await self.read(find_game(game)) if could_be_id(game) else None

    async def has_game(self, game: str) -> bool:
        return could_be_id(game) and await self.look_up(
            lambda connection: bool(connection.scalar(_HAS_GAME, {"game_id": game}))
        )

    async def games_of(self, person: str, limit: int, after: PageEnd | None = None) -> list[ListedGame]:
        """A person's games: those in progress first, then finished ones, latest first in each group."""

        def work(connection: Connection) -> list[ListedGame]:
            games = [] if after is not None and after.over else _listed(connection, _open_games(person, after), limit)
            if len(games) < limit:
                last = after if after is not None and after.over else None
                games += _listed(connection, _ended_games(person, last), limit - len(games))
            return games

        return await self.read(work)

    async def tallies_of(self, person: str) -> list[Tally]:
        """How often a person has played and won, by preset, most played first."""
        table = schema.tallies.c
        query = select(table.preset, table.played, table.won).where(table.person == person)
        rows = await self.read(lambda connection: connection.execute(query).all())
        return sorted((Tally(*row) for row in rows), key=lambda tally: (-tally.played, tally.preset))

    async def set_pace(self, game: str, pace: bool) -> None:
        change = update(schema.games).where(schema.games.c.id == game).values(pace=pace)
        await self.write_few_rows(lambda connection: connection.execute(change), self.changes_for_others(game))

    async def allow_watching(self, game: str) -> None:
        change = update(schema.games).where(schema.games.c.id == game).values(watch=True)
        await self.write_few_rows(lambda connection: connection.execute(change), self.changes_for_others(game))

    async def leave(self, game: str, person: str) -> None:
        """Let a person leave for good; a bot plays for them from now on. This has no effect if the game is over."""
        seat = (schema.seats.c.game == game) & (schema.seats.c.person == person)
        games = schema.games.c
        in_progress = (games.id == game) & ~games.over

        def work(connection: Connection) -> None:
            connection.execute(update(schema.seats).where(seat, exists().where(in_progress)).values(has_left=True))
            due = seconds_now(connection)
            connection.execute(update(schema.games).where(in_progress).values(due=due, process=self.process))

        await self.write(work, self.changes_for_others(game))


def new_id() -> str:
    """A new id that can't be guessed, for a person, a game and so on. It never looks like a command-line option."""
    while (new := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return new


def could_be_id(text: str) -> bool:
    """Could this be an id? If not, we don't even search for it."""
    return 0 < len(text) <= 22 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def first_line(error: BaseException) -> str:
    """The first line of an error, without the driver's class, which SQLAlchemy puts in front: "<class '…'>: "."""
    words = str(error).partition("\n")[0]
    return words.partition(">: ")[2] or words or type(error).__name__


def find_game(game: str) -> Callable[[Connection], GameRow | None]:
    """A query for a game and its log, to pass to `Store.read`."""

    def work(connection: Connection) -> GameRow | None:
        row = connection.execute(_FIND_GAME, {"game_id": game}).one_or_none()
        if row is None:
            return None
        log = connection.execute(_FIND_LOG, {"game_id": game}).all()
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
            latecomers=row.latecomers,
            waiting=tuple(
                Latecomer(late.person, late.name, late.is_program, late.face)
                for late in connection.execute(_FIND_WAITING, {"game_id": game})
            ),
        )

    return work


def end_game(connection: Connection, entry: Entry, at: str) -> None:
    """End this entry's game: record when it ended, for lists of games, count the wins, and forget who's there.

    Calling this twice has the same effect as calling it once.
    """
    values = {"game": entry.game, "preset": entry.preset, "winners": entry.digest.get("winners", [])}
    connection.execute(_COUNT_WINS, values)
    connection.execute(_END_SEATS, {"game_id": entry.game, "ended_at": at})
    connection.execute(FORGET_PAGES, {"game_id": entry.game})


def insert_game(connection: Connection, row: GameRow, digest: dict[str, Any], process: str) -> None:
    """Store a new game and its seats."""
    since = seconds_now(connection)
    at = as_text(since)
    turn_ends = None if row.turn_limit is None else since + row.turn_limit
    connection.execute(
        _INSERT_GAME,
        {
            "id": row.id,
            "header": row.header,
            "aids": row.aids,
            "pace": row.pace,
            "watch": row.watch,
            "turn_limit": row.turn_limit,
            "rated": row.rated,
            "latecomers": row.latecomers,
            "next_game": None,
            "deal": row.deal,
            "created": at,
            "updated": at,
            "over": False,
            "digest": json.dumps(digest),
            "turn_ends": turn_ends,
            "due": turn_ends,  # If a bot goes first, it waits until someone is there.
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
            "taken_at": who.taken_at,
        }
        for seat, who in enumerate(row.seats)
    ]
    connection.execute(_INSERT_SEATS, seats)


def _open_games(person: str, after: PageEnd | None) -> Select[Any]:
    """Games in progress, latest first. They aren't sorted by an index, but nobody can have very many."""
    games, seats = schema.games.c, schema.seats.c
    theirs = select(seats.game).where(seats.person == person, seats.ended.is_(None))
    query = select(games.id, games.updated).where(games.id.in_(theirs)).order_by(games.updated.desc(), games.id.desc())
    return query if after is None else query.where(tuple_(games.updated, games.id) < tuple_(after.at, after.id))


def _ended_games(person: str, after: PageEnd | None) -> Select[Any]:
    """Finished games, latest first, directly from the index."""
    seats = schema.seats.c
    query = select(seats.game, seats.ended).distinct().where(seats.person == person, seats.ended.is_not(None))
    query = query.order_by(seats.ended.desc(), seats.game.desc())
    return query if after is None else query.where(tuple_(seats.ended, seats.game) < tuple_(after.at, after.id))


def _listed(connection: Connection, query: Select[Any], limit: int) -> list[ListedGame]:
    games = schema.games.c
    ids = list(connection.scalars(query.limit(limit)))
    columns = select(games.id, games.header, games.created, games.updated, games.over, games.digest, games.rated)
    rows = {row.id: row for row in connection.execute(columns.where(games.id.in_(ids)))}
    seats = _seats(connection, ids)
    return [
        ListedGame(
            row.id, row.header, seats[row.id], row.created, row.updated, row.over, json.loads(row.digest), row.rated
        )
        for row in (rows[game_id] for game_id in ids)
    ]


def _seats(connection: Connection, games: Sequence[str]) -> dict[str, tuple[Seat, ...]]:
    """The seats of each of these games, in order."""
    seats: dict[str, tuple[Seat, ...]] = {}
    for row in connection.execute(_FIND_SEATS, {"game_ids": games}):
        who = Seat(row.person, row.bot, row.has_left, row.away_since, bool(row.is_program), row.face, row.taken_at)
        seats[row.game] = (*seats.get(row.game, ()), who)
    return seats
