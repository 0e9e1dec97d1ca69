"""Checks the arguments that callers pass to an environment, and raises clear errors."""

from __future__ import annotations

from operator import index
from typing import get_args

import numpy as np

from chromino.env.arrays import ACTIONS, TURN_PAGE, Flags
from chromino.env.pictures import MODES
from chromino.env.rewards import Reward
from chromino.errors import ChrominoError, RulesError
from chromino.rules import Rules


class EnvError(ChrominoError):
    """An environment was asked for something it can't do."""


def rules_of(rules: Rules | str) -> Rules:
    """The rules themselves, or the preset with this name."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.preset(rules)
    raise RulesError(f"rules must be Rules or the name of a preset, not {rules!r}")


def reward_of(reward: Reward) -> Reward:
    """Return the reward, or raise an error if there's no such reward."""
    if reward not in get_args(Reward):
        raise EnvError(f"reward must be one of {quoted(get_args(Reward))}, not {reward!r}")
    return reward


def mode_of(mode: str | None) -> str | None:
    """Return the render mode, or raise an error if there's no such mode."""
    if mode is not None and mode not in MODES:
        raise EnvError(f"render_mode must be one of {quoted(MODES)}, or None, not {mode!r}")
    return mode


def number_of(action: object) -> int:
    """The action as a whole number, from any kind of integer."""
    try:
        number = index(action)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < ACTIONS:
        raise EnvError(f"an action must be a number from 0 to {ACTIONS - 1}, not {action!r}")
    return number


def seed_of(seed: object) -> int:
    """The seed as a whole number."""
    try:
        return index(seed)  # type: ignore[arg-type]
    except TypeError:
        raise EnvError(f"a seed must be a whole number, not {seed!r}") from None


def allowed(mask: Flags) -> str:
    """The numbers that a mask allows, in words."""
    numbers = np.flatnonzero(mask).tolist()
    count = len(numbers) - (numbers[-1] == TURN_PAGE and len(numbers) > 1)
    span = "only 0" if count == 1 else f"0 to {count - 1}"
    return span if count == len(numbers) else f"{span}, and {TURN_PAGE} to turn the page"


def quoted(names: tuple[str, ...]) -> str:
    """The names in quotes, separated by commas."""
    return ", ".join(map(repr, names))
