"""What can be said of a placement at a glance: what it leaves to the next player, and to me.

The numbers come from one look-up a placement (how many places each tile has after it), so they are cheap enough for the
levels that do not play games out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p
from random import Random
from typing import NamedTuple

from chromino.bots import kernel
from chromino.bots.worlds import shuffled_world
from chromino.scoring import points
from chromino.tiles import Kind, Placement, Tile
from chromino.view import View


class Features(NamedTuple):
    """A placement in numbers."""

    next_can: float
    """The part of the next player's tiles that could be placed, as far as I can tell."""
    next_stuck: float
    """How likely it is that none could."""
    next_options: float
    """How many places those tiles have, on a scale of logarithms."""
    mine_can: float
    """The part of my other tiles that could be placed."""
    mine_stuck: float
    """1 if none could."""
    mine_options: float
    ease: float
    """How many places the tile had here: awkward tiles have few."""
    chameleon: float
    one_color: float
    plain: float
    symmetric: float
    points: float
    """What it earns, in tens."""


def features(view: View, placements: Sequence[Placement]) -> list[Features]:
    """The numbers of each placement."""
    game = shuffled_world(view, Random(0)).game  # Where hidden tiles are makes no difference to what is counted.
    before, after = kernel.counts_around(game, placements)
    odds = [(tile.number, chance) for tile, chance in _next_hand(view)]
    weight = sum([chance for _, chance in odds]) or 1.0
    size = view.hand_sizes[(view.seat + 1) % len(view.players)]
    return [
        _features(view, placement, before, counts, odds, weight, size)
        for placement, counts in zip(placements, after, strict=True)
    ]


def _next_hand(view: View) -> list[tuple[Tile, float]]:
    """The tiles that the next player may hold, each with its probability; solo, there is none."""
    if len(view.players) == 1:
        return []
    seat = (view.seat + 1) % len(view.players)
    hand = view.hands[seat]
    if hand is not None:
        return [(tile, 1.0) for tile in hand]
    seen = {placement.tile for placement in view.table.laid}
    seen.update(tile for known in view.hands for tile in known or ())
    unseen = [tile for tile in view.rules.tiles if tile not in seen]
    return [(tile, view.hand_sizes[seat] / len(unseen)) for tile in unseen]


def _features(
    view: View,
    placement: Placement,
    before: list[int],
    after: list[int],
    odds: list[tuple[int, float]],
    weight: float,
    size: int,
) -> Features:
    tile = placement.tile
    # Lists, not generators, and without tiles that nothing is left for, whose part is 0: this takes most of the time.
    mine = [after[other.number] for other in view.hand if other is not tile]
    likely = [(chance, after[number]) for number, chance in odds if after[number]]
    can = sum([chance for chance, _ in likely]) / weight
    options = sum([chance * log1p(count) for chance, count in likely]) / weight
    mine_can = sum([count > 0 for count in mine]) / (len(mine) or 1)
    scoring = view.rules.scoring
    return Features(
        next_can=can,
        next_stuck=(1 - can) ** size,
        next_options=options,
        mine_can=mine_can,
        mine_stuck=float(bool(mine) and mine_can == 0),
        mine_options=sum(map(log1p, mine)) / (len(mine) or 1),
        ease=log1p(before[tile.number]),
        chameleon=float(tile.is_chameleon),
        one_color=float(tile.kind is Kind.ONE_COLOR),
        plain=float(tile.kind is Kind.PLAIN),
        symmetric=float(tile.kind is Kind.SYMMETRIC),
        points=sum(points(view.table, placement, scoring)) / 10 if scoring else 0.0,
    )


def best(places: Sequence[Placement], merits: Iterable[float], rng: Random) -> Placement:
    """The place with the highest merit, one of them by chance if several are alike."""
    ranked = list(zip(merits, places, strict=True))
    highest = max(merit for merit, _ in ranked)
    return rng.choice([place for merit, place in ranked if merit == highest])
