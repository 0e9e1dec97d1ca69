"""Latecomers in the database: they take over a bot's seat, or wait for the rematch. Each change locks the game."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from chromino.seated.automatic import next_automatic_action
from chromino.seated.events import SeatTaken, StartedWaiting, StoppedWaiting
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import Step
from chromino.server.database import schema
from chromino.server.database.gatherings import check_person
from chromino.server.database.rows import header_of, table_of
from chromino.server.database.shared_clock import has_row_locks, seconds_now, text_now
from chromino.server.database.store import find_game
from chromino.server.problems import Problem

_MAX_GAMES = 20  # The most rematches someone can wait for at once. To wait for one more, they give up the oldest.

_games, _seats, _waiting = schema.games.c, schema.seats.c, schema.waiting.c
_LOCK_SEATS = select(_seats.seat).where(_seats.game == bindparam("game_id")).order_by(_seats.seat).with_for_update()
_LOCK_GAME = select(_games.id).where(_games.id == bindparam("game_id")).with_for_update()


def change(
    game: str, person: str, decide: Callable[[SeatedGame, bool], Step], process: str, grace: float
) -> Callable[[Connection], bool]:
    """Carry out what `decide` chooses, given the current game and whether the person is a program.

    Returns whether anything has changed.
    """

    def work(connection: Connection) -> bool:
        check_person(connection, person)
        lock(connection, game)
        row = find_game(game)(connection)
        if row is None:
            raise Problem("no-such-game")
        people = schema.people.c
        is_program = bool(connection.scalar(select(people.is_program).where(people.id == person)))
        table, events = decide(table_of(row), is_program)
        for event in events:
            wait = (_waiting.game == game) & (_waiting.person == person)
            match event:
                case SeatTaken():
                    _take_seat(connection, table, event, process, grace)
                    connection.execute(delete(schema.waiting).where(wait))
                case StartedWaiting():
                    connection.execute(delete(schema.waiting).where(wait))
                    _start_waiting(connection, game, event)
                case StoppedWaiting():
                    connection.execute(delete(schema.waiting).where(wait))
        return bool(events)

    return work


def forget(connection: Connection, person: str) -> list[str]:
    """Remove someone from all waiting lists, and return the affected games. Call this inside a larger transaction."""
    games = list(connection.scalars(select(_waiting.game).where(_waiting.person == person)))
    connection.execute(delete(schema.waiting).where(_waiting.person == person))
    return games


def lock(connection: Connection, game: str) -> None:
    """Keep others from changing the game until the transaction ends.

    Locks are taken in the same order as in `presence.py`.
    """
    if has_row_locks(connection):
        connection.execute(_LOCK_SEATS, {"game_id": game})
        connection.execute(_LOCK_GAME, {"game_id": game})


def _take_seat(connection: Connection, table: SeatedGame, event: SeatTaken, process: str, grace: float) -> None:
    """Give the seat to the latecomer, and put their name in the record."""
    seat = (_seats.game == table.id) & (_seats.seat == event.seat)
    who = table.seats[event.seat]
    values = {
        "person": who.person,
        "bot": None,
        "away_since": who.away_since,
        "face": who.face,
        "taken_at": who.taken_at,
    }
    connection.execute(update(schema.seats).where(seat).values(values))
    due = next_automatic_action(table, grace)
    connection.execute(
        update(schema.games)
        .where(_games.id == table.id)
        .values(
            header=header_of(table.game),
            turn_ends=table.turn_ends,
            due=None if due is None else due.at,
            process=process,
            updated=text_now(connection),
        )
    )


def _start_waiting(connection: Connection, game: str, event: StartedWaiting) -> None:
    who = event.who
    theirs = _waiting.person == who.person
    surplus = (
        select(_waiting.game).where(theirs).order_by(_waiting.since.desc()).limit(_MAX_GAMES).offset(_MAX_GAMES - 1)
    )
    connection.execute(delete(schema.waiting).where(theirs, _waiting.game.in_(surplus)))
    row = {"game": game, "person": who.person, "name": who.name, "face": who.face, "since": seconds_now(connection)}
    connection.execute(insert(schema.waiting), row)
