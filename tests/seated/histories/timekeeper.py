"""When something must happen at a table, according to what we promise: an oracle, so it's simple and obvious."""

from __future__ import annotations

from typing import NamedTuple

from chromino import Drew, Pass
from chromino.seated import Gathering, SeatedGame
from chromino.seated.events import (
    Arrived,
    Began,
    Committed,
    GameEvent,
    GatheringEvent,
    Left,
    Moved,
    Rated,
    Sat,
    SeatTaken,
    TakenBack,
    TimeGivenBack,
    WentAway,
)

GRACE = 60.0
OFFER = 60.0
DAY = 24 * 3600
LONGEST_PAUSE = 1.6  # How long bots and forced passes may take, so that people can follow.


class Due(NamedTuple):
    """When something must happen automatically, unless something else happens first."""

    earliest: float
    latest: float


class Timekeeper:
    """Notes what happens at one table, and says what must happen when.

    It's written from the documents ("Time" and "Away" in playing.md, "Friends, clocks and absence" in server.md): don't
    look at the core when you change it. It has its own clock, and ignores the times in tables and events. From a table,
    it reads only who sits where, whose turn it is, whether the deal has begun, and the settings.
    """

    def __init__(self, table: Gathering | SeatedGame, now: float, offers_rematch: bool = False) -> None:
        """At a new table, everyone is away until they open a page."""
        self.away = dict.fromkeys(people_at(table), now)
        """The people who have no page open, and since when."""
        self.left: set[str] = set()
        """The people who left for good."""
        self.turn_ends: float | None = None
        """When the clock for this turn runs out."""
        self.is_counted = False
        """Has the game been counted in the ratings?"""
        self.offer_ends = now + (DAY if _is_multi_day(table) else OFFER) if offers_rematch else None
        self.invited = people_at(table) - {table.host} if offers_rematch and isinstance(table, Gathering) else set()
        """The people who haven't answered the offer of a rematch."""
        self.last = self.shown = now
        """When something last happened, and when there last was something new for bots to think about."""
        self._start_turn(table)

    def note(self, event: GatheringEvent | GameEvent, table: Gathering | SeatedGame | None, now: float) -> None:
        """Note an event, and the table that it led to."""
        self.last = now
        people = people_at(table)
        match event:
            case Arrived(person) if person in people:
                if isinstance(table, SeatedGame) and not self.players_here(table):
                    self.shown = now  # Nobody has seen yet that it's a bot's turn.
                self.away.pop(person, None)
            case WentAway(person) if person in people:
                self.away.setdefault(person, now)
            case Sat(person=person, away_since=away_since, commitment=commitment):
                if away_since is None:
                    self.away.pop(person, None)
                else:
                    self.away.setdefault(person, now)
                if commitment:
                    self.invited.discard(person)
            case Committed(person):
                self.invited.discard(person)
            case Began():
                self.shown = now
                self._start_turn(table)
            case Moved(moved):
                self.shown = now
                if not isinstance(moved, Drew):  # A draw doesn't end the turn.
                    self._start_turn(table)
            case TakenBack():
                self.shown = now
                self._start_turn(table)
            case SeatTaken(seat, person):
                self.shown = self.away[person] = now  # They count as away until their page is open.
                if isinstance(table, SeatedGame) and table.game.seat == seat:
                    self._start_turn(table)
            case Left(person):
                self.shown = now
                self.left.add(person)
            case TimeGivenBack(seconds) if self.turn_ends is not None:
                self.turn_ends += seconds
            case Rated():
                self.is_counted = True
        self.away = {person: since for person, since in self.away.items() if person in people}
        self.invited &= people
        if isinstance(table, Gathering) and not table.dealing:
            self.invited.clear()  # The deal was stopped, so the table is open again.

    def due(self, table: Gathering | SeatedGame | None) -> Due | None:
        """When something must happen next, if time is all that passes."""
        if table is None:
            return None
        if isinstance(table, Gathering):
            return self._at(self.host_changes_at(table), self.offer_ends if self.invited else None)
        if table.game.over:
            return self._at(self.last if table.rated and not self.is_counted else None)
        if self.awaited(table) is None:
            return Due(self.last, max(self.last, self.shown + (LONGEST_PAUSE if table.pace else 0.0)))
        return self._at(self.turn_ends, self.absence_ends(table))

    def awaited(self, table: SeatedGame) -> str | None:
        """The person who has to act next: nobody if it's a bot's turn, if they left for good, or if they can only
        pass."""
        person = table.seats[table.game.seat].person
        can_only_pass = table.game.refusal(Pass()) is None
        return None if table.game.over or person in self.left or can_only_pass else person

    def absence_ends(self, table: SeatedGame) -> float | None:
        """When a bot stands in for the person whose turn it is, because they've been away for too long.

        That happens only while someone else is waiting for them, and not in games with days per turn.
        """
        person = self.awaited(table)
        if person is None or person not in self.away or _is_multi_day(table) or not self.players_here(table):
            return None
        return self.away[person] + GRACE

    def host_changes_at(self, table: Gathering) -> float | None:
        """When someone who's here becomes host, because the host has been away for too long."""
        return self.away[table.host] + GRACE if table.host in self.away and self.here(table) else None

    def here(self, table: Gathering | SeatedGame) -> set[str]:
        """The people at the table who have a page open."""
        return people_at(table) - self.away.keys()

    def players_here(self, table: SeatedGame) -> set[str]:
        """The people who have a page open and haven't left the game for good."""
        return self.here(table) - self.left

    def _start_turn(self, table: Gathering | SeatedGame | None) -> None:
        if isinstance(table, SeatedGame) and table.turn_limit is not None:
            self.turn_ends = self.last + table.turn_limit

    def _at(self, *times: float | None) -> Due | None:
        """Exactly at the first of these times, or at once if that's in the past: someone may just have arrived."""
        at = max(min((time for time in times if time is not None), default=float("inf")), self.last)
        return None if at == float("inf") else Due(at, at)


def people_at(table: Gathering | SeatedGame | None) -> set[str]:
    """Everyone with a seat or a chair, even if they left the game for good."""
    if table is None:
        return set()
    places = table.chairs if isinstance(table, Gathering) else table.seats
    return {place.person for place in places if place.person is not None}


def _is_multi_day(table: Gathering | SeatedGame) -> bool:
    return table.turn_limit is not None and table.turn_limit >= DAY
