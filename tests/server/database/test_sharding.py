"""The path of a move stays within one game, so a database that's split by game could handle a move in one part.

The statements come from the databases' own logs: what SQLite traces, and what PostgreSQL writes to its log.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import Engine, PrimaryKeyConstraint, UniqueConstraint, event

from chromino import Game, Rules
from chromino.server.database import schema
from tests.server.sites.databases import Database
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres
from tests.server.sites.serving import Client, plant, plant_multiplayer, say

DAYS = 3 * 24 * 3600
START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.

BY_GAME = {  # The tables on that path, each with the column that says which game a row belongs to.
    "games": "id",
    "seats": "game",
    "events": "game",
    "presence": "game",
    "waiting": "game",
    "notices": "game",
    "gatherings": "id",
    "chairs": "gathering",
}
FOR_EVERYONE = {"people", "devices", "push_browsers"}  # Every part of a split database would have a copy.
HOUSEKEEPING = re.compile(  # Checks for overdue games and notices, once a second.
    r"FROM clock|UPDATE clock|min\(games\.due\)|due <= |FROM notices WHERE notices\.(?:due|expires) "
)
NO_QUERY = re.compile(r"BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET |SHOW |PRAGMA|SELECT pg_advisory|LISTEN|UNLISTEN")
NOTIFY = re.compile(r"SELECT pg_notify\('chromino(?:_\S+)?', '\w+ (\S+) \d+'\)$")
TABLES = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)", re.IGNORECASE)

TakeStatements = Callable[[], list[str]]


class Watched(NamedTuple):
    """A server, its database, and `take`, which returns the statements since the last call with their values."""

    server: InProcessServer
    database: Database
    take: TakeStatements


@contextmanager
def traced() -> Iterator[TakeStatements]:
    """Collect the statements that SQLite runs."""
    found: list[str] = []

    def listen(connection: sqlite3.Connection, _record: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(found.append)

    def take() -> list[str]:
        taken, found[:] = found.copy(), []
        return taken

    event.listen(Engine, "connect", listen)
    try:
        yield take
    finally:
        event.remove(Engine, "connect", listen)


@contextmanager
def logged(postgres: Postgres, database: str) -> Iterator[TakeStatements]:
    """Collect the statements that PostgreSQL runs."""
    postgres.execute(f"ALTER DATABASE {database.rpartition('/')[2]} SET log_statement = 'all'")
    read = len(postgres.log)

    def take() -> list[str]:
        nonlocal read
        text = postgres.log[read:]
        read += len(text)
        return list(statements(text))

    yield take


def statements(text: str) -> Iterator[str]:
    """Each statement in PostgreSQL's log, with the parameters from the line below."""
    lines = re.split(
        r"^\d{4}-\S+ \S+ \S+ \[\d+\] (?:\S+ )??(?=LOG:|DETAIL:|STATEMENT:|ERROR:|FATAL:)", text, flags=re.MULTILINE
    )
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        found = re.match(r"LOG:  (?:statement|execute [^:]+): (.*)", line, re.DOTALL)
        if found is not None:
            values = dict(re.findall(r"\$(\d+) = ('(?:[^']|'')*'|NULL)", after if after.startswith("DETAIL:") else ""))
            yield re.sub(r"\$(\d+)", lambda number: values.get(number[1], "?"), found[1])  # noqa: B023


@pytest.fixture
def watched(empty: Database, request: pytest.FixtureRequest) -> Iterator[Watched]:
    log = traced() if isinstance(empty, Path) else logged(request.getfixturevalue("postgres"), empty)
    with log as take, InProcessServer(empty, grace=60.0) as server:
        yield Watched(server, empty, take)


def statements_beyond(queries: list[str], game: str) -> list[str]:
    """Statements that aren't about this game alone."""
    found = []
    for text in (" ".join(one.split()) for one in queries):
        tables = set(TABLES.findall(text))
        if NO_QUERY.match(text) or HOUSEKEEPING.search(text) or (tables and tables <= FOR_EVERYONE):
            continue
        about = NOTIFY.match(text)
        if about is not None and about[1] == game:
            continue
        columns = {column for table, column in BY_GAME.items() if table in tables}
        named = (
            rf"\b(?:{'|'.join(sorted(columns))})\s*(?:=|IN)\s*\(?'{game}'|FROM \(VALUES \('{game}',(?:(?!\), \().)*$"
        )
        is_named = text.startswith("INSERT") or re.search(named, text)
        if (
            not columns
            or f"'{game}'" not in text
            or not is_named
            or not tables <= {*BY_GAME, *FOR_EVERYONE, "appended", "noted"}
        ):
            found.append(text)
    return found


def test_moves_phrases_and_presence_stay_within_one_game(watched: Watched) -> None:
    game, secret = plant(watched.database, START, bots={1: "snail"})
    watched.take()
    with Client(watched.server.url, secret).open(game) as socket:
        assert socket.act(socket.my_turn()["view"]["actions"][0])["type"] == "done"
        socket.my_turn(since=2)
        assert socket.ask(say("hello"))["type"] == "done"
        socket.message("said")
    with Client(watched.server.url, secret).open(game) as socket:
        socket.seats_when(lambda seats: seats[0]["present"])
    queries: list[str] = []

    def has_run(pattern: str) -> bool:
        queries.extend(watched.take())
        return any(re.search(pattern, text) for text in queries)

    for pattern in (
        "INTO events",
        "UPDATE games",
        "INTO presence",
        "FROM presence",
        r"UPDATE seats SET away_since='?\d",
    ):
        watched.server.until(partial(has_run, pattern))  # Arrivals and departures are recorded in the background.
    assert statements_beyond(queries, game) == []


def test_an_expired_clock_stays_within_one_game(watched: Watched) -> None:
    game, (secret, _) = plant_multiplayer(watched.database, START, turn_limit=1)
    watched.take()
    with Client(watched.server.url, secret).open(game) as socket:
        socket.state_since(1)
    assert statements_beyond(watched.take(), game) == []


def test_a_multi_day_turn_and_its_notification_stay_within_one_game(watched: Watched) -> None:
    game, (secret, _) = plant_multiplayer(watched.database, START, turn_limit=DAYS)
    watched.take()
    with Client(watched.server.url, secret).open(game) as socket:
        assert socket.act(socket.my_turn()["view"]["actions"][0])["type"] == "done"
    queries = watched.take()
    assert statements_beyond(queries, game) == []
    assert any("INTO notices" in text for text in queries)


def test_queries_across_games_would_be_found() -> None:
    everywhere = "SELECT event FROM events WHERE seq >= 3"
    others = "UPDATE games SET due = NULL WHERE games.id = 'another' AND header <> 'mine'"
    assert statements_beyond([everywhere, others, "SELECT event FROM events WHERE game = 'mine'"], "mine") == [
        everywhere,
        others,
    ]


@pytest.mark.parametrize("name", sorted(BY_GAME))
def test_every_key_of_these_tables_includes_the_game(name: str) -> None:
    """A distributed PostgreSQL can only check keys within one part."""
    table, column = schema.metadata.tables[name], BY_GAME[name]
    keys = [one.columns for one in table.constraints if isinstance(one, UniqueConstraint | PrimaryKeyConstraint)]
    for key in (*keys, *(one.columns for one in table.indexes if one.unique)):
        assert column in [one.name for one in key]
    for reference in table.foreign_keys:
        other = reference.column.table.name
        assert other in FOR_EVERYONE or (reference.parent.name, reference.column.name) == (column, BY_GAME[other])
