"""Rule 1: tiles and their text forms."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chromino import ALL_TILES, CHAMELEONS, CLASSIC_TILES, COLORS, Kind, ParseError, Placement, Rules, Tile

pytestmark = pytest.mark.rules

ways = st.sampled_from([way for tile in ALL_TILES for way in tile.ways])
placements = st.builds(Placement, ways, st.integers(-99_999, 99_999), st.integers(-99_999, 99_999), st.booleans())


@given(ways)
def test_1_2_a_tile_and_its_reverse_are_the_same(way: str) -> None:
    assert Tile.parse(way) is Tile.parse(way[::-1])
    assert Tile.parse(way) == Tile.parse(way[::-1])


def test_1_2_the_canonical_text_starts_with_the_end_that_sorts_first() -> None:
    assert str(Tile.parse("BRG")) == "GRB"
    assert str(Tile.parse("P*R")) == "R*P"
    assert repr(Tile.parse("BRG")) == "Tile.parse('GRB')"
    assert all(COLORS.index(str(tile)[0]) <= COLORS.index(str(tile)[2]) for tile in ALL_TILES)


def test_1_3_there_are_75_classic_tiles() -> None:
    assert len(set(CLASSIC_TILES)) == 75
    assert Counter(tile.kind for tile in CLASSIC_TILES) == {
        Kind.ONE_COLOR: 5,
        Kind.PLAIN: 20,
        Kind.SYMMETRIC: 20,
        Kind.THREE_COLOR: 30,
    }
    for color in COLORS:
        kinds = Counter(tile.kind for tile in CLASSIC_TILES if color in tile.colors)
        assert kinds == {Kind.ONE_COLOR: 1, Kind.PLAIN: 8, Kind.SYMMETRIC: 8, Kind.THREE_COLOR: 18}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("RRR", Kind.ONE_COLOR),
        ("BBR", Kind.PLAIN),
        ("BRB", Kind.SYMMETRIC),
        ("GBR", Kind.THREE_COLOR),
        ("G*R", Kind.CHAMELEON),
    ],
)
def test_1_3_every_tile_has_a_kind(text: str, kind: Kind) -> None:
    assert Tile.parse(text).kind is kind
    assert Tile.parse(text).is_chameleon == (kind is Kind.CHAMELEON)


def test_1_4_the_chameleons_in_the_box_have_each_color_twice() -> None:
    assert set(CHAMELEONS) == {Tile.parse(text) for text in ("P*R", "P*Y", "G*R", "G*B", "Y*B")}
    assert Counter("".join(tile.colors for tile in CHAMELEONS)) == {"R": 2, "G": 2, "B": 2, "Y": 2, "P": 2, "*": 5}


def test_1_4_any_chameleon_can_be_parsed() -> None:
    assert Tile.parse("Y*R").is_chameleon
    assert sum(tile.is_chameleon for tile in ALL_TILES) == 10


def test_1_5_the_first_edition_has_no_chameleons() -> None:
    assert Rules.first_edition().tiles == CLASSIC_TILES
    assert Rules.classic().tiles == CLASSIC_TILES + CHAMELEONS


@given(ways)
def test_copied_and_pickled_tiles_are_the_same_objects(way: str) -> None:
    tile = Tile.parse(way)
    assert copy.copy(tile) is tile
    assert copy.deepcopy(tile) is tile
    assert pickle.loads(pickle.dumps(tile)) is tile  # noqa: S301
    assert Tile.parse(str(tile)) is tile


def test_tiles_have_a_fixed_order() -> None:
    assert sorted(set(ALL_TILES)) == list(ALL_TILES)
    assert [tile.number for tile in ALL_TILES] == list(range(85))


def test_tiles_are_looked_up_not_created() -> None:
    with pytest.raises(TypeError, match=r"Tile\.parse"):
        Tile()
    with pytest.raises(AttributeError, match="can't be changed"):
        Tile.parse("RGB").number = 3
    with pytest.raises(AttributeError, match="can't be changed"):
        del Tile.parse("RGB").number


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "three letters"),
        ("RG", "three letters"),
        ("RGBY", "three letters"),
        ("R" * 10_000, "three letters"),
        (None, "three letters"),
        (["R"], "three letters"),
        ("R*R", "two different colors"),
        ("*RG", "only the center"),
        ("RG*", "only the center"),
        ("rgb", "in capitals, RGB"),
        ("RXG", "its squares must be letters"),
        ("RĞB", "its squares must be letters"),
    ],
)
def test_bad_tiles_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        Tile.parse(text)
    assert len(str(caught.value)) < 160


@given(placements)
def test_4_1_placements_round_trip(placement: Placement) -> None:
    assert Placement.parse(str(placement)) == placement
    assert eval(repr(placement), {"Placement": Placement}) == placement  # noqa: S307
    assert placement.tile is Tile.parse(placement.colors)


def test_4_1_a_tile_covers_three_squares_across_or_down() -> None:
    assert Placement.parse("BGR@0,-2>").squares == ((0, -2), (1, -2), (2, -2))
    assert Placement.parse("YBR@3,-2v").squares == ((3, -2), (3, -1), (3, 0))
    assert Placement.parse("YBR@3,-2v") == Placement("YBR", 3, -2, down=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RGB",
        "RGB@0,0",
        "RGB@0,0<",
        "RGB@0,0>>",
        "RGB@00,0>",
        "RGB@-0,0>",
        "RGB@+1,0>",
        "RGB@1.5,0>",
        "RGB@1,0> ",
        "RGB@1234567890,0>",
        "RGB@٣,0>",
        "rgb@0,0>",
        "RXB@0,0>",
        None,
        7,
    ],
)
def test_a_placement_has_only_one_text_form(text: str) -> None:
    with pytest.raises(ParseError, match="isn't a"):
        Placement.parse(text)
