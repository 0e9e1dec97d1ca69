"""How a person is erased: in one step, so that nothing of theirs comes in between."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from chromino.server import gatherings, ratings, schema
from chromino.server.moderation import rename_in_game
from chromino.server.retention import delete_games
from chromino.server.store import Change, Store

NOBODY = "–"
"""The name of someone who was erased, in the games of the others."""

_seats = schema.seats.c


async def erase(store: Store, person: str) -> list[str]:
    """Forget someone, who asked for it; the games concerned.

    They stand up from all tables. Games that were theirs alone go; in the others a bot plays on, and the name goes.
    """

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        # First of all, as rating does: two that wait for each other would wait long.
        ratings.forget(connection, person)
        # From now on, whoever wants to do something in this name waits, and finds nobody.
        connection.execute(select(schema.people.c.id).where(schema.people.c.id == person).with_for_update())
        tables = gatherings.stand_up(connection, person)
        games = sorted(connection.scalars(select(_seats.game).where(_seats.person == person).distinct()))
        alone = [game for game in games if not rename_in_game(connection, game, person, NOBODY)]
        delete_games(connection, alone, games)
        for table in (schema.codes, schema.devices, schema.solved, schema.tallies):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(update(schema.seats).where(_seats.person == person).values(person=None, has_left=True))
        connection.execute(delete(schema.people).where(schema.people.c.id == person))
        return games, tables

    games, _ = await store.write(work, _about, alone=False)
    await store.scrub()
    return games


def _about(concerned: tuple[list[str], list[str]]) -> list[Change]:
    games, tables = concerned
    return [*(Change("game", game) for game in games), *(Change("gathering", table) for table in tables)]
