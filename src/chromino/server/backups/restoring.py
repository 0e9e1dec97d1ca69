"""Restores a backup to an empty database of either kind: all of it, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from alembic.util import CommandError
from sqlalchemy import Connection, MetaData, insert, inspect, select, update
from sqlalchemy.exc import DataError, IntegrityError

from chromino.server.backups.backup import Backup, BackupError, NumberedRow, kept_tables
from chromino.server.database import presence, schema
from chromino.server.database.migrating import migrate, revision_of
from chromino.server.database.shared_clock import seconds_now
from chromino.server.database.store import Store

_ROWS_AT_ONCE = 1000


async def restore(store: Store, backup: Backup) -> Counter[str]:
    """Restore a backup, bring the schema up to date, and return the number of rows per table."""
    return await store.write(_restoring(backup))


def _restoring(backup: Backup) -> Callable[[Connection], Counter[str]]:
    def work(connection: Connection) -> Counter[str]:
        _check_empty(connection)
        try:
            migrate(connection, backup.header.revision)
        except CommandError:
            reason = f"was written by a newer version of Chromino (schema revision {backup.header.revision!r})"
            raise BackupError(f"{backup.path} {reason}") from None
        tables = kept_tables(connection)
        counts: Counter[str] = Counter()
        batch: list[NumberedRow] = []
        for row in backup.rows():
            batch.append(row)
            counts[row.table] += 1
            if len(batch) == _ROWS_AT_ONCE:
                _insert(connection, tables, backup, batch)
                batch = []
        _insert(connection, tables, backup, batch)
        migrate(connection)
        # Older revisions stored no clocks, so migrating gives every turn its full time.
        _resume(connection, backup.header.at if "turn_ends" in tables.tables["games"].c else None)
        if connection.dialect.name == "postgresql":
            # Without statistics, the planner would read whole tables at first.
            connection.exec_driver_sql(f"ANALYZE {', '.join(schema.metadata.tables)}")
        return counts

    return work


def _check_empty(connection: Connection) -> None:
    names = set(inspect(connection).get_table_names())
    if revision_of(connection) is None:
        if conflicts := sorted(names & schema.metadata.tables.keys()):
            raise BackupError(f"this database belongs to another program: it already has a table named {conflicts[0]}")
        return
    for table in kept_tables(connection).sorted_tables:
        if connection.execute(select(table).limit(1)).first() is not None:
            raise BackupError(f"this database isn't empty: it has {table.name}; restore into an empty one")


def _insert(connection: Connection, tables: MetaData, backup: Backup, rows: list[NumberedRow]) -> None:
    if not rows:
        return
    for numbered in rows:
        table = tables.tables.get(numbered.table)
        if table is None or {column.name for column in table.columns} != numbered.row.keys():
            reason = "there is no such table" if table is None else "these aren't its columns"
            raise BackupError(f"{backup.path}: line {numbered.line}: {numbered.table}: {reason}")
    try:
        for table in tables.sorted_tables:  # Referenced tables come first.
            if values := [numbered.row for numbered in rows if numbered.table == table.name]:
                connection.execute(insert(table), values)
    except (IntegrityError, DataError) as error:
        lines = f"lines {rows[0].line} to {rows[-1].line}"
        raise BackupError(f"{backup.path}: {lines} can't be restored: {str(error.orig).splitlines()[0]}") from None


def _resume(connection: Connection, at: str | None) -> None:
    """Continue as if all servers had stopped when the backup was made: nobody is there, and no clock has run since."""
    now = seconds_now(connection)
    if at is not None:
        presence.extend_turns(connection, now - datetime.fromisoformat(at).timestamp())
    for table in (schema.seats, schema.chairs):
        here = update(table).where(table.c.person.is_not(None), table.c.away_since.is_(None))
        connection.execute(here.values(away_since=now))
    connection.execute(update(schema.gatherings).values(visited=False))
    # Clocks stay stopped until the first server starts.
    connection.execute(update(schema.clock).values(ran=now))
