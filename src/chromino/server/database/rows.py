"""A seated game as rows in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from chromino.events import event_from_json, event_to_json
from chromino.game import Game
from chromino.seated.events import Moved, TakenBack
from chromino.seated.game import SeatedGame
from chromino.server.database.store import GameRow, LogRow

_TAKEN_BACK = "take_back"


def table_of(row: GameRow) -> SeatedGame:
    """The seated game that a row and its log describe."""
    moves, undone_ids = _split_log(row.log)
    game = Game.replay([row.header, *(move.event for move in moves)])
    table = SeatedGame(
        id=row.id,
        game=game,
        seats=row.seats,
        since=seconds_of(row.log[-1].at if row.log else row.created),
        action_ids=tuple(move.action_id for move in moves),
        undone_ids=tuple(undone_ids),
    )
    return with_details(table, row)


def with_details(table: SeatedGame, row: GameRow) -> SeatedGame:
    """This table, with everything but the game itself replaced by what's in the row."""
    return replace(
        table,
        seats=row.seats,
        aids=row.aids,
        pace=row.pace,
        watch=row.watch,
        turn_limit=row.turn_limit,
        turn_ends=row.turn_ends,
        rated=row.rated,
        next_game=row.next_game,
        deal=row.deal,
        needs_rating=table.game.over and row.due is not None,
        latecomers=row.latecomers,
        waiting=row.waiting,
    )


def line_of(event: Moved | TakenBack) -> str:
    """An event as a line of the stored log."""
    data = {_TAKEN_BACK: event.moves} if isinstance(event, TakenBack) else event_to_json(event.event)
    return msgspec.json.encode(data).decode()


def event_of(row: LogRow) -> Moved | TakenBack:
    """The event that `line_of` wrote."""
    data = json.loads(row.event)
    if _TAKEN_BACK in data:
        return TakenBack(data[_TAKEN_BACK], seconds_of(row.at), row.action_id)
    return Moved(event_from_json(data), seconds_of(row.at), row.action_id)


def without_undone(lines: Iterable[str]) -> list[str]:
    """The lines of a log that belong in the game's record: all except moves that were taken back."""
    moves, _ = _split_log(LogRow(line, None, "") for line in lines)
    return [move.event for move in moves]


def _split_log(log: Iterable[LogRow]) -> tuple[list[LogRow], list[str | None]]:
    """The moves that count, and the action ids of all other rows: moves taken back, and the requests for that."""
    moves: list[LogRow] = []
    undone_ids: list[str | None] = []
    for row in log:
        if row.event.startswith(f'{{"{_TAKEN_BACK}":'):
            kept = json.loads(row.event)[_TAKEN_BACK]
            undone_ids += [*(move.action_id for move in moves[kept:]), row.action_id]
            del moves[kept:]
        else:
            moves.append(row)
    return moves, undone_ids


def row_of(table: SeatedGame) -> GameRow:
    """The row of a new game."""
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
        latecomers=table.latecomers,
    )


def header_of(game: Game) -> str:
    """The first line of a game's record."""
    return str(game.record).partition("\n")[0]


def seconds_of(at: str) -> float:
    """Convert a stored time to seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()


def digest(game: Game) -> dict[str, Any]:
    """What a list of games shows about this game."""
    return {
        "seat": game.seat,
        "winners": list(game.winners),
        "scores": list(game.scores),
        "tiles": len(game.table),
        "table": str(game.table),
    }
