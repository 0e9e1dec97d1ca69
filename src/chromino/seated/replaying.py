"""Rebuilds a table from its events, both while people gather and during the game."""

from __future__ import annotations

from collections.abc import Iterable

from chromino.seated import game, gathering
from chromino.seated.events import GameEvent, GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering


def replay(
    table: Gathering | SeatedGame, events: Iterable[GatheringEvent | GameEvent]
) -> Gathering | SeatedGame | None:
    """The table after all these events; None if the last person left before the game started."""
    current: Gathering | SeatedGame | None = table
    for event in events:
        if isinstance(current, Gathering) and isinstance(event, GatheringEvent):
            current = gathering.apply(current, event)
        elif isinstance(current, SeatedGame) and isinstance(event, GameEvent):
            current = game.apply(current, event)
        else:
            raise TypeError(f"this event can't happen to a {type(current).__name__}: {event}")
    return current
