"""All seats of a game, with one agent each, through PettingZoo's interface for agents that take turns (AEC)."""

from __future__ import annotations

from copy import deepcopy
from operator import index
from random import Random, getrandbits
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from chromino.deal import MAX_PLAYERS
from chromino.env.arrays import (
    ACTIONS,
    TURN_PAGE,
    Arrays,
    Flags,
    GrowingArrays,
    arrays_space,
    mask_of,
    mask_space,
    page_of,
)
from chromino.env.checks import EnvError, allowed, mode_of, number_of, quoted, reward_of, rules_of, seed_of
from chromino.env.pictures import MODES, picture
from chromino.env.rewards import Reward, rewards
from chromino.errors import RecordError
from chromino.events import Action, Place
from chromino.game import Game
from chromino.rules import Rules

_NO_GAME = "there is no game yet: call reset() first"
_SINCE_RESET = {"agent_selection", "infos", "rewards", "terminations", "truncations"}


class Observation(TypedDict):
    """What an agent sees."""

    observation: Arrays
    action_mask: Flags


def env(**arguments: Any) -> ChrominoEnv:
    """The environment, under the name that PettingZoo's programs look for; it takes the arguments of `ChrominoEnv`.

    The environment checks its input, so it doesn't need PettingZoo's wrappers for that.
    """
    return ChrominoEnv(**arguments)


