"""PettingZoo's and Gymnasium's own tests, for all rules and all numbers of players."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from chromino import PRESETS, Rules
from chromino.env import AgainstBots, ChrominoEnv, env, raw_env
from tests.env.playing import allowed
from tests.helpers import VARIANTS, more, with_open_hands

# Our observations are dicts because they include a mask. PettingZoo only expects that of its own board games.
DICT_WARNINGS = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def allows_dicts(test: Any) -> Any:
    for mark in DICT_WARNINGS:
        test = mark(test)
    return test


@allows_dicts
@pytest.mark.parametrize("players", [1, 2, 8, *map(more, range(3, 8))])
@pytest.mark.parametrize("preset", PRESETS)
def test_pettingzoo_api_test_passes(preset: str, players: int) -> None:
    api_test(env(rules=preset, players=players), num_cycles=12)


@allows_dicts
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_api_test_passes_with_whole_games_in_every_variant(variant: str) -> None:
    api_test(env(rules=VARIANTS[variant], players=2, skip_forced=True), num_cycles=200)


@pytest.mark.parametrize("players", [2, more(1), more(5)])
@pytest.mark.parametrize("preset", PRESETS)
def test_pettingzoo_seed_test_passes(preset: str, players: int) -> None:
    seed_test(partial(env, rules=preset, players=players), num_cycles=100)


@pytest.mark.long  # The benchmark always takes five seconds.
def test_pettingzoo_performance_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(raw_env(players=4))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_pettingzoo_render_test_passes() -> None:
    render_test(
        partial(ChrominoEnv, rules="expert", players=3),
        custom_tests={
            "ansi": lambda text: "player_2: " in text and "points" in text,
            "svg": lambda text: text.startswith("<svg ") and "player_2" in text,
            "rgb_array": lambda pixels: pixels.shape == (315, 600, 3) and pixels.std() > 10,
        },
    )


def test_pettingzoo_wrappers_work() -> None:
    wrapped = OrderEnforcingWrapper(TerminateIllegalWrapper(ChrominoEnv(), illegal_reward=-1))
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(len(allowed(wrapped)))
    assert wrapped.terminations[agent]
    assert wrapped.rewards[agent] == -1


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize(
    ("opponents", "choices"),
    [
        ("random", {}),
        (["3", 1], {"rules": "expert", "seat": 1, "reward": "margin"}),
        (["snail"] * 7, {"rules": "junior", "skip_forced": True}),
        ([], {"rules": with_open_hands(Rules.scoring_c())}),
    ],
)
def test_gymnasium_check_passes(opponents: Any, choices: Any) -> None:
    check_env(AgainstBots(opponents, render_mode="ansi", **choices))


def test_gymnasium_makes_one_or_several_environments_by_name() -> None:
    made = gymnasium.make("chromino.env:Chromino-v0", opponents=["hedgehog"], rules="junior")
    check_env(made.unwrapped, skip_render_check=True)
    flat = gymnasium.wrappers.FlattenObservation(made)
    assert flat.reset(seed=1)[0].ndim == 1
    several = gymnasium.make_vec("chromino.env:Chromino-v0", num_envs=3, vectorization_mode="sync", opponents=2)
    observations, infos = several.reset(seed=1)
    assert observations["actions"].shape == (3, 256, 10)
    assert infos["action_mask"].shape == (3, 256)
    several.close()
