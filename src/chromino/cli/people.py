"""The part of `chromino admin` that's about people: find them, and deal with abuse. Every change is logged."""

from __future__ import annotations

import getpass
from collections.abc import Awaitable, Callable
from typing import Annotated, NamedTuple

import typer
from sqlalchemy import func, select

from chromino.cli.admin import Database, admin, in_store
from chromino.cli.app import UserError, pluralized, say
from chromino.errors import RecordError
from chromino.record import Record
from chromino.seated.gathering import checked_name
from chromino.server.database import schema
from chromino.server.database.gatherings import read_gatherings
from chromino.server.database.store import GameRow, Store, could_be_id
from chromino.server.people import erasing, moderation

Person = Annotated[str | None, typer.Option(help="A person's id, as shown by `chromino admin show` or `find`.")]
PersonsGame = Annotated[
    str | None,
    typer.Option(help="Instead of --person: the id of a game or table where they're sitting, or a link to it."),
]
Seat = Annotated[int | None, typer.Option(help="Their seat there, as numbered by `chromino admin show`.")]
Why = Annotated[str, typer.Option(help="The reason, for the log.")]


@admin.command()
def show(
    game: Annotated[str, typer.Argument(help="The id of a game or table, or a link to it.")],
    database: Database = None,
) -> None:
    """Show who's sitting where and how far along a game is, but never anyone's tiles."""
    for line in in_store(database, lambda store: _description(store, game), revision="head"):
        say(line)


@admin.command()
def find(
    name: Annotated[str, typer.Argument(help="The name, as others see it.")],
    database: Database = None,
) -> None:
    """Find people with this name on a leaderboard or at a table."""
    found = in_store(database, lambda store: store.read(moderation.find_person(name)), revision="head")
    for person, where in found:
        say(f"person {person}: {where}")
    if not found:
        raise UserError(f"there's nobody named {name!r} on a leaderboard or at a table")


@admin.command()
def rename(
    name: Annotated[str, typer.Argument(help="The new name.")],
    person: Person = None,
    game: PersonsGame = None,
    seat: Seat = None,
    why: Why = "",
    database: Database = None,
) -> None:
    """Give a person another name: in their games, at tables, and on leaderboards."""
    name = checked_name(name)

    async def work(store: Store, person_id: str) -> str:
        count = await moderation.rename(store, person_id, name)
        return f"renamed person {person_id} in {pluralized(count, 'game')}"

    _act(database, "rename", _who(person, game, seat), f"to {name!r}" + (f": {why}" if why else ""), work)


@admin.command()
def hide(
    person: Person = None,
    game: PersonsGame = None,
    seat: Seat = None,
    lift: Annotated[bool, typer.Option("--lift", help="Let them be listed again.")] = False,
    why: Why = "",
    database: Database = None,
) -> None:
    """Take a person off the leaderboards, and their tables out of the lobby. They can still play."""

    async def work(store: Store, person_id: str) -> str:
        await moderation.set_hidden(store, person_id, not lift)
        return f"person {person_id} {'may be listed again' if lift else 'is now hidden from public lists'}"

    _act(database, "unhide" if lift else "hide", _who(person, game, seat), why, work)


@admin.command()
def ban(
    person: Person = None,
    game: PersonsGame = None,
    seat: Seat = None,
    lift: Annotated[bool, typer.Option("--lift", help="Let them play again.")] = False,
    why: Why = "",
    database: Database = None,
) -> None:
    """Stop a person from playing: they leave every table, and a bot takes over in their games."""

    async def work(store: Store, person_id: str) -> str:
        await moderation.set_banned(store, person_id, not lift)
        return f"person {person_id} {'may play again' if lift else 'is banned'}"

    _act(database, "unban" if lift else "ban", _who(person, game, seat), why, work)


@admin.command()
def erase(
    person: Person = None,
    game: PersonsGame = None,
    seat: Seat = None,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
    why: Why = "",
    database: Database = None,
) -> None:
    """Delete a person's data, the same way they could themselves: delete the games they played without other people,
    and remove their name from the rest."""
    who = _who(person, game, seat)
    person_id, games = in_store(database, lambda store: _person_and_games(store, who), revision="head")
    if not yes:
        question = f"Delete the data of person {person_id}, who has {pluralized(games, 'game')}? You can't undo this."
        typer.confirm(question, abort=True, err=True)

    async def work(store: Store, person_id: str) -> str:
        count = len(await erasing.erase(store, person_id))
        return f"erased person {person_id}; games changed or deleted: {count}"

    _act(database, "erase", _who(person_id), why, work)


