"""Taking back a turn: only against bots, and only in unrated games."""

from __future__ import annotations

import pytest

from chromino import Draw, Drew, Placed
from chromino.seated import Declined, Seat, SeatedGame, Step, move, replay, take_back
from chromino.seated.game_requests import events_before_last_turn
from tests.seated.tables import ADA, BOB, NOW, SNAIL, seated, to_the_end

pytestmark = pytest.mark.rules


def play(table: SeatedGame, moves: int) -> SeatedGame:
    for _ in range(moves):
        table = move(table, table.game.actions()[0], NOW).table
    return table


def back(table: SeatedGame, person: str = ADA, action_id: str = "back") -> Step:
    return take_back(table, person, table.version, action_id, NOW + 5)


def test_the_game_goes_back_to_before_my_last_turn() -> None:
    before = play(seated(ADA, SNAIL), 2)
    after = back(play(before, 2)).table
    assert after.game == before.game
    assert after.game.record == before.game.record
    assert after.version == 5  # Two moves, two more, and the turn taken back.
    assert after.since == NOW + 5


def test_a_drawn_tile_goes_back_into_the_bag() -> None:
    for seed in range(1000):
        table = seated(ADA, SNAIL, hand_size=1, seed=seed)
        if table.game.actions() != [Draw()]:
            continue
        after = play(table, 2)
        if [type(event) for event in after.game.log] == [Drew, Placed] and not after.game.over:
            break
    assert back(after).table.game == table.game


def test_turns_without_a_choice_are_skipped() -> None:
    """Someone who could only draw and pass goes back to where they last placed a tile."""
    for seed in range(1000):
        table = play(seated(ADA, SNAIL, hand_size=3, seed=seed), 2)
        kinds = [type(event) for event in play(table, 2).game.log]
        if kinds[0] is Placed and table.game.seat == 0 and table.game.actions() == [Draw()] and not table.game.over:
            break
    assert events_before_last_turn(play(table, 1), ADA) == 0


def test_a_turn_with_a_limit_starts_over_with_its_full_time() -> None:
    table = play(seated(ADA, SNAIL, limit=30), 2)
    assert back(table).table.turn_ends == NOW + 35


def test_a_request_sent_twice_takes_back_one_turn() -> None:
    first = back(play(seated(ADA, SNAIL), 4))
    assert back(first.table) == Step(first.table)
    assert first.table.version_after("back") == first.table.version == 5


def test_the_events_rebuild_the_table() -> None:
    table = play(seated(ADA, SNAIL), 4)
    step = back(table)
    assert replay(table, step.events) == step.table


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (seated(ADA, SNAIL), "nothing-to-take-back"),
        (play(seated(ADA, BOB), 2), "nothing-to-take-back"),
        (play(seated(ADA, ADA), 2), "nothing-to-take-back"),
        (play(seated(ADA, Seat(BOB, None, has_left=True), SNAIL), 3), "nothing-to-take-back"),
        (play(seated(ADA, SNAIL, limit=60, aids=False, rated=True), 2), "nothing-to-take-back"),
        (to_the_end(seated(ADA, SNAIL, hand_size=1)), "nothing-to-take-back"),
        (play(seated(Seat(ADA, None, has_left=True), SNAIL), 2), "not-your-seat"),
        (play(seated(BOB, SNAIL), 2), "not-your-game"),
    ],
)
def test_taking_back_is_declined_if_it_is_not_possible(table: SeatedGame, reason: str) -> None:
    with pytest.raises(Declined) as declined:
        back(table)
    assert declined.value.reason == reason
    assert events_before_last_turn(table, ADA) is None  # So the page doesn't offer it.


def test_a_request_about_an_older_state_is_declined() -> None:
    table = play(seated(ADA, SNAIL), 2)
    with pytest.raises(Declined, match="stale"):
        take_back(table, ADA, table.version - 1, "back", NOW)
