"""Environments played at random, for the tests of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chromino.env import ChrominoEnv


def played(env: ChrominoEnv, seed: int) -> Iterator[ChrominoEnv]:
    """The environment before each step of a random game, and at its end, while all agents are still there."""
    rng = Random(seed)
    env.reset(seed=seed)
    yield env
    while not env.game.over:
        env.step(rng.choice(allowed(env)))
        yield env


def allowed(env: ChrominoEnv) -> list[int]:
    """The numbers that the mask allows the agent to move."""
    mask = env.last()[0]["action_mask"]
    return [number for number, flag in enumerate(mask.tolist()) if flag]
