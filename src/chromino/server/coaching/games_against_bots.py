"""How someone's finished games against a single bot ended, from the database."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, exists, select

from chromino.server.database import schema


class _Digest(msgspec.Struct):
    """The part of a game's digest that we need."""

    winners: list[int]


_decode_digest = msgspec.json.Decoder(_Digest).decode


def games_against_bots(person: str, limit: int) -> Callable[[Connection], list[tuple[str, bool]]]:
    """Which of someone's latest finished games were against a single bot: the bot, and whether the person won."""
    mine, other, third, games = schema.seats, schema.seats.alias(), schema.seats.alias(), schema.games.c
    finished = select(mine.c.game, mine.c.seat, mine.c.ended, mine.c.has_left)
    finished = finished.where(mine.c.person == person, mine.c.ended.is_not(None))
    latest = finished.order_by(mine.c.ended.desc(), mine.c.game.desc()).limit(limit).subquery()
    query = (
        select(other.c.bot, latest.c.seat, games.digest)
        .where(~latest.c.has_left, games.id == latest.c.game)
        .where(other.c.game == latest.c.game, other.c.seat == 1 - latest.c.seat, other.c.bot.is_not(None))
        .where(~exists().where(third.c.game == latest.c.game, third.c.seat == 2))
        .order_by(latest.c.ended.desc(), latest.c.game.desc())
    )

    def work(connection: Connection) -> list[tuple[str, bool]]:
        return [(bot, seat in _decode_digest(digest).winners) for bot, seat, digest in connection.execute(query)]

    return work
