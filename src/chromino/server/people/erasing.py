"""Erases a person. The last step is a single transaction, so nothing new can be stored about them meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, select, update

from chromino.server.database import gatherings, latecomers, notices, schema
from chromino.server.database.retention import delete_games, forget_relations
from chromino.server.database.store import FINISHED, Change, PageEnd, Store
from chromino.server.people import ratings
from chromino.server.people.moderation import is_only_person, rename_in_game

NOBODY = "–"
"""The name of an erased person in other people's games."""

_BATCH = 100  # Games at a time.

_games, _seats = schema.games.c, schema.seats.c


async def erase(store: Store, person: str) -> list[str]:
    """Erase a person, and return the games that this changed.

    They leave every gathering. The games they played without other people are deleted; in all others, a bot takes over
    and their name is removed. There may be thousands of finished games, so we process those first, in batches, and
    nobody waits long.
    """
    finished: list[str] = []
    last = FINISHED
    while page := await store.games_of(person, _BATCH, last):
        batch, last = [game.id for game in page], PageEnd.of(page[-1])
        await store.write(_forget_games(batch, person), _game_changes, isolated=False)
        finished += batch

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        # This takes the lock on results first, as `ratings.rate` does, to avoid a deadlock.
        ratings.forget(connection, person)
        # From now on, any other transaction for this person waits, and then finds that they're gone.
        connection.execute(select(schema.people.c.id).where(schema.people.c.id == person).with_for_update())
        left_gatherings = gatherings.stand_up(connection, person)
        rest = connection.scalars(select(_seats.game).where(_seats.person == person).distinct())
        games = _forget_games(sorted(rest), person)(connection)
        games += latecomers.forget(connection, person)
        notices.forget_person(connection, person)
        forget_relations(connection, [person])
        for table in (schema.codes, schema.devices, schema.presence, schema.solved, schema.tallies):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(delete(schema.people).where(schema.people.c.id == person))
        return games, left_gatherings

    games, _ = await store.write(work, _changes, isolated=False)
    await store.scrub()
    return sorted({*finished, *games})


def _forget_games(games: list[str], person: str) -> Callable[[Connection], list[str]]:
    """Delete the games that nobody else took part in, and remove this person's name from the others."""

    def work(connection: Connection) -> list[str]:
        games_without_others = [game for game in games if is_only_person(connection, game, person)]
        for game in games:
            if game not in games_without_others:
                rename_in_game(connection, game, person, NOBODY)
        previous_games = select(_games.id).where(_games.next_game.in_(games_without_others))
        delete_games(connection, games_without_others, list(connection.scalars(previous_games)))
        mine = (_seats.person == person) & _seats.game.in_(games)
        connection.execute(update(schema.seats).where(mine).values(person=None, has_left=True, face=None))
        return games

    return work


def _changes(affected: tuple[list[str], list[str]]) -> list[Change]:
    games, left_gatherings = affected
    return [Change("ratings"), *_game_changes(games), *(Change("gathering", each) for each in left_gatherings)]


def _game_changes(games: list[str]) -> list[Change]:
    return [Change("game", game) for game in games]
