"""Compares the engine's legal placements with the oracle's: tens of thousands, and more in `make long`."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chromino import ALL_TILES, Placement, Rules, Table
from tests.helpers import more
from tests.oracle import Oracle

pytestmark = pytest.mark.heavy

JUNIOR = Rules.junior()


def random_table(rng: Random, rules: Rules, size: int, at: tuple[int, int] = (0, 0)) -> Table:
    """A table of up to `size` legally placed tiles. A tile may be on it more than once."""
    start = rng.choice(ALL_TILES)
    table = Table().lay(Placement(rng.choice(start.ways), *at, down=rng.random() < 0.5))
    while len(table) < size:
        tiles = rng.sample(ALL_TILES, len(ALL_TILES))
        places = next(filter(None, (table.placements(tile, rules) for tile in tiles)), None)
        if places is None:
            break
        table = table.place(rng.choice(places), rules)
    return table


def compare(table: Table, rules: Rules) -> int:
    """Compare every tile's placements, and return how many there were."""
    oracle = Oracle(str(table))
    junior = rules.joining == "ends"
    # Where three wild squares don't fit, no tile does: that saves the oracle most of its work.
    slots = [slot for slot in oracle.slots() if oracle.is_legal("***", slot, junior)]
    total = 0
    for tile in ALL_TILES:
        expected = {
            Placement(colors, *slot[0], down=slot[0][0] == slot[1][0])
            for slot in slots
            for colors in tile.ways
            if oracle.is_legal(colors, slot, junior)
        }
        found = table.placements(tile, rules)
        assert len(found) == len(set(found))
        assert set(found) == expected
        assert table.fits(tile, rules) == bool(found)
        assert all(table.refusal(placement, rules) is None for placement in found)
        total += len(found)
    return total


@pytest.mark.parametrize("part", [0, *map(more, range(1, 5))])
def test_contacts_agree_on_many_tables(part: int) -> None:
    rng = Random(part)
    total = 0
    while total < 20_000:
        total += compare(random_table(rng, Rules.classic(), rng.randint(1, 80)), Rules.classic())
    assert total >= 20_000


@pytest.mark.parametrize("part", [0, more(1)])
def test_junior_agrees_on_many_tables(part: int) -> None:
    rng = Random(part)
    total = 0
    while total < 20_000:
        total += compare(random_table(rng, JUNIOR, rng.randint(1, 80)), JUNIOR)
    assert total >= 20_000


LINE = 80  # 80 tiles are 240 squares.


FAR = (-1_000_000, 999_000)


@pytest.mark.parametrize(
    ("down", "at", "backwards"),
    [
        (False, FAR, False),
        (True, (0, 0), True),
        *(more(down, at, not down) for down in (False, True) for at in ((0, 0), FAR)),
        more(False, (0, 0), False),
        more(True, FAR, True),
    ],
)
def test_placements_agree_on_a_straight_line_of_240_squares(down: bool, at: tuple[int, int], backwards: bool) -> None:
    rng = Random(1)
    steps = range(0, -3 * LINE, -3) if backwards else range(0, 3 * LINE, 3)
    table = Table()
    for step in steps:
        x, y = (at[0], at[1] + step) if down else (at[0] + step, at[1])
        table = table.lay(Placement(rng.choice(rng.choice(ALL_TILES).ways), x, y, down))
    assert compare(table, Rules.classic()) > 1000
    assert compare(table, JUNIOR) > 20


@pytest.mark.parametrize("at", [(500_000, -500_000), more((0, 0))])
def test_placements_agree_on_a_long_diagonal_staircase(at: tuple[int, int]) -> None:
    """The frame grows in both directions, since every tile starts in a new row and column."""
    x, y = at
    table = Table()
    for step in range(80):
        placement = Placement("RRR", x, y, down=step % 2 == 1)
        table = table.lay(placement)
        (x, y) = placement.squares[2]
        x, y = (x, y + 1) if step % 2 == 0 else (x + 1, y)
    assert compare(table, Rules.classic()) > 100


free_placements = st.builds(
    Placement,
    st.sampled_from([way for tile in ALL_TILES for way in tile.ways]),
    st.integers(-7, 7),
    st.integers(-7, 7),
    st.booleans(),
)


@given(st.lists(free_placements, min_size=1, max_size=12), free_placements)
@settings(max_examples=300, deadline=None)
def test_refusal_agrees_on_any_table_legal_or_not(wanted: list[Placement], tried: Placement) -> None:
    table = Table()
    taken: set[tuple[int, int]] = set()
    for placement in wanted:
        if taken.isdisjoint(placement.squares):
            taken.update(placement.squares)
            table = table.lay(placement)
    oracle = Oracle(str(table))
    for rules in (Rules.classic(), JUNIOR):
        legal = oracle.is_legal(tried.colors, tried.squares, junior=rules is JUNIOR)
        assert (table.refusal(tried, rules) is None) == legal
        assert (tried in table.placements(tried.tile, rules)) == legal


@given(st.randoms(use_true_random=False), st.sampled_from([Rules.classic(), JUNIOR]), st.integers(1, 40))
@settings(max_examples=20, deadline=None)
def test_placements_agree_on_tables_made_by_hypothesis(rng: Random, rules: Rules, size: int) -> None:
    compare(random_table(rng, rules, size, at=(rng.randint(-99, 99), rng.randint(-99, 99))), rules)
