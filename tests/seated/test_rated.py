"""Rated games: what they require, and why nobody gains by leaving, staying away or asking for help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from chromino import Pass, Rules
from chromino.events import Drew, Passed
from chromino.seated import (
    Chair,
    Declined,
    Gathering,
    Seat,
    SeatedGame,
    act,
    ask_for_hint,
    gathering_state,
    leave,
    move,
    next_automatic_action,
    state_for,
)
from chromino.seated import gathering as gatherings
from chromino.seated.dealing import begin
from chromino.seated.events import Began
from chromino.seated.game_requests import gather_rematch
from chromino.seated.rated_games import rated_players, standings
from tests.seated.tables import ADA, BOB, CLEO, NOW, SNAIL, seated, to_the_end

pytestmark = pytest.mark.rules

DAY = 24 * 3600


def rated(*who: str | Seat, limit: int | None = 60, hand_size: int = 8, aids: bool = False) -> SeatedGame:
    return seated(*who, limit=limit, hand_size=hand_size, aids=aids, rated=True)


# What a rated game requires.


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: rated(ADA, BOB, limit=None), "turn limit"),
        (lambda: rated(ADA, BOB, limit=DAY), "an hour or less"),
        (lambda: rated(ADA, BOB, aids=True), "have hints"),
        (lambda: rated(ADA, BOB, hand_size=7), "at least 8 tiles"),
        (lambda: rated(ADA, SNAIL, ADA), "one seat"),
        (lambda: rated(ADA), "two players"),
        (lambda: rated(ADA, Seat(None, None, has_left=True)), "two players"),
        (lambda: seated(ADA, BOB, limit=60, aids=False, rated=True, deal="fixed"), "fixed deal"),
    ],
)
def test_games_that_cannot_be_rated_are_declined_with_a_reason(make: Callable[[], SeatedGame], why: str) -> None:
    with pytest.raises(Declined) as caught:
        make()
    assert caught.value.reason == "cannot-be-rated"
    assert why in str(caught.value)


def table(*chairs: Chair, hand_size: int = 8, limit: int | None = 60, aids: bool = False) -> Gathering:
    rules = Rules.preset("classic", hand_size=hand_size)
    return Gathering("a-game", ADA, chairs, rules, aids=aids, turn_limit=limit, rated=True, entropy="entropy")


HOST, GUEST, FREE = Chair("person", "Ada", ADA), Chair("person", "Bob", BOB), Chair("free")


@pytest.mark.parametrize(
    "make",
    [
        lambda: table(HOST, FREE, limit=None),
        lambda: table(HOST, FREE, aids=True),
        lambda: table(HOST, FREE, hand_size=3),
        lambda: table(HOST, replace(GUEST, person=ADA)),
    ],
    ids=["no limit", "aids", "few tiles", "two chairs of one person"],
)
def test_a_table_for_a_rated_game_must_meet_the_same_conditions(make: Callable[[], Gathering]) -> None:
    with pytest.raises(Declined, match="rated"):
        make()


def began(table: Gathering) -> Began:
    event = begin(table, ADA, NOW)
    assert isinstance(event, Began)
    return event


def test_a_rated_game_needs_someone_to_play_against() -> None:
    alone = table(HOST, FREE)
    with pytest.raises(Declined, match="two players"):
        began(alone)
    both = table(HOST, GUEST, FREE)
    game = gatherings.apply(both, began(both))
    assert isinstance(game, SeatedGame)
    assert game.rated
    assert not game.aids


def test_everyone_sees_that_a_game_is_rated_before_and_during_it() -> None:
    assert gathering_state(table(HOST, FREE), None).rated
    game = rated(ADA, BOB)
    assert state_for(game, BOB, NOW).rated
    assert state_for(game, BOB, NOW).ranks is None
    assert not state_for(seated(ADA, BOB), ADA, NOW).rated


def test_there_are_no_hints_in_a_rated_game() -> None:
    with pytest.raises(Declined, match="aids-off"):
        ask_for_hint(rated(ADA, BOB), ADA, 0)


def test_bot_programs_keep_their_badge_from_chair_to_seat() -> None:
    free = table(HOST, FREE)
    sat = gatherings.apply(free, gatherings.sit(free, BOB, "Robo", NOW, is_program=True))
    assert isinstance(sat, Gathering)
    game = gatherings.apply(sat, began(sat))
    assert isinstance(game, SeatedGame)
    assert [who.is_program for who in game.seats] == [False, True]
    assert [seat.program for seat in state_for(game, ADA, NOW).seats] == [False, True]


# Final ranks.


def played_by(
    *who: str | Seat, by_person: Callable[[SeatedGame, int], bool] = lambda _table, _seat: True
) -> SeatedGame:
    """Play a rated game: people play their own turns if `by_person(table, seat)` is true; otherwise bots do."""
    table, now = rated(*who), NOW
    while not table.game.over:
        seat = table.game.seat
        person = table.seats[seat].person
        action = table.game.actions()[0]
        if person is not None and not table.seats[seat].has_left and action != Pass() and by_person(table, seat):
            table = act(table, person, seat, str(action), table.version, f"action-{table.version}", now).table
        else:
            table = move(table, action, now).table
    return table


def test_people_who_play_to_the_end_are_ranked_by_the_rules() -> None:
    game = played_by(ADA, BOB, SNAIL)
    assert game.ranks == list(game.game.ranks) == state_for(game, ADA, NOW).ranks
    assert game.needs_rating
    assert rated_players(game.seats) == {0: f"p:{ADA}", 1: f"p:{BOB}", 2: "b:snail"}
    assert seated(ADA, BOB).ranks is None
    assert to_the_end(seated(ADA, BOB)).ranks is None


def test_a_bot_in_several_seats_counts_once_and_erased_people_do_not_count() -> None:
    seats = (SNAIL, Seat(ADA, None), SNAIL, Seat(None, None, has_left=True))
    assert rated_players(seats) == {0: "b:snail", 1: f"p:{ADA}"}


@pytest.mark.parametrize("seat", [0, 1])
def test_you_are_last_if_you_leave_even_if_your_stand_in_wins(seat: int) -> None:
    game = played_by(ADA, BOB)
    seats = tuple(replace(who, has_left=number == seat) for number, who in enumerate(game.seats))
    assert standings(game.game, seats, game.action_ids)[seat] == 2


def test_you_are_last_if_a_bot_finishes_for_you() -> None:
    game = played_by(ADA, BOB, by_person=lambda table, seat: seat == 1 or table.game.turns < 12)
    assert game.ranks == [2, 1]


def test_one_turn_played_by_a_bot_along_the_way_does_not_change_your_rank() -> None:
    game = played_by(ADA, BOB, by_person=lambda table, seat: seat == 1 or table.game.turns != 2)
    assert None in game.action_ids
    assert game.ranks == list(game.game.ranks)


def test_you_are_last_if_you_only_come_back_for_the_last_turn() -> None:
    game = played_by(ADA, BOB, by_person=lambda table, seat: seat == 1 or len(table.game.hands[0]) < 3)
    assert game.action_ids[-1] is not None or game.action_ids[-2] is not None
    assert game.ranks == [2, 1]


def test_among_people_who_left_the_one_who_stayed_longest_ranks_highest() -> None:
    def stays(table: SeatedGame, seat: int) -> bool:
        return seat == 2 or table.game.turns < (6 if seat == 0 else 12)

    assert played_by(ADA, BOB, CLEO, by_person=stays).ranks == [3, 2, 1]
    assert played_by(ADA, BOB, CLEO, by_person=lambda table, seat: seat == 2 or table.game.turns < 6).ranks == [
        2,
        2,
        1,
    ]
    assert played_by(ADA, BOB, by_person=lambda _table, _seat: False).ranks == [1, 1]


def documented_ranks(table: SeatedGame) -> list[int]:
    """The final ranks as docs/ratings.md explains them, seat by seat."""
    log = list(zip(table.game.log, table.action_ids, strict=True))
    passed = [isinstance(event, Passed) for event, _ in log]
    turns_before = [sum(not isinstance(event, Drew) for event, _ in log[:number]) for number in range(len(log))]
    stayed: dict[int, int] = {}  # The rank in the game.
    given_up: dict[int, int] = {}  # The round of the last decision, or -1.
    for seat, who in enumerate(table.seats):
        mine = [number for number, (event, _) in enumerate(log) if event.seat == seat and not passed[number]]
        own = [number for number in mine if log[number][1] is not None]
        has_stayed = not who.has_left and (not mine or mine[-1] in own) and 4 * (len(mine) - len(own)) <= len(mine)
        if who.bot is not None or has_stayed:
            stayed[seat] = table.game.ranks[seat]
        else:
            given_up[seat] = turns_before[own[-1]] // len(table.seats) if own else -1
    return [
        1 + sum(rank < stayed[seat] for rank in stayed.values())
        if seat in stayed
        else 1 + len(stayed) + sum(last > given_up[seat] for last in given_up.values())
        for seat in range(len(table.seats))
    ]


@pytest.mark.parametrize("seed", range(60))
def test_ranks_are_as_documented(seed: int) -> None:
    """People play, stay away for some of their turns, or leave, in games with and without a bot."""
    rng = Random(seed)
    people = [ADA, BOB, CLEO, "id-of-dora"][: rng.randint(2, 4)]
    bots = [SNAIL] * rng.randrange(2)
    presence = [rng.choice([1.0, 0.95, 0.8, 0.7, 0.1, 0.0]) for _ in range(5)]
    table = played_by(*people, *bots, by_person=lambda _table, seat: rng.random() < presence[seat])
    leavers = [rng.random() < 0.2 and who.person is not None for who in table.seats]
    seats = tuple(replace(who, has_left=left) for who, left in zip(table.seats, leavers, strict=True))
    table = replace(table, seats=seats)
    assert table.ranks == documented_ranks(table)


def test_an_abandoned_rated_game_ends_within_days_and_nobody_gains() -> None:
    """The clock keeps running even if nobody is there."""
    game = rated(ADA, BOB, CLEO, SNAIL, limit=3600)
    game = replace(game, seats=tuple(replace(who, away_since=NOW) for who in game.seats))
    game = leave(game, BOB, NOW).table
    now = NOW
    while not game.game.over:
        due = next_automatic_action(game)
        assert due is not None
        now = max(now, due.at)
        game = move(game, game.game.actions()[0], now).table
    assert now - NOW < 4 * DAY
    assert game.ranks is not None
    assert game.ranks[3] == 1
    assert game.ranks[:3] == [2, 2, 2]


# Rematches.


def test_a_rematch_is_rated_only_if_nobody_else_has_to_agree() -> None:
    alone = played_by(ADA, SNAIL)
    assert gather_rematch(alone, ADA, "next", "", "entropy", set(), NOW)[1].rated
    both = played_by(ADA, BOB)
    _, rematch = gather_rematch(both, ADA, "next", "", "entropy", set(), NOW)
    assert not rematch.rated
    assert (rematch.turn_limit, rematch.aids) == (60, False)
    unrated = to_the_end(seated(ADA, SNAIL))
    assert not gather_rematch(unrated, ADA, "next", "", "entropy", set(), NOW)[1].rated
