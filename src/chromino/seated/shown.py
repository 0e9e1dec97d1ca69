"""What one person, or a spectator, may see of a table. Nobody learns another person's id."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

from chromino.bots import find
from chromino.events import Action, Place
from chromino.messages.games import Latecomers, SeatState, SeatToTake, State, Waiting
from chromino.messages.gatherings import ChairState, GatheringState
from chromino.messages.views import WireView
from chromino.scoring import points
from chromino.seated.automatic import GRACE, is_multi_day, stand_in, stand_in_at
from chromino.seated.dealing import terms
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import check_may_watch, events_before_last_turn
from chromino.seated.gathering import Gathering
from chromino.seated.latecomers import can_let_in, can_wait, seats_to_take
from chromino.seated.seats import Seat


def seat_shown(table: SeatedGame, person: str | None) -> int | None:
    """The seat from which this person sees the game; None for a spectator.

    For someone with several seats, it's the one that plays now or next.
    """
    mine = table.seats_of(person)
    if len(mine) < 2:
        return mine[0] if mine else None
    turn = mine[0] if table.game.over else table.game.seat
    return min(mine, key=lambda seat: (seat - turn) % len(table.seats))


def state_for(table: SeatedGame, person: str | None, now: float, grace: float = GRACE) -> State:
    """The whole game as one person sees it now."""
    check_may_watch(table, person)
    view = table.game.view(seat_shown(table, person))
    return State(
        view=WireView.of(view),
        **shared_fields(table, now),
        **seat_fields(table, person, now, grace),
        **own_fields(table, person, view.me, view.actions),
    )


# The fields of a state, grouped by what they depend on.


def shared_fields(table: SeatedGame, now: float) -> dict[str, Any]:
    """The fields that are the same for everyone. They change with every move."""
    game = table.game
    seed = game.deal.seed or ""
    ends = None if game.over else table.turn_ends
    return {
        "game": table.id,
        "version": table.version,
        "preset": game.rules.name,
        "aids": table.aids,
        "pace": table.pace,
        "turns": game.turns,
        "turn_left": None if ends is None else _seconds_left(ends, now, table.turn_limit),
        "next_game": table.next_game,
        "seed_hash": _hash(seed),
        "seed": seed if game.over else None,
        "rated": table.rated,
        "ranks": table.ranks,
        "turn_limit": table.turn_limit,
        "stood_in": table.stood_in,
        "stand_in": stand_in(table).name,
        "costs": [list(lost) for lost in game.costs] if any(map(any, game.costs)) else None,
        "deal": table.deal,
    }


def seat_fields(table: SeatedGame, person: str | None, now: float, grace: float) -> dict[str, Any]:
    """Who's at the table, as one person sees it. This changes when people come and go, and while someone is away."""
    seats = seat_states(table.seats, table.game.players, person)
    for number, (who, seat) in enumerate(zip(table.seats, seats, strict=True)):
        seat.present = who.person is None or who.away_since is None
        if not seat.present and (at := stand_in_at(table, number, grace)) is not None:
            seat.stand_in_in = _seconds_left(at, now, grace)
        if who.person is not None and who.away_since is not None:
            seat.away_for = int(max(0.0, now - who.away_since))
    return {"seats": seats, "latecomers": latecomers_of(table, person)}


def own_fields(table: SeatedGame, person: str | None, me: int | None, actions: Iterable[Action]) -> dict[str, Any]:
    """The fields for one person only, who sees the game from the seat `me` and can take these actions."""
    scoring = table.game.rules.scoring
    places = [action.placement for action in actions if isinstance(action, Place)] if scoring else []
    return {
        "watching": me is None,
        "can_take_back": events_before_last_turn(table, person) is not None,
        "played_for_me": table.played_for(person),
        "points": [sum(points(table.game.table, place, scoring)) for place in places] if scoring and places else None,
    }


def seat_states(seats: Iterable[Seat], players: Iterable[str], person: str | None) -> list[SeatState]:
    """The seats as one person sees them."""
    return [
        SeatState(
            kind="bot" if who.bot else "person",
            name=name,
            mine=person is not None and who.person == person,
            bot=who.bot,
            level=find(who.bot).level if who.bot else None,
            has_left=who.has_left,
            program=who.is_program,
            face=who.face,
        )
        for who, name in zip(seats, players, strict=True)
    ]


def latecomers_of(table: SeatedGame, person: str | None) -> Latecomers:
    """What latecomers can do. They may know this much even about a game that they can't watch."""
    return Latecomers(
        seats=[
            SeatToTake(seat, table.game.players[seat], table.seats[seat].bot or "")
            for seat in seats_to_take(table, person)
        ],
        can_wait=can_wait(table, person),
        waiting=[
            Waiting(who.name, person is not None and who.person == person, who.is_program, who.face)
            for who in table.waiting
        ],
        over=table.game.over,
        watch=table.watch,
    )


def gathering_state(table: Gathering, person: str | None) -> GatheringState:
    """A gathering as one person sees it, with or without a chair."""
    return GatheringState(
        game=table.id,
        version=table.version,
        chairs=[
            ChairState(
                kind=chair.kind,
                name=chair.name,
                mine=person is not None and chair.person == person,
                host=chair.person is not None and chair.person == table.host,
                level=chair.level,
                program=chair.is_program,
                deal=_part_state(table, chair.person),
                face=chair.face,
            )
            for chair in table.chairs
        ],
        host=person is not None and person == table.host,
        rules=table.rules.to_json(),
        preset=table.rules.name,
        watch=table.watch,
        public=table.public,
        turn_limit=table.turn_limit,
        rated=table.rated,
        aids=table.aids,
        pace=table.pace,
        latecomers=table.latecomers,
        can_let_in=can_let_in(table.rules, table.rated),
        deal=terms(table, person),
        offer=_offer_length(table),
    )


def _offer_length(table: Gathering) -> Literal["minute", "day"] | None:
    if table.offer_ends is None or not table.undecided:
        return None
    return "day" if is_multi_day(table) else "minute"


def _part_state(table: Gathering, person: str | None) -> Literal["waiting", "committed", "revealed"] | None:
    """The state of a person's part of the deal."""
    for number in table.chairs_of(person)[:1]:
        chair = table.chairs[number]
        if chair.contributes:
            return "waiting" if chair.is_undecided else "committed" if chair.part is None else "revealed"
    return None


@lru_cache
def _hash(seed: str) -> str:
    """The hash of the seed; cached because it's sent with every state."""
    return sha256(seed.encode()).hexdigest()


def _seconds_left(at: float, now: float, limit: float | None) -> float:
    """How many seconds are left, but never more than the limit: `now` may be slightly before the clock started."""
    left = max(0.0, at - now)
    return round(left if limit is None else min(left, limit), 1)
