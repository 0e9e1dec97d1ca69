"""`chromino admin`: what an operator does with a database. Servers may run meanwhile."""

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
from sqlalchemy import func, select

from chromino.cli.app import UserError, app, default_database, say
from chromino.errors import RecordError
from chromino.record import Record
from chromino.server import backup as backups
from chromino.server import erasing, ratings, retention, schema
from chromino.server.backup import Backup
from chromino.server.postgres import shown
from chromino.server.problems import Problem
from chromino.server.restoring import restore as restore_backup
from chromino.server.settings import LONGEST_DAYS
from chromino.server.store import GameRow, Store, is_address, is_id
from chromino.server.verify import Report, verify_backup, verify_store

T = TypeVar("T")

admin = typer.Typer(help="For operators: back a database up, check it, clean it.", rich_markup_mode=None)
app.add_typer(admin, name="admin")

Database = Annotated[
    str | None,
    typer.Option("--database", envvar="CHROMINO_DATABASE", help="A file, or postgresql://…; as of `chromino serve`."),
]


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; - for the standard output.")],
    database: Database = None,
) -> None:
    """Write everything to one file, as it is at this moment."""
    if str(file) != "-":
        counts = _in_store(database, lambda store: backups.save(store, file))
        say(f"wrote {file}: {_counted(counts)}")
        return
    if sys.stdout.isatty():
        raise UserError("a backup is not for the screen: name a file, or send it on with |")
    _in_store(database, lambda store: backups.send(store, sys.stdout.fileno(), Path("standard output")))


@admin.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Database = None,
) -> None:
    """Put a backup into an empty database, of whichever kind; all of it or nothing."""
    found = Backup.at(file)
    found.check()  # Before anything is written.
    counts = _in_store(database, lambda store: restore_backup(store, found), must_exist=False)
    say(f"restored {_shown(database)}: {_counted(counts)}")


