"""Requests during a game, and why they may be declined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chromino import Game, Place, Rules
from chromino.events import Placed
from chromino.seated import (
    Declined,
    Seat,
    SeatedGame,
    Step,
    act,
    ask_for_hint,
    check_may_watch,
    leave,
    move,
    say,
    set_pace,
    share,
    state_for,
)
from chromino.seated.events import Left, Moved, PaceSet, Spoke, WatchingAllowed
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, must_pass, seated, to_the_end

pytestmark = pytest.mark.rules


def first_action(table: SeatedGame) -> str:
    return str(table.game.actions()[0])


def placed(table: SeatedGame, **change: Any) -> Step:
    """Ada takes the first legal action, with these arguments changed."""
    arguments = {"person": ADA, "seat": 0, "text": first_action(table), "version": table.version}
    return act(table, **{**arguments, "action_id": "an-action", "now": NOW + 5, **change})


def declined(ask: Callable[[], object]) -> str:
    with pytest.raises(Declined) as caught:
        ask()
    return caught.value.reason


def test_an_action_happens_once_no_matter_how_often_it_is_sent() -> None:
    after, events = placed(seated(ADA, BOB))
    assert events == (Moved(after.game.log[0], NOW + 5, "an-action"),)
    assert (after.version, after.version_after("an-action"), after.version_after("another")) == (1, 1, None)
    assert placed(after, version=0) == Step(after)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"person": CLEO}, "not-your-seat"),
        ({"person": BOB}, "not-your-seat"),
        ({"person": BOB, "seat": 1}, "not-your-turn"),
        ({"text": "nonsense"}, "bad-message"),
        ({"version": 1}, "stale"),
        ({"text": "draw"}, "not-allowed"),
    ],
)
def test_an_impossible_action_is_declined(change: dict[str, Any], reason: str) -> None:
    assert declined(lambda: placed(seated(ADA, BOB), **change)) == reason


def test_an_action_against_the_rules_says_why() -> None:
    with pytest.raises(Declined) as caught:
        placed(seated(ADA, BOB), text="draw")
    assert caught.value.refusal is not None
    assert caught.value.refusal.reason == "must-place"


def test_a_turn_limit_counts_from_the_end_of_the_previous_turn() -> None:
    table = seated(ADA, BOB, limit=30)
    assert table.turn_ends == NOW + 30
    assert placed(table).table.turn_ends == NOW + 35
    assert to_the_end(table).turn_ends is None


def test_people_who_have_left_can_no_longer_act() -> None:
    table, events = leave(seated(ADA, BOB), ADA, NOW + 1)
    assert events == (Left(ADA, NOW + 1),)
    assert declined(lambda: placed(table)) == "not-your-seat"
    assert declined(lambda: set_pace(table, ADA, False)) == "not-your-seat"
    assert declined(lambda: say(table, ADA, "hello", NOW)) == "not-your-seat"
    assert declined(lambda: ask_for_hint(table, ADA, 0)) == "not-your-turn"
    assert declined(lambda: leave(table, CLEO, NOW)) == "not-your-game"
    over = to_the_end(table)
    assert leave(over, BOB, NOW) == Step(over)


def test_someone_with_two_seats_plays_both() -> None:
    table = placed(seated(ADA, ADA)).table
    assert placed(table, seat=1, action_id="another", text=first_action(table)).table.version == 2


def test_sharing_opens_your_own_finished_game() -> None:
    alone = seated(ADA, ADA, SNAIL, watch=False)
    assert declined(lambda: share(alone, ADA)) == "not-over"
    assert declined(lambda: share(alone, BOB)) == "not-your-game"
    over = to_the_end(alone)
    opened, events = share(over, ADA)
    assert (events, opened.watch) == ((WatchingAllowed(),), True)
    assert share(opened, BOB) == Step(opened)


def test_a_private_game_with_several_people_stays_private() -> None:
    over = to_the_end(seated(ADA, BOB, watch=False))
    assert share(over, ADA) == Step(over)
    erased = to_the_end(seated(ADA, Seat(None, None), watch=False))
    assert share(erased, ADA) == Step(erased)


def test_pace_can_be_set_and_phrases_are_rate_limited() -> None:
    table, events = set_pace(seated(ADA, BOB), ADA, False)
    assert (events, table.pace) == ((PaceSet(False),), False)
    table, said = say(table, ADA, "hello", NOW)
    assert said == (Spoke(ADA, "hello", NOW),)
    assert declined(lambda: say(table, ADA, "thanks", NOW + 0.9)) == "too-fast"
    table = say(table, BOB, "hello", NOW + 0.5).table
    assert say(table, ADA, "thanks", NOW + 1).events
    assert say(table, ADA, "thanks", NOW - 3600).events  # The clock was set back.
    assert declined(lambda: say(table, CLEO, "hello", NOW)) == "not-your-game"


def test_a_hint_is_only_for_a_player_with_a_choice() -> None:
    table = seated(ADA, BOB)
    assert ask_for_hint(table, ADA, 0).me == 0
    assert declined(lambda: ask_for_hint(table, BOB, 0)) == "not-your-turn"
    assert declined(lambda: ask_for_hint(table, ADA, 1)) == "stale"
    assert declined(lambda: ask_for_hint(replace(table, aids=False), ADA, 0)) == "aids-off"
    assert declined(lambda: ask_for_hint(replace(table, watch=False), CLEO, 0)) == "not-your-game"
    assert declined(lambda: ask_for_hint(must_pass(), ADA, 1)) == "nothing-to-choose"


def test_in_scoring_games_a_state_says_what_each_placement_earns() -> None:
    game = Game.start(Rules.expert(), ["Ada", "Bob"], seed=7, first=0)
    table = SeatedGame.begin("a-game", game, (Seat(ADA, None), Seat(BOB, None)), NOW)
    tried = 0
    while not table.game.over:
        state = state_for(table, (ADA, BOB)[table.game.seat], NOW)
        assert state_for(table, CLEO, NOW).points is None
        earned = [
            sum(after.points or ())
            for action in table.game.actions()
            if isinstance(after := table.game.apply(action).log[-1], Placed)
        ]
        assert state.points == (earned or None)
        tried += len(earned)
        table = move(table, table.game.actions()[0], NOW).table
    assert tried > 50
    assert state_for(seated(ADA, BOB), ADA, NOW).points is None


def test_without_spectators_only_players_see_a_game() -> None:
    check_may_watch(seated(ADA, BOB), None)
    private = seated(ADA, BOB, watch=False)
    check_may_watch(private, BOB)
    for stranger in (None, CLEO):
        with pytest.raises(Declined, match="not-your-game"):
            check_may_watch(private, stranger)


@pytest.mark.parametrize("preset", ["scoring_a", "scoring_b", "scoring_c"])
def test_6_4_the_final_state_says_what_each_leftover_tile_cost(preset: str) -> None:
    table = seated(ADA, BOB, preset=preset)
    assert state_for(table, ADA, NOW).costs is None
    over = to_the_end(table)
    shown = state_for(over, ADA, NOW)
    assert shown.costs is not None
    assert [len(lost) for lost in shown.costs] == [len(hand) for hand in over.game.hands]
    assert [earned - sum(lost) for earned, lost in zip(over.game.earned, shown.costs, strict=True)] == shown.view.scores


@pytest.mark.parametrize("preset", ["classic", "expert"])
def test_6_4_without_penalties_for_leftover_tiles_no_cost_is_shown(preset: str) -> None:
    assert state_for(to_the_end(seated(ADA, BOB, preset=preset)), ADA, NOW).costs is None


def test_a_state_lists_the_tiles_a_stand_in_placed() -> None:
    """Ada decides only her first move, then a stand-in plays for her; the snail plays its own seat and isn't listed."""
    table = seated(ADA, SNAIL)
    numbers = []
    for turn in range(12):
        action = table.game.actions()[0]
        if turn and table.game.seat == 0 and isinstance(action, Place):
            numbers.append(len(table.game.log))
        table = move(table, action, NOW, None if turn else "ada-1").table
    assert numbers
    assert state_for(table, ADA, NOW).stood_in == numbers
