"""Random play for the tests of the environments."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chromino.env import ChrominoEnv


def played(env: ChrominoEnv, seed: int) -> Iterator[ChrominoEnv]:
    """The environment before each step of a random game, and once more at the end, while all agents are still there."""
    rng = Random(seed)
    env.reset(seed=seed)
    yield env
    while not env.game.over:
        env.step(rng.choice(allowed(env)))
        yield env


def allowed(env: ChrominoEnv) -> list[int]:
    """The action numbers that the mask allows the agent whose turn it is."""
    mask = env.last()[0]["action_mask"]
    return [number for number, flag in enumerate(mask.tolist()) if flag]
