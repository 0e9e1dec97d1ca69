"""If a clock is set back, or two clocks differ, nobody gets more time than the limit allows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chromino.seated import Seat, next_automatic_action, state_for
from chromino.seated.game import as_of
from tests.seated.tables import ADA, BOB, NOW, seated

pytestmark = pytest.mark.rules

HOURS = 2 * 3600


@pytest.mark.parametrize("earlier", [0.0, 0.4, 30.0, HOURS])
def test_the_time_left_never_exceeds_the_limit(earlier: float) -> None:
    table = seated(ADA, Seat(BOB, None, away_since=NOW), limit=120)
    state = state_for(table, ADA, NOW - earlier, grace=60)
    assert state.turn_left == 120
    assert state.seats[1].stand_in_in == 60


def test_a_table_stored_before_the_clock_was_set_back_continues() -> None:
    table = seated(ADA, Seat(BOB, None, away_since=NOW), limit=120)
    later = as_of(table, NOW - HOURS)
    assert later.turn_ends == NOW - HOURS + 120
    assert later.since == NOW - HOURS
    assert [who.away_since for who in later.seats] == [None, NOW - HOURS]
    found = next_automatic_action(later)
    assert found is not None
    assert found.at == NOW - HOURS + 120


def test_a_table_stored_in_the_past_is_unchanged() -> None:
    table = seated(ADA, Seat(BOB, None, away_since=NOW), limit=120)
    assert as_of(table, NOW + 5) == table
    assert as_of(seated(ADA, BOB), NOW) == seated(ADA, BOB)


def test_without_a_limit_a_given_deadline_is_kept() -> None:
    table = replace(seated(ADA, BOB), turn_ends=NOW + 50)
    assert as_of(table, NOW) == table
    assert state_for(table, ADA, NOW).turn_left == 50
