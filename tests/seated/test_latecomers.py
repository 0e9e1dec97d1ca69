"""People who open the link after the deal: they take over a bot's seat, or join the rematch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chromino import Game
from chromino.fair_deal import commitment_of
from chromino.seated import (
    Declined,
    Gathering,
    Seat,
    SeatedGame,
    act,
    dealing,
    gather_rematch,
    gathering_state,
    move,
    next_automatic_action,
    state_for,
    stop_waiting,
    take_back,
    take_seat,
    wait,
)
from chromino.seated.events import Arrived
from chromino.seated.game import apply as after
from chromino.seated.gathering import apply
from tests.helpers import with_open_hands
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, part, seated, to_the_end

pytestmark = pytest.mark.rules


def friendly(*who: str | Seat, hand_size: int = 8, limit: int | None = None, **how: Any) -> SeatedGame:
    return seated(*who, hand_size=hand_size, limit=limit, **{"latecomers": True, **how})


def reason(table: SeatedGame, person: str, seat: int = 1, name: str = "Cleo") -> str:
    with pytest.raises(Declined) as declined:
        take_seat(table, person, seat, name, NOW)
    return declined.value.reason


def test_a_latecomer_takes_over_the_bots_hand_and_seat() -> None:
    table = friendly(ADA, SNAIL)
    table = move(table, table.game.actions()[0], NOW).table
    hand = table.game.hand(1)
    bot = next_automatic_action(table)
    assert bot is not None
    assert bot.bot is not None
    table = take_seat(table, BOB, 1, " Bob ", NOW + 5, "curls").table
    table = after(table, Arrived(BOB, NOW + 5))
    assert next_automatic_action(table) is None, "it's up to Bob now"
    assert table.seats[1] == Seat(BOB, None, face="curls", taken_at=1)
    state = state_for(table, BOB, NOW + 5)
    assert (state.view.me, state.view.hands[1], state.watching) == (1, list(map(str, hand)), False)
    assert [seat.name for seat in state.seats] == state.view.players == ["Player 0", "Bob"]
    table = act(table, BOB, 1, str(table.game.actions()[0]), 1, "bobs-first", NOW + 9).table
    assert Game.replay(str(table.game.record)) == table.game
    assert table.game.record.players == ("Player 0", "Bob")


def test_a_turn_that_has_begun_starts_over_for_the_latecomer() -> None:
    table = friendly(SNAIL, ADA, SNAIL, limit=30)
    assert take_seat(table, BOB, 0, "Bob", NOW + 10).table.turn_ends == NOW + 40
    assert take_seat(table, BOB, 2, "Bob", NOW + 10).table.turn_ends == NOW + 30
    assert take_seat(table, BOB, 2, "Bob", NOW + 10).table.seats[2].away_since == NOW + 10


def test_if_two_people_ask_for_the_same_seat_the_first_gets_it() -> None:
    table = take_seat(friendly(ADA, SNAIL), BOB, 1, "Bob", NOW).table
    assert reason(table, CLEO) == "seat-taken"
    assert reason(table, CLEO, 0) == "seat-taken"
    assert reason(table, CLEO, 7) == "seat-taken"


def test_a_latecomer_gets_only_one_seat() -> None:
    table = friendly(ADA, SNAIL, SNAIL)
    assert reason(table, ADA) == "has-seat"
    assert reason(take_seat(table, BOB, 1, "Bob", NOW).table, BOB, 2) == "has-seat"
    table = take_seat(table, BOB, 1, "Bob", NOW).table
    assert take_seat(table, BOB, 1, "Bob", NOW) == (table, ())  # The first answer was lost, so Bob asks again.


def test_people_with_a_seat_are_not_offered_another() -> None:
    table = friendly(ADA, SNAIL, SNAIL)
    assert state_for(table, ADA, NOW).latecomers.seats == []
    assert [(one.seat, one.bot) for one in state_for(table, BOB, NOW).latecomers.seats] == [(1, "snail"), (2, "snail")]


def test_rated_games_open_hands_and_the_host_can_rule_out_latecomers() -> None:
    assert reason(friendly(ADA, SNAIL, latecomers=False), BOB) == "no-latecomers"
    rated = replace(friendly(ADA, SNAIL), rated=True)
    assert reason(rated, BOB) == "no-latecomers"
    table = friendly(ADA, SNAIL)
    rules = with_open_hands(table.game.rules)
    assert reason(replace(table, game=replace(table.game, rules=rules)), BOB) == "no-latecomers"
    assert reason(table, BOB, name="x" * 41) == "bad-name"
    assert reason(to_the_end(friendly(ADA, SNAIL, hand_size=1)), BOB) == "too-late"


def test_nothing_can_be_taken_back_once_a_latecomer_has_a_seat() -> None:
    table = friendly(ADA, SNAIL)
    table = move(table, table.game.actions()[0], NOW, "adas-first").table
    assert state_for(table, ADA, NOW).can_take_back
    table = take_seat(table, BOB, 1, "Bob", NOW).table
    with pytest.raises(Declined, match="nothing-to-take-back"):
        take_back(table, ADA, 1, "adas-second", NOW)


def test_everyone_sees_who_is_waiting_for_a_chair_in_the_rematch() -> None:
    table = wait(friendly(ADA, SNAIL, hand_size=1), BOB, "Bob", "bob").table
    assert wait(table, BOB, "Bob", "bob").events == ()
    table = wait(table, BOB, "Bobby", "bob").table
    shown = [state_for(table, person, NOW).latecomers.waiting for person in (ADA, BOB, None)]
    assert [[(person.name, person.mine, person.face) for person in people] for people in shown] == [
        [("Bobby", False, "bob")],
        [("Bobby", True, "bob")],
        [("Bobby", False, "bob")],
    ]
    step, rematch = gather_rematch(to_the_end(table), ADA, "next", commitment_of(part(ADA)), "e", set(), NOW)
    with pytest.raises(Declined, match="too-late"):
        wait(step.table, CLEO, "Cleo")
    assert rematch.undecided == {BOB}
    assert [chair.name for chair in gathering_state(rematch, BOB).chairs] == ["Player 0", "Player 1", "Bobby"]
    assert rematch.latecomers
    event = dealing.commit(rematch, BOB, commitment_of(part(BOB)))
    assert event is not None
    agreed = apply(rematch, event)
    assert isinstance(agreed, Gathering)
    assert agreed.undecided == set()
    banned = gather_rematch(to_the_end(table), ADA, "next", None, "e", {BOB}, NOW)[1]
    assert len(banned.chairs) == 2


@pytest.mark.parametrize("players", [2, 4, 8])
def test_the_rematch_has_room_for_eight(players: int) -> None:
    table = friendly(ADA, *[SNAIL] * (players - 1))
    for number in range(8 - players):
        assert state_for(table, None, NOW).latecomers.can_wait
        table = wait(table, f"late-{number}", "Late").table
    assert not state_for(table, None, NOW).latecomers.can_wait
    with pytest.raises(Declined, match="seats-taken"):
        wait(table, BOB, "Bob")
    if players < 8:
        assert len(wait(table, "late-0", "Earlier").table.waiting) == 8 - players
    assert len(gather_rematch(to_the_end(table), ADA, "next", None, "e", set(), NOW)[1].chairs) == 8


def test_nobody_can_wait_if_there_are_too_few_tiles_for_another_hand() -> None:
    table = friendly(ADA, *[SNAIL] * 5, hand_size=12)
    with pytest.raises(Declined, match="seats-taken"):
        wait(table, BOB, "Bob")


def test_players_cannot_wait_and_closed_games_admit_nobody() -> None:
    with pytest.raises(Declined, match="has-seat"):
        wait(friendly(ADA, SNAIL), ADA, "Ada")
    closed = friendly(ADA, SNAIL, latecomers=False, watch=False)
    with pytest.raises(Declined, match="no-latecomers"):
        wait(closed, BOB, "Bob")
    assert not state_for(closed, ADA, NOW).latecomers.can_wait
    assert wait(friendly(ADA, SNAIL, latecomers=False), BOB, "Bob").events


def test_people_stop_waiting_when_they_take_a_seat_or_ask_to() -> None:
    table = wait(friendly(ADA, SNAIL), BOB, "Bob").table
    assert take_seat(table, BOB, 1, "Bob", NOW).table.waiting == ()
    assert stop_waiting(table, BOB).table.waiting == ()
    assert stop_waiting(table, CLEO).events == ()


def test_a_rematch_is_not_rated_if_someone_joins_who_never_agreed_to_it() -> None:
    table = seated(ADA, SNAIL, limit=60, aids=False, rated=True)
    assert gather_rematch(to_the_end(table), ADA, "next", None, "e", set(), NOW)[1].rated
    waited = wait(table, BOB, "Bob").table
    assert not gather_rematch(to_the_end(waited), ADA, "next", None, "e", set(), NOW)[1].rated


def test_moves_before_the_takeover_count_as_the_bots() -> None:
    table = friendly(ADA, SNAIL)
    for _ in range(2):
        table = move(table, table.game.actions()[0], NOW).table
    table = take_seat(table, BOB, 1, "Bob", NOW).table
    assert state_for(table, BOB, NOW).played_for_me == []
    assert state_for(table, ADA, NOW).stood_in == [0], "Ada's move had no id, so a stand-in decided it"
    for _ in range(2):
        table = move(table, table.game.actions()[0], NOW).table
    assert state_for(table, BOB, NOW).played_for_me == [3]
    assert state_for(table, ADA, NOW).stood_in == [0, 2, 3]
