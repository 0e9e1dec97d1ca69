"""Every query uses an index: none reads a whole growing table, on either database."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from sqlalchemy import Connection, event, insert, select, update

import chromino.server
from chromino import Rules
from chromino.messages.gatherings import Sit
from chromino.rules import CLASSIC
from chromino.seated import Chair, Gathering, SeatedGame, dealing, stop_waiting, take_seat, wait
from chromino.seated.events import Arranged, StoodUp
from chromino.seated.seats import FREE, Seat
from chromino.server.coaching.games_against_bots import games_against_bots
from chromino.server.conundrums import solved_times
from chromino.server.database import (
    gatherings,
    latecomers,
    notices,
    postgres,
    presence,
    retention,
    schema,
    sqlite,
    sqlite_threads,
)
from chromino.server.database.notices import Notice, PushBrowser
from chromino.server.database.rows import digest, row_of
from chromino.server.database.sqlite import SqliteStore
from chromino.server.database.store import FINISHED, Entry, PageEnd, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.people import erasing, invitations, moderation, people, played_with, ratings, seekers
from chromino.server.people.seekers import SearchRequest
from chromino.server.rating_model import Result
from tests.server.sites.databases import GAME, ROW, Database
from tests.server.sites.full_databases import fill

# The size of these tables depends on what's in progress now, not on the past.
SMALL = {"alembic_version", "clock", "presence"}
GROWING = set(schema.metadata.tables) - SMALL

# An operator's command runs these in a separate process, and they have to read everything.
COMMAND_MODULES = {"backup.py", "migrating.py", "restoring.py", "verify.py"}
COMMAND_FUNCTIONS = {
    "recompute",
    "rebuild",
    "differences",
    "_all_results",
    "count",
    "migrate",
    "log",
    "find_person",
    "settle_jump",  # Only on PostgreSQL, and on small tables.
    "_set_back",  # Runs only at a start after the clock was set back.
}
LOCKS = {  # SQLite doesn't have these.
    "lock",
    "_lock_seats",
    "wait_for_others",
    "_lock_results",
    "_still_runs",
}
QUERY_METHODS = {"execute", "scalar", "scalars", "exec_driver_sql", "fetch"}
INDEXED = {"Index Scan", "Index Only Scan", "Bitmap Index Scan"}
NOT_A_PLAN = ("BEGIN", "LOCK", "PRAGMA", "SAVEPOINT", "SET", "SHOW", "SELECT pg_")

ARGUMENTS: dict[str, tuple[object, ...]] = {  # For the statements that go directly to the drivers.
    "sqlite_threads._APPEND": ("g", 1, "{}", None, "2026"),
    "sqlite_threads._UPDATE_GAMES": ("2026", False, "{}", None, None, "g"),
    "sqlite._SINCE": ("g", 1),
    "sqlite._STATUS": (),
    "postgres._APPEND": ("g", 1, "{}", None, "2026", False, "{}", None, None, "p", "event g 1"),
    "postgres._SINCE": ("g", 1),
    "postgres._SEATS_NOW": ("g",),
    "postgres._TIME": (),
    "postgres._STATUS": (),
    "postgres._HOLD": (1,),
    "postgres._FORGET_JUMPS": (5.0,),
    "postgres._NOTIFY": ("chromino_g", "event g 1"),
}


class Statement(NamedTuple):
    text: str
    arguments: Any


class Heard:
    """Statements that were run, and the lines of the server that ran them."""

    def __init__(self) -> None:
        self.statements: dict[str, Statement] = {}
        self.lines: set[tuple[str, int]] = set()

    def listen_to(self, store: Store) -> None:
        engines: list[Any] = [store._engine]  # type: ignore[attr-defined]
        if isinstance(store, SqliteStore):
            engines += [store._writer.engine, store._reader.engine]
        for engine in engines:
            event.listen(getattr(engine, "sync_engine", engine), "before_cursor_execute", self.hear)

    def hear(
        self, _connection: object, _cursor: object, text: str, arguments: Any, _context: object, many: bool
    ) -> None:
        self.statements.setdefault(text, Statement(text, arguments[0] if many else arguments))
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            self.lines.add((Path(frame.f_code.co_filename).name, frame.f_lineno))


async def tour(store: Store, database: Database, over: str, going: str) -> None:
    """Run each of a server's queries once."""
    mine = select(schema.seats.c.person).where(schema.seats.c.game == going)
    person, *others = await store.read(lambda connection: connection.scalars(mine).all())
    await _write(store, person, over, going)
    await _look(store, person, over, going)
    await _gather(store, person)
    await _meet(store)
    for hidden in (True, False):
        await moderation.set_hidden(store, person, hidden)
    await moderation.rename(store, person, "Ada")
    await moderation.add_to_log(store, "root", "ban", person, "")
    await moderation.set_banned(store, person, True)
    await moderation.set_banned(store, person, False)
    await erasing.erase(store, others[0])
    another = await Store.open(database)
    await another.write(_make_old)
    await another.close()
    await retention.clean(store, 1, 1)


