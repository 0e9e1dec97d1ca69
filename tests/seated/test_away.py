"""People who go away and come back: how long they've been away, who plays for them, and what's played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chromino import Place, Placed
from chromino.seated import Seat, SeatedGame, leave, move, next_automatic_action, state_for
from chromino.seated.events import Arrived, WentAway
from chromino.seated.game import apply
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, after_a_draw, must_pass, seated

pytestmark = pytest.mark.rules


def after_action(table: SeatedGame, by: str | None) -> SeatedGame:
    """The table after the first legal action, decided by a person or, if `by` is None, by a bot or the rules."""
    return move(table, table.game.actions()[0], NOW, by and f"{by}-{table.version}").table


def away_for(table: SeatedGame, later: float) -> list[int | None]:
    return [seat.away_for for seat in state_for(table, BOB, NOW + later).seats]


def test_everyone_sees_how_long_someone_has_been_away() -> None:
    table = apply(seated(ADA, BOB, SNAIL), WentAway(ADA, NOW))
    assert away_for(table, 0) == [0, None, None]
    assert away_for(table, 125.9) == [125, None, None]
    assert away_for(table, -5) == [0, None, None]  # A clock was set back.
    assert away_for(apply(table, Arrived(ADA, NOW + 130)), 130) == [None, None, None]


def test_the_state_names_the_stand_in_that_will_play() -> None:
    table = apply(seated(ADA, BOB, limit=30), WentAway(ADA, NOW))
    for each in (table, replace(table, rated=True)):
        found = next_automatic_action(each)
        assert found is not None
        assert found.bot is not None
        assert state_for(each, BOB, NOW).stand_in == found.bot.name


def test_people_who_return_see_what_was_played_for_them() -> None:
    table = after_action(after_action(seated(ADA, BOB), ADA), BOB)
    table = after_action(after_action(after_action(table, None), BOB), None)
    # Events 2 and 4 are Ada's turns while she was away.
    played = [number for number in (2, 4) if isinstance(table.game.log[number], Placed)]
    assert played
    assert state_for(table, ADA, NOW).played_for_me == played
    assert state_for(table, BOB, NOW).played_for_me == []
    assert state_for(table, None, NOW).played_for_me == []
    assert table.played_for(CLEO) == []


def test_the_list_of_moves_played_for_someone_is_cleared_once_they_act() -> None:
    table = after_action(after_action(seated(ADA, BOB), None), BOB)
    assert table.played_for(ADA) == [0]
    assert after_action(table, ADA).played_for(ADA) == []


def test_a_turn_that_timed_out_after_a_draw_is_listed_too() -> None:
    table = replace(after_a_draw(ADA, BOB), action_ids=("mine",))
    table = move(table, next(action for action in table.game.actions() if isinstance(action, Place)), NOW).table
    assert table.played_for(ADA) == [1]


def test_passes_are_not_listed() -> None:
    assert after_action(must_pass(), None).played_for(ADA) == []


def test_moves_for_every_seat_on_a_shared_device_are_listed() -> None:
    table = after_action(after_action(after_action(seated(ADA, ADA, Seat(BOB, None)), None), None), BOB)
    assert table.played_for(ADA) == [0, 1]


def test_people_who_left_for_good_get_no_list() -> None:
    table = after_action(leave(seated(ADA, BOB), ADA, NOW).table, None)
    assert table.stood_in == [0]
    assert table.played_for(ADA) == []
