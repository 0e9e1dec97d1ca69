"""Quick facts about a placement: what it leaves for the next player, and for the player who makes it.

They all follow from one lookup per placement (how many places each tile has afterward), so they're cheap enough for
bots that don't play games out.
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

    next_placeable: float
    """The share of the next player's tiles that could be placed, as far as the player can know."""
    next_stuck: float
    """Roughly how likely it is that none of the next player's tiles could be placed, treating the tiles as
    independent."""
    next_options: float
    """How many places the next player's tiles have, on a logarithmic scale."""
    mine_placeable: float
    """The share of the player's other tiles that could be placed."""
    mine_stuck: float
    """1 if none of the player's other tiles could be placed, otherwise 0."""
    mine_options: float
    """How many places the player's other tiles have, on a logarithmic scale."""
    ease: float
    """How many places this tile had before, on a logarithmic scale; awkward tiles have few."""
    chameleon: float
    one_color: float
    plain: float
    symmetric: float
    points: float
    """The points that the placement earns, divided by ten."""


def features(view: View, placements: Sequence[Placement]) -> list[Features]:
    """The features of each placement."""
    game = shuffled_world(view, Random(0)).game  # For the counts, it doesn't matter where the hidden tiles are.
    before, after = kernel.counts_before_and_after(game, placements)
    odds = [(tile.number, chance) for tile, chance in _next_hand(view)]
    weight = sum([chance for _, chance in odds]) or 1.0
    size = view.hand_sizes[(view.seat + 1) % len(view.players)]
    return [
        _features(view, placement, before, counts, odds, weight, size)
        for placement, counts in zip(placements, after, strict=True)
    ]


def _next_hand(view: View) -> list[tuple[Tile, float]]:
    """The tiles the next player may have, with their probabilities; empty in solo games."""
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
    # Most of the time is spent here, so use lists instead of generators, and skip tiles that can't be placed.
    mine = [after[other.number] for other in view.hand if other is not tile]
    placeable = [(chance, after[number]) for number, chance in odds if after[number]]
    next_placeable = sum([chance for chance, _ in placeable]) / weight
    next_options = sum([chance * log1p(count) for chance, count in placeable]) / weight
    mine_placeable = sum([count > 0 for count in mine]) / (len(mine) or 1)
    scoring = view.rules.scoring
    return Features(
        next_placeable=next_placeable,
        next_stuck=(1 - next_placeable) ** size,
        next_options=next_options,
        mine_placeable=mine_placeable,
        mine_stuck=float(bool(mine) and mine_placeable == 0),
        mine_options=sum(map(log1p, mine)) / (len(mine) or 1),
        ease=log1p(before[tile.number]),
        chameleon=float(tile.is_chameleon),
        one_color=float(tile.kind is Kind.ONE_COLOR),
        plain=float(tile.kind is Kind.PLAIN),
        symmetric=float(tile.kind is Kind.SYMMETRIC),
        points=sum(points(view.table, placement, scoring)) / 10 if scoring else 0.0,
    )


def best(places: Sequence[Placement], merits: Iterable[float], rng: Random) -> Placement:
    """The placement with the highest merit; ties are broken at random."""
    ranked = list(zip(merits, places, strict=True))
    highest = max(merit for merit, _ in ranked)
    return rng.choice([place for merit, place in ranked if merit == highest])
