"""Requests during a game: what follows from them, or why they're declined.

Each function returns a `Step`: the events that happen, and the table after them. Refusals raise `Declined`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chromino.bots import find
from chromino.errors import IllegalAction, ParseError
from chromino.events import Action, Place, parse_action
from chromino.seated.automatic import STAND_IN
from chromino.seated.declined import Declined
from chromino.seated.events import GameEvent, Left, Moved, PaceSet, RematchBegan, Spoke
from chromino.seated.game import SeatedGame, apply, moved_to
from chromino.seated.gathering import Gathering, deal
from chromino.seated.seats import Chair
from chromino.view import View

_BETWEEN_PHRASES = 1.0  # Seconds.


class Step(NamedTuple):
    """What happens, and the table after it."""

    table: SeatedGame
    events: tuple[GameEvent, ...] = ()


def act(table: SeatedGame, person: str, seat: int, text: str, version: int, action_id: str, now: float) -> Step:
    """Place, draw or pass, based on `version`. If this id was seen before, nothing happens again."""
    check_seat(table, person, seat)
    if table.done(action_id) is not None:
        return Step(table)
    try:
        action = parse_action(text)
    except ParseError as error:
        raise Declined("bad-message", str(error)) from None
    if version != table.version:
        raise Declined("stale")
    if seat != table.game.seat and not table.game.over:
        raise Declined("not-your-turn")
    return move(table, action, now, action_id)


def move(table: SeatedGame, action: Action, now: float, action_id: str | None = None) -> Step:
    """Perform an action for the seat whose turn it is, no matter who decided it."""
    try:
        after = table.game.apply(action)
    except IllegalAction as error:
        raise Declined("not-allowed", refusal=error.refusal) from None
    event = Moved(after.log[-1], now, action_id)
    return Step(moved_to(table, after, event), (event,))


def set_pace(table: SeatedGame, person: str, pace: bool) -> Step:
    """Should bots pause naturally before they play?"""
    _check_playing(table, person)
    return _step(table, PaceSet(pace))


def say(table: SeatedGame, person: str, phrase: str, now: float) -> Step:
    """Say a phrase to everyone at the table."""
    _check_playing(table, person)
    last = dict(table.spoke).get(person)
    if last is not None and 0 <= now - last < _BETWEEN_PHRASES:  # A clock may have been set back.
        raise Declined("too-fast")
    return _step(table, Spoke(person, phrase, now))


def leave(table: SeatedGame, person: str, now: float) -> Step:
    """Leave for good: a bot takes over. After the end, there's nothing to leave."""
    _check_seated(table, person)
    return Step(table) if table.game.over else _step(table, Left(person, now))


def ask_hint(table: SeatedGame, person: str, version: int) -> View:
    """The view to find a hint for, which is that of the person whose turn it is."""
    check_may_watch(table, person)
    if not table.aids:
        raise Declined("aids-off")
    if version != table.version:
        raise Declined("stale")
    seat = table.game.seat
    if table.game.over or seat not in table.seats_of(person) or table.seats[seat].has_left:
        raise Declined("not-your-turn")
    view = table.game.view(seat)
    if not any(isinstance(action, Place) for action in view.actions):
        raise Declined("nothing-to-choose")
    return view


def begin_rematch(
    table: SeatedGame, person: str, name: str, seed: str, banned: set[str], now: float
) -> tuple[Step, SeatedGame]:
    """The same people with the same rules, and the next seat goes first. The server deals alone, at once.

    People who left may come back for it, but not those who were erased or banned.
    """
    first = _next_first(table, person)
    game = deal(table.game.rules, list(table.game.players), seed, first)
    seats = tuple(
        replace(
            who,
            has_left=who.bot is None and (who.person is None or who.person in banned),
            away_since=None if who.person is None else now,  # Until they arrive.
        )
        for who in table.seats
    )
    how = (table.aids, table.pace, table.watch, table.turn_limit, _is_rated_again(table, person))
    rematch = SeatedGame.begin(name, game, seats, now, *how)
    return _step(table, RematchBegan(name)), rematch


def gather_rematch(
    table: SeatedGame, person: str, name: str, commitment: str, entropy: str, banned: set[str], now: float
) -> tuple[Step, Gathering]:
    """The same with a joint deal: it starts when everyone has arrived and revealed their part.

    Bots take the seats of people who were erased or banned.
    """
    first = _next_first(table, person)
    here: set[str] = set()
    chairs = []
    for who, called in zip(table.seats, table.game.players, strict=True):
        if who.person is None or who.person in banned:
            level = find(who.bot).level if who.bot else None
            chairs.append(Chair("bot", called, level=level or STAND_IN.level))
            continue
        gives = None if who.person in here else commitment if who.person == person else ""
        here.add(who.person)
        chairs.append(Chair("person", called, who.person, away_since=now, is_program=who.is_program, commitment=gives))
    rematch = Gathering(
        id=name,
        host=person,
        chairs=tuple(chairs),
        rules=table.game.rules.to_json(),
        first=first,
        aids=table.aids,
        pace=table.pace,
        watch=table.watch,
        turn_limit=table.turn_limit,
        rated=_is_rated_again(table, person),
        entropy=entropy,
        dealing=True,
    )
    return _step(table, RematchBegan(name)), rematch


def _next_first(table: SeatedGame, person: str) -> int:
    """Who goes first in a rematch that this person asks for."""
    _check_seated(table, person)
    if not table.game.over:
        raise Declined("not-over")
    return (table.game.first + 1) % len(table.game.players)


def _is_rated_again(table: SeatedGame, person: str) -> bool:
    """Only with one person against bots, since nobody else has agreed to another rated game."""
    return table.rated and {who.person for who in table.seats if who.bot is None} == {person}


def check_seat(table: SeatedGame, person: str, seat: int) -> None:
    """Does this person play this seat?"""
    if seat not in table.seats_of(person) or table.seats[seat].has_left:
        raise Declined("not-your-seat")


def check_may_watch(table: SeatedGame, person: str | None) -> None:
    """Players may always see the game; others only if it allows spectators."""
    if not table.watch and not table.seats_of(person):
        raise Declined("not-your-game")


def _step(table: SeatedGame, event: GameEvent) -> Step:
    return Step(apply(table, event), (event,))


def _check_seated(table: SeatedGame, person: str) -> None:
    if not table.seats_of(person):
        raise Declined("not-your-game")


def _check_playing(table: SeatedGame, person: str) -> None:
    """Refuse those who left for good or were banned."""
    _check_seated(table, person)
    if all(table.seats[seat].has_left for seat in table.seats_of(person)):
        raise Declined("not-your-seat")
