"""One seat against bots, through Gymnasium's interface."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from chromino.bots import Bot, find
from chromino.deal import MAX_PLAYERS
from chromino.env.aec import ChrominoEnv
from chromino.env.arrays import ACTIONS, Arrays, Flags, arrays_space
from chromino.env.checks import EnvError, number_of
from chromino.env.pictures import MODES
from chromino.env.rewards import Reward
from chromino.game import Game
from chromino.rules import Rules

Opponent: TypeAlias = "Bot | str | int"


class AgainstBots(gymnasium.Env[Arrays, int]):
    """A game against bots: `opponents` are names, levels or `Bot`s; an empty list means a solo game.

    >>> table = AgainstBots(["fox", 1], seat=0)
    >>> observation, info = table.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = table.step(int(info["action_mask"].argmax()))
    >>> reward, terminated
    (0.0, False)
    """

    metadata = {"name": "chromino_v0", "render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        rules: Rules | str = "classic",
        seat: int | None = None,
        reward: Reward = "win",
        illegal_reward: float = -1.0,
        skip_forced: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """`seat` is the agent's seat; None picks a random seat for each game. An action that the mask forbids ends the
        game at once, with `illegal_reward`. The other arguments are the same as for `ChrominoEnv`."""
        bots = [opponents] if isinstance(opponents, Bot | str | int) else list(opponents)
        if len(bots) >= MAX_PLAYERS:
            raise EnvError(f"you can have at most {MAX_PLAYERS - 1} opponents, not {len(bots)}")
        self.opponents = tuple(bot if isinstance(bot, Bot) else find(bot) for bot in bots)
        if seat is not None and (isinstance(seat, bool) or seat not in range(len(bots) + 1)):
            raise EnvError(f"seat must be a number from 0 to {len(bots)}, or None for a random one, not {seat!r}")
        self.seat = seat
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.env = ChrominoEnv(rules, len(bots) + 1, reward=reward, skip_forced=skip_forced, render_mode=render_mode)
        self.observation_space = arrays_space(self.env.rules, len(bots) + 1)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(ACTIONS)  # type: ignore[assignment]
        self._me = 0
        self._rng = Random(0)
        self._lost = False

    @property
    def game(self) -> Game:
        """The full game, including everything hidden."""
        return self.env.game

    @property
    def agent(self) -> str:
        """The agent's name in the game."""
        return self.env.possible_agents[self._me]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Deal, and let the bots play until it's the agent's turn; the option `first` is the seat that goes first.

        If a game ends before the agent can do anything, another one is dealt.
        """
        super().reset(seed=seed)
        self._lost = False
        while True:
            seats = len(self.opponents) + 1
            self._me = int(self.np_random.integers(seats)) if self.seat is None else self.seat
            self._rng = Random(int(self.np_random.integers(2**62)))
            first = (options or {}).get("first")
            self.env.reset(seed=int(self.np_random.integers(2**62)), options={"first": first})
            self._let_others_play()
            if not self.game.over:
                return self._observation()

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Perform the action with this number, and let the bots play until it's the agent's turn again."""
        if self._lost or self.game.over:
            raise EnvError("the game is over: call reset()")
        if not self.action_masks()[number_of(action)]:
            self._lost = True
            observation, info = self._observation()
            return observation, self.illegal_reward, True, False, info | {"illegal": True}
        self.env.step(action)
        self._let_others_play()
        observation, info = self._observation()
        return observation, self.env.rewards[self.agent], self.game.over, False, info

    def action_masks(self) -> Flags:
        """Which actions the agent may take, under the name that learning libraries with action masks look for."""
        return self.env.mask

    def _let_others_play(self) -> None:
        while not self.game.over and self.game.seat != self._me:
            seat = self.game.seat
            bot = self.opponents[seat - (seat > self._me)]
            self.env.act(bot.choose(self.game.view(seat), self._rng))

    def _observation(self) -> tuple[Arrays, dict[str, Any]]:
        parts = self.env.observe(self.agent)
        return parts["observation"], {"action_mask": parts["action_mask"], "seat": self._me}

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as everyone may see it."""
        return self.env.render()

    def clone(self) -> AgainstBots:
        """A copy at the same point, with the same random numbers for the bots."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.env = self.env.clone()
        other._rng = Random()
        other._rng.setstate(self._rng.getstate())
        other._np_random = deepcopy(self._np_random)
        other.action_space = deepcopy(self.action_space)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> AgainstBots:
        other = self.clone()
        other.observation_space = deepcopy(self.observation_space, memo)
        return other
