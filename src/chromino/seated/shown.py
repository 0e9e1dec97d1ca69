"""What one person, or a spectator, may see of a table. Nobody learns another person's id."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from chromino.bots import find
from chromino.events import Place
from chromino.messages.games import Latecomers, SeatState, SeatToTake, State, Waiting
from chromino.messages.gatherings import ChairState, GatheringState
from chromino.messages.views import WireView
from chromino.rules import Rules
from chromino.scoring import points
from chromino.seated.asking import check_may_watch, last_turn
from chromino.seated.automatic import OVER_DAYS, stand_in, stand_in_at
from chromino.seated.dealing import terms
from chromino.seated.game import GRACE, SeatedGame
from chromino.seated.gathering import Gathering
from chromino.seated.latecomers import can_let_in, can_wait, seats_to_take
from chromino.seated.seats import Seat
from chromino.view import View


def view_of(table: SeatedGame, person: str | None) -> View:
    """The game from the person's seat that plays now or next; a spectator's view otherwise, if that's allowed."""
    check_may_watch(table, person)
    mine = table.seats_of(person)
    if not mine:
        return table.game.view(None)
    turn = mine[0] if table.game.over else table.game.seat
    return table.game.view(min(mine, key=lambda seat: (seat - turn) % len(table.seats)))


@dataclass(frozen=True, slots=True)
class Common:
    """What everyone at a table sees. It depends on the whole log, so it's computed once for all of them."""

    preset: str | None
    turns: int
    seed_hash: str
    seed: str | None
    places: list[int] | None
    stood_in: list[int]
    costs: list[list[int]] | None

    @classmethod
    def of(cls, table: SeatedGame) -> Common:
        game = table.game
        seed = game.deal.seed or ""
        return cls(
            preset=game.rules.name,
            turns=game.turns,
            seed_hash=_hash(seed),
            seed=seed if game.over else None,
            places=table.places,
            stood_in=table.stood_in,
            costs=[list(lost) for lost in game.costs] if any(map(any, game.costs)) else None,
        )


def state_for(
    table: SeatedGame,
    person: str | None,
    now: float,
    grace: float = GRACE,
    written: Callable[[View], WireView] = WireView.of,
    common: Common | None = None,
) -> State:
    """The whole game as one person sees it now. `written` may cache what it wrote before; pass `common` if it's
    already computed."""
    game = table.game
    view = view_of(table, person)
    common = common or Common.of(table)
    seats = seat_states(table.seats, game.players, person)
    for number, (who, seat) in enumerate(zip(table.seats, seats, strict=True)):
        seat.present = who.person is None or who.away_since is None
        if not seat.present and (at := stand_in_at(table, number, grace)) is not None:
            seat.stand_in_in = _left(at, now, grace)
        if who.person is not None and who.away_since is not None:
            seat.away_for = int(max(0.0, now - who.away_since))
    return State(
        game=table.id,
        version=table.version,
        view=written(view),
        preset=common.preset,
        seats=seats,
        aids=table.aids,
        pace=table.pace,
        turns=common.turns,
        watching=view.me is None,
        turn_left=None if table.turn_ends is None or game.over else _left(table.turn_ends, now, table.turn_limit),
        next_game=table.next_game,
        seed_hash=common.seed_hash,
        seed=common.seed,
        rated=table.rated,
        places=common.places,
        turn_limit=table.turn_limit,
        stood_in=common.stood_in,
        stand_in=stand_in(table).name,
        played_for_me=table.played_for(person),
        costs=common.costs,
        deal=table.deal,
        latecomers=latecomers_of(table, person),
        can_take_back=last_turn(table, person) is not None,
        points=_points(view),
    )


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
    """What's open to people who came after the deal. They may learn this much of a game that they can't watch."""
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


def _points(view: View) -> list[int] | None:
    """What each placement would earn (6.4), where points count."""
    places = [action.placement for action in view.actions if isinstance(action, Place)]
    scoring = view.rules.scoring
    return [sum(points(view.table, place, scoring)) for place in places] if scoring and places else None


def gathering_state(table: Gathering, person: str | None) -> GatheringState:
    """A gathering as one of its members, or a guest, sees it."""
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
                deal=_deal_of(table, chair.person),
                face=chair.face,
            )
            for chair in table.chairs
        ],
        host=person is not None and person == table.host,
        rules=table.rules,
        preset=Rules.from_json(table.rules).name,
        watch=table.watch,
        public=table.public,
        turn_limit=table.turn_limit,
        rated=table.rated,
        aids=table.aids,
        pace=table.pace,
        latecomers=table.latecomers,
        can_let_in=can_let_in(Rules.from_json(table.rules), table.rated),
        deal=terms(table, person),
        offer=_offer_of(table),
    )


def _offer_of(table: Gathering) -> Literal["minute", "day"] | None:
    if table.offer_ends is None or not table.waiting:
        return None
    return "day" if table.turn_limit is not None and table.turn_limit >= OVER_DAYS else "minute"


def _deal_of(table: Gathering, person: str | None) -> Literal["waiting", "committed", "revealed"] | None:
    """The state of a person's part of the deal."""
    for number in table.chairs_of(person)[:1]:
        chair = table.chairs[number]
        if chair.commitment is not None:
            return "waiting" if not chair.commitment else "committed" if chair.part is None else "revealed"
    return None


@lru_cache
def _hash(seed: str) -> str:
    """Sent with every state."""
    return sha256(seed.encode()).hexdigest()


def _left(at: float, now: float, most: float | None) -> float:
    """Seconds left, but never more than the limit: `now` may be slightly earlier than what it's compared with."""
    left = max(0.0, at - now)
    return round(left if most is None else min(left, most), 1)
