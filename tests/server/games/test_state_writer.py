"""States written in parts are the same as states written as a whole."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from chromino.seated import Seat, SeatedGame, move, state_for
from chromino.server.games.state_writer import StateWriter
from tests.helpers import VARIANTS, game_of

PEOPLE = ("ada", "bob", "cleo")


@pytest.mark.parametrize("name", VARIANTS)
def test_cached_and_uncached_states_are_the_same(name: str) -> None:
    writer, rng = StateWriter(), Random(1)
    seats = tuple(Seat(person, None) for person in PEOPLE)
    table = SeatedGame.begin("a-game", game_of(VARIANTS[name], 3, seed=5), seats, 100.0, turn_limit=30)
    while True:
        for person in rng.sample((*PEOPLE, None), 3):
            whole = msgspec.json.encode(state_for(table, person, 101.0)).decode()
            assert writer.write(table, person, 101.0, 60.0) == whole
        if table.game.over:
            return
        table = move(table, rng.choice(table.game.actions()), 101.0).table


def test_the_cache_does_not_confuse_two_games() -> None:
    writer = StateWriter()
    seats = tuple(Seat(person, None) for person in PEOPLE)
    for seed in (1, 2):
        table = SeatedGame.begin("a-game", game_of(VARIANTS["classic"], 3, seed), seats, 100.0)
        table = move(table, table.game.actions()[0], 100.0).table
        for one in (table, replace(table, pace=False)):
            whole = msgspec.json.encode(state_for(one, "ada", 101.0)).decode()
            assert writer.write(one, "ada", 101.0, 60.0) == whole
