"""One seat against bots."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from chromino import ChrominoError, Game, Rules, View
from chromino.bots import Bot
from chromino.bots.greedy import greedy
from chromino.env import AgainstBots
from chromino.env.rewards import rewards
from tests.helpers import VARIANTS

Story = list[tuple[Any, float, bool]]


def story(env: AgainstBots, seed: int | None = None) -> Story:
    """Play a game with random actions; returns each observation, its reward, and whether the game was over."""
    observation, info = env.reset(seed=seed)
    return [(observation, 0.0, False), *play_on(env, info, seed or 0)]


def play_on(env: AgainstBots, info: dict[str, Any], seed: int) -> Story:
    rng, found, over = Random(seed), [], False
    while not over:
        number = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, over, truncated, info = env.step(number)
        assert not truncated
        found.append((observation, reward, over))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_played_to_the_end_in_every_variant(variant: str) -> None:
    for opponents in ([], ["fox"], ["snail", "hedgehog", "random"]):
        env = AgainstBots(opponents, rules=VARIANTS[variant])
        for seed in range(2):
            *before, (_, reward, over) = story(env, seed)
            assert over
            assert env.game.over
            assert not any(given for _, given, _ in before)
            me = env.env.possible_agents.index(env.agent)
            assert reward == rewards(env.game, "win")[me]


def test_the_same_seed_gives_the_same_games_against_the_same_bots() -> None:
    one, other = AgainstBots(["fox", "random"]), AgainstBots(["3", "random"])
    np.testing.assert_equal(story(one, seed=3), story(other, seed=3))
    np.testing.assert_equal(story(one), story(other))
    assert story(one, seed=4)[0][0]["hands"].tolist() != story(one, seed=5)[0][0]["hands"].tolist()


def test_my_seat_is_the_one_requested_or_random() -> None:
    fixed, free = AgainstBots([1, 1], seat=2), AgainstBots([1, 1])
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}
    assert {free.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_each_opponent_plays_its_own_seats_from_its_own_view() -> None:
    seen: list[tuple[str, int | None]] = []

    def watching(name: str) -> Bot:
        def pick(view: View, places: Any, rng: Random) -> Any:
            seen.append((name, view.me))
            return greedy(view, places, rng)

        return Bot(name, "", pick)

    env = AgainstBots([watching("first"), watching("second")], seat=1, rules="junior")
    story(env, seed=1)
    assert set(seen) == {("first", 0), ("second", 2)}


def test_the_first_player_can_be_chosen() -> None:
    env = AgainstBots("snail", seat=0)
    for first in (0, 1):
        env.reset(seed=1, options={"first": first})
        assert env.game.first == first


def test_a_game_that_ends_before_my_turn_is_dealt_again() -> None:
    env = AgainstBots("random", seat=0, rules=Rules.preset("junior", hand_size=1, ending="at_once"))
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        assert observation["turn"][-1] == 0


def test_a_masked_action_loses_at_once() -> None:
    env = AgainstBots("random", illegal_reward=-3)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(255)
    assert (reward, terminated, truncated, info["illegal"]) == (-3, True, False, True)
    assert env.observation_space.contains(observation)
    with pytest.raises(ChrominoError, match=r"the game is over: call reset\(\)"):
        env.step(0)
    assert env.reset()[1]["action_mask"].any()


@pytest.mark.parametrize("copied", [AgainstBots.clone, deepcopy])
def test_a_copy_is_independent(copied: Any) -> None:
    env = AgainstBots(["random", "fox"])
    _, info = env.reset(seed=2)
    env.step(0)
    info["action_mask"] = env.action_masks()
    game = env.game
    other = play_on(copied(env), info, seed=1)
    assert env.game is game
    np.testing.assert_equal(play_on(copied(env), info, seed=1), other)
    np.testing.assert_equal(play_on(env, info, seed=1), other)


def test_the_mask_matches_the_observation() -> None:
    env = AgainstBots(2)
    _, info = env.reset(seed=1)
    assert env.action_masks().tolist() == info["action_mask"].tolist()
    assert info["action_mask"].sum() == len(Game.actions(env.game))


@pytest.mark.parametrize(
    ("opponents", "choices", "message"),
    [
        ("bear", {}, "there is no bot 'bear'; choose from 1 or snail"),
        (["fox"] * 8, {}, "you can have at most 7 opponents, not 8"),
        ("fox", {"seat": 2}, "seat must be a number from 0 to 1, or None for a random one, not 2"),
        ("fox", {"rules": "go"}, "there is no preset 'go'"),
        ("fox", {"reward": "fame"}, "reward must be one of 'win', 'margin', not 'fame'"),
        ("fox", {"render_mode": "film"}, "render_mode must be one of"),
    ],
)
def test_invalid_choices_are_refused(opponents: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ChrominoError, match=re.escape(message)):
        AgainstBots(opponents, **choices)


def test_invalid_actions_are_refused() -> None:
    env = AgainstBots()
    with pytest.raises(ChrominoError, match=r"call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    for action in (-1, 256, "0", None):
        with pytest.raises(ChrominoError, match="an action must be a number from 0 to 255"):
            env.step(action)  # type: ignore[arg-type]
