"""Shared by several tests: random games, and positions set up by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from chromino import PRESETS, Deal, Drew, Game, Placed, Rules, Table, Tile
from chromino.tiles import parse_tiles

NAMES = ["Ada", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"]

VARIANTS: dict[str, Rules] = {
    **PRESETS,
    "no draw limit": Rules.preset("classic", draw_limit=None),
    "three draws": Rules.preset("classic", draw_limit=3),
    "open hands": Rules.preset("expert", draw_limit=None, open_hands=True),
    "one more turn": Rules.preset("classic", ending="one_more_turn"),
    "at once": Rules.preset("classic", ending="at_once"),
    "junior without chameleons": Rules.preset("junior", chameleons=False),
    "junior for points": Rules.preset("junior", scoring="expert", draw_limit=None),
    "c with chameleons": Rules.preset("scoring_c", chameleons=True, draw_limit=4),
    "hands of one": Rules.preset("classic", hand_size=1),
    "hands of two": Rules.preset("classic", hand_size=2, draw_limit=None),
}


def more(*values: Any) -> Any:
    """A parameter that only `make long` uses, since it's more of the same."""
    return pytest.param(*values, marks=pytest.mark.long)


def each_variant(*first: str) -> pytest.MarkDecorator:
    """Run a test for each of these variants of the rules, and in `make long` for all the others."""
    return pytest.mark.parametrize("name", [name if name in first else more(name) for name in VARIANTS])


def with_open_hands(rules: Rules) -> Rules:
    """The same rules with open hands."""
    return dataclasses.replace(rules, open_hands=True)


def game_of(rules: Rules, players: int, seed: int | str, first: int | None = None) -> Game:
    return Game.start(rules, NAMES[:players], seed, first)


def states(rules: Rules, players: int, seed: int) -> Iterator[Game]:
    """Every state of a game of random actions, from the deal to the end."""
    rng = Random(seed)
    game = game_of(rules, players, seed)
    yield game
    while not game.over:
        game = game.apply(rng.choice(game.actions()))
        yield game


def tiles(text: str) -> tuple[Tile, ...]:
    return parse_tiles(text.split())


def position(
    table: str,
    hands: Sequence[str],
    bag: str = "",
    rules: Rules = Rules.classic(),  # noqa: B008
    seat: int = 0,
    first: int = 0,
) -> Game:
    """A moment in a game: it's `seat`'s turn, and nobody has drawn a tile or scored yet."""
    return Game(
        rules=rules,
        players=tuple(NAMES[: len(hands)]),
        deal=Deal.shuffle(rules, len(hands), seed=0, first=first),
        log=(),
        table=Table.parse(table),
        hands=tuple(map(tiles, hands)),
        bag=tiles(bag),
        seat=seat,
        drawn=None,
        draws=0,
        earned=(0,) * len(hands),
        first_out=None,
        over=False,
    )


def assert_same_state(one: Game, other: Game) -> None:
    """Compare every field: `==` only compares the start and the log, from which the rest must follow."""
    for field in dataclasses.fields(Game):
        assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert one == other
    assert hash(one) == hash(other)


# What a seat can't know.


def unseen(game: Game, me: int | None) -> list[Tile]:
    """The tiles whose place `me` can't know, derived from the rules alone."""
    seen = {placement.tile for placement in game.table.laid}
    for seat, hand in enumerate(game.hands):
        if game.rules.open_hands or seat == me or len(hand) == 1 or game.over:
            seen.update(hand)
    seen.update(event.shows for event in game.log if isinstance(event, Placed) and event.shows)
    if game.rules.hand_size == 1:  # 5.1: a hand of one is open from the start.
        seen.update(tile for hand in game.deal.hands for tile in hand)
    return [tile for tile in game.rules.tiles if tile not in seen]


def with_swapped_tiles(game: Game, swaps: dict[Tile, Tile]) -> Game:
    """The same game with hidden tiles swapped, and another seed."""

    def swap(hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(swaps.get(tile, tile) for tile in hand)

    return dataclasses.replace(
        game,
        deal=dataclasses.replace(
            game.deal, hands=tuple(map(swap, game.deal.hands)), bag=swap(game.deal.bag), seed="another"
        ),
        log=tuple(
            dataclasses.replace(event, tile=swaps.get(event.tile, event.tile))
            if isinstance(event, Drew) and event.tile
            else event
            for event in game.log
        ),
        hands=tuple(tuple(sorted(swap(hand))) for hand in game.hands),
        bag=swap(game.bag),
        drawn=swaps.get(game.drawn, game.drawn) if game.drawn else None,
    )
