"""Views: exactly what a seat may know, and not a byte more."""

from __future__ import annotations

import json
from random import Random

import pytest

from chromino import Drew, Game, ParseError, Rules, View
from chromino.view import public_fields
from tests.helpers import VARIANTS, game_of, position, states, tiles, unseen, with_swapped_tiles

pytestmark = pytest.mark.rules


def as_bytes(game: Game, seat: int | None) -> bytes:
    return json.dumps(game.view(seat).to_json()).encode()


@pytest.mark.heavy
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [1, 2, 4, 8])
def test_permuting_hidden_tiles_changes_no_byte_of_a_view(name: str, players: int) -> None:
    rng = Random(players)
    permuted = 0
    for game in states(VARIANTS[name], players, seed=players):
        for seat in (None, *range(players)):
            hidden = unseen(game, seat)
            others = rng.sample(hidden, len(hidden))
            if game.drawn in hidden and game.seat != seat:
                # You see that a tile was just drawn, but not which one.
                assert game.view(seat).drawn is None
            changed = with_swapped_tiles(game, dict(zip(hidden, others, strict=True)))
            assert as_bytes(changed, seat) == as_bytes(game, seat)
            permuted += changed.hands != game.hands or changed.bag != game.bag
    assert permuted > 0


def test_public_fields_are_the_same_in_every_view() -> None:
    for game in states(Rules.scoring_b(), 3, seed=1):
        public = json.loads(json.dumps(public_fields(game)))
        for seat in (None, 0, 1, 2):
            view = game.view(seat).to_json()
            assert {name: view[name] for name in public} == public


def test_a_view_contains_what_its_seat_may_know() -> None:
    game = game_of(Rules.expert(), 3, seed=2, first=1)
    view = game.view(1)
    assert (view.me, view.seat, view.first) == (1, 1, 1)
    assert view.hand == game.hand(1)
    assert view.hands == (None, game.hand(1), None)
    assert view.hand_sizes == (8, 8, 8)
    assert view.bag_count == 79 - 24
    assert view.table == game.table
    assert view.scores == (0, 0, 0)
    assert list(view.actions) == game.actions()
    assert (view.over, view.winners) == (False, ())


def test_only_the_player_whose_turn_it_is_has_actions() -> None:
    game = game_of(Rules.classic(), 2, seed=2, first=0)
    assert game.view(0).actions
    assert game.view(1).actions == ()
    spectator = game.view(None)
    assert (spectator.actions, spectator.hand, spectator.hands) == ((), (), (None, None))


def test_only_the_player_sees_a_drawn_tile() -> None:
    game = position("RRR@0,0>", ["BBB GGG", "YYY PPP"], bag="GGB YYB")
    game = game.apply(game.actions()[0])
    drawn = tiles("GGB")[0]
    assert (game.view(0).drawn, game.view(0).log) == (drawn, (Drew(0, drawn),))
    assert (game.view(1).drawn, game.view(1).log, game.view(1).draws) == (None, (Drew(0, None),), 1)
    assert game.view(None).drawn is None


def test_all_hands_are_shown_at_the_end() -> None:
    *_, game = states(Rules.classic(), 3, seed=1)
    assert game.view(None).hands == game.hands


def test_a_view_or_a_hand_needs_a_seat_that_exists() -> None:
    game = game_of(Rules.classic(), 2, seed=1)
    for seat in (-1, 2):
        for call in (game.view, game.hand):
            with pytest.raises(ValueError, match=f"there is no seat {seat}; seats go from 0 to 1"):
                call(seat)


GOOD = game_of(Rules.classic(), 2, seed=1).view(0).to_json()


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        GOOD | {"seed": 7},
        {key: value for key, value in GOOD.items() if key != "log"},
        GOOD | {"players": None},
        GOOD | {"table": "RRR"},
        GOOD | {"dealt": ["RRR", None]},
        GOOD | {"drawn": "X"},
        GOOD | {"actions": ["jump"]},
        GOOD | {"log": [{}]},
        GOOD | {"me": "x"},
        GOOD | {"over": "no"},
        GOOD | {"players": "Ada"},
        GOOD | {"players": [1]},
        GOOD | {"draws": None},
        GOOD | {"bag_count": True},
        GOOD | {"winners": "zz"},
        GOOD | {"drawn": 7},
    ],
)
def test_json_that_is_not_a_view_is_refused(data: object) -> None:
    with pytest.raises(ParseError):
        View.from_json(data)