@admin.command()
def verify(
    file: Annotated[Path | None, typer.Argument(help="A backup; without it the database.")] = None,
    database: Database = None,
) -> int:
    """Replay every game by the rules, and tell of each that does not hold; then the exit code is 1."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=None)

        def tell_progress(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        report = Report(lambda fault: say(str(fault)), tell_progress)
        if file is not None:
            verify_backup(Backup.at(file), report)
        else:
            _in_store(database, lambda store: verify_store(store, report))
    found = f"{report.games} games with {report.events} events, {report.gatherings} gatherings"
    say(f"{found}: {'all hold' if not report.broken else f'{report.broken} do not hold'}")
    return 1 if report.broken else 0


@admin.command()
def clean(
    days: Annotated[int | None, typer.Option(help="Delete finished games after so many days.")] = None,
    unfinished_days: Annotated[
        int | None, typer.Option(help="Delete games that nobody went on with for so long.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
    database: Database = None,
) -> None:
    """Delete what is not to be kept: tables that nobody came back to for a day, and old games if you say so."""
    for option, value in (("--days", days), ("--unfinished-days", unfinished_days)):
        if value is not None and not 1 <= value <= LONGEST_DAYS:
            raise UserError(f"{option} is a number from 1 to {LONGEST_DAYS}, not {value}")
    work = retention.count if dry_run else retention.clean
    gone = _in_store(database, lambda store: work(store, days or 0, unfinished_days or 0), revision="head")
    say(
        f"{'would delete' if dry_run else 'deleted'} {gone.finished} finished and {gone.unfinished} unfinished games, "
        f"{gone.gatherings} gatherings, {gone.people} people"
    )


@admin.command()
def show(
    game: Annotated[str, typer.Argument(help="A game's id, or a link to it.")],
    database: Database = None,
) -> None:
    """Who sits where in a game, and how far it is; never what they hold."""
    row, over = _in_store(database, lambda store: _find(store, game), revision="head")
    say(f"game {row.id}: {'over' if over else 'goes on'}, {len(row.log)} events")
    for seat, (who, name) in enumerate(zip(row.seats, _names(row), strict=False)):
        kind = f"bot {who.bot}" if who.bot else f"person {who.person}" if who.person else "erased"
        say(f"seat {seat}: {name}, {kind}{', has left' if who.has_left else ''}")


@admin.command()
def erase(
    person: Annotated[str | None, typer.Option(help="A person's id.")] = None,
    game: Annotated[str | None, typer.Option(help="Or a game in which they sit: its id or a link.")] = None,
    seat: Annotated[int | None, typer.Option(help="The seat, as `chromino admin show` numbers it.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    database: Database = None,
) -> None:
    """Forget a person, as they could do themselves: their own games go; in those of others the name goes."""
    if (person is None) == (game is None) or (game is None) != (seat is None):
        raise UserError("say who: either --person, or --game and --seat")

    async def look(store: Store) -> tuple[str, int]:
        found = person if game is None or seat is None else await _sitting(store, game, seat)
        query = select(schema.people.c.id).where(schema.people.c.id == found)
        if found is None or await store.read(lambda connection: connection.scalar(query)) is None:
            raise UserError(f"there is no person {found}")
        games = select(func.count(schema.seats.c.game.distinct())).where(schema.seats.c.person == found)
        return found, await store.read(lambda connection: connection.scalar(games)) or 0

    found, games = _in_store(database, look, revision="head")
    if not yes:
        typer.confirm(f"Erase person {found}, with {games} games? This cannot be undone.", abort=True, err=True)
    concerned = _in_store(database, lambda store: erasing.erase(store, found), revision="head")
    say(f"erased person {found}, in {len(concerned)} games")


@admin.command(name="ratings")
def check_ratings(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Write all ratings anew from the results.")] = False,
    database: Database = None,
) -> int:
    """Compute all ratings anew from the logs, and tell where they differ; then the exit code is 1."""
    if rebuild:
        count = _in_store(database, lambda store: store.write(ratings.rebuild), revision="head")
        say(f"wrote {count} ratings anew")
    found = _in_store(database, lambda store: store.read(ratings.differences), revision="head")
    for difference in found:
        say(difference)
    say("the logs give the same ratings" if not found else f"{len(found)} differences")
    return 1 if found else 0


async def _sitting(store: Store, game: str, seat: int) -> str:
    row, _ = await _find(store, game)
    if seat not in range(len(row.seats)):
        raise UserError(f"there is no seat {seat} in game {row.id}: they are 0 to {len(row.seats) - 1}")
    who = row.seats[seat]
    if who.person is None:
        raise UserError(f"on seat {seat} of game {row.id} is {'a bot' if who.bot else 'nobody any more'}")
    return who.person


async def _find(store: Store, game: str) -> tuple[GameRow, bool]:
    name = game.rstrip("/").rpartition("/")[2]
    row = await store.game(name) if is_id(name) else None
    if row is None:
        raise UserError(f"there is no game {name[:30]!r}")
    over = select(schema.games.c.over).where(schema.games.c.id == name)
    return row, bool(await store.read(lambda connection: connection.scalar(over)))


def _names(row: GameRow) -> tuple[str, ...]:
    try:
        return Record.parse([row.header]).players
    except RecordError as error:
        raise UserError(f"game {row.id} cannot be read: {error}") from None


def _in_store(
    database: str | None,
    work: Callable[[Store], Awaitable[T]],
    *,
    revision: str | None = None,
    must_exist: bool = True,
) -> T:
    """Open the database, do this, and close it; what it cannot do is told in one line."""
    name = database or default_database()
    if must_exist and not is_address(name) and not Path(name).exists():
        raise UserError(f"there is no database {name}")

    logging.getLogger().addHandler(logging.NullHandler())  # What goes wrong is told once, at the end.

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
    return shown(database or default_database())


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {table}" for table, number in counts.items()) or "nothing"
