"""The example of a learning agent: its math, and a short run from end to end."""

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


def test_the_gradient_is_the_slope_of_the_log_probability(example: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    agent = example["Agent"](rng, 5)
    agent.weights[2] = rng.normal(size=agent.weights[2].shape)
    features = rng.normal(size=(4, 5))
    found = agent.gradient(features, 2, reward=-0.5)
    for weight, slope in zip(agent.weights, found, strict=True):
        for place in np.ndindex(weight.shape):
            values = []
            for change in (1e-5, -1e-5):
                weight[place] += change
                values.append(-0.5 * np.log(agent.chances(features)[0][2]))
                weight[place] -= change
            assert slope[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


def test_the_agent_learns_which_actions_win(example: dict[str, Any]) -> None:
    """The game is a single decision: the action whose first number is the largest wins."""
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


def test_a_run_is_reproducible_and_its_saved_agent_can_play(example: dict[str, Any], tmp_path: Path) -> None:
    def run(*arguments: str) -> list[str]:
        command = [sys.executable, str(EXAMPLE), "--match", "20", "--rules", "expert", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.splitlines()

    learned = run("--games", "20", "--batch", "5", "--check", "2")
    steps = [line.split(":")[0].split(",")[0].strip() for line in learned]
    assert steps == ["5 games", "10 games", "15 games", "20 games", "after learning"]
    assert run("--load", "agent.npz") == learned[-1:]
    again = example["train"]("expert", games=20, batch=5, rate=0.01, check=0, seed=1)
    with np.load(tmp_path / "agent.npz") as saved:
        assert all(np.array_equal(saved[name], weight) for name, weight in zip(saved.files, again.weights, strict=True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--rules", "go"], "there is no preset 'go'"), (["--load", "nowhere.npz"], "No such file or directory")],
)
def test_invalid_options_are_reported(
    example: dict[str, Any],
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["reinforce.py", *arguments])
    with pytest.raises(SystemExit):
        example["main"]()
    assert message in capsys.readouterr().err
