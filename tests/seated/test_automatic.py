"""Automatic actions, and when they happen, to the tenth of a second, without waiting for a real clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chromino import Drew
from chromino.seated import Seat, SeatedGame, leave, move, next_automatic_action
from chromino.seated.automatic import STAND_IN, person_to_nudge, stand_in_at
from chromino.seated.events import Arrived, Rated, TimeGivenBack, WentAway
from chromino.seated.game import apply
from tests.seated.tables import ADA, BOB, NOW, SNAIL, after_a_draw, must_pass, seated, to_the_end

pytestmark = pytest.mark.rules

DAY = 24 * 3600


def at(table: SeatedGame, grace: float = 60.0) -> float | None:
    found = next_automatic_action(table, grace)
    return None if found is None else round(found.at - NOW, 6)


def test_a_bot_appears_to_think_before_it_moves() -> None:
    table = seated(SNAIL, ADA)
    found = next_automatic_action(table)
    assert found is not None
    assert found.bot is not None
    assert found.bot.name == "snail"
    assert at(table) == 0.9
    assert at(replace(table, pace=False)) == 0


def test_a_bot_takes_less_time_after_a_draw() -> None:
    table = after_a_draw(SNAIL, ADA)
    assert isinstance(table.game.log[-1], Drew)
    assert at(table) == 0.5


def test_a_forced_pass_waits_until_the_player_has_had_time_to_read_it() -> None:
    table = must_pass()
    found = next_automatic_action(table)
    assert found is not None
    assert found.bot is None
    assert at(table) == 1.6
    assert at(replace(table, pace=False)) == 0


def test_without_a_limit_a_person_has_all_the_time_they_need() -> None:
    assert next_automatic_action(seated(ADA, BOB)) is None


def test_when_time_runs_out_a_bot_plays_the_turn() -> None:
    table = seated(ADA, BOB, limit=30)
    found = next_automatic_action(table)
    assert found is not None
    assert (found.bot, found.by_clock, at(table)) == (STAND_IN, True, 30)
    assert at(apply(table, TimeGivenBack(12.0))) == 42
    assert apply(seated(ADA, BOB), TimeGivenBack(12.0)).turn_ends is None


def test_a_bot_stands_in_for_someone_away_once_others_have_waited_long_enough() -> None:
    table = apply(seated(ADA, BOB), WentAway(ADA, NOW + 5))
    assert at(table) == 65
    assert at(apply(table, Arrived(ADA, NOW + 30))) is None
    assert at(table, grace=10) == 15
    assert stand_in_at(table, 1) is None
    assert at(apply(seated(ADA, BOB, limit=30), WentAway(ADA, NOW))) == 30


@pytest.mark.parametrize(
    "table",
    [
        apply(seated(ADA, SNAIL), WentAway(ADA, NOW)),
        apply(apply(seated(ADA, BOB), WentAway(ADA, NOW)), WentAway(BOB, NOW)),
        leave(apply(seated(ADA, BOB), WentAway(ADA, NOW)), BOB, NOW).table,
    ],
    ids=["alone", "all away", "the other left"],
)
def test_no_bot_stands_in_when_nobody_is_waiting(table: SeatedGame) -> None:
    assert next_automatic_action(table) is None


def test_in_a_multi_day_game_only_the_limit_counts() -> None:
    table = apply(seated(ADA, BOB, limit=2 * DAY), WentAway(ADA, NOW))
    assert at(table) == 2 * DAY


def test_when_someone_returns_to_an_empty_table_bots_take_their_time_again() -> None:
    table = apply(apply(seated(SNAIL, ADA), WentAway(ADA, NOW)), Arrived(ADA, NOW + 100))
    assert at(table) == 100.9
    again = apply(table, Arrived(ADA, NOW + 200))
    assert at(again) == 100.9


@pytest.mark.parametrize("who", [Seat(ADA, None, has_left=True), Seat(None, None, has_left=True)])
def test_a_bot_plays_for_people_who_left_or_were_erased(who: Seat) -> None:
    found = next_automatic_action(seated(who, BOB))
    assert found is not None
    assert (found.bot, found.by_clock) == (STAND_IN, False)


def test_a_finished_game_is_rated_once() -> None:
    table = to_the_end(replace(seated(ADA, SNAIL, hand_size=2), rated=True))
    found = next_automatic_action(table)
    assert found is not None
    assert found.is_rating
    assert next_automatic_action(apply(table, Rated())) is None
    erased = replace(table, seats=(Seat(None, None, has_left=True), SNAIL))
    assert next_automatic_action(erased) == found  # What counts was settled when the game ended.
    assert next_automatic_action(to_the_end(seated(ADA, SNAIL, hand_size=1))) is None


def test_an_automatic_move_has_no_id() -> None:
    table = seated(SNAIL, ADA)
    assert move(table, table.game.actions()[0], NOW).table.action_ids == (None,)


def test_in_a_multi_day_game_the_player_to_move_is_nudged_if_they_are_away() -> None:
    away = Seat(ADA, None, away_since=NOW)
    assert person_to_nudge(seated(away, BOB, limit=DAY)) == ADA
    assert person_to_nudge(seated(ADA, BOB, limit=DAY)) is None
    assert person_to_nudge(seated(away, BOB, limit=3600)) is None
    assert person_to_nudge(seated(away, BOB)) is None
    assert person_to_nudge(seated(Seat(ADA, None, has_left=True, away_since=NOW), BOB, limit=DAY)) is None
    assert person_to_nudge(to_the_end(seated(away, BOB, hand_size=1, limit=DAY))) is None