def _make_old(connection: Connection) -> None:
    connection.execute(insert(schema.people), {"id": "idle", "created": "2026"})
    for table, column in ((schema.games, "updated"), (schema.gatherings, "updated"), (schema.people, "created")):
        connection.execute(update(table).values({column: "2026"}))


async def _look(store: Store, person: str, over: str, going: str) -> None:
    readings: tuple[Callable[[Connection], object], ...] = (
        people.find("f" * 64),
        people.open_games(person),
        solved_times.of(person),
        games_against_bots(person, 200),
        ratings.listed_as(person),
        ratings.best("classic", "bots"),
        ratings.best("classic", "people"),
        ratings.with_reader([], "classic", "people", person),
        ratings.with_reader([], "classic", "bots", person),
        people.find_with_ban("hash"),
        moderation.banned_among([person]),
    )
    for reading in readings:
        await store.read(reading)
    await _notify(store, person, going)
    for after in (None, FINISHED, PageEnd(False, "9", "g"), PageEnd(True, "9", "g")):
        await store.games_of(person, 50, after)
    await store.tallies_of(person)
    await store.game(over)
    await store.has_game(over)
    await store.events_since(going, 0)
    await store.seats_now(going)
    await store.ping()
    await store.poll()
    await store.scrub()


async def _notify(store: Store, person: str, going: str) -> None:
    await store.write(notices.site_key("push", lambda: "secret"))
    browser = PushBrowser("https://push.example/1", "key", "secret", "en", "UTC", 0, 0)
    await store.write(notices.subscribe(person, "b", browser, 0.0))
    await store.write(notices.queue({person}, Notice(going, "turn", 1, "Bob", 0.0, 9e9)))
    await store.read(notices.next_due)
    await store.read(gatherings.offers)
    await store.read(gatherings.offers_to(person, 5))
    [sending] = await store.write(notices.take(1.0))
    await store.write(notices.settle(sending, None))
    await store.write(lambda connection: notices.withdraw(connection, going, {person}))
    await store.write(notices.unsubscribe("b"))


