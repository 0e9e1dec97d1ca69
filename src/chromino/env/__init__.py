"""Environments for learning agents: all seats as in PettingZoo, or one seat against bots as in Gymnasium.

>>> from chromino import env
>>> table = env.env(rules="expert", players=3)
>>> table.reset(seed=7)
>>> observation, reward, terminated, truncated, info = table.last()
>>> int(observation["action_mask"].sum()) == len(table.legal)
True

docs/learning-agents.md explains the arrays. You need the extra `rl`: `pip install 'chromino[rl]'`.
"""

try:
    import gymnasium as _gymnasium
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"chromino.env needs {error.name}, which isn't installed: run pip install 'chromino[rl]'",
        name=error.name,
    ) from None

from chromino.env.aec import ChrominoEnv, Observation, env
from chromino.env.against_bots import AgainstBots
from chromino.env.arrays import ACTION, ACTIONS, COLOR, PLAYER, RULES, TABLE, TILES, TURN, TURN_PAGE, table_grid
from chromino.env.checks import EnvError

raw_env = ChrominoEnv  # PettingZoo's name for an environment without wrappers.

if "Chromino-v0" not in _gymnasium.registry:
    _gymnasium.register(id="Chromino-v0", entry_point="chromino.env:AgainstBots")

__all__ = [
    "ACTION",
    "ACTIONS",
    "COLOR",
    "PLAYER",
    "RULES",
    "TABLE",
    "TILES",
    "TURN",
    "TURN_PAGE",
    "AgainstBots",
    "ChrominoEnv",
    "EnvError",
    "Observation",
    "env",
    "raw_env",
    "table_grid",
]
