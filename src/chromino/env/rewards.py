"""The rewards of a finished game."""

from __future__ import annotations

from typing import Literal

from chromino.game import Game

Reward = Literal["win", "margin"]


def rewards(game: Game, reward: Reward) -> list[float]:
    """The reward that each seat gets at the end.

    >>> from chromino import Rules
    >>> game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
    >>> while not game.over:
    ...     game = game.apply(game.actions()[0])
    >>> game.winners, rewards(game, "win")
    ((0,), [1.0, -1.0])
    """
    seats = range(len(game.players))
    is_solo = len(seats) == 1
    if reward == "win":
        if is_solo:
            return [1.0 if game.winners else -1.0]
        shares = [1 / len(game.winners) if seat in game.winners else 0.0 for seat in seats]
        return [(len(seats) * share - 1) / (len(seats) - 1) for share in shares]
    worth = game.scores if game.rules.scoring else [-len(hand) for hand in game.hands]
    if is_solo:
        return [float(worth[0])]
    return [own - (sum(worth) - own) / (len(seats) - 1) for own in worth]
