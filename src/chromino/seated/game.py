"""A seated game as a value: the game, who sits where, the clocks, and the settings.

Time is an argument. Nothing here awaits, sleeps, or uses a database.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from chromino.events import Drew, Placed
from chromino.game import Game
from chromino.messages.deals import DealKind
from chromino.seated.events import (
    Arrived,
    GameEvent,
    Left,
    Moved,
    PaceSet,
    Rated,
    RematchEnded,
    RematchOffered,
    SeatTaken,
    Spoke,
    StartedWaiting,
    StoppedWaiting,
    TakenBack,
    TimeGivenBack,
    WatchingAllowed,
    WentAway,
)
from chromino.seated.rated_games import check_rated, check_rated_deal, check_rated_seats, standings
from chromino.seated.seats import Latecomer, Seat, seats_of


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """One game, with everyone around it."""

    id: str
    game: Game
    seats: tuple[Seat, ...]
    aids: bool = True
    """May players use hints and other help?"""
    pace: bool = True
    """Do bots pause naturally before they play?"""
    watch: bool = True
    """Are spectators allowed?"""
    turn_limit: int | None = None
    """In seconds; None for no limit."""
    turn_ends: float | None = None
    """When the clock for this turn runs out."""
    since: float = 0.0
    """When this turn became visible: bots think from then on."""
    action_ids: tuple[str | None, ...] = ()
    """For each event in the log, the id that the person's client sent; None if a bot or the rules decided."""
    undone_ids: tuple[str | None, ...] = ()
    """The ids of moves that were taken back, and of the requests that took them back."""
    spoke: tuple[tuple[str, float], ...] = ()
    """The people who have said a phrase, and when they last did."""
    needs_rating: bool = False
    """Is it a rated game that's over but hasn't been counted in the ratings yet?"""
    next_game: str | None = None
    """The id of the rematch."""
    rated: bool = False
    """Does the game count in the ratings, for everyone and however it ends?"""
    deal: DealKind = "server"
    """How the deal was made."""
    latecomers: bool = False
    """Can latecomers take over a bot's seat? Never in a rated game."""
    waiting: tuple[Latecomer, ...] = ()
    """The latecomers who want to join the rematch."""

    @classmethod
    def begin(
        cls,
        game_id: str,
        game: Game,
        seats: tuple[Seat, ...],
        now: float,
        aids: bool = True,
        pace: bool = True,
        watch: bool = True,
        turn_limit: int | None = None,
        rated: bool = False,
        *,
        deal: DealKind = "server",
        latecomers: bool = False,
    ) -> SeatedGame:
        """A game that has just been dealt."""
        if rated:
            check_rated(game.rules, aids, turn_limit)
            check_rated_seats(seats)
            check_rated_deal(deal)
        ends = None if turn_limit is None else now + turn_limit
        table = cls(game_id, game, seats, aids, pace, watch, turn_limit, ends, now)
        return replace(table, rated=rated, deal=deal, latecomers=latecomers)

    @property
    def version(self) -> int:
        """How many moves have been made and turns taken back. It never decreases."""
        return len(self.action_ids) + len(self.undone_ids)

    def seats_of(self, person: str | None) -> list[int]:
        return seats_of(self.seats, person)

    def version_after(self, action_id: str) -> int | None:
        """The version that this action led to; None if it's new. An action that's sent twice happens only once."""
        if action_id in self.action_ids:
            return len(self.undone_ids) + self.action_ids.index(action_id) + 1
        return self.version if action_id in self.undone_ids else None

    def is_present(self, person: str) -> bool:
        """Does this person have a page open?"""
        return any(who.person == person and who.away_since is None for who in self.seats)

    @property
    def has_clock(self) -> bool:
        """Does the state that people see change as time passes? It does while a clock is running or someone is away."""
        return self.turn_ends is not None or any(who.away_since is not None for who in self.seats)

    @property
    def ranks(self) -> list[int] | None:
        """Each seat's rank in this game, for the ratings. It's None in unrated games, and until the game is over."""
        return standings(self.game, self.seats, self.action_ids) if self.rated and self.game.over else None

    @property
    def stood_in(self) -> list[int]:
        """The indices in the log of all placements that a bot made for a person."""
        return [
            number
            for number, (event, action_id) in enumerate(zip(self.game.log, self.action_ids, strict=True))
            if action_id is None and isinstance(event, Placed) and self._had_person(number)
        ]

    def played_for(self, person: str | None) -> list[int]:
        """The indices in the log of all placements that a bot has made for this person since their own last action."""
        mine = [seat for seat in self.seats_of(person) if not self.seats[seat].has_left]
        indices: list[int] = []
        for number in reversed(range(len(self.game.log)) if mine else ()):
            event = self.game.log[number]
            if event.seat in mine and self.action_ids[number] is not None:
                break
            if event.seat in mine and isinstance(event, Placed) and self._had_person(number):
                indices.insert(0, number)
        return indices

    def _had_person(self, number: int) -> bool:
        """Did the seat already belong to a person at this event? They may have taken it over from a bot later."""
        who = self.seats[self.game.log[number].seat]
        return who.bot is None and number >= who.taken_at

    @property
    def people(self) -> set[str]:
        """The people who are still playing."""
        return {who.person for who in self.seats if who.person is not None and not who.has_left}


