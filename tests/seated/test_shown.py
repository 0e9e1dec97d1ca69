"""Everything that a table shows, field by field, and everything that it passes on to its rematch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chromino import Rules
from chromino.messages.games import Latecomers, SeatState, SeatToTake, Waiting
from chromino.messages.gatherings import ChairState, GatheringState
from chromino.seated import Chair, Gathering, Seat, gathering_state, state_for
from chromino.seated.dealing import terms
from chromino.seated.game_requests import gather_rematch
from chromino.seated.pairing import TURN_LIMIT, table_for_pair
from chromino.seated.seats import Latecomer
from chromino.seated.shown import latecomers_of, seat_shown
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, seated, to_the_end, turn_over

pytestmark = pytest.mark.rules

CHAIRS = (
    Chair("person", "Ada", ADA, face="cap"),
    Chair("person", "Robo", BOB, is_program=True, commitment="", face="bob"),
    Chair("bot", "Fox", level=3),
    Chair("free"),
)
ROBO = Seat(BOB, None, away_since=NOW, is_program=True, face="bob")
DORA = Latecomer("id-of-dora", "Dora", is_program=True, face="braids")


@pytest.mark.parametrize("reader", [ADA, BOB, CLEO, None])
def test_a_gathering_shows_its_chairs_and_all_choices(reader: str | None) -> None:
    table = Gathering(
        "a-game", ADA, CHAIRS, Rules.expert(), 1, False, False, False, True, 60, 5, entropy="entropy", latecomers=False
    )
    assert gathering_state(table, reader) == GatheringState(
        game="a-game",
        version=5,
        chairs=[
            ChairState("person", "Ada", reader == ADA, True, face="cap"),
            ChairState("person", "Robo", reader == BOB, False, program=True, deal="waiting", face="bob"),
            ChairState("bot", "Fox", False, False, level=3),
            ChairState("free", "", False, False),
        ],
        host=reader == ADA,
        rules=Rules.expert().to_json(),
        preset="expert",
        watch=False,
        public=True,
        turn_limit=60,
        deal=terms(table, reader),
        rated=False,
        aids=False,
        pace=False,
        latecomers=False,
        offer=None,
        can_let_in=True,
    )


def test_a_rated_gathering_cannot_let_latecomers_in() -> None:
    chairs = (Chair("person", "Ada", ADA), Chair("free"))
    rated = Gathering("a-game", ADA, chairs, aids=False, turn_limit=60, rated=True, entropy="entropy")
    assert not gathering_state(rated, None).can_let_in


@pytest.mark.parametrize("reader", [ADA, BOB, CLEO, None])
def test_a_game_shows_its_seats(reader: str | None) -> None:
    gone = Seat(CLEO, None, has_left=True)
    table = seated(Seat(ADA, None, face="cap"), ROBO, SNAIL, gone, Seat(None, None, has_left=True))
    assert state_for(table, reader, NOW + 15, grace=60).seats == [
        SeatState("person", "Player 0", reader == ADA, face="cap"),
        SeatState("person", "Player 1", reader == BOB, None, None, False, False, 45, 15, True, "bob"),
        SeatState("bot", "Player 2", False, "snail", 1),
        SeatState("person", "Player 3", reader == CLEO, has_left=True),
        SeatState("person", "Player 4", False, has_left=True),
    ]


def test_latecomers_see_what_they_can_do() -> None:
    table = replace(seated(ADA, SNAIL, latecomers=True), waiting=(DORA,))
    seats, waiting = [SeatToTake(1, "Player 1", "snail")], Waiting("Dora", False, True, "braids")
    assert latecomers_of(table, CLEO) == Latecomers(seats, True, [waiting], False, True)
    assert latecomers_of(table, DORA.person) == Latecomers(seats, True, [replace(waiting, mine=True)], False, True)
    over = to_the_end(replace(table, watch=False))
    assert latecomers_of(over, CLEO) == Latecomers([], True, [waiting], True, False)


def test_someone_with_several_seats_sees_the_one_that_plays_now_or_next() -> None:
    table = seated(BOB, ADA, BOB, ADA, ADA)
    shown = []
    for _ in range(5):
        shown.append(seat_shown(table, ADA))
        table = turn_over(table)
    assert shown == [1, 1, 3, 3, 4]
    assert [seat_shown(table, person) for person in (BOB, CLEO, None)] == [0, None, None]
    assert seat_shown(to_the_end(table), ADA) == 1


def test_a_rematch_keeps_people_rules_and_settings() -> None:
    table = seated(
        ADA, ROBO, replace(SNAIL, bot="fox"), ADA, preset="expert", limit=60, aids=False, pace=False, watch=False
    )
    table = to_the_end(replace(table, waiting=(DORA,)))
    _, rematch = gather_rematch(table, ADA, "the-next", "hash", "entropy", set(), NOW + 5)
    chairs = (
        Chair("person", "Player 0", ADA, away_since=NOW + 5, commitment="hash"),
        Chair("person", "Player 1", BOB, away_since=NOW + 5, is_program=True, commitment="", face="bob"),
        Chair("bot", "Player 2", level=3),
        Chair("person", "Player 3", ADA, away_since=NOW + 5),
        Chair("person", "Dora", DORA.person, away_since=NOW + 5, is_program=True, commitment="", face="braids"),
    )
    assert rematch == Gathering(
        id="the-next",
        host=ADA,
        chairs=chairs,
        rules=table.game.rules,
        first=1,
        aids=False,
        pace=False,
        watch=False,
        turn_limit=60,
        entropy="entropy",
        dealing=True,
        offer_ends=NOW + 65,
        latecomers=False,
    )


@pytest.mark.parametrize("rated", [True, False])
def test_people_who_are_paired_meet_at_a_table_of_their_own(rated: bool) -> None:
    chairs = (CHAIRS[0], CHAIRS[1])
    assert table_for_pair("a-game", chairs, Rules.expert(), rated=rated, entropy="entropy") == Gathering(
        id="a-game",
        host=ADA,
        chairs=chairs,
        rules=Rules.expert(),
        aids=not rated,
        turn_limit=TURN_LIMIT,
        rated=rated,
        entropy="entropy",
        dealing=True,
    )
