"""How a person is erased: in one step, so that nothing of theirs comes in between."""

from __future__ import annotations

import json

from sqlalchemy import Connection, delete, select, update

from chromino.server import gatherings, ratings, schema
from chromino.server.retention import delete_games
from chromino.server.store import Change, Store

NOBODY = "–"
"""The name of someone who was erased, in the games of the others."""

_games, _seats = schema.games.c, schema.seats.c


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
        alone = [game for game in games if not _take_name(connection, game, person)]
        delete_games(connection, alone, games)
        for table in (schema.codes, schema.devices, schema.solved):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(update(schema.seats).where(_seats.person == person).values(person=None, has_left=True))
        connection.execute(delete(schema.people).where(schema.people.c.id == person))
        return games, tables

    games, _ = await store.write(work, _about, alone=False)
    return games


def _about(concerned: tuple[list[str], list[str]]) -> list[Change]:
    games, tables = concerned
    return [*(Change("game", game) for game in games), *(Change("gathering", table) for table in tables)]


def _take_name(connection: Connection, game: str, person: str) -> bool:
    """The name goes out of the header, which is otherwise as it was. False if nobody else is in this game."""
    header = connection.scalar(select(_games.header).where(_games.id == game).with_for_update())
    people = {row.seat: row.person for row in connection.execute(select(schema.seats).where(_seats.game == game))}
    if not set(people.values()) - {person, None}:
        return False
    found = json.loads(header or "{}")
    found["players"] = [NOBODY if people[seat] == person else name for seat, name in enumerate(found["players"])]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(schema.games).where(_games.id == game).values(header=text))
    return True
