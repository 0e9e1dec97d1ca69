"""A table where people gather: who may do what, and who's host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from chromino import Rules
from chromino.seated import Chair, Declined, Gathering, SeatedGame, gathering_state, move, replay, state_for
from chromino.seated.dealing import begin, deal
from chromino.seated.events import Arrived, Began, GameEvent, GatheringEvent, PaceSet, StoodUp, WentAway
from chromino.seated.game import apply as game_apply
from chromino.seated.gathering import apply, change_host, fill, host_changes_at, remove, sit, stand_up
from tests.seated.tables import ADA, BOB, CLEO, NOW, gathered, seated

pytestmark = pytest.mark.rules


def after(table: Gathering, *events: GatheringEvent) -> Gathering:
    for event in events:
        found = apply(table, event)
        assert isinstance(found, Gathering)
        table = found
    return table


def began(table: Gathering) -> Began:
    """The host starts, and nobody contributes to the deal."""
    event = begin(table, ADA, NOW)
    assert isinstance(event, Began)
    return event


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: sit(gathered(ADA, BOB, free=0), CLEO, "Cleo", NOW), "seats-taken"),
        (lambda: replace(gathered(ADA), first=9), "bad-seats"),
        (lambda: sit(gathered(ADA), CLEO, "", NOW), "bad-name"),
        (lambda: sit(gathered(ADA), CLEO, "x" * 41, NOW), "bad-name"),
        (lambda: remove(gathered(ADA, BOB), BOB, 0), "not-the-host"),
        (lambda: remove(gathered(ADA, BOB), ADA, 0), "bad-seats"),
        (lambda: remove(gathered(ADA, BOB), ADA, 9), "bad-seats"),
        (lambda: fill(gathered(ADA, BOB), BOB, 2, 1, "Snail"), "not-the-host"),
        (lambda: fill(gathered(ADA, BOB), ADA, 1, 1, "Snail"), "bad-seats"),
        (lambda: fill(gathered(ADA, BOB), ADA, 9, 1, "Snail"), "bad-seats"),
        (lambda: begin(gathered(ADA, BOB), BOB, NOW), "not-the-host"),
        (lambda: stand_up(gathered(ADA, BOB), CLEO), "not-your-game"),
    ],
)
def test_impossible_requests_are_declined(ask: Callable[[], object], reason: str) -> None:
    with pytest.raises(Declined) as caught:
        ask()
    assert caught.value.reason == reason


def test_someone_can_sit_down_and_change_their_name() -> None:
    table = gathered(ADA)
    table = after(table, sit(table, BOB, " Bob ", NOW))
    assert table.chairs[1] == Chair("person", "Bob", BOB, away_since=NOW)
    table = after(table, Arrived(BOB, NOW))
    table = after(table, sit(table, BOB, "Robert", NOW))
    assert table.chairs[1] == Chair("person", "Robert", BOB)
    assert (table.version, table.people) == (2, [ADA, BOB])
    assert sit(gathered(ADA), CLEO, "Cleo", NOW, is_here=True).away_since is None


def test_a_face_carries_over_to_the_game_and_can_be_changed_before_it_starts() -> None:
    table = gathered(ADA)
    table = after(table, sit(table, BOB, "Bob", NOW, face="cap"))
    table = after(table, sit(table, BOB, "Robert", NOW))
    assert [chair.face for chair in gathering_state(table, None).chairs] == [None, "cap"]
    table = after(table, sit(table, BOB, "Robert", NOW, face="bun"))
    begun = apply(table, began(table))
    assert isinstance(begun, SeatedGame)
    assert [seat.face for seat in state_for(begun, None, NOW).seats] == [None, "bun"]


def test_the_host_gives_chairs_to_bots_and_frees_them() -> None:
    table = gathered(ADA, BOB)
    table = after(table, fill(table, ADA, 2, 3, "Fox"))
    assert table.chairs[2] == Chair("bot", "Fox", level=3)
    table = after(table, remove(table, ADA, 2), remove(table, ADA, 1))
    assert [chair.kind for chair in table.chairs] == ["person", "free", "free"]


def test_the_next_person_becomes_host_and_the_table_closes_when_the_last_one_leaves() -> None:
    before = gathered(ADA, BOB)
    table = after(before, stand_up(before, ADA))
    assert table.host == BOB
    assert after(before, stand_up(before, BOB)).host == ADA
    assert apply(table, stand_up(table, BOB)) is None


def test_a_host_who_is_away_too_long_is_replaced_by_someone_present() -> None:
    table = after(gathered(ADA, BOB, CLEO), WentAway(ADA, NOW), WentAway(BOB, NOW))
    assert host_changes_at(table, 60.0) == NOW + 60
    assert change_host(table, 60.0, NOW + 59.9) is None
    change = change_host(table, 60.0, NOW + 60)
    assert change is not None
    assert after(table, change).host == CLEO
    assert host_changes_at(after(table, Arrived(ADA, NOW + 30)), 60.0) is None
    assert host_changes_at(after(table, WentAway(CLEO, NOW)), 60.0) is None


def test_the_game_starts_without_the_free_chairs() -> None:
    chairs = (Chair("free"), Chair("person", "Ada", ADA), Chair("free"), Chair("bot", "Fox", level=3))
    for first, expected in ((3, 1), (1, 0)):
        table = Gathering("a-game", ADA, chairs, Rules.classic(), first, turn_limit=30, entropy="")
        begun = apply(table, began(table))
        assert isinstance(begun, SeatedGame)
        assert [(who.person, who.bot) for who in begun.seats] == [(ADA, None), (None, "fox")]
        assert (begun.game.players, begun.game.first) == (("Ada", "Fox"), expected)
        assert (begun.id, begun.turn_ends, begun.since) == ("a-game", NOW + 30, NOW)
    table = Gathering("a-game", ADA, chairs, Rules.classic(), 0, entropy="")
    assert begin(table, ADA, NOW) == begin(table, ADA, NOW)
    assert gathering_state(table, ADA).deal.first is None


def test_rules_that_need_too_many_tiles_are_declined() -> None:
    table = replace(gathered(ADA, *"bcdefgh"), rules=Rules.preset("classic", hand_size=16))
    with pytest.raises(Declined, match="tiles") as declined:
        begin(table, ADA, NOW)
    assert declined.value.reason == "bad-rules"
    with pytest.raises(Declined, match="name") as declined:
        deal(Rules.classic(), ["Ada", "Ada\n"], "seed", None)
    assert declined.value.reason == "bad-name"


def test_a_state_changes_with_time_only_while_a_clock_is_running() -> None:
    assert not seated(ADA, BOB).has_clock
    assert seated(ADA, BOB, limit=30).has_clock
    assert game_apply(seated(ADA, BOB), WentAway(ADA, NOW)).has_clock


def test_events_rebuild_a_table_from_the_first_chair_to_the_last_tile() -> None:
    table = gathered(ADA, BOB, free=0)
    event = began(table)
    now = apply(table, event)
    events: list[GatheringEvent | GameEvent] = [event]
    assert isinstance(now, SeatedGame)
    while not now.game.over:
        now, moved = move(now, now.game.actions()[0], NOW)
        events += moved
    assert replay(table, events) == now


def test_events_of_another_kind_of_table_cannot_be_replayed() -> None:
    with pytest.raises(TypeError, match="PaceSet"):
        replay(gathered(ADA), [PaceSet(False)])
    with pytest.raises(TypeError, match="StoodUp"):
        replay(seated(ADA), [StoodUp(ADA)])


def test_a_state_says_how_much_time_is_left_in_the_turn() -> None:
    assert state_for(seated(ADA, BOB, limit=30), ADA, NOW + 10).turn_left == 20
