"""Backups: everything we keep, in one file that either kind of database can restore.

A backup is gzipped JSON Lines: a header, a line for each row, and a last line with the number of rows and the SHA-256
of all lines before it. A game's seats and events follow it directly, so a reader needs only one game in memory.
Temporary data (presence, device codes) is left out.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from threading import Event
from typing import Any, BinaryIO, NamedTuple, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection, MetaData, Select, Table, select, tuple_

from chromino.errors import ChrominoError
from chromino.server.database.migrating import revision_of
from chromino.server.database.shared_clock import text_now
from chromino.server.database.store import Store
from chromino.server.problems import Problem

FORMAT = 1
_LEFT_OUT = ("alembic_version", "clock", "codes", "notices", "phrases", "presence", "processes", "seekers")
_GAME_TABLES = ("games", "seats", "events")
_ROWS_AT_ONCE = 1000
_GAMES_AT_ONCE = 50
_MAX_LINE_BYTES = 16 * 1024 * 1024  # A file with longer lines isn't one of our backups.

Row: TypeAlias = dict[str, Any]
T = TypeVar("T")


class BackupError(ChrominoError):
    """A backup that can't be written or used."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a backup."""

    chromino_backup: int
    revision: str
    """The schema's revision."""
    at: str


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    row: dict[str, str | int | float | bool | None]


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: dict[str, int]
    sha256: str


class GameRows(NamedTuple):
    """A game's rows, from the database or a backup."""

    game: Row
    seats: list[Row]
    events: list[Row]


class NumberedRow(NamedTuple):
    """A row of a backup and its line number."""

    line: int
    table: str
    row: Row


# What's in a database.


def kept_tables(connection: Connection) -> MetaData:
    """The tables to back up, at this database's revision."""
    kept = MetaData()
    kept.reflect(connection, only=lambda name, _: name not in _LEFT_OUT)
    if revision_of(connection) is None or not kept.tables.keys() >= set(_GAME_TABLES):
        raise BackupError("this isn't a Chromino database")
    return kept


def games_after(connection: Connection, tables: MetaData, last: str) -> list[GameRows]:
    """The next few games after this id, with their seats and events."""
    games, seats, events = (tables.tables[name] for name in _GAME_TABLES)
    query = select(games).where(games.c.id > last).order_by(games.c.id).limit(_GAMES_AT_ONCE)
    batch = {row["id"]: GameRows(row, [], []) for row in _fetch(connection, games, query)}
    ids = list(batch)
    for row in _fetch(connection, seats, select(seats).where(seats.c.game.in_(ids)).order_by(seats.c.seat)):
        batch[row["game"]].seats.append(row)
    for row in _fetch(connection, events, select(events).where(events.c.game.in_(ids)).order_by(events.c.seq)):
        batch[row["game"]].events.append(row)
    return list(batch.values())


def rows_of(connection: Connection, table: Table) -> Iterator[list[Row]]:
    """All rows of a table, in batches."""
    key = list(table.primary_key)
    query = select(table).order_by(*key).limit(_ROWS_AT_ONCE)
    page = _fetch(connection, table, query)
    while page:
        yield page
        last = tuple_(*(page[-1][column.name] for column in key))
        page = _fetch(connection, table, query.where(tuple_(*key) > last))


def _fetch(connection: Connection, table: Table, query: Select[Any]) -> list[Row]:
    names = [str(column.name) for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(query)]


# Writing.


async def save(store: Store, path: Path) -> Counter[str]:
    """Write a complete backup to this file, or nothing at all, and return the number of rows per table."""
    path = path.resolve()
    with _as_backup_error(path):
        if path.exists() and not path.is_file():
            raise BackupError(f"{path} isn't a file")
        # The file is readable only by its owner, because it contains hands and hashes of secrets.
        descriptor, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with open(descriptor, "wb") as out:  # noqa: PTH123
                counts = await write(store, out, path)
                os.fsync(descriptor)
            os.replace(name, path)  # noqa: PTH105
            _synchronize(path.parent)
        finally:
            Path(name).unlink(missing_ok=True)
    return counts


async def send(store: Store, descriptor: int, path: Path) -> None:
    """Write a backup to an open file that has no name; `path` is for error messages."""
    with _as_backup_error(path), open(descriptor, "wb", closefd=False) as out:
        await write(store, out, path)


async def write(store: Store, out: BinaryIO, path: Path) -> Counter[str]:
    """Write a snapshot of the database while others keep working."""
    has_started, is_canceled = Event(), Event()

    def work(connection: Connection) -> Counter[str]:
        if has_started.is_set():  # This is a retry, but we can't take back what's already written.
            raise Problem("database-away")
        has_started.set()
        tables = kept_tables(connection)
        writer = _Writer(out, path)
        at = text_now(connection)
        writer.write_lines(Header(FORMAT, str(revision_of(connection)), at))
        for rows in _all_rows(connection, tables):
            if is_canceled.is_set():
                raise BackupError("stopped")
            writer.write_rows(rows)
        writer.finish()
        return writer.counts

    try:
        return await store.read(work)
    finally:
        is_canceled.set()  # If the command is interrupted, the thread stops, too.


