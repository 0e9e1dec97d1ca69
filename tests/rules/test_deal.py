"""Rule 2: setup."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chromino import Deal, Game, Kind, ParseError, Rules, RulesError, Tile
from chromino.deal import shuffled
from tests.helpers import NAMES, game_of, tiles

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("players", range(1, 9))
def test_2_1_one_to_eight_players_get_eight_tiles_each(players: int) -> None:
    game = game_of(Rules.classic(), players, seed=players)
    assert [len(game.hand(seat)) for seat in range(players)] == [8] * players
    assert game.bag_count == 79 - 8 * players
    assert game.scores == (0,) * players


@pytest.mark.parametrize("players", [0, 9, 100])
def test_2_1_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(RulesError, match="1 to 8 players"):
        Game.start(Rules.classic(), ["x"] * players, seed=1)


def test_2_2_a_chameleon_starts_or_in_the_first_edition_a_three_color_tile() -> None:
    starts = {game_of(Rules.classic(), 2, seed).deal.start for seed in range(200)}
    assert starts == {tile for tile in Rules.classic().tiles if tile.is_chameleon}
    kinds = {game_of(Rules.first_edition(), 2, seed).deal.start.kind for seed in range(50)}
    assert kinds == {Kind.THREE_COLOR}
    game = game_of(Rules.classic(), 2, seed=1)
    assert str(game.table) == f"{game.deal.start}@0,0>"


def test_2_3_hands_that_do_not_fit_in_the_bag_are_refused() -> None:
    rules = Rules.preset("classic", hand_size=10)
    assert game_of(rules, 7, seed=1).bag_count == 9
    with pytest.raises(RulesError, match="8 hands of 10 tiles need 80 tiles, but the bag holds 79"):
        game_of(rules, 8, seed=1)


def test_2_4_the_first_player_is_chosen_or_random() -> None:
    assert game_of(Rules.classic(), 3, seed=1, first=2).seat == 2
    assert {game_of(Rules.classic(), 3, seed).first for seed in range(50)} == {0, 1, 2}
    assert (
        game_of(Rules.classic(), 2, seed=1, first=0).deal.hands
        == game_of(Rules.classic(), 2, seed=1, first=1).deal.hands
    )
    for first in (-1, 3, 1.0, True):
        with pytest.raises(RulesError, match="a seat from 0 to 2"):
            game_of(Rules.classic(), 3, seed=1, first=first)  # type: ignore[arg-type]


@given(st.one_of(st.integers(), st.text("abc 0123é🙂"), st.binary()))
def test_the_shuffle_sorts_by_sha_256_of_seed_and_tile(seed: int | str | bytes) -> None:
    deal = Deal.shuffle(Rules.classic(), 3, seed)
    text = seed.hex() if isinstance(seed, bytes) else str(seed)
    order = sorted(map(str, Rules.classic().tiles), key=lambda t: hashlib.sha256((text + t).encode()).hexdigest())
    chameleons = [t for t in order if "*" in t]
    start = min(chameleons, key=lambda t: hashlib.sha256((text + "start" + t).encode()).hexdigest())
    order.remove(start)
    assert str(deal.start) == start
    assert [str(tile) for hand in deal.hands for tile in hand] + list(map(str, deal.bag)) == order
    assert deal.seed == text
    assert deal.first == int(hashlib.sha256((text + "first").encode()).hexdigest(), 16) % 3


def test_2_3_every_seat_is_equally_likely_to_be_dealt_a_chameleon() -> None:
    """The chameleon on the table says nothing about where the other four are."""
    deals = [Deal.shuffle(Rules.classic(), 8, seed) for seed in range(2000)]
    for seat in range(8):
        count = sum(tile.is_chameleon for deal in deals for tile in deal.hands[seat])
        assert 690 < count < 930  # 2000 × 4 × 8 / 79 is 810; four standard deviations are 108.


def test_deals_from_before_version_1_stay_valid() -> None:
    """Back then, the first chameleon in the shuffled order went on the table."""
    order = shuffled(Rules.classic().tiles, "7")
    start = next(tile for tile in order if tile.is_chameleon)
    order.remove(start)
    deal = Deal(0, start, (tuple(order[:8]), tuple(order[8:16])), tuple(order[16:]), "7")
    assert deal != Deal.shuffle(Rules.classic(), 2, 7, first=0)
    deal.check(Rules.classic())
    other = next(tile for tile in order if tile.is_chameleon)
    order[order.index(other)] = start
    wrong = Deal(0, other, (tuple(order[:8]), tuple(order[8:16])), tuple(order[16:]), "7")
    with pytest.raises(RulesError, match="the seed '7' gives a different deal"):
        wrong.check(Rules.classic())


def test_every_tile_is_about_equally_likely_to_be_first() -> None:
    firsts = [shuffled(Rules.first_edition().tiles, str(seed))[0] for seed in range(3000)]
    counts = [firsts.count(tile) for tile in Rules.first_edition().tiles]
    assert min(counts) > 10
    assert max(counts) < 90


def test_the_same_seed_gives_the_same_game() -> None:
    assert game_of(Rules.classic(), 4, 7) == game_of(Rules.classic(), 4, "7")
    assert game_of(Rules.classic(), 4, 7) != game_of(Rules.classic(), 4, 8)
    assert Game.start(Rules.classic(), ["a"], b"\x07") == Game.start(Rules.classic(), ["a"], "07")


@pytest.mark.parametrize("seed", ["\ud800", "a\nb", "\0", None, True, 1.5, bytearray(b"x")])
def test_a_seed_must_be_a_number_printable_text_or_bytes(seed: Any) -> None:
    with pytest.raises(ParseError, match="a seed must be"):
        Game.start(Rules.classic(), ["a"], seed)


@pytest.mark.parametrize(
    "name",
    ["", "  ", "a\nb", "\x1b[31m", "\ud800", "a\u2028b", "a\u2029b", "a\ufffe", "\uffffb", "\ufdd0", "\U0010ffff"],
)
def test_names_that_would_garble_the_screen_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match="a name must be one line of text"):
        Game.start(Rules.classic(), [name], seed=1)


@pytest.mark.parametrize("players", ["Ada", [1, 2], [None]])
def test_players_must_be_names(players: Any) -> None:
    with pytest.raises(RulesError, match=r"^players must be a list of names$"):
        Game.start(Rules.classic(), players, seed=1)


def test_players_can_come_from_an_iterator() -> None:
    names = ("Ada", "Bob")
    assert Game.start(Rules.classic(), iter(names), seed=1) == Game.start(Rules.classic(), names, seed=1)
    assert Game.dealt(Rules.classic(), iter(names), DEAL).players == names


DEAL = Deal.shuffle(Rules.classic(), 2, seed=7, first=0)


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        (replace(DEAL, first=2), "a seat from 0 to 1"),
        (replace(DEAL, first=-1), "a seat from 0 to 1"),
        (
            replace(DEAL, start=DEAL.bag[0], bag=(DEAL.start, *DEAL.bag[1:])),
            "the first tile on the table must be a chameleon",
        ),
        (replace(DEAL, hands=(DEAL.hands[0][:7], DEAL.hands[1])), "must have 8 tiles"),
        (replace(DEAL, hands=(DEAL.hands[0], DEAL.hands[0])), "each of the 80 tiles once"),
        (replace(DEAL, bag=DEAL.bag[1:]), "each of the 80 tiles once"),
        (replace(DEAL, bag=(*DEAL.bag, DEAL.bag[0])), "each of the 80 tiles once"),
        (replace(DEAL, bag=DEAL.bag[::-1]), "the seed '7' gives a different deal"),
        (replace(DEAL, hands=DEAL.hands[::-1]), "a different deal"),
        (replace(DEAL, hands=DEAL.hands * 5), "1 to 8 players"),
    ],
)
def test_an_impossible_deal_is_refused(deal: Deal, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Game.dealt(Rules.classic(), (NAMES * 2)[: len(deal.hands)], deal)


def test_a_deal_without_a_seed_may_be_in_any_order() -> None:
    deal = replace(DEAL, bag=DEAL.bag[::-1], seed=None)
    game = Game.dealt(Rules.classic(), ["Ada", "Bob"], deal)
    assert game.bag == DEAL.bag[::-1]
    with pytest.raises(RulesError, match="the deal is for 2 players, not 1"):
        Game.dealt(Rules.classic(), ["Ada"], deal)


def test_a_deal_round_trips_through_json() -> None:
    assert Deal.from_json(json.loads(json.dumps(DEAL.to_json()))) == DEAL


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        DEAL.to_json() | {"first": "0"},
        DEAL.to_json() | {"first": False},
        DEAL.to_json() | {"more": 1},
        DEAL.to_json() | {"seed": 7},
        DEAL.to_json() | {"tile": None},
        DEAL.to_json() | {"tile": "XXX"},
        DEAL.to_json() | {"hands": "RRR"},
        DEAL.to_json() | {"hands": ["RRR"]},
        DEAL.to_json() | {"bag": [None]},
    ],
)
def test_json_that_is_not_a_deal_is_refused(data: object) -> None:
    with pytest.raises(ParseError, match=r"must have .first|isn't a tile|isn't a list of tiles"):
        Deal.from_json(data)


def test_hands_are_sorted_so_that_their_order_reveals_nothing() -> None:
    game = game_of(Rules.classic(), 2, seed=7)
    assert list(game.hand(0)) == sorted(game.deal.hands[0])
    assert tiles("RRR GGG") == (Tile.parse("RRR"), Tile.parse("GGG"))