@admin.command()
def log(
    last: Annotated[int, typer.Option(min=1, help="How many lines.")] = 50,
    database: Database = None,
) -> None:
    """Show what operators did, to whom, and why."""
    for line in in_store(database, lambda store: store.read(moderation.log(last)), revision="head"):
        note = f" ({line.note})" if line.note else ""
        say(f"{line.at} {line.operator}: {line.action} {line.person}{note}")


class Who(NamedTuple):
    """Identifies someone: by a person's id, or by a game and a seat."""

    person: str | None
    game: str
    seat: int


def _who(person: str | None, game: str | None = None, seat: int | None = None) -> Who:
    if (person is None) == (game is None) or (game is None) != (seat is None):
        raise UserError("specify a person: either with --person, or with --game and --seat")
    return Who(person, game or "", seat or 0)


def _act(
    database: str | None,
    action: moderation.Action,
    who: Who,
    note: str,
    work: Callable[[Store, str], Awaitable[str]],
) -> None:
    """Log the action, then run `work`, which gets the person's id and returns the line to print."""

    async def run(store: Store) -> str:
        person_id = await _person_id(store, who)
        await moderation.add_to_log(store, _operator(), action, person_id, note)  # First, so nothing goes unlogged.
        return await work(store, person_id)

    say(in_store(database, run, revision="head"))


def _operator() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # In a container, the user may have no name.
        return "unknown"


async def _person_and_games(store: Store, who: Who) -> tuple[str, int]:
    person_id = await _person_id(store, who)
    games = select(func.count(schema.seats.c.game.distinct())).where(schema.seats.c.person == person_id)
    return person_id, await store.read(lambda connection: connection.scalar(games)) or 0


async def _person_id(store: Store, who: Who) -> str:
    person_id = who.person if who.person is not None else await _person_in_seat(store, who.game, who.seat)
    query = select(schema.people.c.id).where(schema.people.c.id == person_id)
    if await store.read(lambda connection: connection.scalar(query)) is None:
        raise UserError(f"there's no person {person_id}; look them up with: chromino admin find NAME")
    return person_id


async def _person_in_seat(store: Store, game: str, seat: int) -> str:
    table, seats = await _seats(store, game)
    if seat not in range(len(seats)):
        raise UserError(f"{table} has no seat {seat}; seats go from 0 to {len(seats) - 1}")
    person, kind = seats[seat]
    if person is None:
        raise UserError(f"there's no person in seat {seat} of {table} ({kind})")
    return person


async def _seats(store: Store, game: str) -> tuple[str, list[tuple[str | None, str]]]:
    """A name like "game abc", and for each seat, the person's id and what to say if nobody has that seat."""
    row = await _game(store, game)
    if row is not None:
        return f"game {row.id}", [(who.person, "a bot" if who.bot else "erased") for who in row.seats]
    table_id = _id(game)
    for table in await store.read(lambda connection: read_gatherings(connection, [table_id])):
        return f"table {table_id}", [(chair.person, "a bot" if chair.level else "free") for chair in table.chairs]
    raise UserError(f"there's no game or table {table_id[:30]!r}")


async def _description(store: Store, game: str) -> list[str]:
    row = await _game(store, game)
    if row is None:
        table, seats = await _seats(store, game)
        return [table, *(f"seat {seat}: {f'person {who}' if who else kind}" for seat, (who, kind) in enumerate(seats))]
    over = select(schema.games.c.over).where(schema.games.c.id == row.id)
    is_over = await store.read(lambda connection: connection.scalar(over))
    lines = [f"game {row.id}: {'over' if is_over else 'in progress'}, {pluralized(len(row.log), 'event')}"]
    for seat, (who, name) in enumerate(zip(row.seats, _names(row), strict=False)):
        kind = f"bot {who.bot}" if who.bot else f"person {who.person}" if who.person else "erased"
        lines.append(f"seat {seat}: {name}, {kind}{', has left' if who.has_left else ''}")
    return lines


async def _game(store: Store, game: str) -> GameRow | None:
    return await store.game(_id(game))


def _id(game: str) -> str:
    """Take the id from a link, if it is one, and check the id."""
    game_id = game.rstrip("/").rpartition("/")[2]
    if not could_be_id(game_id):
        raise UserError(f"there's no game or table {game_id[:30]!r}")
    return game_id


def _names(row: GameRow) -> tuple[str, ...]:
    try:
        return Record.parse([row.header]).players
    except RecordError as error:
        raise UserError(f"game {row.id} can't be read: {error}") from None
