"""What must be true after every action of a random game, for every variant and 1 to 8 players."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from chromino import Draw, Game, Pass, Place, Placed, Table, View
from chromino.events import event_from_json, event_to_json, parse_action
from tests.helpers import VARIANTS, assert_same_state, more, states

pytestmark = pytest.mark.heavy

CASES = [
    (name, players) if players in (2, 1 + number % 8) else more(name, players)
    for number, name in enumerate(VARIANTS)
    for players in range(1, 9)
]
"""Each variant with two players and with one other number; `make long` has all the others."""


@pytest.mark.parametrize("seed", [0, more(1), more(2)])
@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_state_of_a_random_game_is_consistent(name: str, players: int, seed: int) -> None:
    steps = 0
    previous: Game | None = None
    for game in states(VARIANTS[name], players, seed):
        check_state(game)
        if previous is not None:
            assert game != previous
            assert game.log[:-1] == previous.log
            assert previous.refusal(game.log[-1].action) is None
        previous = game
        steps += 1
    assert previous is not None
    check_end(previous)
    # Each tile is drawn and placed at most once, and a round without either blocks the game.
    assert steps <= 80 + 80 + 80 * players


def check_state(game: Game) -> None:
    everywhere = [placement.tile for placement in game.table.laid]
    everywhere += [tile for hand in game.hands for tile in hand] + list(game.bag)
    assert Counter(everywhere) == Counter(game.rules.tiles)

    actions = game.actions()
    assert bool(actions) != game.over
    assert actions in ([], [Draw()], [Pass()]) or all(isinstance(action, Place) for action in actions)
    assert len(actions) == len(set(actions))
    assert all(game.refusal(action) is None for action in actions)
    for other in (Draw(), Pass()):
        assert (game.refusal(other) is None) == (other in actions)
    assert [parse_action(str(action)) for action in actions] == actions

    if game.over or len(game.log) % 5 == 0:  # A replay goes through all earlier states.
        again = Game.replay(game.record)
        assert_same_state(again, game)
        assert again.actions() == actions
    assert Table.parse(str(game.table)) == game.table
    assert [event_from_json(json.loads(json.dumps(event_to_json(event)))) for event in game.log] == list(game.log)
    for seat in (None, *range(len(game.players))):
        view = game.view(seat)
        assert View.from_json(json.loads(json.dumps(view.to_json()))) == view


def check_end(game: Game) -> None:
    out = [seat for seat, hand in enumerate(game.hands) if not hand]
    if game.rules.scoring is None:
        assert game.scores == (0,) * len(game.players)
        if out:
            assert list(game.winners) == out
    if len(game.players) > 1:
        assert game.winners
    for seat in out:
        final = [event for event in game.log if event.seat == seat and isinstance(event, Placed)][-1]
        assert not final.placement.tile.is_chameleon  # 5.2
    assert game.turns == sum(str(event.action) != "draw" for event in game.log)