async def _write(store: Store, person: str, over: str, going: str) -> None:
    changes: tuple[Callable[[Connection], object], ...] = (
        presence.start,
        presence.start,
        presence.note(going, person, "p", True),
        presence.note(going, person, "p", False),
        presence.note(going, person, "q", True),
        presence.note("table", person, "p", True),
        presence.note("table", person, "p", False),
        presence.note_due(going, "p", None, 1.0),
        presence.note_time,
        presence.take_over_late("p", 0.0),
        presence.stop("1"),
        people.add("new", "hash"),
        people.add_code("new", "code"),
        people.claim("code", "another"),
        people.set_recovery("new", "recovery"),
        people.claim("recovery", "third"),
        people.account("new"),
        people.sign_out_others("new", "third"),
        people.devices_among(["third"]),
        solved_times.add("new", "2026-11-16", 1, 10),
        ratings.rate(over),
        ratings.add("rated", "classic", [Result(0, f"p:{person}", 2), Result(1, "b:fox", 1)]),
        ratings.declare_program(person),
        people.choose_face(person, "cap"),
        ratings.be_listed("new", "New"),
        lambda connection: presence.extend_turns(connection, 1.0),
    )
    for change in changes:
        await store.write(change)
    if not store.is_only_process:
        await store.write(presence.mark_away(store.process))
    row = replace(ROW, seats=(Seat("new", None), Seat(None, "snail")))
    await store.add_game(row, digest(GAME))
    await store.append(Entry(ROW.id, 0, "{}", None, False, digest(GAME)))
    await store.append(Entry(ROW.id, 1, "{}", None, True, digest(GAME)))
    await store.add_game(replace(row, id="next"), digest(GAME))
    await store.set_pace(going, True)
    await store.allow_watching(going)
    await store.leave("next", "new")
    how = (True, True, True, None)
    late = SeatedGame.begin("late", GAME, (Seat("new", None), Seat(None, "snail")), 0.0, *how, latecomers=True)
    await store.add_game(row_of(late), digest(GAME))
    for decide in (
        lambda table, _: wait(table, person, "Late"),
        lambda table, _: stop_waiting(table, person),
        lambda table, _: take_seat(table, person, 1, "Late", 0.0),
    ):
        await store.write(latecomers.change("late", person, decide, "p", 0.0))


async def _gather(store: Store, person: str) -> None:
    tables = Gatherings(store, 0.0)
    chairs = (Chair("person", "New", "new"), Chair("free"))
    for name in ("one", "two", "three"):
        await tables.add(Gathering(name, "new", chairs, public=True, entropy=""), 7)
    await tables.sit("one", person, Sit("Ada"))
    await tables.sit("two", person, Sit("Ada"))
    await tables.lobby()
    await tables.change("two", lambda _: Arranged(3, CLASSIC, True, True, True, False, None, False, False))
    await tables.change("two", lambda _: Arranged(2, CLASSIC, True, True, True, True, None, False, False))
    await tables.change("one", lambda table: dealing.begin(table, "new", 0.0))
    await tables.add_rematch("next", Gathering("four", "new", chairs, entropy=""))
    await tables.change("three", lambda _: StoodUp("new"))


async def _meet(store: Store) -> None:
    """Two people look for an opponent and find each other; later, one of them invites the other."""
    for name in ("ann", "ben"):
        await store.write(people.add(name, f"hash of {name}"))
        await store.write(seekers.look(name, SearchRequest(name, None, Rules.classic(), rated=False)))
    wish = SearchRequest("ann", None, Rules.classic(), rated=False)
    found = await store.write(seekers.pair("ann", wish))
    assert found is not None
    await store.write(seekers.look("ben", wish))
    late = update(schema.seekers).where(schema.seekers.c.person == "ben").values(paired=0.0)
    await store.write(lambda connection: connection.execute(late) and None)
    await store.write(seekers.look("ben", wish))
    await store.write(seekers.look("ann", wish))
    await store.write(seekers.stop("ann"))
    row = replace(ROW, id="met", seats=(Seat("ann", None), Seat("ben", None)))
    await store.add_game(row, digest(GAME))
    await store.append(Entry("met", 0, "{}", None, True, digest(GAME)))
    await store.read(played_with.listed("ann"))
    await Gatherings(store, 0.0).add(Gathering("ours", "ann", (Chair("person", "Ann", "ann"), FREE), entropy=""))
    assert await store.write(invitations.invite("ours", "ann", "met", 1))
    assert await store.read(invitations.mine("ben"))
    await store.read(invitations.answers("ours", "ann"))
    await store.write(invitations.decline("ours", "ben"))
    await store.write(played_with.hide("ann", "met", 1, True))
    await store.write(played_with.forget("ann", "met", 1))


def sites() -> Iterator[tuple[str, range, str]]:
    """Where the server queries the database: file, lines, and function."""
    for path in sorted(Path(chromino.server.__file__).parent.rglob("*.py")):
        if path.name in COMMAND_MODULES or "migrations" in path.parts:
            continue
        for lines, function in _queries(ast.parse(path.read_text(encoding="utf-8")), path.stem, path.name):
            yield path.name, lines, function


