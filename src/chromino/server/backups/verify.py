"""Checks that the games in a database or backup are valid, by replaying every one of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, MetaData, func, select

from chromino.bots import find
from chromino.errors import ChrominoError
from chromino.game import Game
from chromino.rules import Rules
from chromino.server.backups.backup import Backup, GameRows, Row, games_after, games_of, kept_tables, rows_of
from chromino.server.database.rows import digest, without_undone
from chromino.server.database.store import Store


class Fault(NamedTuple):
    """Something that's wrong with the data."""

    what: str
    """ "game", "gathering" or "database"."""
    id: str
    reason: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.what, self.id))) + f": {self.reason}"


@dataclass
class Report:
    """What's been checked so far."""

    tell: Callable[[Fault], None]
    """Called for each fault."""
    progress: Callable[[int, int], None] = lambda _done, _total: None
    """Called from time to time with the number of games checked, and the total."""
    games: int = 0
    events: int = 0
    gatherings: int = 0
    broken: int = 0
    """The number of games, gatherings and other things that have faults."""

    def check_game(self, rows: GameRows) -> None:
        self.games += 1
        self.events += len(rows.events)
        self.note("game", str(rows.game.get("id")), _faults(game_faults, rows))

    def check_gatherings(self, rows: Iterable[Row], chairs: Iterable[Row]) -> None:
        """Check all gatherings; `chairs` is empty in the old format, where each gathering was stored as JSON text."""
        people: dict[str, set[str]] = {}
        for chair in chairs:
            people.setdefault(chair["gathering"], set()).add(chair["person"])
        for row in rows:
            self.gatherings += 1
            seated = people.get(row["id"], set())
            self.note("gathering", str(row.get("id")), _faults(partial(gathering_faults, people=seated), row))

    def note(self, what: str, item_id: str, reasons: list[str]) -> None:
        self.broken += bool(reasons)
        for reason in reasons:
            self.tell(Fault(what, item_id, reason))


async def verify_store(store: Store, report: Report) -> None:
    """Check a whole database, a few games at a time, while others keep working."""
    tables = await store.read(kept_tables)
    for reason in await store.read(_sqlite_faults):
        report.note("database", "", [reason])
    rows = await store.read(
        lambda connection: [_all_rows(connection, tables, name) for name in ("gatherings", "chairs")]
    )
    report.check_gatherings(*rows)
    count = select(func.count()).select_from(tables.tables["games"])
    total = await store.read(lambda connection: connection.scalar(count)) or 0
    page = await store.read(_games_after(tables, ""))
    while page:
        for game in page:
            report.check_game(game)
        report.progress(report.games, total)
        page = await store.read(_games_after(tables, page[-1].game["id"]))


def verify_backup(backup: Backup, report: Report) -> None:
    """Check a whole backup. Raises `BackupError` if the file is damaged."""
    total = backup.check()["games"]
    rows: dict[str, list[Row]] = {"gatherings": [], "chairs": []}
    for item in games_of(backup.rows()):
        if isinstance(item, GameRows):
            report.check_game(item)
            report.progress(report.games, total)
        elif item.table in rows:
            rows[item.table].append(item.row)
        elif item.table in ("seats", "events"):
            report.note("game", str(item.row.get("game")), [f"line {item.line} belongs to a game that's missing"])
    report.check_gatherings(rows["gatherings"], rows["chairs"])


def game_faults(rows: GameRows) -> Iterator[str]:
    """What's wrong with a game."""
    game, seats, events = rows
    if [row["seq"] for row in events] != list(range(len(events))):
        yield f"its events aren't numbered from 0 to {len(events) - 1} without gaps"
    ids = [row["action_id"] for row in events if row["action_id"] is not None]
    if len(set(ids)) != len(ids):
        yield "an action appears twice"
    yield from _seat_faults(seats)
    try:
        played = Game.replay([game["header"], *without_undone(row["event"] for row in events)])
    except ChrominoError as error:
        yield f"it doesn't follow the rules: {error}"
        return
    if len(seats) != len(played.players):
        yield f"it has {len(seats)} seats for {len(played.players)} players"
    if bool(game["over"]) != played.over:
        yield f"it's marked as {'over' if game['over'] else 'in progress'}, but it isn't"
    stored, correct = json.loads(game["digest"]), digest(played)
    # If a game was last played before lists had pictures, its digest has no `table`.
    if {"table": correct["table"], **stored} != correct:
        yield f"its digest is {json.dumps(stored)}, not {json.dumps(correct)}"


def gathering_faults(row: Row, people: set[str]) -> Iterator[str]:
    """What's wrong with a gathering of these people."""
    if "gathering" in row:  # As version 1.0 stored it.
        gathering = json.loads(row["gathering"])
        rules, host, people = gathering["rules"], gathering["host"], {chair["person"] for chair in gathering["chairs"]}
    else:
        rules, host = json.loads(row["rules"]), row["host"]
    Rules.from_json(rules)
    if host not in people:
        yield "its host has no chair"


def _seat_faults(seats: list[Row]) -> Iterator[str]:
    if [row["seat"] for row in seats] != list(range(len(seats))):
        yield f"its seats aren't numbered from 0 to {len(seats) - 1}"
    for row in seats:
        if row["person"] is not None and row["bot"] is not None:
            yield f"seat {row['seat']} has both a person and a bot"
        if row["person"] is None and row["bot"] is None and not row["has_left"]:
            yield f"seat {row['seat']} is empty, but nobody has left it"
        if row["bot"] is not None:
            try:
                find(row["bot"])
            except ChrominoError as error:
                yield f"seat {row['seat']}: {error}"


def _faults(check: Callable[..., Iterator[str]], item: object) -> list[str]:
    """All faults that a check finds. If the check can't be completed, that's another fault."""
    reasons: list[str] = []
    try:
        for reason in check(item):
            reasons.append(reason)  # noqa: PERF402 Keep what was found before an error.
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        reasons.append(f"it can't be read: {type(error).__name__}: {error}")
    return reasons


def _games_after(tables: MetaData, last: str) -> Callable[[Connection], list[GameRows]]:
    return lambda connection: games_after(connection, tables, last)


def _all_rows(connection: Connection, tables: MetaData, name: str) -> list[Row]:
    """All rows of a table that's never large, or none if the database is from a version that didn't have the table."""
    table = tables.tables.get(name)
    return [] if table is None else [row for page in rows_of(connection, table) for row in page]


def _sqlite_faults(connection: Connection) -> list[str]:
    """Damage to an SQLite file. PostgreSQL looks after its own files."""
    if connection.dialect.name != "sqlite":
        return []
    damage = connection.exec_driver_sql("PRAGMA quick_check(10)").scalars().all()
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    tables = sorted({(row[0], row[2]) for row in orphans})
    return [
        *(str(reason) for reason in damage if reason != "ok"),
        *(f"there are {table} whose {parent} are missing" for table, parent in tables),
    ]
