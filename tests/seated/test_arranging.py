"""The host chooses what will be played while people gather."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chromino import Rules
from chromino.seated import Chair, Declined, Gathering, gathering_state
from chromino.seated.events import Arranged
from chromino.seated.gathering import apply, arrange
from tests.seated.tables import ADA, BOB, gathered

pytestmark = pytest.mark.rules


def choices(table: Gathering, **changes: Any) -> Arranged:
    """The table's current choices, with these changes."""
    names = ("rules", "aids", "pace", "watch", "public", "turn_limit", "rated", "latecomers")
    return Arranged(**{"chairs": len(table.chairs), **{name: getattr(table, name) for name in names}, **changes})


def arranged(table: Gathering, **changes: Any) -> Gathering:
    event = arrange(table, table.host, choices(table, **changes))
    assert event is not None
    after = apply(table, event)
    assert isinstance(after, Gathering)
    return after


def refused(table: Gathering, by: str, **changes: Any) -> Declined:
    with pytest.raises(Declined) as declined:
        arrange(table, by, choices(table, **changes))
    return declined.value


def reason(table: Gathering, by: str, **changes: Any) -> str:
    return refused(table, by, **changes).reason


def test_the_host_can_change_everything_and_everyone_sees_it() -> None:
    table = gathered(ADA, BOB, free=2)
    expert = Rules.expert()
    table = arranged(table, rules=expert, watch=False, public=True, turn_limit=60, latecomers=False, aids=False)
    shown = gathering_state(table, BOB)
    assert (shown.version, shown.preset, shown.watch, shown.public, shown.turn_limit) == (1, "expert", False, True, 60)
    assert (shown.latecomers, shown.aids, shown.rated) == (False, False, False)


def test_an_arrangement_without_changes_has_no_effect() -> None:
    table = gathered(ADA)
    assert arrange(table, ADA, choices(table)) is None


def test_only_the_host_can_arrange_and_only_before_the_deal() -> None:
    table = gathered(ADA, BOB)
    assert reason(table, BOB, watch=False) == "not-the-host"
    assert reason(replace(table, dealing=True), ADA, watch=False) == "stale"


@pytest.mark.parametrize("number", [2, 4, 8])
def test_free_chairs_can_be_added_and_removed_but_taken_ones_stay(number: int) -> None:
    table = gathered(ADA, free=3)
    table = replace(table, chairs=(*table.chairs[:2], Chair("bot", "Snail", level=1), table.chairs[3]))
    after = arranged(table, chairs=number) if number != 4 else table
    assert len(after.chairs) == number
    assert [chair.kind for chair in after.chairs if chair.kind != "free"] == ["person", "bot"]
    no = refused(table, ADA, chairs=1)
    assert (no.reason, no.text) == ("bad-seats", "there must be a chair for everyone at the table")


def test_the_same_seat_still_goes_first_after_chairs_change() -> None:
    table = replace(gathered(ADA, free=3), first=2)
    taken = replace(table, chairs=(table.chairs[0], Chair("free"), Chair("bot", "Snail", level=1), Chair("free")))
    assert arranged(taken, chairs=3).first == 2
    assert arranged(taken, chairs=2).first == 1
    assert arranged(table, chairs=2).first is None


def test_impossible_rules_cannot_be_chosen() -> None:
    twelve = Rules.preset("classic", hand_size=12)
    no = refused(gathered(ADA, free=7), ADA, rules=twelve)
    assert no.reason == "bad-rules"
    assert "tiles" in str(no.text)
    assert arranged(gathered(ADA, free=3), rules=twelve).rules == twelve


def test_a_table_can_become_rated_only_before_others_join() -> None:
    rated = {"rated": True, "turn_limit": 60, "aids": False}
    table = arranged(gathered(ADA), **rated)
    assert table.rated
    assert reason(table, ADA, turn_limit=None) == "cannot-be-rated"
    assert reason(gathered(ADA), ADA, rated=True) == "cannot-be-rated"
    no = refused(gathered(ADA, BOB), ADA, **rated)
    assert (no.reason, no.text) == ("cannot-be-rated", "others joined this game when it was unrated")
    joined = replace(table, chairs=(*table.chairs[:1], Chair("person", "Bob", BOB)))
    assert not arranged(joined, rated=False).rated
