"""Rule 6.5: solutions agree with the oracle, attempts are judged, and conundrums are graded and made to order."""

from __future__ import annotations

from datetime import date
from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chromino import ParseError, Placement, Rules, RulesError, Table, Tile
from chromino.conundrum import Conundrum, Verdict
from chromino.conundrum.grading import GRADES, Difficulty, difficulty, near_misses
from chromino.conundrum.making import MakingError, daily, make
from chromino.tiles import CHAMELEONS
from tests.helpers import more, states
from tests.valid_conundrum import assert_valid

EXAMPLE = "Y*R@0,0> GRR@1,1> ? RBY RRR"


def test_6_5_all_places_of_each_tile_are_found() -> None:
    conundrum = Conundrum.parse(EXAMPLE)
    assert {str(tile): count for tile, count in conundrum.counts.items()} == {"RBY": 3, "RRR": 4}
    assert str(conundrum) == EXAMPLE
    assert Conundrum.parse(str(conundrum)) == conundrum


def test_an_attempt_is_right_wrong_already_found_or_not_asked_for() -> None:
    conundrum = Conundrum.parse(EXAMPLE)
    right = Placement.parse("YBR@3,-2v")
    assert conundrum.attempt(right).verdict is Verdict.RIGHT
    assert conundrum.attempt(right, [right]).verdict is Verdict.FOUND
    wrong = conundrum.attempt(Placement.parse("YBR@0,5>"))
    assert wrong.verdict is Verdict.WRONG
    assert wrong.refusal == conundrum.table.refusal(Placement.parse("YBR@0,5>"))
    assert conundrum.attempt(Placement.parse("PPP@0,5>")).verdict is Verdict.NOT_ASKED
    assert len(conundrum.missing([right])) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a table, a question mark, and tiles"),
        ("Y*R@0,0>", "a table, a question mark, and tiles"),
        ("Y*R@0,0> ?", "at least one tile"),
        ("? RRR", "at least one tile on its table"),
        ("Y*R@0,0> ? RRR RRR", "can't ask for the same tile twice"),
        ("Y*R@0,0> GRR@1,1> ? GRR", "is already on the table"),
        ("Y*R@0,0> RRR@1,0> ? BBB", "can't be on this table"),
        ("Y*R@0,0> ? XYZ", "isn't a tile"),
    ],
)
def test_an_invalid_conundrum_says_why(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Conundrum.parse(text)


@pytest.mark.parametrize("grade", GRADES)
def test_conundrums_agree_with_the_oracle_and_look_like_real_games(grade: int) -> None:
    for seed in range(2):
        conundrum = make(seed, grade)
        assert difficulty(conundrum).grade == grade
        assert_valid(conundrum)


@pytest.mark.heavy
@pytest.mark.parametrize("grade", [1, 2, 3, *map(more, (4, 5))])
def test_different_seeds_give_different_conundrums(grade: int) -> None:
    made = {str(make(seed, grade)) for seed in range(10)}
    assert len(made) == 10


def test_the_rulebooks_counts_can_be_requested() -> None:
    conundrum = make(1, counts={"YRB": 5, "GBB": 7})
    assert {str(tile): count for tile, count in conundrum.counts.items()} == {"BRY": 5, "GBB": 7}
    assert_valid(conundrum)


def test_the_tiles_to_place_can_be_chosen() -> None:
    conundrum = make(3, 3, tiles=["YRB", "GBB"])
    assert list(map(str, conundrum.tiles)) in (["BRY", "GBB"], ["GBB", "BRY"])
    assert difficulty(conundrum).grade == 3
    assert_valid(conundrum)
    assert make(counts={"YRB": 5}) == make(1, counts={"YRB": 5})


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(RulesError, match="1 to 5"):
        make(1, difficulty=6)
    with pytest.raises(RulesError, match="1 to 4 tiles"):
        make(1, tiles=5)
    with pytest.raises(RulesError, match="0 to 30"):
        make(1, counts={"RRR": 99})
    with pytest.raises(ParseError, match="isn't a tile"):
        make(1, counts={"XXX": 1})
    with pytest.raises(RulesError, match="RGB appears twice"):
        make(1, counts={"RGB": 1, "BGR": 2})
    with pytest.raises(RulesError, match="can't ask for all five chameleons"):
        make(1, counts={str(tile): 1 for tile in CHAMELEONS})


@pytest.mark.heavy
def test_making_gives_up_on_impossible_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chromino.conundrum.making._TRIES", 3)
    with pytest.raises(MakingError, match="found no table"):
        make(1, counts={"RRR": 30})


def test_the_same_seed_gives_the_same_conundrum_and_another_a_different_one() -> None:
    assert make("a", 3) == make("a", 3) != make("b", 3)


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2026, 11, 15), "R*P@0,0> BPP@1,1> BPG@1,-1> PGB@2,-2> YBP@0,2> RRY@-1,0v ? PBP RRP"),
        (date(2027, 1, 1), "G*B@0,0> YBG@1,-1> YBP@1,1> BYB@0,-2> YYB@0,2> RYY@-1,3> RRY@-2,4> ? RRR GPY"),
        (
            date(2030, 2, 28),
            "B*Y@0,0> P*Y@-1,1> YPR@2,1> GBY@-1,-1> YGY@2,-1> YRR@5,-1v YGB@-2,-2> RPG@-2,2> ? GYY RYY",
        ),
    ],
)
def test_the_conundrum_of_a_day_is_the_same_everywhere(day: date, text: str) -> None:
    assert str(daily(day, 2)) == text


def test_each_day_and_grade_has_its_own_conundrum() -> None:
    made = {str(daily(date(2026, 11, day), grade)) for day in (1, 2) for grade in GRADES}
    assert len(made) == 10


counted = st.integers(min_value=0, max_value=40)


@given(st.builds(Difficulty, *[counted] * 8), st.sampled_from(list(Difficulty.__slots__)))
def test_each_additional_reason_makes_a_conundrum_harder(found: Difficulty, name: str) -> None:
    values = {field: getattr(found, field) for field in Difficulty.__slots__}
    harder = Difficulty(**{**values, name: values[name] + 1})
    assert harder.score > found.score
    assert harder.grade >= found.grade
    assert [count for reason, count in found.reasons if count <= 0] == []


def test_near_misses_match_an_exhaustive_search() -> None:
    """The table is in two parts, so most squares are far from any tile."""
    rules = Rules.junior()
    for seed in range(2):
        *_, game = states(rules, 2, seed)
        shifted = [Placement(one.colors, one.x + 25, one.y - 9, one.down) for one in game.table.laid[:3]]
        table = reduce(Table.lay, [*game.table.laid[:6], *shifted], Table())
        tile = Tile.parse("RGB")
        everywhere = [
            placement
            for x, y, down in product(range(-25, 50), range(-30, 25), (False, True))
            for colors in tile.ways
            if is_near_miss(table, placement := Placement(colors, x, y, down))
        ]
        assert list(near_misses(table, tile)) == everywhere


def is_near_miss(table: Table, placement: Placement) -> bool:
    if any(table.color_at(square) for square in placement.squares):
        return False
    matches = [contact.matches for contact in table.contacts(placement)]
    return matches.count(True) >= 2 and matches.count(False) == 1


def test_a_near_miss_matches_twice_and_clashes_once() -> None:
    table = Table.parse("Y*R@0,0> GRR@1,1>")
    found = list(near_misses(table, Tile.parse("PRR")))
    assert found
    for placement in found:
        contacts = table.contacts(placement)
        assert sum(not contact.matches for contact in contacts) == 1
        assert sum(contact.matches for contact in contacts) >= 2
