"""Dealing, stepping, rewards, copies, and refusals."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from chromino import ChrominoError, Game, Place, Placement, Rules
from chromino.bots import find
from chromino.env import ACTION, TURN_PAGE, ChrominoEnv
from chromino.env.rewards import rewards
from tests.env.playing import allowed, played
from tests.helpers import VARIANTS, position


def names(players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(players)]


def test_a_seed_deals_the_same_game_as_the_engine_then_a_fixed_series() -> None:
    one, other = ChrominoEnv(players=3), ChrominoEnv(players=3)
    one.reset(seed=7)
    assert one.game == Game.start(Rules.classic(), names(3), seed=7)
    other.reset(seed=np.int64(7))  # type: ignore[arg-type]
    dealt = {one.game}
    for _ in range(5):
        one.reset()
        other.reset()
        assert one.game == other.game
        dealt.add(one.game)
    assert len(dealt) == 6


def test_without_a_seed_every_environment_deals_different_games() -> None:
    one, other = ChrominoEnv(), ChrominoEnv()
    one.reset()
    other.reset()
    assert one.game != other.game


@pytest.mark.parametrize("first", [0, 2, "player_2"])
def test_the_first_player_can_be_chosen(first: int | str) -> None:
    env = ChrominoEnv(players=3)
    env.reset(seed=1, options={"first": first})
    assert env.agent_selection == f"player_{str(first)[-1]}"


def test_an_unfinished_game_can_be_continued() -> None:
    begun = ChrominoEnv("expert", 3)
    for _, _state in zip(range(20), played(begun, seed=4), strict=False):
        pass
    env = ChrominoEnv("expert", 3)
    env.reset(options={"game": begun.game})
    for agent in env.possible_agents:
        np.testing.assert_equal(env.observe(agent), begun.observe(agent))


@pytest.mark.parametrize("players", [1, 2, 4, 8])
@pytest.mark.parametrize("variant", VARIANTS)
def test_rewards_are_given_once_and_sum_to_zero(variant: str, players: int) -> None:
    env = ChrominoEnv(VARIANTS[variant], players)
    for state in played(env, seed=players):
        if not state.game.over:
            assert not any(env.rewards.values())
    game, given = env.game, [env.rewards[agent] for agent in env.possible_agents]
    if players > 1:
        assert sum(given) == pytest.approx(0)
        assert [seat for seat, reward in enumerate(given) if reward == max(given)] == list(game.winners)
        assert (max(given) == pytest.approx(1)) == (len(game.winners) == 1)
        assert sum(rewards(game, "margin")) == pytest.approx(0)
    assert len(env.agents) == players
    for _ in range(players):
        agent = env.agent_selection
        _, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (given[env.possible_agents.index(agent)], True, False)
        env.step(None)
    assert env.agents == []


def ended(table: str, hands: list[str], **choices: Any) -> Game:
    """The game after its only possible action."""
    game = position(table, hands, **choices)
    return game.apply(game.actions()[0])


def test_5_3_joint_winners_share_the_reward() -> None:
    game = position("RRR@0,0>", ["RRG", "RRB", "PPP PPG"])
    while not game.over:
        game = game.apply(game.actions()[0])
    assert game.winners == (0, 1)
    assert rewards(game, "win") == [0.25, 0.25, -0.5]
    assert rewards(game, "margin") == [pytest.approx(1), pytest.approx(1), pytest.approx(-2)]


def test_5_5_the_player_with_the_fewest_tiles_wins_a_blocked_game() -> None:
    game = ended("RRR@0,0>", ["PPP GGG", "BBB"])
    assert (game.over, game.winners) == (True, (1,))
    assert rewards(game, "win") == [-1, 1]
    assert rewards(game, "margin") == [-1, 1]


def test_5_6_a_solo_game_is_won_or_lost() -> None:
    assert rewards(ended("Y*R@0,0> GRR@1,1>", ["YBR"]), "win") == [1]
    blocked = ended("RRR@0,0>", ["PPP GGG"])
    assert rewards(blocked, "win") == [-1]
    assert rewards(blocked, "margin") == [-2]


def test_6_4_margins_are_in_points_in_scoring_games() -> None:
    env = ChrominoEnv("scoring_b", 3, reward="margin")
    *_, _end = played(env, seed=3)
    first, second, third = env.game.scores
    assert env.rewards["player_0"] == pytest.approx(first - (second + third) / 2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_skipping_forced_actions_gives_the_same_games(variant: str) -> None:
    env = ChrominoEnv(VARIANTS[variant], 2, skip_forced=True)
    rng = Random(1)
    for seed in range(3):
        env.reset(seed=seed)
        game = Game.start(env.rules, names(2), seed)
        while not env.game.over:
            seen = env.last()[0]["observation"]
            assert (seen["actions"][0, ACTION.KIND] == 1) or game.apply(game.actions()[0]).over
            while not isinstance(game.actions()[0], Place) and game != env.game:
                game = game.apply(game.actions()[0])
            assert game == env.game
            number = rng.choice(allowed(env))
            game = game.apply(game.actions()[number])
            env.step(number)
        while not game.over:
            game = game.apply(game.actions()[0])
        assert game == env.game


@pytest.mark.parametrize("copied", [ChrominoEnv.clone, deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_is_independent(copied: Any) -> None:
    env = ChrominoEnv("expert", 3)
    for number, _state in enumerate(played(env, seed=2)):
        if number % 10 == 0:
            before = {agent: deepcopy(env.observe(agent)) for agent in env.agents}
            game, other = env.game, copied(env)
            assert other.game == game
            *_, _end = play_on(other, seed=1)
            assert other.game.over
            assert other.rewards != env.rewards or env.game.over
            assert env.game is game
            np.testing.assert_equal({agent: env.observe(agent) for agent in env.agents}, before)
            again = copied(env)
            *_, _end = play_on(again, seed=1)
            np.testing.assert_equal(
                [again.observe(agent) for agent in again.possible_agents],
                [other.observe(agent) for agent in other.possible_agents],
            )
            assert again.rewards == other.rewards


def play_on(env: ChrominoEnv, seed: int) -> Any:
    rng = Random(seed)
    yield env
    while not env.game.over:
        env.step(rng.choice(allowed(env)))
        yield env


def test_copies_have_their_own_action_spaces() -> None:
    env = ChrominoEnv()
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    other = deepcopy(env)
    drawn = [other.action_space("player_0").sample() for _ in range(5)]
    env.clone().action_space("player_0").sample()
    assert [env.action_space("player_0").sample() for _ in range(5)] == drawn


def test_a_copy_stays_on_the_same_page() -> None:
    env = ChrominoEnv(Rules.preset("junior", hand_size=79), 1)
    env.reset(seed=1)
    env.step(TURN_PAGE)
    np.testing.assert_equal(env.clone().last()[0], env.last()[0])
    np.testing.assert_equal(env.sample("player_0", seed=1).last()[0], env.last()[0])


def test_bots_can_use_the_engines_actions() -> None:
    env = ChrominoEnv(players=2)
    env.reset(seed=3)
    rng = Random(1)
    while not env.game.over:
        action = find("fox").choose(env.game.view(env.game.seat), rng)
        assert env.legal[env.number(action)] == action
        env.act(action)
    assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"rules": "chess"}, "there is no preset 'chess'; choose from classic, junior"),
        ({"rules": 3}, "rules must be Rules or the name of a preset, not 3"),
        ({"players": 9}, "players must be a number from 1 to 8, not 9"),
        ({"players": "2"}, "players must be a number from 1 to 8, not '2'"),
        ({"rules": Rules.preset("classic", hand_size=30), "players": 3}, "tiles"),
        ({"reward": "fame"}, "reward must be one of 'win', 'margin', not 'fame'"),
        (
            {"render_mode": "film"},
            "render_mode must be one of 'ansi', 'svg', 'rgb_array', 'human', or None, not 'film'",
        ),
    ],
)
def test_invalid_choices_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ChrominoError, match=re.escape(message)):
        ChrominoEnv(**choices)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first": 2}, "first must be a seat from 0 to 1 or None, not 2"),
        ({"first": "me"}, "there is no agent 'me'; choose from player_0, player_1"),
        ({"game": "G"}, "the option game must be a Game, not str"),
        ({"game": Game.start(Rules.junior(), ["A", "B"], 1)}, "has different rules or a different number of players"),
        ({"game": position("RRR@0,0>", ["PPP GGG", "BBB"]).apply(position("RRR@0,0>", ["PPP", "BBB"]).actions()[0])},
         "the game to continue is over"),
        ({"game": position("RRR@0,0>", ["RRG PPP", "BBB"], "GGG").apply(Place(Placement.parse("RRG@1,1>")))},
         "the game to continue doesn't follow from its deal and log: line 2: "),
    ],
)  # fmt: skip
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ChrominoError, match=re.escape(message)):
        ChrominoEnv().reset(options=options)


@pytest.mark.parametrize("action", [-1, 60, 254, TURN_PAGE, 256, None, "0", 0.5])
def test_masked_actions_are_refused_and_change_nothing(action: Any) -> None:
    env = ChrominoEnv()
    env.reset(seed=1)
    before, count = env.game, len(env.legal)
    assert count <= 60
    with pytest.raises(
        ChrominoError, match=r"isn't possible for player_\d: the mask allows|an action must be a number from"
    ):
        env.step(action)
    assert env.game is before


def test_calls_at_the_wrong_time_are_refused() -> None:
    env = ChrominoEnv()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, lambda: env.game):
        with pytest.raises(ChrominoError, match=r"call reset\(\) first|pass render_mode"):
            call()
    for name in ("agent_selection", "rewards", "legal", "mask"):
        with pytest.raises((AttributeError, ChrominoError), match=r"there is no \w+ yet: call reset\(\) first"):
            getattr(env, name)
    with pytest.raises(ChrominoError, match=r"call reset\(\) first"):
        env.last()
    with pytest.raises(ChrominoError, match="a seed must be a whole number, not 'x'"):
        env.reset(seed="x")  # type: ignore[arg-type]
    *_, _end = played(env, seed=1)
    with pytest.raises(ChrominoError, match=r"the game is over: player_\d must step with None, not 0"):
        env.step(0)
    with pytest.raises(ChrominoError, match="the game is over"):
        env.act(env.game.log[-1].action)
    env.step(None)
    env.step(None)
    for late_call in (lambda: env.step(None), env.last):
        with pytest.raises(ChrominoError, match=r"all agents have left: call reset\(\)"):
            late_call()
    for space in (env.action_space, env.observation_space, env.observe):
        with pytest.raises(ChrominoError, match="there is no agent 'player_7'"):
            space("player_7")


def test_an_illegal_action_has_no_number() -> None:
    env = ChrominoEnv()
    env.reset(seed=1)
    action = env.legal[0]
    env.step(0)
    with pytest.raises(ChrominoError, match="isn't possible: "):
        env.number(action)


def test_without_the_extra_the_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import chromino; import chromino.env"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith(
        "ImportError: chromino.env needs pettingzoo, which isn't installed: run pip install 'chromino[rl]'\n"
    )
