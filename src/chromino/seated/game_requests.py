"""Requests during a game: what they lead to, or why they're declined.

Most functions return a `Step`: the events that happen, and the table after them. Requests that can't be granted raise
`Declined`.
"""

from __future__ import annotations

from typing import NamedTuple

from chromino.bots import find
from chromino.errors import IllegalAction, ParseError
from chromino.events import Action, Drew, Place, Placed, parse_action
from chromino.seated.automatic import STAND_IN, is_multi_day
from chromino.seated.declined import Declined
from chromino.seated.events import GameEvent, Left, Moved, PaceSet, RematchOffered, Spoke, TakenBack, WatchingAllowed
from chromino.seated.game import SeatedGame, apply, moved_to
from chromino.seated.gathering import Gathering
from chromino.seated.seats import Chair
from chromino.view import View

_PHRASE_INTERVAL = 1.0  # How many seconds must pass before the same person can say another phrase.
_OFFER_SECONDS = 60.0  # How long people have to accept a rematch.
_MULTI_DAY_OFFER_SECONDS = 24 * 3600.0  # How long they have after a multi-day game.


class Step(NamedTuple):
    """The events that happen, and the table after them."""

    table: SeatedGame
    events: tuple[GameEvent, ...] = ()

    @classmethod
    def of(cls, table: SeatedGame, event: GameEvent) -> Step:
        """The step in which this event happens."""
        return cls(apply(table, event), (event,))


def act(table: SeatedGame, person: str, seat: int, text: str, version: int, action_id: str, now: float) -> Step:
    """Place, draw or pass, if the table is still at `version`. An action whose id was seen before isn't repeated."""
    check_seat(table, person, seat)
    if table.version_after(action_id) is not None:
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
        game = table.game.apply(action)
    except IllegalAction as error:
        raise Declined("not-allowed", refusal=error.refusal) from None
    event = Moved(game.log[-1], now, action_id)
    return Step(moved_to(table, game, event), (event,))


def take_back(table: SeatedGame, person: str, version: int, action_id: str, now: float) -> Step:
    """Take back your last turn with a placement, with its draws and everything after it, no matter what has been
    revealed since then."""
    _check_playing(table, person)
    if table.version_after(action_id) is not None:
        return Step(table)
    if version != table.version:
        raise Declined("stale")
    moves = events_before_last_turn(table, person)
    if moves is None:
        raise Declined("nothing-to-take-back")
    return Step.of(table, TakenBack(moves, now, action_id))


def events_before_last_turn(table: SeatedGame, person: str | None) -> int | None:
    """How many events remain if this person takes back their last turn; None if they can't.

    Turns without a placement don't count: they were forced, and would be again.
    """
    mine = table.seats_of(person)
    if len(mine) != 1 or table.seats[mine[0]].has_left or table.rated or table.game.over:
        return None
    if any(who.bot is None and who.person != person for who in table.seats):
        return None  # You can't take back turns if other people are playing.
    log = table.game.log
    moves = len(log) - 1
    while moves >= 0 and not (log[moves].seat == mine[0] and isinstance(log[moves], Placed)):
        moves -= 1
    if moves < 0:
        return None
    while moves and isinstance(log[moves - 1], Drew) and log[moves - 1].seat == mine[0]:
        moves -= 1
    return moves


def set_pace(table: SeatedGame, person: str, pace: bool) -> Step:
    """Choose whether bots pause naturally before they play."""
    _check_playing(table, person)
    return Step.of(table, PaceSet(pace))


def say(table: SeatedGame, person: str, phrase: str, now: float) -> Step:
    """Say a phrase to everyone at the table."""
    _check_playing(table, person)
    last = dict(table.spoke).get(person)
    if last is not None and 0 <= now - last < _PHRASE_INTERVAL:  # A clock may have been set back.
        raise Declined("too-fast")
    return Step.of(table, Spoke(person, phrase, now))


def leave(table: SeatedGame, person: str, now: float) -> Step:
    """Leave for good: a bot takes over. Once the game is over, nothing happens."""
    _check_seated(table, person)
    return Step(table) if table.game.over else Step.of(table, Left(person, now))


