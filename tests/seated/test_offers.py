"""A rematch is an offer: it starts when everyone has accepted, or when time is up with those who have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chromino.fair_deal import commitment_of
from chromino.seated import Gathering, Seat, SeatedGame, dealing, gathering_state, replay
from chromino.seated.events import Arrived, Began, GatheringEvent, OfferEnded, RematchEnded, RematchOffered
from chromino.seated.game_requests import gather_rematch
from chromino.seated.gathering import apply, due_change, next_change_at, remove, stand_up
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, part, seated, to_the_end

pytestmark = pytest.mark.rules

DAY = 24 * 3600
GRACE = 60.0


def offered(*who: str | Seat, limit: int | None = None, gives: bool = True) -> Gathering:
    """A rematch that Ada has offered; with `gives`, she contributes to the deal."""
    over = to_the_end(seated(*who, hand_size=1, limit=limit))
    commitment = commitment_of(part(ADA)) if gives else None
    return gather_rematch(over, ADA, "rematch", commitment, "entropy", set(), NOW)[1]


def after(table: Gathering, event: GatheringEvent | None) -> Gathering:
    assert event is not None
    found = apply(table, event)
    assert isinstance(found, Gathering)
    return found


def accepted(table: Gathering, *people: str) -> Gathering:
    for person in people:
        table = after(table, dealing.commit(table, person, commitment_of(part(person))))
    return table


def dealt(table: Gathering, *people: str) -> SeatedGame:
    """Everyone reveals their part, as their pages do."""
    for person in people:
        event = dealing.reveal(table, person, part(person), NOW + 70)
        assert event is not None
        found = apply(table, event)
        if isinstance(event, Began):
            assert isinstance(found, SeatedGame)
            return found
        assert isinstance(found, Gathering)
        table = found
    raise AssertionError("nothing was dealt")


def names(table: Gathering) -> list[str | None]:
    return [chair.person or ("bot" if chair.level else None) for chair in table.chairs]


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_the_rematch_starts_when_everyone_has_accepted(count: int) -> None:
    everyone = (ADA, *(f"guest-{number}" for number in range(1, count)))
    table = accepted(offered(*everyone), *everyone[1:])
    assert [who.person for who in dealt(table, *everyone).seats] == list(everyone)


@pytest.mark.parametrize("count", [4, 8])
def test_if_one_declines_and_one_is_offline_the_others_play(count: int) -> None:
    everyone = (ADA, *(f"guest-{number}" for number in range(1, count)))
    declines, offline, *others = everyone[1:]
    table = offered(*everyone)
    table = after(table, stand_up(table, declines))
    table = accepted(table, *others)
    assert gathering_state(table, ADA).offer == "minute"  # Someone who's offline has a whole minute to come back.
    table = after(table, due_change(table, GRACE, NOW + 60))
    assert {declines, offline}.isdisjoint(table.people)
    assert [who.person for who in dealt(table, ADA, *others).seats] == [ADA, *others]


def test_someone_offline_who_comes_back_in_time_can_play() -> None:
    table = accepted(offered(ADA, BOB, CLEO), CLEO)
    assert due_change(table, GRACE, NOW + 59) is None
    table = accepted(table, BOB)
    table = after(table, due_change(table, GRACE, NOW + 60))
    assert [who.person for who in dealt(table, ADA, BOB, CLEO).seats] == [ADA, BOB, CLEO]


def test_after_a_minute_the_rematch_starts_with_those_who_have_accepted() -> None:
    table = accepted(offered(ADA, BOB, CLEO), CLEO)
    assert next_change_at(table, GRACE) == NOW + 60
    assert due_change(table, GRACE, NOW + 59.9) is None
    table = after(table, due_change(table, GRACE, NOW + 60))
    assert names(table) == [ADA, None, CLEO]
    assert table.offer_ends is None
    assert [who.person for who in dealt(table, ADA, CLEO).seats] == [ADA, CLEO]


def test_after_a_multi_day_game_people_have_a_day() -> None:
    table = offered(ADA, BOB, limit=2 * DAY)
    assert table.offer_ends == NOW + DAY
    assert gathering_state(table, BOB).offer == "day"
    assert gathering_state(offered(ADA, BOB), BOB).offer == "minute"


def test_someone_who_declines_does_not_hold_up_the_others() -> None:
    table = accepted(offered(ADA, BOB, CLEO), CLEO)
    table = after(table, stand_up(table, BOB))
    assert table.dealing
    assert table.attempt == 0  # Ada's and Cleo's commitments are still good, since nobody has seen a part yet.
    assert [who.person for who in dealt(table, ADA, CLEO).seats] == [ADA, CLEO]


def test_removing_someone_who_has_not_answered_does_not_hold_up_the_others() -> None:
    table = accepted(offered(ADA, BOB, CLEO), CLEO)
    table = after(table, remove(table, ADA, 1))
    assert [who.person for who in dealt(table, ADA, CLEO).seats] == [ADA, CLEO]


@pytest.mark.parametrize("stops", [True, False])
def test_if_the_host_stops_a_rematch_nobody_loses_their_chair_when_the_offer_would_have_ended(stops: bool) -> None:
    """That also happens if the host removes someone who has accepted, or a bot."""
    table = accepted(offered(ADA, BOB, CLEO), CLEO)
    table = after(table, dealing.stop(table, ADA) if stops else remove(table, ADA, 2))
    assert not table.dealing
    assert next_change_at(table, GRACE) is None
    assert due_change(table, GRACE, NOW + DAY) is None
    assert names(table) == ([ADA, BOB, CLEO] if stops else [ADA, BOB, None])


def test_a_rematch_with_bots_starts_even_if_nobody_else_accepts() -> None:
    table = offered(ADA, BOB, SNAIL)
    table = after(table, stand_up(table, BOB))
    assert [who.bot for who in dealt(table, ADA).seats] == [None, "snail"]


@pytest.mark.parametrize("declines", [True, False])
def test_an_offer_nobody_accepts_becomes_an_open_table_again(declines: bool) -> None:
    table = offered(ADA, BOB)
    table = after(table, stand_up(table, BOB) if declines else OfferEnded())
    assert names(table) == [ADA, None]
    assert not table.dealing
    assert next_change_at(table, GRACE) is None
    assert gathering_state(table, ADA).offer is None


def test_if_the_person_who_asked_leaves_someone_else_becomes_host() -> None:
    table = accepted(offered(ADA, BOB, CLEO), BOB, CLEO)
    table = after(table, stand_up(table, ADA))
    assert table.host == BOB


def test_someone_who_is_here_becomes_host_rather_than_someone_who_is_away() -> None:
    table = accepted(offered(ADA, BOB, CLEO), BOB, CLEO)
    table = after(table, Arrived(CLEO, NOW))
    assert after(table, stand_up(table, ADA)).host == CLEO


def test_if_the_person_who_asked_leaves_and_nobody_accepts_the_table_closes() -> None:
    table = offered(ADA, BOB, CLEO, SNAIL)
    table = after(table, stand_up(table, ADA))
    assert apply(table, OfferEnded()) is None


def test_without_parts_the_offer_waits_for_the_host() -> None:
    table = offered(ADA, BOB, SNAIL, gives=False)
    table = after(table, OfferEnded())
    assert names(table) == [ADA, None, "bot"]
    assert not table.dealing  # Without any parts, the host starts the game and the server deals.


def test_an_offer_that_everyone_accepted_does_not_expire() -> None:
    table = accepted(offered(ADA, BOB), BOB)
    table = after(table, due_change(table, GRACE, NOW + 60))
    assert names(table) == [ADA, BOB]
    assert table.dealing
    assert table.offer_ends is None


def test_a_rematch_against_bots_needs_no_offer() -> None:
    assert offered(ADA, SNAIL).offer_ends is None


def test_a_game_has_one_rematch_at_a_time() -> None:
    """Two people may ask for one at the same time. If nobody's left at its table, someone can ask again."""
    over = to_the_end(seated(ADA, BOB, hand_size=1))
    both = [gather_rematch(over, person, f"by-{person}", None, "entropy", set(), NOW)[0] for person in (ADA, BOB)]
    table = replay(over, [event for step in both for event in step.events])
    assert isinstance(table, SeatedGame)
    assert table.next_game == f"by-{ADA}"
    assert replay(table, [RematchEnded(), RematchOffered("again")]) == replace(table, next_game="again")
