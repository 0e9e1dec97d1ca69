"""People who come after the deal: they take over a bot's seat, or wait for the rematch."""

from __future__ import annotations

from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.messages.bounds import Face
from chromino.rules import Rules
from chromino.seated.declined import Declined
from chromino.seated.events import GameEvent, SeatTaken, StartedWaiting, StoppedWaiting
from chromino.seated.game import SeatedGame, apply
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
    return _step(table, SeatTaken(seat, person, checked_name(name), now, is_program, face))


def can_wait(table: SeatedGame, person: str | None) -> bool:
    """Could this person wait for the rematch? A game that allows neither spectators nor latecomers is closed."""
    if table.seats_of(person) or table.next_game is not None or not (table.watch or table.latecomers):
        return False
    return _has_room(table)


def wait(table: SeatedGame, person: str, name: str, face: Face | None = None, *, is_program: bool = False) -> Step:
    """Ask for a chair in the rematch, or change your name or face."""
    if table.seats_of(person):
        raise Declined("has-seat")
    if not table.watch and not table.latecomers:
        raise Declined("no-latecomers")
    if table.next_game is not None:
        raise Declined("too-late")
    who = Latecomer(person, checked_name(name), is_program, face)
    if who in table.waiting:
        return Step(table)
    if all(other.person != person for other in table.waiting) and not _has_room(table):
        raise Declined("seats-taken")
    return _step(table, StartedWaiting(who))


def stop_waiting(table: SeatedGame, person: str) -> Step:
    """Stop waiting for the rematch, if you are."""
    if all(who.person != person for who in table.waiting):
        return Step(table)
    return _step(table, StoppedWaiting(person))


def _has_room(table: SeatedGame) -> bool:
    """Does the rematch have room, and enough tiles, for one more person?"""
    try:
        Deal.check_players(table.game.rules, len(table.seats) + len(table.waiting) + 1)
    except RulesError:
        return False
    return True


def _step(table: SeatedGame, event: GameEvent) -> Step:
    return Step(apply(table, event), (event,))
