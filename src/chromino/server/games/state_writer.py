"""Writes the states of one game. What all who watch it share is encoded once per version."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from chromino.events import Drew, event_to_json
from chromino.game import Game
from chromino.messages.games import State
from chromino.messages.views import WireEvent, WireView
from chromino.seated.game import SeatedGame
from chromino.seated.shown import state_for
from chromino.view import View

_encode = msgspec.json.Encoder().encode


class StateWriter:
    """Remembers a game's rules, log and table as JSON, and adds what is new."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._seen: list[msgspec.Raw] = []
        """The events of the log, as those see them who see everything,"""
        self._unseen: list[msgspec.Raw] = []
        """and as those do who don't see which tiles others draw."""
        self._rules = self._table = msgspec.Raw(b"")

    def write(self, table: SeatedGame, person: str | None, now: float, grace: float) -> str:
        """What goes over the wire: the same as `state_for`, encoded."""
        return _encode(self._state(table, person, now, grace)).decode()

    def _state(self, table: SeatedGame, person: str | None, now: float, grace: float) -> State:
        if table.game is not self._game:
            self._follow(table.game)
        return state_for(table, person, now, grace, self._view)

    def _follow(self, game: Game) -> None:
        if self._game is None or game.deal is not self._game.deal:
            self._seen, self._unseen = [], []
            self._rules = _raw(game.rules.to_json())
        for event in game.log[len(self._seen) :]:
            told = event_to_json(event)
            self._seen.append(_raw(told))
            self._unseen.append(_raw({**told, "draw": None}) if isinstance(event, Drew) else self._seen[-1])
        self._table = _raw(str(game.table))
        self._game = game

    def _view(self, view: View) -> WireView:
        log = self._game.log if self._game is not None else ()
        return WireView(
            me=view.me,
            rules=cast("dict[str, Any]", self._rules),
            players=list(view.players),
            first=view.first,
            dealt=[None if hand is None else list(map(str, hand)) for hand in view.dealt],
            log=[
                cast("WireEvent", seen if event is full else unseen)
                for event, full, seen, unseen in zip(view.log, log, self._seen, self._unseen, strict=True)
            ],
            table=cast("str", self._table),
            hands=[None if hand is None else list(map(str, hand)) for hand in view.hands],
            hand_sizes=list(view.hand_sizes),
            bag_count=view.bag_count,
            scores=list(view.scores),
            seat=view.seat,
            drawn=None if view.drawn is None else str(view.drawn),
            draws=view.draws,
            actions=list(map(str, view.actions)),
            over=view.over,
            winners=list(view.winners),
        )


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_encode(value))