def _all_rows(connection: Connection, tables: MetaData) -> Iterator[list[tuple[str, Row]]]:
    """All rows with the names of their tables. Each row comes after the rows it refers to."""
    others = [table for table in tables.sorted_tables if table.name not in _GAME_TABLES]
    dependents = [table for table in others if any(key.column.table.name in _GAME_TABLES for key in table.foreign_keys)]
    for table in others:
        if table not in dependents:
            yield from _rows_with_name(connection, table)
    last = ""
    while games := games_after(connection, tables, last):
        last = games[-1].game["id"]
        yield [
            (name, row)
            for game in games
            for name, rows in zip(_GAME_TABLES, ([game.game], game.seats, game.events), strict=True)
            for row in rows
        ]
    for table in dependents:
        yield from _rows_with_name(connection, table)


def _rows_with_name(connection: Connection, table: Table) -> Iterator[list[tuple[str, Row]]]:
    for page in rows_of(connection, table):
        yield [(str(table.name), row) for row in page]


class _Writer:
    """Compresses and writes lines, counts the rows, and adds a checksum at the end."""

    def __init__(self, out: BinaryIO, path: Path) -> None:
        self.counts: Counter[str] = Counter()
        self._path = path
        self._out = out
        self._zip = gzip.GzipFile("", "wb", 6, out, mtime=0)
        self._sum = sha256()

    def write_lines(self, *lines: msgspec.Struct) -> None:
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        self._sum.update(data)
        with _as_backup_error(self._path):
            self._zip.write(data)

    def write_rows(self, rows: list[tuple[str, Row]]) -> None:
        self.counts.update(table for table, _ in rows)
        self.write_lines(*(_Line(table, row) for table, row in rows))

    def finish(self) -> None:
        self.write_lines(_End(dict(self.counts), self._sum.hexdigest()))
        with _as_backup_error(self._path):
            self._zip.close()
            self._out.flush()


def _synchronize(folder: Path) -> None:
    """Make sure that a file's new name in this folder survives a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _as_backup_error(path: Path) -> Iterator[None]:
    """Report problems with a file as a `BackupError`, not as problems with the database."""
    try:
        yield
    except gzip.BadGzipFile as error:
        raise BackupError(f"{path} isn't a backup, or it's damaged: {error}") from None
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror or error}") from None
    except EOFError:
        raise BackupError(f"{path} is cut off") from None
    except zlib.error as error:
        raise BackupError(f"{path} is damaged: {error}") from None


# Reading.


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup in a file."""

    path: Path
    header: Header

    @classmethod
    def at(cls, path: Path) -> Backup:
        """The backup in this file. This reads only its first line."""
        for _, line in _lines(path):
            return cls(path, _header(path, line))
        raise BackupError(f"{path} is empty")

    def check(self) -> Counter[str]:
        """Read the whole backup, and return the number of rows per table."""
        return Counter(row.table for row in self.rows())

    def rows(self) -> Iterator[NumberedRow]:
        """All rows in order. If the file isn't complete, this raises an error, after the last row at the latest."""
        counts: Counter[str] = Counter()
        checksum = sha256()
        last: bytes | None = None
        number = 0
        for number, line in _lines(self.path):
            if number > 2 and last is not None:
                parsed = self._decode(last, number - 1, _Line)
                counts[parsed.table] += 1
                yield NumberedRow(number - 1, parsed.table, parsed.row)
            if last is not None:
                checksum.update(last)
            last = line
        if number < 2 or last is None or not last.startswith(b'{"rows":'):
            raise BackupError(f"{self.path} is cut off: its last line, {number}, isn't the end of a backup")
        end = self._decode(last, number, _End)
        for table in sorted({*counts, *end.rows}):
            if counts[table] != end.rows.get(table, 0):
                expected = end.rows.get(table, 0)
                raise BackupError(f"{self.path} is damaged: it has {counts[table]} rows of {table}, not {expected}")
        if checksum.hexdigest() != end.sha256:
            raise BackupError(f"{self.path} is damaged: its lines don't match its checksum")

    def _decode(self, line: bytes, number: int, kind: type[T]) -> T:
        return _decode(self.path, line, number, kind)


def games_of(rows: Iterator[NumberedRow]) -> Iterator[GameRows | NumberedRow]:
    """The rows of a backup, with the rows of each game grouped together."""
    game: GameRows | None = None
    for numbered in rows:
        belongs = game is not None and numbered.row.get("game") == game.game.get("id")
        if game is not None and belongs and numbered.table in ("seats", "events"):
            (game.seats if numbered.table == "seats" else game.events).append(numbered.row)
            continue
        if game is not None:
            yield game
        game = GameRows(numbered.row, [], []) if numbered.table == "games" else None
        if game is None:
            yield numbered
    if game is not None:
        yield game


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    with _as_backup_error(path):
        file = gzip.open(path, "rb")  # noqa: SIM115
    with file:
        while True:
            with _as_backup_error(path):
                line = file.readline(_MAX_LINE_BYTES)
            if not line:
                return
            number += 1
            if not line.endswith(b"\n"):
                raise BackupError(f"{path} is damaged: line {number} isn't complete")
            yield number, line


def _header(path: Path, line: bytes) -> Header:
    try:
        version = msgspec.json.decode(line)["chromino_backup"]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        raise BackupError(f"{path} isn't a Chromino backup") from None
    if version != FORMAT:
        raise BackupError(f"{path} uses version {version} of the format, but only version {FORMAT} can be read")
    header = _decode(path, line, 1, Header)
    try:
        datetime.fromisoformat(header.at)
    except ValueError:
        raise BackupError(f"{path} is damaged: line 1: {header.at!r} isn't a time") from None
    return header


def _decode(path: Path, line: bytes, number: int, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BackupError(f"{path} is damaged: line {number}: {error}") from None
