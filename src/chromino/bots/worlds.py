"""Worlds: full games that a seat considers possible, and where else their hidden tiles could be.

A playout has to know where every tile is. `inferred_world` puts hidden tiles only where everything seen so far allows
them. `shuffled_world` just shuffles the unseen tiles, like a player who doesn't watch the others draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from chromino.deal import Deal
from chromino.events import Placed
from chromino.game import Game
from chromino.sampling import Sampler
from chromino.tiles import Tile
from chromino.view import View


class HiddenTile(NamedTuple):
    """A tile that a world assumes to be in a hand, and the tiles that could be there instead."""

    seat: int
    tile: Tile
    allowed: frozenset[Tile]


@dataclass(frozen=True, slots=True)
class World:
    """A full game, and which of its tiles are only assumed to be where they are."""

    game: Game
    hidden: tuple[HiddenTile, ...]
    may_be_in_bag: frozenset[Tile]
    """The tiles that could be in the bag."""


def inferred_world(view: View, rng: Random) -> World:
    """A world that's consistent with everything seen: when players drew or passed, they couldn't place anything."""
    return next(inferred_worlds(view, rng))


def inferred_worlds(view: View, rng: Random) -> Iterator[World]:
    """As many inferred worlds as you need; the view is analyzed only once."""
    sampler = Sampler(view)
    while True:
        game, places = sampler.sample_with_alternatives(rng)
        hidden = tuple(HiddenTile(seat, tile, allowed) for seat, tile, allowed in places)
        yield World(game, hidden, sampler.may_be_in_bag)


def shuffled_world(view: View, rng: Random) -> World:
    """A world with all unseen tiles shuffled."""
    seen = {placement.tile for placement in view.table.laid}
    seen.update(tile for hand in view.hands for tile in hand or ())
    unseen = [tile for tile in view.rules.tiles if tile not in seen]
    rng.shuffle(unseen)
    possible = frozenset(unseen)
    hands: list[tuple[Tile, ...]] = []
    hidden: list[HiddenTile] = []
    for seat, (hand, size) in enumerate(zip(view.hands, view.hand_sizes, strict=True)):
        if hand is None:
            hand, unseen = tuple(unseen[:size]), unseen[size:]
            hidden += [HiddenTile(seat, tile, possible) for tile in hand]
        hands.append(hand)
    earned = [0] * len(hands)
    for event in view.log:
        if isinstance(event, Placed):
            earned[event.seat] += sum(event.points)
    game = Game(
        rules=view.rules,
        players=view.players,
        deal=Deal(view.first, view.table.laid[0].tile, tuple(hands), tuple(unseen)),
        log=view.log,
        table=view.table,
        hands=tuple(hands),
        bag=tuple(unseen),
        seat=view.seat,
        drawn=view.drawn,
        draws=view.draws,
        earned=tuple(earned),
        first_out=_first_out(view) if 0 in view.hand_sizes else None,
        over=view.over,
    )
    return World(game, tuple(hidden), possible)


def _first_out(view: View) -> int | None:
    """The seat that ran out first: of the seats without tiles, the one whose last placement came first."""
    last = {event.seat: number for number, event in enumerate(view.log) if isinstance(event, Placed)}
    seats = [seat for seat, size in enumerate(view.hand_sizes) if size == 0]
    return min(seats, key=lambda seat: last[seat])
