"""People who come after the deal: they take over a bot's seat, or wait for the rematch."""

from __future__ import annotations

from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.messages.bounds import Face
from chromino.rules import Rules
from chromino.seated.declined import Declined, Reason
from chromino.seated.events import SeatTaken, StartedWaiting, StoppedWaiting
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import Step
from chromino.seated.gathering import checked_name
from chromino.seated.seats import Latecomer
from chromino.view import are_hands_open


def lets_in(table: SeatedGame) -> bool:
    """Can latecomers take over a bot's seat?"""
    return table.latecomers and can_let_in(table.game.rules, table.rated)


def can_let_in(rules: Rules, rated: bool) -> bool:
    """Can a game with these rules be open to latecomers? Not if it's rated, or if they could have seen all hands."""
    return not rated and not are_hands_open(rules)


def seats_to_take(table: SeatedGame, person: str | None) -> list[int]:
    """The bots' seats that this person can take over."""
    if not lets_in(table) or table.game.over or table.seats_of(person):
        return []
    return [number for number, who in enumerate(table.seats) if who.bot is not None]


def take_seat(
    table: SeatedGame,
    person: str,
    seat: int,
    name: str,
    now: float,
    face: Face | None = None,
    *,
    is_program: bool = False,
) -> Step:
    """Take over a bot's seat and hand. The first to ask gets it; asking again changes nothing. You count as away until
    your page is open."""
    if mine := table.seats_of(person):
        if seat in mine:  # The first answer must have been lost.
            return Step(table)
        raise Declined("has-seat")
    if table.game.over:
        raise Declined("too-late")
    if seat not in seats_to_take(table, person):
        raise Declined("seat-taken" if lets_in(table) else "no-latecomers")
    return Step.of(table, SeatTaken(seat, person, checked_name(name), now, is_program, face))


def can_wait(table: SeatedGame, person: str | None) -> bool:
    """Could this person wait for the rematch?"""
    return _why_not_wait(table, person) is None


def wait(table: SeatedGame, person: str, name: str, face: Face | None = None, *, is_program: bool = False) -> Step:
    """Ask for a chair in the rematch, or change your name or face."""
    if (reason := _why_not_wait(table, person)) is not None:
        raise Declined(reason)
    who = Latecomer(person, checked_name(name), is_program, face)
    return Step(table) if who in table.waiting else Step.of(table, StartedWaiting(who))


def stop_waiting(table: SeatedGame, person: str) -> Step:
    """Stop waiting for the rematch, if you are."""
    if all(who.person != person for who in table.waiting):
        return Step(table)
    return Step.of(table, StoppedWaiting(person))


def _why_not_wait(table: SeatedGame, person: str | None) -> Reason | None:
    """Why this person can't wait for the rematch. A game that allows neither spectators nor latecomers is closed."""
    if table.seats_of(person):
        return "has-seat"
    if not table.watch and not table.latecomers:
        return "no-latecomers"
    if table.next_game is not None:
        return "too-late"
    is_waiting = any(other.person == person for other in table.waiting)
    return None if is_waiting or _has_room(table) else "seats-taken"


def _has_room(table: SeatedGame) -> bool:
    """Does the rematch have room, and enough tiles, for one more person?"""
    try:
        Deal.check_players(table.game.rules, len(table.seats) + len(table.waiting) + 1)
    except RulesError:
        return False
    return True