def _queries(function: ast.AST, module: str, name: str) -> Iterator[tuple[range, str]]:
    """The lines of each query, and the function it's in."""
    for part in ast.iter_child_nodes(function):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            if part.name not in COMMAND_FUNCTIONS:
                yield from _queries(part, module, part.name)
            continue
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in QUERY_METHODS:
            first = part.args[0] if part.args else None
            if isinstance(first, ast.Call) and first.args:  # A statement that's extended to more rows.
                first = first.args[0]
            if isinstance(first, ast.Name) and f"{module}.{first.id}" in ARGUMENTS:
                continue  # `of_drivers` finds this statement.
            if not (isinstance(first, ast.Constant | ast.JoinedStr)):
                yield range(part.lineno, (part.end_lineno or part.lineno) + 1), name
        yield from _queries(part, module, name)


def of_drivers(module: ModuleType) -> Iterator[Statement]:
    """The statements that a module sends directly to its driver, bypassing SQLAlchemy."""
    short = module.__name__.rpartition(".")[2]
    for name, text in vars(module).items():
        if isinstance(text, str) and re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", text):
            yield Statement(text, ARGUMENTS[f"{short}.{name}"])


def scans(connection: Connection, statement: Statement) -> list[str]:
    """Where a statement reads a whole table that grows."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement.text}", statement.arguments)
        return [row.detail for row in rows if (found := re.match(r"SCAN (\w+)", row.detail)) and found[1] in GROWING]
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement.text}", statement.arguments).scalar_one()
    return [found for part in (json.loads(plan) if isinstance(plan, str) else plan) for found in _scans(part["Plan"])]


def _scans(node: dict[str, Any]) -> Iterator[str]:
    kind, table = node["Node Type"], node.get("Relation Name")
    if kind == "Seq Scan" and table in GROWING:
        yield f"{kind} of {table}"
    if kind == "Bitmap Index Scan":
        table = str(node["Index Name"]).split("_")[1]  # Like pk_people, ix_people_created.
    if kind in INDEXED and table in GROWING and "Index Cond" not in node:
        yield f"{kind} of all of {table}"
    for inner in node.get("Plans", ()):
        yield from _scans(inner)


def test_no_query_reads_a_whole_table_that_grows(empty: Database) -> None:
    over, going, _ = fill(empty)
    heard = Heard()

    async def run() -> dict[str, list[str]]:
        store = await Store.open(empty)
        heard.listen_to(store)
        try:
            await tour(store, empty, over, going)
            modules = (sqlite, sqlite_threads) if isinstance(store, SqliteStore) else (postgres,)
            asked = [query for query in heard.statements.values() if not query.text.lstrip().startswith(NOT_A_PLAN)]
            found = {}
            for query in [*asked, *chain(*map(of_drivers, modules))]:
                found[query.text] = await store.read(lambda connection, query=query: scans(connection, query))  # type: ignore[misc]
            return found
        finally:
            await store.close()

    found = asyncio.run(run())
    assert len(found) > 100
    assert {text: plans for text, plans in found.items() if plans} == {}
    others, unused = (
        ({"postgres.py"}, LOCKS) if isinstance(empty, Path) else ({"sqlite.py", "sqlite_threads.py"}, set())
    )
    missed = [
        f"{file}:{lines.start} in {function}"
        for file, lines, function in sites()
        if file not in others and function not in unused and not any((file, line) in heard.lines for line in lines)
    ]
    assert missed == [], "these queries weren't checked: add them to the tour"


def test_a_scan_would_be_found(empty: Database) -> None:
    slow = "SELECT count(*) FROM ratings JOIN people ON ratings.player = 'p:' || people.id WHERE ratings.family = 'x'"

    async def run() -> list[str]:
        store = await Store.open(empty)
        try:
            return await store.read(lambda connection: scans(connection, Statement(slow, ())))
        finally:
            await store.close()

    assert asyncio.run(run())
