"""Rebuilds a table from its events, both while people gather and during the game."""

from __future__ import annotations

from collections.abc import Iterable

from chromino.seated import game, gathering
from chromino.seated.events import GameEvent, GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering

Table = Gathering | SeatedGame


def replay(table: Table, events: Iterable[GatheringEvent | GameEvent]) -> Table | None:
    """The table after all these events; None if the last person left before the game started."""
    now: Table | None = table
    for event in events:
        if isinstance(now, Gathering) and isinstance(event, GatheringEvent):
            now = gathering.apply(now, event)
        elif isinstance(now, SeatedGame) and isinstance(event, GameEvent):
            now = game.apply(now, event)
        else:
            raise TypeError(f"this can't happen here: {event}")
    return now