def share(table: SeatedGame, person: str | None) -> Step:
    """Share a finished game. If you were the only person in it, anyone with the link can see it from now on.

    If other people played too, a game without spectators stays private.
    """
    check_may_watch(table, person)
    if not table.game.over:
        raise Declined("not-over")
    is_mine = {who.person for who in table.seats if who.bot is None} == {person}
    return Step.of(table, WatchingAllowed()) if is_mine and not table.watch else Step(table)


def ask_for_hint(table: SeatedGame, person: str, version: int) -> View:
    """Ask for a hint when it's your turn, and return your view of the game, which the hint is based on."""
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


def gather_rematch(
    table: SeatedGame, person: str, game_id: str, commitment: str | None, entropy: str, banned: set[str], now: float
) -> tuple[Step, Gathering]:
    """Set up a rematch with the same rules and people, plus those waiting for it; the next seat goes first.

    Everyone gathers first: the others are asked for their part of the deal, even if the person who wants the rematch
    contributes none. People who left may come back. Bots take the seats of people who were erased or banned.

    If two people ask at the same time, the first one's rematch counts: see `RematchOffered`.
    """
    _check_seated(table, person)
    if not table.game.over:
        raise Declined("not-over")
    seated_people: set[str] = set()
    chairs = []
    for who, player in zip(table.seats, table.game.players, strict=True):
        if who.person is None or who.person in banned:
            level = find(who.bot).level if who.bot else None
            chairs.append(Chair("bot", player, level=level or STAND_IN.level))
            continue
        if who.person in seated_people:
            their_commitment = None  # One commitment is enough for all their seats.
        elif who.person == person:
            their_commitment = commitment
        else:
            their_commitment = ""  # Still to come.
        seated_people.add(who.person)
        chairs.append(
            Chair(
                kind="person",
                name=player,
                person=who.person,
                away_since=now,
                is_program=who.is_program,
                commitment=their_commitment,
                face=who.face,
            )
        )
    chairs += [
        Chair(
            kind="person",
            name=latecomer.name,
            person=latecomer.person,
            away_since=now,
            is_program=latecomer.is_program,
            commitment="",
            face=latecomer.face,
        )
        for latecomer in table.waiting
        if latecomer.person not in banned
    ]
    is_offer = any(chair.is_undecided for chair in chairs)
    rematch = Gathering(
        id=game_id,
        host=person,
        chairs=tuple(chairs),
        rules=table.game.rules,
        first=(table.game.first + 1) % len(table.game.players),
        aids=table.aids,
        pace=table.pace,
        watch=table.watch,
        turn_limit=table.turn_limit,
        rated=_is_rated_again(table, person),
        entropy=entropy,
        dealing=True,
        latecomers=table.latecomers,
        offer_ends=now + (_MULTI_DAY_OFFER_SECONDS if is_multi_day(table) else _OFFER_SECONDS) if is_offer else None,
    )
    return Step.of(table, RematchOffered(game_id)), rematch


def _is_rated_again(table: SeatedGame, person: str) -> bool:
    """Is the rematch rated too? Only if nobody but bots plays against this person: other people would have to agree."""
    others = {who.person for who in table.seats if who.bot is None} - {person}
    return table.rated and not others and not table.waiting


def check_seat(table: SeatedGame, person: str, seat: int) -> None:
    """Decline unless this person plays this seat."""
    if seat not in table.seats_of(person) or table.seats[seat].has_left:
        raise Declined("not-your-seat")


def check_may_watch(table: SeatedGame, person: str | None) -> None:
    """Decline unless this person may see the game: players always may, others only if it allows spectators."""
    if not table.watch and not table.seats_of(person):
        raise Declined("not-your-game")


def _check_seated(table: SeatedGame, person: str) -> None:
    if not table.seats_of(person):
        raise Declined("not-your-game")


def _check_playing(table: SeatedGame, person: str) -> None:
    """Decline unless this person is still playing: they may have left for good, or been banned."""
    _check_seated(table, person)
    if all(table.seats[seat].has_left for seat in table.seats_of(person)):
        raise Declined("not-your-seat")
