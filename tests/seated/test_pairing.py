"""Who plays whom, in virtual time."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chromino import Rules
from chromino.seated import Chair
from chromino.seated.pairing import (
    DIFFERENCE_PER_SECOND,
    INITIAL_DIFFERENCE,
    PATIENCE,
    TURN_LIMIT,
    Seeker,
    opponent_of,
    pairs,
    table_for_pair,
)

pytestmark = pytest.mark.rules

NAMES = [f"p{number}" for number in range(8)]

seekers = st.builds(
    Seeker,
    person=st.sampled_from(NAMES),
    rules=st.sampled_from(["classic", "expert"]),
    since=st.floats(0, 30),
    rating=st.none() | st.floats(0, 3000),
    avoids=st.frozensets(st.sampled_from(NAMES), max_size=2),
)
crowds = st.lists(seekers, max_size=12, unique_by=lambda seeker: seeker.person)


def may_meet(one: Seeker, other: Seeker) -> bool:
    return one.rules == other.rules and other.person not in one.avoids and one.person not in other.avoids


@given(crowds, st.floats(30, 60))
def test_nobody_is_paired_twice_or_with_themselves_or_under_different_rules(crowd: list[Seeker], now: float) -> None:
    found = pairs(crowd, now)
    people = [seeker.person for pair in found for seeker in pair]
    assert len(people) == len(set(people))
    assert set(people) <= {seeker.person for seeker in crowd}
    assert all(may_meet(*pair) for pair in found)


@given(crowds)
def test_eventually_everyone_who_can_be_paired_is(crowd: list[Seeker]) -> None:
    now = 30 + PATIENCE
    paired = {seeker for pair in pairs(crowd, now) for seeker in pair}
    left = [seeker for seeker in crowd if seeker not in paired]
    assert not any(may_meet(one, other) for one, other in combinations(left, 2))


@given(crowds, st.data())
def test_whoever_has_waited_longest_is_paired_first(crowd: list[Seeker], data: st.DataObject) -> None:
    """The first in line gets an opponent if there's one they may meet, no matter who joins later."""
    if not crowd:
        return
    first = min(crowd, key=lambda seeker: (seeker.since, seeker.person))
    now = first.since + PATIENCE + data.draw(st.floats(0.001, 60))  # Not 0, because floating-point sums are rounded.
    has_opponent = any(may_meet(first, other) for other in crowd if other is not first)
    assert (opponent_of(first.person, crowd, now) is not None) == has_opponent


@given(crowds, st.floats(30, 60))
def test_both_sides_agree_on_who_plays_whom_in_any_order(crowd: list[Seeker], now: float) -> None:
    found = pairs(crowd, now)
    assert pairs(reversed(crowd), now) == found
    for one, other in found:
        assert opponent_of(one.person, crowd, now) == other
        assert opponent_of(other.person, crowd, now) == one


def test_everyone_is_paired_in_time_as_people_arrive() -> None:
    """Eight people with very different ratings arrive, one a second: nobody waits longer than `PATIENCE`."""
    crowd = [Seeker(name, "classic", float(at), 400.0 * at) for at, name in enumerate(NAMES)]
    waiting: list[Seeker] = []
    met: dict[str, float] = {}
    for tenth in range(400):
        now = tenth / 10
        waiting += [seeker for seeker in crowd if seeker.since == now]
        for pair in pairs(waiting, now):
            for seeker in pair:
                waiting.remove(seeker)
                met[seeker.person] = now
    assert set(met) == set(NAMES)
    assert all(met[seeker.person] - seeker.since <= PATIENCE for seeker in crowd)


def test_the_allowed_rating_difference_grows_with_time() -> None:
    crowd = [
        Seeker("ada", "classic", 0.0, 1000.0),
        Seeker("bob", "classic", 0.0, 1000.0 + INITIAL_DIFFERENCE + 5 * DIFFERENCE_PER_SECOND),
    ]
    assert pairs(crowd, 4.9) == []
    assert pairs(crowd, 5.0) == [tuple(crowd)]
    assert pairs(crowd, -1.0) == []


def test_a_close_rating_beats_an_early_arrival() -> None:
    ada = Seeker("ada", "classic", 0.0, 1000.0)
    far, near = Seeker("far", "classic", 1.0, 1090.0), Seeker("near", "classic", 2.0, 1010.0)
    assert opponent_of("ada", [far, ada, near], 3.0) == near
    assert opponent_of("far", [far, ada, near], 3.0) is None
    assert opponent_of("nobody", [far, ada, near], 3.0) is None


def test_people_without_a_rating_can_meet_anyone_but_close_ratings_go_first() -> None:
    new, ada = Seeker("new", "classic", 0.0), Seeker("ada", "classic", 1.0, 2000.0)
    bob = Seeker("bob", "classic", 2.0, 2050.0)
    assert pairs([new, ada], 2.0) == [(new, ada)]
    assert pairs([Seeker("ada", "classic", -1.0, 2000.0), new, bob], 2.0)[0][1] == bob


def test_nobody_is_paired_with_someone_they_have_hidden() -> None:
    ada, bob = Seeker("ada", "classic", 0.0), Seeker("bob", "classic", 0.0, avoids=frozenset({"ada"}))
    assert pairs([ada, bob], 1000.0) == []


def test_someone_listed_twice_is_not_paired_with_themselves() -> None:
    assert pairs([Seeker("ada", "classic", 0.0), Seeker("ada", "classic", 1.0)], 100.0) == []


@pytest.mark.parametrize("rated", [False, True])
def test_a_pair_meets_at_a_table_that_deals_at_once(rated: bool) -> None:
    chairs = (Chair("person", "Ada", "ada", commitment=""), Chair("person", "Bob", "bob", commitment=""))
    table = table_for_pair("a-game", chairs, Rules.classic(), rated=rated, entropy="entropy")
    assert (table.host, table.dealing, table.turn_limit, table.rated) == ("ada", True, TURN_LIMIT, rated)
    assert table.undecided == {"ada", "bob"}  # Their pages still have to contribute.
