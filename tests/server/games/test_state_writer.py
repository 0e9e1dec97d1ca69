"""States written in parts are the same as states written as a whole."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from chromino.seated import GRACE, Seat, SeatedGame, move, state_for
from chromino.seated.events import (
    Arrived,
    Left,
    PaceSet,
    RematchOffered,
    SeatTaken,
    StartedWaiting,
    StoppedWaiting,
    TakenBack,
    WentAway,
)
from chromino.seated.game import apply
from chromino.seated.seats import Latecomer
from chromino.server.games.state_writer import StateWriter
from tests.helpers import VARIANTS, game_of

PEOPLE = ("ada", "bob", "cleo")
NOW = 101.0


def assert_same(writer: StateWriter, table: SeatedGame, person: str | None) -> None:
    written = msgspec.json.decode(writer.write(table, person, NOW, GRACE))
    assert written == msgspec.to_builtins(state_for(table, person, NOW))


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("limit", [None, 30])
def test_cached_and_uncached_states_are_the_same(name: str, limit: int | None) -> None:
    writer, rng = StateWriter(), Random(1)
    seats = tuple(Seat(person, None) for person in PEOPLE)
    table = SeatedGame.begin("a-game", game_of(VARIANTS[name], 3, seed=5), seats, 100.0, turn_limit=limit)
    while not table.game.over:
        for person in rng.sample((*PEOPLE, None), 3):
            assert_same(writer, table, person)
        table = move(table, rng.choice(table.game.actions()), NOW).table
        if rng.random() < 0.2:
            person = rng.choice(PEOPLE)
            table = apply(table, rng.choice((Arrived(person, NOW), WentAway(person, NOW - 5), Left(person, NOW))))
    for person in (*PEOPLE, None):
        assert_same(writer, table, person)


def test_the_cache_notices_every_change_around_the_game() -> None:
    """Turns taken back, latecomers, and everything else that changes without a move."""
    writer = StateWriter()
    seats = (Seat("ada", None), Seat(None, "snail"), Seat(None, "fox"))
    table = SeatedGame.begin("a-game", game_of(VARIANTS["classic"], 3, seed=5), seats, 100.0, latecomers=True)
    for _ in range(7):
        table = move(table, table.game.actions()[0], NOW, "by-ada").table
    changes = (
        TakenBack(3, NOW, "sorry"),
        StartedWaiting(Latecomer("bob", "Bob")),
        SeatTaken(1, "bob", "Bob", NOW),
        Arrived("bob", NOW),
        PaceSet(False),
        StartedWaiting(Latecomer("cleo", "Cleo")),
        StoppedWaiting("cleo"),
        RematchOffered("another"),
    )
    for change in changes:
        for person in (*PEOPLE, None):
            assert_same(writer, table, person)
        table = apply(table, change)
    for person in (*PEOPLE, None):
        assert_same(writer, table, person)


def test_the_cache_does_not_confuse_two_games() -> None:
    writer = StateWriter()
    seats = tuple(Seat(person, None) for person in PEOPLE)
    for seed in (1, 2):
        table = SeatedGame.begin("a-game", game_of(VARIANTS["classic"], 3, seed), seats, 100.0)
        table = move(table, table.game.actions()[0], 100.0).table
        for one in (table, replace(table, pace=False)):
            assert_same(writer, one, "ada")
