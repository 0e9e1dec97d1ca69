"""`chromino admin`: maintain a database as its operator. You don't have to stop the server."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress

from chromino.cli.app import UserError, app, default_database, pluralized, say
from chromino.server.backups import backup as backups
from chromino.server.backups.backup import Backup
from chromino.server.backups.restoring import restore as restore_backup
from chromino.server.backups.verify import Report, verify_backup, verify_store
from chromino.server.database import retention
from chromino.server.database.database_urls import is_address, without_secrets
from chromino.server.database.store import Store
from chromino.server.people import ratings
from chromino.server.problems import Problem
from chromino.server.settings import MAX_KEEP_DAYS

T = TypeVar("T")

admin = typer.Typer(
    help="For operators: back up, check, and clean a database, and deal with abuse.", rich_markup_mode=None
)
app.add_typer(admin, name="admin")

Database = Annotated[
    str | None,
    typer.Option("--database", envvar="CHROMINO_DATABASE", help="A file or postgresql://…, as in `chromino serve`."),
]


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; - for standard output.")],
    database: Database = None,
) -> None:
    """Write a snapshot of everything to one file."""
    if str(file) != "-":
        counts = in_store(database, lambda store: backups.save(store, file))
        say(f"wrote {file} ({_rows(counts)})")
        return
    if sys.stdout.isatty():
        raise UserError("a backup can't go to the screen: specify a file, or pipe the output with |")
    in_store(database, lambda store: backups.send(store, sys.stdout.fileno(), Path("standard output")))


@admin.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Database = None,
) -> None:
    """Restore a backup into an empty SQLite or PostgreSQL database: all of it, or nothing."""
    source = Backup.at(file)
    source.check()  # Before anything is written.
    counts = in_store(database, lambda store: restore_backup(store, source), must_exist=False)
    say(f"restored {_shown(database)} ({_rows(counts)})")


@admin.command()
def verify(
    file: Annotated[Path | None, typer.Argument(help="A backup to check instead of the database.")] = None,
    database: Database = None,
) -> int:
    """Replay every game, and report broken ones (exit code 1 if there are any)."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=None)

        def show_progress(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        report = Report(lambda fault: say(str(fault)), show_progress)
        if file is not None:
            verify_backup(Backup.at(file), report)
        else:
            in_store(database, lambda store: verify_store(store, report))
    checked = f"{pluralized(report.games, 'game')} with {pluralized(report.events, 'event')}"
    checked += f", {pluralized(report.gatherings, 'open table')}"
    say(f"{checked}: {'all valid' if not report.broken else f'{report.broken} broken'}")
    return 1 if report.broken else 0


@admin.command()
def clean(
    days: Annotated[
        int | None, typer.Option(help="Delete games that were finished at least this many days ago.")
    ] = None,
    unfinished_days: Annotated[int | None, typer.Option(help="Delete games abandoned for this many days.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
    database: Database = None,
) -> None:
    """Delete old data: tables where no game started, after a day without a change; with --days or
    --unfinished-days, old games; and with --unfinished-days, the data of people who have nothing else here, such as
    games or ratings."""
    for option, value in (("--days", days), ("--unfinished-days", unfinished_days)):
        if value is not None and not 1 <= value <= MAX_KEEP_DAYS:
            raise UserError(f"{option} must be a number from 1 to {MAX_KEEP_DAYS}, not {value}")
    work = retention.count if dry_run else retention.clean
    deleted = in_store(database, lambda store: work(store, days or 0, unfinished_days or 0), revision="head")
    say(
        f"{'would delete' if dry_run else 'deleted'} {pluralized(deleted.finished, 'finished game')}, "
        f"{pluralized(deleted.unfinished, 'unfinished game')}, {pluralized(deleted.gatherings, 'open table')}, "
        f"and the data of {pluralized(deleted.people, 'person', 'people')}"
    )


@admin.command(name="ratings")
def check_ratings(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Replace all ratings with the recomputed ones.")] = False,
    database: Database = None,
) -> int:
    """Recompute all ratings from the logs and report differences (exit code 1 if there are any)."""
    if rebuild:
        count = in_store(database, lambda store: store.write(ratings.rebuild), revision="head")
        say(f"rewrote {pluralized(count, 'rating')}")
    differences = in_store(database, lambda store: store.read(ratings.differences), revision="head")
    for difference in differences:
        say(difference)
    say("all ratings match the logs" if not differences else pluralized(len(differences), "difference"))
    return 1 if differences else 0


def in_store(
    database: str | None,
    work: Callable[[Store], Awaitable[T]],
    *,
    revision: str | None = None,
    must_exist: bool = True,
) -> T:
    """Open the database, run `work` on it, and close the database. Problems are reported in one line."""
    name = database or default_database()
    if must_exist and not is_address(name) and not Path(name).exists():
        raise UserError(f"there's no database at {name}; check --database")

    logging.getLogger().addHandler(logging.NullHandler())  # Don't log errors: we report them at the end.

    async def run() -> T:
        store = await Store.open(name, revision)
        try:
            return await work(store)
        except Problem as problem:
            raise UserError(f"{_shown(database)}: {store.explain(problem)}") from None
        finally:
            await store.close()

    return asyncio.run(run())


def _shown(database: str | None) -> str:
    return without_secrets(database or default_database())


def _rows(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{table} {number}" for table, number in counts.items()) or "nothing"