def apply(table: SeatedGame, event: GameEvent) -> SeatedGame:
    """The table after an event."""
    match event:
        case Moved(moved):
            return moved_to(table, table.game.apply(moved.action), event)
        case TakenBack(moves, at, action_id):
            ends = None if table.turn_limit is None else at + table.turn_limit
            ids, undone = table.action_ids[:moves], (*table.undone_ids, *table.action_ids[moves:], action_id)
            game = _game_after(table.game, moves)
            return replace(table, game=game, turn_ends=ends, since=at, action_ids=ids, undone_ids=undone)
        case Arrived(person, at):
            # Bots start to think when the first person arrives at an empty table, so that person sees their pauses too.
            since = table.since if any(map(table.is_present, table.people)) else max(table.since, at)
            return replace(table, since=since, seats=_seats_away_since(table, person, None))
        case WentAway(person, at):
            return replace(table, seats=_seats_away_since(table, person, at))
        case Left(person, at):
            seats = tuple(replace(who, has_left=True) if who.person == person else who for who in table.seats)
            return replace(table, seats=seats, since=max(table.since, at))
        case SeatTaken():
            return _taken_over(table, event)
        case StartedWaiting(who):
            return replace(table, waiting=(*_waiting_except(table, who.person), who))
        case StoppedWaiting(person):
            return replace(table, waiting=_waiting_except(table, person))
        case PaceSet(pace):
            return replace(table, pace=pace)
        case WatchingAllowed():
            return replace(table, watch=True)
        case Spoke(person, _, at):
            others = tuple((who, when) for who, when in table.spoke if who != person)
            return replace(table, spoke=(*others, (person, at)))
        case TimeGivenBack(seconds):
            return replace(table, turn_ends=None if table.turn_ends is None else table.turn_ends + seconds)
        case Rated():
            return replace(table, needs_rating=False)
        case RematchOffered(next_game):
            return replace(table, next_game=table.next_game or next_game)
        case RematchEnded():
            return replace(table, next_game=None)
        case _:
            assert_never(event)


def _taken_over(table: SeatedGame, event: SeatTaken) -> SeatedGame:
    """Give the bot's seat and hand to the person. If it's that seat's turn, its clock starts over."""
    number = event.seat
    seat = Seat(
        event.person,
        None,
        away_since=event.at,
        is_program=event.is_program,
        face=event.face,
        taken_at=len(table.game.log),
    )
    players = (*table.game.players[:number], event.name, *table.game.players[number + 1 :])
    ends = table.turn_ends
    if table.turn_limit is not None and table.game.seat == number:
        ends = event.at + table.turn_limit
    return replace(
        table,
        game=replace(table.game, players=players),
        seats=(*table.seats[:number], seat, *table.seats[number + 1 :]),
        waiting=_waiting_except(table, event.person),
        turn_ends=ends,
        since=max(table.since, event.at),
    )


def _waiting_except(table: SeatedGame, person: str) -> tuple[Latecomer, ...]:
    return tuple(who for who in table.waiting if who.person != person)


def moved_to(table: SeatedGame, game: Game, event: Moved) -> SeatedGame:
    """The table after `event`, which led to `game`. A draw doesn't end the turn, so the clock keeps running."""
    ends = table.turn_ends
    if table.turn_limit is not None and not isinstance(event.event, Drew):
        ends = None if game.over else event.at + table.turn_limit
    ids = (*table.action_ids, event.action_id)
    needs_rating = game.over and table.rated
    return replace(table, game=game, turn_ends=ends, since=event.at, action_ids=ids, needs_rating=needs_rating)


def _game_after(game: Game, moves: int) -> Game:
    """The game as it was after this many moves."""
    return Game.replay(replace(game.record, events=game.record.events[:moves]))


def as_of(table: SeatedGame, now: float) -> SeatedGame:
    """Correct the times of a stored table, in case the clock has been set back since it was stored.

    Nothing can have happened in the future, and no turn can have more than its limit left.
    """
    ends = table.turn_ends
    if ends is not None and table.turn_limit is not None:
        ends = min(ends, now + table.turn_limit)
    seats = tuple(
        replace(who, away_since=now) if who.away_since is not None and who.away_since > now else who
        for who in table.seats
    )
    return replace(table, seats=seats, turn_ends=ends, since=min(table.since, now))


def _seats_away_since(table: SeatedGame, person: str, since: float | None) -> tuple[Seat, ...]:
    return tuple(replace(who, away_since=since) if who.person == person else who for who in table.seats)
