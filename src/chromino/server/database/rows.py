"""A seated game as the database keeps it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from chromino.game import Game
from chromino.seated.game import SeatedGame
from chromino.server.database.store import GameRow


def table_of(row: GameRow) -> SeatedGame:
    """The seated game that a row and its log stand for."""
    game = Game.replay([row.header, *(entry.event for entry in row.log)])
    return SeatedGame(
        id=row.id,
        game=game,
        seats=row.seats,
        since=seconds_of(row.log[-1].at if row.log else row.created),
        action_ids=tuple(entry.action_id for entry in row.log),
        rated=row.rated,
    )


def row_of(table: SeatedGame) -> GameRow:
    """How a game that begins is kept."""
    return GameRow(
        id=table.id,
        header=header_of(table.game),
        aids=table.aids,
        pace=table.pace,
        seats=table.seats,
        watch=table.watch,
        turn_limit=table.turn_limit,
        rated=table.rated,
        deal=table.deal,
    )


def header_of(game: Game) -> str:
    """The first line of a game's record."""
    return str(game.record).partition("\n")[0]


def seconds_of(at: str) -> float:
    """A time as the database keeps it, since 1970."""
    return datetime.fromisoformat(at).timestamp()


def digest(game: Game) -> dict[str, Any]:
    """What a list of games shows of one."""
    return {
        "seat": game.seat,
        "winners": list(game.winners),
        "scores": list(game.scores),
        "tiles": len(game.table),
        "table": str(game.table),
    }
