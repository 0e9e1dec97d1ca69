"""Writes a game's states. What all watchers share is encoded once per version, and a log only grows."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from chromino.deal import Deal
from chromino.events import event_to_json
from chromino.messages.views import WireEvent, WireView
from chromino.seated.game import SeatedGame
from chromino.seated.shown import Common, state_for
from chromino.table import Table
from chromino.view import View

_encode = msgspec.json.Encoder().encode


class StateWriter:
    """Caches what all watchers see, and the log as each seat sees it, and adds what's new."""

    def __init__(self) -> None:
        self._deal: Deal | None = None
        self._taken_back = 0
        self._rules = msgspec.Raw(b"")
        self._common: tuple[SeatedGame, Common] | None = None
        self._table: tuple[Table, msgspec.Raw] | None = None
        self._logs: dict[int | None, tuple[int, bytes]] = {}
        """By observer: how many events are written, and the events."""

    def write(self, table: SeatedGame, person: str | None, now: float, grace: float) -> str:
        """What goes over the wire: the same as `state_for`, encoded."""
        taken_back = len(table.past_ids)
        if table.game.deal is not self._deal or taken_back != self._taken_back:
            self._deal, self._taken_back, self._table, self._logs = table.game.deal, taken_back, None, {}
            self._rules = _raw(table.game.rules.to_json())
        if self._common is None or self._common[0] is not table:
            self._common = table, Common.of(table)
        return _encode(state_for(table, person, now, grace, self._view, self._common[1])).decode()

    def _view(self, view: View) -> WireView:
        if self._table is None or self._table[0] is not view.table:
            self._table = view.table, _raw(str(view.table))
        return WireView(
            me=view.me,
            rules=cast("dict[str, Any]", self._rules),
            players=list(view.players),
            first=view.first,
            dealt=[None if hand is None else list(map(str, hand)) for hand in view.dealt],
            log=cast("list[WireEvent]", self._log(view)),
            table=cast("str", self._table[1]),
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

    def _log(self, view: View) -> msgspec.Raw:
        count, text = self._logs.get(view.me, (0, b""))
        if count < len(view.log):
            new = [_encode(event_to_json(event)) for event in view.log[count:]]
            text = b",".join([text, *new] if text else new)
            self._logs[view.me] = len(view.log), text
        return msgspec.Raw(b"[" + text + b"]")


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_encode(value))
