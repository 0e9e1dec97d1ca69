"""Joint deals: commitments first, then parts, and no tiles before the last part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from chromino.fair_deal import commitment_of
from chromino.messages.deals import DealTerms
from chromino.seated import (
    Chair,
    Declined,
    Gathering,
    Seat,
    SeatedGame,
    gather_rematch,
    gathering_state,
    leave,
    state_for,
)
from chromino.seated.dealing import begin, commit, contribute_nothing, reveal, stop, terms
from chromino.seated.events import Arrived, Began, Committed, DealStopped, GatheringEvent, RematchOffered, StoodUp
from chromino.seated.gathering import apply, fill, remove, sit
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, gathered, part, seated, to_the_end

pytestmark = pytest.mark.rules


def after(table: Gathering, *events: GatheringEvent | None) -> Gathering:
    for event in events:
        assert event is not None
        found = apply(table, event)
        assert isinstance(found, Gathering)
        table = found
    return table


def dealing(*who: str) -> Gathering:
    """The host has started; everyone has committed, but nobody has revealed anything."""
    table = gathered(*who, parts=True)
    return after(table, begin(table, who[0], NOW))


def deal_states(table: Gathering) -> list[str | None]:
    return [chair.deal for chair in gathering_state(table, None).chairs]


def test_the_last_part_starts_the_deal_and_every_part_goes_into_the_seed() -> None:
    table = dealing(ADA, BOB)
    shown = terms(table, BOB)
    table = after(table, reveal(table, BOB, part(BOB), NOW))
    assert deal_states(table) == ["committed", "revealed", None]
    assert reveal(table, BOB, part(BOB), NOW) is None
    began = reveal(table, ADA, part(ADA), NOW + 1)
    assert isinstance(began, Began)
    game = apply(table, began)
    assert isinstance(game, SeatedGame)
    parts = (game.game.deal.seed or "").split("-")
    assert parts[:2] == [part(ADA), part(BOB)]
    assert [commitment_of(one) for one in parts] == shown.commitments
    assert (game.deal, state_for(game, ADA, NOW).deal, game.since) == ("joint", "joint", NOW + 1)
    assert shown == DealTerms(True, shown.commitments, [[0], [1], []], 1, [1], 2, None, table.rules.to_json())


def test_nobody_sees_a_part_before_all_are_revealed() -> None:
    table = dealing(ADA, BOB)
    table = after(table, reveal(table, BOB, part(BOB), NOW))
    for person in (ADA, BOB, None):
        assert part(BOB) not in str(gathering_state(table, person))
    assert part(BOB) not in repr(table)
    assert "entropy=" not in repr(table)


def test_someone_with_several_chairs_gives_one_part() -> None:
    table = gathered(ADA, BOB, free=0, parts=True)
    table = replace(table, chairs=(*table.chairs, Chair("person", "Cleo", ADA)))
    table = after(table, begin(table, ADA, NOW))
    assert deal_states(table) == ["committed", "committed", "committed"]
    assert len(terms(table, ADA).commitments) == 3
    assert (terms(table, ADA).mine, terms(table, ADA).seats) == (0, [0, 2])
    assert terms(table, ADA).givers == [[0, 2], [1], []]
    table = after(table, reveal(table, ADA, part(ADA), NOW))
    assert isinstance(reveal(table, BOB, part(BOB), NOW), Began)


@pytest.mark.parametrize("begun", [False, True])
def test_someone_who_loses_one_of_their_chairs_still_gives_a_part(begun: bool) -> None:
    table = gathered(ADA, BOB, free=0, parts=True)
    table = replace(table, chairs=(*table.chairs, Chair("person", "Cleo", ADA)), host=BOB)
    committed = terms(table, ADA).commitments[0]
    if begun:
        table = after(table, begin(table, BOB, NOW))
    both = table
    table = after(table, remove(table, BOB, 0))
    assert [chair.commitment for chair in table.chairs[::2]] == [None, "" if begun else committed]
    assert terms(table, ADA).givers == [[0], [1], []]
    second = after(both, remove(both, BOB, 2))
    assert terms(second, ADA).givers == [[0], [1], []]
    alone = after(table, remove(table, BOB, 2))
    assert terms(alone, ADA).mine is None
    none = after(gathered(ADA, BOB), remove(gathered(ADA, BOB), ADA, 1))
    assert [chair.commitment for chair in none.chairs] == [None, None, None]


def test_people_who_give_no_part_still_get_tiles_and_are_marked() -> None:
    table = gathered(ADA, BOB)
    assert isinstance(began := begin(table, ADA, NOW), Began)
    assert began.deal == "server"
    table = after(table, commit(table, ADA, commitment_of(part(ADA))))
    assert deal_states(table) == ["committed", None, None]
    table = after(table, begin(table, ADA, NOW))
    assert terms(table, BOB).mine is None
    assert isinstance(reveal(table, ADA, part(ADA), NOW), Began)


@pytest.mark.parametrize(
    "changed",
    [
        lambda table: remove(table, ADA, 1),
        lambda table: fill(table, ADA, 2, 1, "Snail"),
        lambda _: StoodUp(BOB),
        lambda table: stop(table, ADA),
    ],
)
def test_if_a_part_is_missing_nothing_is_dealt_and_everyone_commits_again(
    changed: Callable[[Gathering], GatheringEvent],
) -> None:
    table = dealing(ADA, BOB)
    before = terms(table, ADA).commitments
    table = after(table, reveal(table, ADA, part(ADA), NOW))
    table = after(table, changed(table))
    assert not table.dealing
    assert terms(table, ADA).commitments[0] == ""
    assert terms(table, ADA).commitments[-1] != before[-1]
    assert table.chairs[0].part is None
    with pytest.raises(Declined, match="stale"):
        reveal(table, ADA, part(ADA), NOW)
    table = after(table, begin(table, ADA, NOW))  # Nothing is dealt until everyone has committed again.
    with pytest.raises(Declined, match="stale"):
        reveal(table, ADA, part(ADA), NOW)
    assert begin(table, ADA, NOW) is None
    for person in table.people:
        table = after(table, commit(table, person, commitment_of(part(person, 1))))
    for person in table.people[1:]:
        table = after(table, reveal(table, person, part(person, 1), NOW))
    assert isinstance(reveal(table, ADA, part(ADA, 1), NOW), Began)


def test_commitments_are_fixed_once_the_host_has_started() -> None:
    table = gathered(ADA, BOB, parts=True)
    other = commitment_of(part(BOB, 1))
    assert commit(table, BOB, commitment_of(part(BOB))) is None
    assert commit(table, BOB, other) == Committed(BOB, other)
    table = after(table, begin(table, ADA, NOW))
    with pytest.raises(Declined, match="stale"):
        commit(table, BOB, other)
    table = after(table, sit(table, BOB, "Robert", NOW, other))
    assert (table.chairs[1].name, table.chairs[1].commitment) == ("Robert", commitment_of(part(BOB)))
    assert table.dealing


def test_people_can_commit_as_they_sit_down() -> None:
    table = gathered(ADA, parts=True)
    table = after(table, sit(table, BOB, "Bob", NOW, commitment_of(part(BOB))), Arrived(BOB, NOW))
    assert deal_states(table) == ["committed", "committed"]
    table = after(table, sit(table, BOB, "Robert", NOW))
    assert deal_states(table) == ["committed", "committed"]


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: sit(dealing(ADA, BOB), CLEO, "Cleo", NOW), "seats-taken"),
        (lambda: reveal(dealing(ADA, BOB), BOB, part(ADA), NOW), "bad-part"),
        (lambda: reveal(dealing(ADA, BOB), CLEO, part(CLEO), NOW), "not-your-seat"),
        (lambda: reveal(gathered(ADA, BOB, parts=True), ADA, part(ADA), NOW), "stale"),
        (lambda: commit(gathered(ADA, BOB), CLEO, commitment_of(part(CLEO))), "not-your-seat"),
        (lambda: stop(dealing(ADA, BOB), BOB), "not-the-host"),
    ],
)
def test_impossible_requests_are_declined(ask: Callable[[], object], reason: str) -> None:
    with pytest.raises(Declined) as caught:
        ask()
    assert caught.value.reason == reason


def test_a_stranger_who_stands_up_does_not_stop_the_deal() -> None:
    assert after(dealing(ADA, BOB), StoodUp(CLEO)).dealing


def test_stopping_a_deal_that_has_not_started_changes_nothing() -> None:
    assert stop(gathered(ADA, parts=True), ADA) is None
    assert after(gathered(ADA, parts=True), DealStopped()).chairs[0].commitment == commitment_of(part(ADA))


def test_a_rematch_waits_for_everyone_then_starts() -> None:
    table = to_the_end(
        seated(ADA, Seat(BOB, None, face="cap"), SNAIL, Seat(None, None, has_left=True), CLEO, ADA, hand_size=2)
    )
    committed = commitment_of(part(ADA))
    step, rematch = gather_rematch(table, ADA, "next", committed, "entropy", {CLEO}, NOW)
    assert step.events == (RematchOffered("next"),)
    assert [(chair.person, chair.level) for chair in rematch.chairs] == [
        (ADA, None),
        (BOB, None),
        (None, 1),
        (None, 3),
        (None, 3),
        (ADA, None),
    ]
    assert rematch.chairs[1].face == "cap"
    assert deal_states(rematch) == ["committed", "waiting", None, None, None, "committed"]
    assert (terms(rematch, ADA).first, terms(rematch, ADA).seats) == (1, [0, 5])
    with pytest.raises(Declined, match="stale"):
        reveal(rematch, ADA, part(ADA), NOW)
    rematch = after(rematch, sit(rematch, BOB, "Bob", NOW, commitment_of(part(BOB))))
    rematch = after(rematch, reveal(rematch, ADA, part(ADA), NOW))
    began = reveal(rematch, BOB, part(BOB), NOW)
    assert isinstance(began, Began)
    assert began.game.first == 1
    assert began.game.rules == table.game.rules


def test_a_rematch_asks_the_others_for_their_parts_even_if_the_host_gives_none() -> None:
    table = to_the_end(leave(seated(ADA, BOB, SNAIL, hand_size=2), BOB, NOW).table)
    _, rematch = gather_rematch(table, ADA, "next", None, "entropy", set(), NOW + 9)
    assert deal_states(rematch) == [None, "waiting", None]
    assert terms(rematch, ADA).givers == [[1], [2]]
    assert [chair.away_since for chair in rematch.chairs] == [NOW + 9, NOW + 9, None]
    assert contribute_nothing(rematch, ADA, NOW) is None
    rematch = after(rematch, commit(rematch, BOB, commitment_of(part(BOB))))
    assert contribute_nothing(rematch, BOB, NOW) is None  # Bob has already committed to a part.
    began = reveal(rematch, BOB, part(BOB), NOW)
    assert isinstance(began, Began)
    assert (began.deal, began.game.deal.seed.split("-")[0] if began.game.deal.seed else "") == ("joint", part(BOB))


def test_if_nobody_gives_a_part_for_a_rematch_the_server_deals_alone() -> None:
    for others, events in ((), ()), ((BOB,), ()), ((BOB, CLEO), (Committed(BOB, None),)):
        table = to_the_end(seated(ADA, SNAIL, *others, hand_size=2))
        _, rematch = gather_rematch(table, ADA, "next", None, "entropy", set(), NOW)
        for person, event in zip(others, events, strict=False):
            assert contribute_nothing(rematch, person, NOW) == event
            rematch = after(rematch, event)
        began = contribute_nothing(rematch, (ADA, *others)[-1], NOW)
        assert isinstance(began, Began)
        assert began.deal == "server"


def test_withdrawing_a_part_between_deals_changes_nothing_else() -> None:
    table = gathered(ADA, BOB, parts=True)
    table = after(table, begin(table, ADA, NOW), stop(after(table, begin(table, ADA, NOW)), ADA))
    table = after(table, contribute_nothing(table, BOB, NOW))
    assert deal_states(table) == ["waiting", None, None]


def test_only_players_can_ask_for_a_rematch_and_only_after_the_game() -> None:
    for person, table, reason in (
        (ADA, seated(ADA, BOB), "not-over"),
        (CLEO, to_the_end(seated(ADA, BOB, hand_size=2)), "not-your-game"),
    ):
        with pytest.raises(Declined, match=reason):
            gather_rematch(table, person, "next", "", "", set(), NOW)
