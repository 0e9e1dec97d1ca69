"""How a person is erased: in one step, so that nothing of theirs comes in between."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, select, update

from chromino.server.database import gatherings, schema
from chromino.server.database.retention import delete_games
from chromino.server.database.store import FINISHED, Change, ListEnd, Store
from chromino.server.people import ratings
from chromino.server.people.moderation import is_alone, rename_in_game

NOBODY = "–"
"""The name of someone who was erased, in the games of the others."""

_MANY = 100  # Games at a time.

_games, _seats = schema.games.c, schema.seats.c


async def erase(store: Store, person: str) -> list[str]:
    """Forget someone who asked for it; the games concerned.

    They stand up from all tables. Games that were theirs alone go; in the others a bot plays on, and the name goes. Of
    finished games there may be very many: they go first, some at a time, so that nobody waits long.
    """
    finished: list[str] = []
    last = FINISHED
    while page := await store.games_of(person, _MANY, last):
        some, last = [game.id for game in page], ListEnd.of(page[-1])
        await store.write(_forget_games(some, person), _about_games, alone=False)
        finished += some

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        # First of all, as rating does: two that wait for each other would wait long.
        ratings.forget(connection, person)
        # From now on, whoever wants to do something in this name waits, and finds nobody.
        connection.execute(select(schema.people.c.id).where(schema.people.c.id == person).with_for_update())
        tables = gatherings.stand_up(connection, person)
        rest = connection.scalars(select(_seats.game).where(_seats.person == person).distinct())
        games = _forget_games(sorted(rest), person)(connection)
        for table in (schema.codes, schema.devices, schema.solved, schema.tallies):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(delete(schema.people).where(schema.people.c.id == person))
        return games, tables

    games, _ = await store.write(work, _about, alone=False)
    await store.scrub()
    return sorted({*finished, *games})


def _forget_games(games: list[str], person: str) -> Callable[[Connection], list[str]]:
    """Delete those that nobody else plays, and take the name out of the others."""

    def work(connection: Connection) -> list[str]:
        alone = [game for game in games if is_alone(connection, game, person)]
        for game in games:
            if game not in alone:
                rename_in_game(connection, game, person, NOBODY)
        leading = select(_games.id).where(_games.next_game.in_(alone))
        delete_games(connection, alone, list(connection.scalars(leading)))
        mine = (_seats.person == person) & _seats.game.in_(games)
        connection.execute(update(schema.seats).where(mine).values(person=None, has_left=True, face=None))
        return games

    return work


def _about(concerned: tuple[list[str], list[str]]) -> list[Change]:
    games, tables = concerned
    return [*_about_games(games), *(Change("gathering", table) for table in tables)]


def _about_games(games: list[str]) -> list[Change]:
    return [Change("game", game) for game in games]