class ChrominoEnv(AECEnv):  # type: ignore[misc]
    """A game in which agent `player_0` has seat 0, and so on.

    >>> table = ChrominoEnv(players=4)
    >>> table.reset(seed=7)
    >>> while table.agents:
    ...     observation, reward, terminated, truncated, info = table.last()
    ...     table.step(None if terminated else int(observation["action_mask"].argmax()))
    >>> table.game.over
    True
    """

    metadata = {"name": "chromino_v0", "render_modes": list(MODES), "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: Rules | str = "classic",
        players: int = 2,
        *,
        reward: Reward = "win",
        skip_forced: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """`rules` are `Rules` or the name of a preset; with `skip_forced`, draws and passes don't need a step."""
        super().__init__()
        if not isinstance(players, int) or isinstance(players, bool) or not 1 <= players <= MAX_PLAYERS:
            raise EnvError(f"players must be a number from 1 to {MAX_PLAYERS}, not {players!r}")
        self.rules = rules_of(rules)
        self.reward = reward_of(reward)
        self.skip_forced = skip_forced
        self.render_mode = mode_of(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._space = spaces.Dict({"observation": arrays_space(self.rules, players), "action_mask": mask_space()})
        self._action_spaces: dict[str, spaces.Discrete] = {}
        self._seed: int | None = None
        self._deals = 0
        self._game: Game | None = None
        self._deal(0, None)  # Raises an error now if there are too many players for the bag.

    def __getattr__(self, name: str) -> Any:
        if name in _SINCE_RESET:
            raise AttributeError(f"there is no {name} yet: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # The spaces. Every agent has its own action space, because a space contains a random generator.

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of `observation` (arrays by name) and `action_mask`; it's the same for every agent."""
        self._seat(agent)
        return self._space

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of actions: each is the index of a row of `observation["actions"]`."""
        if agent not in self._action_spaces:
            self._seat(agent)
            self._action_spaces[agent] = spaces.Discrete(ACTIONS)
        return self._action_spaces[agent]

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise EnvError(f"there is no agent {agent!r}; choose from {', '.join(self.possible_agents)}") from None

    # The game.

    @property
    def game(self) -> Game:
        """The full game, including everything hidden: for referees and search, not for agents."""
        if self._game is None:
            raise EnvError(_NO_GAME)
        return self._game

    @property
    def legal(self) -> tuple[Action, ...]:
        """The engine's actions that currently have the numbers 0, 1, 2…"""
        return tuple(page_of(*self._current_actions()))

    @property
    def mask(self) -> Flags:
        """A mask with a 1 for each number that the agent to move may choose."""
        return mask_of(*self._current_actions())

    def _current_actions(self) -> tuple[list[Action], int]:
        """All legal actions, and how many times the page has been turned; raises an error if there's no game."""
        if self._game is None:
            raise EnvError(_NO_GAME)
        return self._actions, self._turned

    def number(self, action: Action) -> int:
        """The number to pass to `step` for this action, or `TURN_PAGE` if the action is on another page."""
        if action in self.legal:
            return self.legal.index(action)
        if refusal := self.game.refusal(action):
            raise EnvError(f"{action} isn't possible: {refusal}")
        return TURN_PAGE

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed always gives the same game: the one that `Game.start(rules, …, seed)` deals. Without a
        seed, you get the next game in a sequence.

        Options: `first`, the seat that goes first (random by default); `game`, a `Game` to continue.
        """
        options = options or {}
        if seed is not None:
            self._seed, self._deals = seed_of(seed), 0
        if self._seed is None:
            self._seed = getrandbits(62)
        seed_text = str(self._seed) if self._deals == 0 else f"{self._seed}/{self._deals}"
        self._deals += 1
        unfinished = options.get("game")
        game = self._deal(seed_text, options.get("first")) if unfinished is None else self._checked(unfinished)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        if self.skip_forced:
            # If forced actions alone would end the game, leave the last one to an agent, so it isn't over yet.
            while (forced := _forced(game)) and not (after := game.apply_legal(forced)).over:
                game = after
        self._arrays = GrowingArrays(game)
        self._set_game(game)
        if self.render_mode == "human":
            self.render()

    def _deal(self, seed: int | str, first: object) -> Game:
        if isinstance(first, str):
            first = self._seat(first)
        if first is not None and first not in range(len(self.possible_agents)):
            raise EnvError(f"first must be a seat from 0 to {len(self.possible_agents) - 1} or None, not {first!r}")
        return Game.start(self.rules, self.possible_agents, seed, None if first is None else index(first))  # type: ignore[arg-type]

    def _checked(self, game: object) -> Game:
        if not isinstance(game, Game):
            raise EnvError(f"the option game must be a Game, not {type(game).__name__}")
        if game.rules != self.rules or len(game.players) != len(self.possible_agents):
            raise EnvError("the game to continue has different rules or a different number of players")
        if game.over:
            raise EnvError("the game to continue is over")
        try:
            return Game.replay(game.record)
        except RecordError as error:
            raise EnvError(f"the game to continue doesn't follow from its deal and log: {error}") from None

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The observation of the agent to move, its reward since its last step, and whether its game is over."""
        self._check_agents()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _check_agents(self) -> None:
        if not self.agents:
            raise EnvError(
                _NO_GAME if self._game is None else "the game is over and all agents have left: call reset()"
            )

    def step(self, action: int | None) -> None:
        """Perform the action with this number; an agent whose game is over steps with None."""
        self._check_agents()
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            if action is not None:
                raise EnvError(f"the game is over: {self.agent_selection} must step with None, not {action!r}")
            self._was_dead_step(None)
            return
        number = number_of(action)
        actions = page_of(self._actions, self._turned)
        if number < len(actions):
            self._continue_with(self.game.apply_legal(actions[number]))
        elif number == TURN_PAGE and self.mask[TURN_PAGE]:
            self._turned += 1
        else:
            raise EnvError(
                f"action {number} isn't possible for {self.agent_selection}: the mask allows {allowed(self.mask)}"
            )

    def act(self, action: Action) -> None:
        """Perform one of the engine's actions, whatever its number."""
        if not self.agents or self.game.over:
            raise EnvError("the game is over: call reset()")
        self._continue_with(self.game.apply(action))

    def _continue_with(self, game: Game) -> None:
        self._arrays.follow(game.log[-1], len(game.table))
        if self.skip_forced:
            while forced := _forced(game):
                game = game.apply_legal(forced)
                self._arrays.follow(game.log[-1], len(game.table))
        self._set_game(game)
        if game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            for agent, reward in zip(self.possible_agents, rewards(game, self.reward), strict=True):
                self.rewards[agent] = self._cumulative_rewards[agent] = reward
        if self.render_mode == "human":
            self.render()

    def _set_game(self, game: Game) -> None:
        self._game = game
        self._actions = game.actions()
        self._turned = 0
        self.agent_selection = self.possible_agents[game.seat]

    def observe(self, agent: str) -> Observation:
        """What the agent may know and, on its turn, which actions it may take."""
        game, seat = self.game, self._seat(agent)
        actions, turned = (self._actions, self._turned) if seat == game.seat else ((), 0)
        return {
            "observation": self._arrays.observation(game, seat, actions, turned),
            "action_mask": mask_of(actions, turned),
        }

    # Copies.

    def clone(self) -> ChrominoEnv:
        """A copy at the same point, for trying things out; copying takes a few microseconds.

        The copy contains the true hidden tiles. For a fair search, use `sample`.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._action_spaces = {}
        other.agents = self.agents[:]
        if self._game is not None:
            other._arrays = self._arrays.copy()
            other.rewards, other._cumulative_rewards = self.rewards.copy(), self._cumulative_rewards.copy()
            other.terminations, other.truncations = self.terminations.copy(), self.truncations.copy()
            other.infos = {agent: info.copy() for agent, info in self.infos.items()}
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> ChrominoEnv:
        other = self.clone()
        other._action_spaces = deepcopy(self._action_spaces, memo)
        other._space = deepcopy(self._space, memo)
        return other

    def sample(self, agent: str, seed: int) -> ChrominoEnv:
        """A copy in which everything the agent can't know is dealt at random, consistent with what it has seen."""
        other = self.clone()
        if self.game.over:
            return other  # Once the game is over, all hands are shown.
        game = self.game.view(self._seat(agent)).sample(Random(seed))
        other._arrays = GrowingArrays(game)
        other._set_game(game)
        other._turned = self._turned
        return other

    # Pictures.

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as everyone may see it, rendered according to `render_mode`; `human` prints it."""
        if self.render_mode is None:
            raise EnvError(f"pass render_mode when you create the environment: one of {quoted(MODES)}")
        return picture(self.game.view(None), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def __repr__(self) -> str:
        return f"<{self.metadata['name']}, players: {len(self.possible_agents)}, {self.rules.name or 'other'} rules>"


def _forced(game: Game) -> Action | None:
    """The draw or pass, if that's the only legal action."""
    if game.over:
        return None
    action = game.actions()[0]
    return None if isinstance(action, Place) else action
