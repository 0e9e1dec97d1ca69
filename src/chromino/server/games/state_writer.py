"""Writes a game's states as text. Only what has changed is encoded again, and what everyone sees is encoded once.

`chromino.seated.shown` and `chromino.view` decide what a person may see. This module knows only how long each part
stays the same.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chromino.deal import Deal
from chromino.events import Action, event_to_json
from chromino.game import Game
from chromino.seated.game import SeatedGame
from chromino.seated.shown import own_fields, seat_fields, seat_shown, shared_fields
from chromino.view import hand_texts, public_fields, seen_deal, seen_draw, seen_event, seen_hands, seen_seats

_encode = msgspec.json.Encoder().encode


class StateWriter:
    """Encodes the states of one game, and caches their parts."""

    def __init__(self) -> None:
        self._table: SeatedGame | None = None
        self._has_clock = False
        self._deal: tuple[Deal, int] | None = None  # The number changes when taking back a turn shrinks the log.
        self._around: object = None  # Everything that the seats' text depends on.
        self._shared: bytes | None = None
        self._seats: dict[str | None, bytes] = {}  # By person.
        self._dealt: dict[int | None, bytes] = {}  # By observing seat.
        self._logs: dict[int | None, tuple[int, bytes]] = {}  # By observing seat: the number of events, and their text.

    def write(self, table: SeatedGame, person: str | None, now: float, grace: float) -> str:
        """The state that `state_for` returns, as JSON. The caller must check first that this person may watch."""
        if table is not self._table:
            self._forget_outdated(table)
        me = seat_shown(table, person)
        actions = table.game.actions() if table.game.seat == me else []
        parts = (
            self._shared_part(table, now),
            self._own_view(table.game, me, actions),
            self._seats_part(table, person, now, grace),
            _fields(own_fields(table, person, me, actions)),
        )
        return (b'{"type":"state",%b,%b},%b,%b}' % parts).decode()

    def _forget_outdated(self, table: SeatedGame) -> None:
        """Forget the parts that are different for this table."""
        self._table, self._has_clock, self._shared = table, table.has_clock, None
        deal = table.game.deal, len(table.undone_ids)
        if deal != self._deal:
            self._deal, self._dealt, self._logs = deal, {}, {}
        around = table.seats, table.game.players, table.waiting, table.game.over, table.next_game, table.watch
        if around != self._around:
            self._around, self._seats = around, {}

    def _shared_part(self, table: SeatedGame, now: float) -> bytes:
        """The fields that everyone sees. They stop in the middle of the view, which `_own_view` completes."""
        if self._shared is None or self._has_clock:
            self._shared = b'%b,"view":{%b' % (_fields(shared_fields(table, now)), _fields(public_fields(table.game)))
        return self._shared

    def _seats_part(self, table: SeatedGame, person: str | None, now: float, grace: float) -> bytes:
        """The fields about who's at the table."""
        text = self._seats.get(person)
        if text is None or self._has_clock:
            text = self._seats[person] = _fields(seat_fields(table, person, now, grace))
        return text

    def _own_view(self, game: Game, me: int | None, actions: list[Action]) -> bytes:
        """The rest of the view, as seen from this seat."""
        seen = seen_seats(game, me)
        dealt = self._dealt.get(me)
        if dealt is None:
            dealt = self._dealt[me] = _encode(list(map(hand_texts, seen_deal(game, seen))))
        count, log = self._logs.get(me, (0, b""))
        if count < len(game.log):
            new = [_encode(event_to_json(seen_event(event, seen))) for event in game.log[count:]]
            log = b",".join([log, *new] if log else new)
            self._logs[me] = len(game.log), log
        drawn = seen_draw(game, seen)
        rest = {
            "me": me,
            "hands": list(map(hand_texts, seen_hands(game, seen))),
            "drawn": drawn and str(drawn),
            "actions": list(map(str, actions)),
        }
        return b'"dealt":%b,"log":[%b],%b' % (dealt, log, _fields(rest))


def _fields(values: Mapping[str, object]) -> bytes:
    """A JSON object without its braces."""
    return _encode(values)[1:-1]
