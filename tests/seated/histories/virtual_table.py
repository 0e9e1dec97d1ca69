"""A table in virtual time, where everything automatic happens, and happens on time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from chromino import Pass
from chromino.bots import find
from chromino.messages.gatherings import GatheringState
from chromino.seated import (
    Declined,
    Gathering,
    SeatedGame,
    Step,
    gathering,
    gathering_state,
    move,
    next_automatic_action,
    replay,
)
from chromino.seated.automatic import AutomaticAction
from chromino.seated.events import GameEvent, GatheringEvent, HostChanged, Rated
from chromino.seated.game import apply
from tests.seated.histories.starting import dealt
from tests.seated.histories.timekeeper import GRACE, Timekeeper, people_at

AWAY = "a bot stood in for someone who was away"
SLOW = "a bot played for someone who was here, but whose time had run out"
BOTH = "a bot played for someone whose time ran out before they had been away for long"
GONE = "a bot played for someone who had left for good"
HOST_AWAY = "someone else became host"
OFFER_OVER = "the time to accept a rematch ran out"


class VirtualTable:
    """A table, what has happened at it, and an oracle that says what must happen when."""

    table: Gathering | SeatedGame | None = None
    """None if it has closed."""
    keeper: Timekeeper

    def __init__(self) -> None:
        super().__init__()
        self.rng = Random(0)
        self.now = 1000.0
        self.reached: Counter[str] = Counter()
        """How often we reached the situations that histories are about."""

    def set_up(self, table: Gathering | SeatedGame, offers_rematch: bool = False) -> None:
        self.table = self._first = table
        self._events: list[GatheringEvent | GameEvent] = []
        self.keeper = Timekeeper(table, self.now, offers_rematch)

    def check_replay(self) -> None:
        """Replaying the events leads to the same table."""
        assert replay(self._first, self._events) == self.table

    # What people do.

    def gathering_step(self, decide: Callable[[Gathering], GatheringEvent | None]) -> None:
        assert isinstance(self.table, Gathering)
        try:
            event = decide(self.table)
        except Declined:
            return
        if event is not None:
            host = self.table.host
            self._note(event, gathering.apply(self.table, event))
            if isinstance(self.table, Gathering) and self.table.host != host:
                here = self.keeper.here(self.table)
                assert self.table.host in here or not here

    def game_step(self, decide: Callable[[SeatedGame], Step]) -> None:
        assert isinstance(self.table, SeatedGame)
        try:
            step = decide(self.table)
        except Declined:
            return
        for event in step.events:
            self._note(event, apply(self.table, event))
        assert self.table == step.table

    def _note(self, event: GatheringEvent | GameEvent, table: Gathering | SeatedGame | None) -> None:
        before, self.table = self.table, table
        if isinstance(before, Gathering) and isinstance(table, Gathering):
            # Pages ignore states whose version they've already seen.
            assert table.version == before.version + 1 or (
                table.version == before.version and shown(table) == shown(before)
            )
        self._events.append(event)
        self.keeper.note(event, table, self.now)

    # What happens automatically.

    def wait_until(self, until: float) -> None:
        """Everything that's due by then happens on time: neither too early nor too late."""
        for _ in range(1000):
            if not self._change_automatically(until):
                break
        else:
            raise AssertionError("automatic changes never stop")
        due = self.keeper.due(self.table)
        assert due is None or due.latest > until, "something that was due hasn't happened"
        self.now = until

    def _change_automatically(self, until: float) -> bool:
        """Make the next automatic change, if it's due by then."""
        if isinstance(self.table, Gathering):
            at = gathering.next_change_at(self.table, GRACE)
            if at is not None and at <= until:
                self.now = max(self.now, at)
                self._change_gathering(self.table)
                return True
        elif self.table is not None:
            action = next_automatic_action(self.table, GRACE)
            if action is not None and action.at <= until:
                self.now = max(self.now, action.at)
                self._act(self.table, action)
                return True
        return False

    def _change_gathering(self, table: Gathering) -> None:
        event = gathering.due_change(table, GRACE, self.now)
        assert event is not None
        is_host = isinstance(event, HostChanged)
        due = self.keeper.host_changes_at(table) if is_host else self.keeper.offer_ends
        assert due is not None
        assert self.now == max(due, self.keeper.last)
        answered = people_at(table) - self.keeper.invited
        self.gathering_step(lambda _: event)
        self.reached[HOST_AWAY if is_host else OFFER_OVER] += 1
        if isinstance(event, HostChanged):
            assert event.person in self.keeper.here(table)
            return
        assert people_at(self.table) == answered
        if isinstance(self.table, Gathering) and self.table.dealing:  # They can play without the others.
            assert people_at(dealt(self.table, self.now)) == answered

    def _act(self, table: SeatedGame, action: AutomaticAction) -> None:
        due = self.keeper.due(table)
        assert due is not None, "nothing is due"
        assert due.earliest <= self.now <= due.latest
        if table.game.over:
            assert action.is_rating
            self._note(Rated(), apply(table, Rated()))
            return
        who = table.seats[table.game.seat]
        if action.bot is not None and who.person is not None:
            assert action.bot == find("random" if table.rated else 3)
            self.reached[self._why_stands_in(table)] += 1
        decided = action.bot.choose(table.game.view(table.game.seat), self.rng) if action.bot else Pass()
        self.game_step(lambda table: move(table, decided, self.now))

    def _why_stands_in(self, table: SeatedGame) -> str:
        person, absence_ends = self.keeper.awaited(table), self.keeper.absence_ends(table)
        if person is None:
            return GONE
        if absence_ends is not None and absence_ends <= self.now:
            return AWAY
        return BOTH if person in self.keeper.away else SLOW


def shown(table: Gathering) -> list[GatheringState]:
    """What everyone sees of a gathering, without its version."""
    return [replace(gathering_state(table, reader), version=0) for reader in (None, *table.people)]
