"""The example that learns: its mathematics, and a short run from end to end."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn" / "reinforce.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


def test_the_gradient_is_the_slope_of_the_logarithm_of_the_chance(example: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    agent = example["Agent"](rng, 5)
    agent.weights[2] = rng.normal(size=agent.weights[2].shape)
    features = rng.normal(size=(4, 5))
    found = agent.gradient(features, 2, push=-0.5)
    for weight, slope in zip(agent.weights, found, strict=True):
        for place in np.ndindex(weight.shape):
            values = []
            for change in (1e-5, -1e-5):
                weight[place] += change
                values.append(-0.5 * np.log(agent.chances(features)[0][2]))
                weight[place] -= change
            assert slope[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


def test_it_learns_what_pays(example: dict[str, Any]) -> None:
    """A game of one decision: the action whose first number is the largest wins."""
    rng = np.random.default_rng(1)
    agent = example["Agent"](rng, 3)

    def score() -> float:
        trials = rng.normal(size=(500, 4, 3))
        return float(np.mean([agent.chances(trial)[0].argmax() == trial[:, 0].argmax() for trial in trials]))

    before = score()
    for _ in range(100):
        sums = [np.zeros_like(weight) for weight in agent.weights]
        for trial in rng.normal(size=(20, 4, 3)):
            chosen = int(rng.choice(4, p=agent.chances(trial)[0]))
            reward = 1 if chosen == trial[:, 0].argmax() else -1
            for total, part in zip(sums, agent.gradient(trial, chosen, reward), strict=True):
                total += part
        agent.learn(sums, 0.02)
    assert before < 0.6
    assert score() > 0.9


def test_it_runs_from_end_to_end_the_same_each_time_and_plays_with_what_it_saved(tmp_path: Path) -> None:
    def run(*words: str) -> list[str]:
        command = [sys.executable, str(EXAMPLE), "--match", "40", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.splitlines()

    short = ["--games", "20", "--batch", "5", "--check", "2", "--rules", "expert"]
    first = run(*short)
    assert [line.split(":")[0].split(",")[0].strip() for line in first] == [
        "5 games",
        "10 games",
        "15 games",
        "20 games",
        "after learning",
    ]
    assert run(*short, "--save", "other.npz")[-1] == first[-1]
    assert run("--load", "agent.npz", "--rules", "expert") == first[-1:]
    wrong = subprocess.run([sys.executable, str(EXAMPLE), "--rules", "go"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "error: there is no preset 'go'" in wrong.stderr
    with np.load(tmp_path / "agent.npz") as one, np.load(tmp_path / "other.npz") as other:
        assert all(np.array_equal(one[name], other[name]) for name in one.files)
