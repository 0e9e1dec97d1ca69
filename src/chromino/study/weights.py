"""Fits the weights of the tuned sum (bots/linear.py): run `python -m chromino.study.weights`. It takes a few minutes.

The positions come from games in which half of the moves are random and the other half try to block the next player.
In each position, up to 12 placements are played out 300 times each. Least squares then finds how much each feature of a
placement adds to its value, compared with the others in its position. A small ridge penalty keeps the weights of
irrelevant features near zero. The same seeds give the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chromino.bots.bot import placements
from chromino.bots.features import Features, features
from chromino.bots.playouts import Playouts
from chromino.game import Game
from chromino.rules import PRESETS, Rules

_RIDGE = 5.0
_PLAYOUTS = 300
_MAX_PLACEMENTS = 12

# What to fit each set of weights on: preset, players, positions, seed.
FAMILIES = {
    "race of two": ("classic", 2, 5000, 1),
    "race of many": ("classic", 4, 2500, 2),
    "points by tile": ("expert", 2, 4000, 3),
    "points by contact": ("scoring_b", 2, 2000, 4),
    "junior": ("junior", 2, 2000, 5),
}

Row = tuple[list[float], float]
"""A placement's features and value, relative to the means of all placements tried in its position."""


def rows(rules: Rules, players: int, positions: int, seed: int) -> Iterator[Row]:
    """The placements in this many positions, or a few more, since games are played to the end."""
    rng = Random(seed)
    judge = Playouts(worlds=_PLAYOUTS, eliminate=False)
    count = 0
    while count < positions:
        game = Game.start(rules, ["bot"] * players, rng.getrandbits(60))
        while not game.over:
            view = game.view(game.seat)
            places = placements(view)
            if len(places) > 1 and rng.random() < 0.25:
                tried = rng.sample(places, _MAX_PLACEMENTS) if len(places) > _MAX_PLACEMENTS else places
                values = [estimate.value for estimate in judge.estimates(view, tried, rng)]
                yield from _centered(features(view, tried), values)
                count += 1
            actions = game.actions()
            if len(places) > 1 and rng.random() < 0.5:
                numbers = features(view, places)
                choice = min(range(len(places)), key=lambda n: numbers[n].next_placeable)
                game = game.apply(actions[choice])
            else:
                game = game.apply(rng.choice(actions))


def _centered(numbers: list[Features], values: list[float]) -> Iterator[Row]:
    means = [sum(column) / len(numbers) for column in zip(*numbers, strict=True)]
    mean = sum(values) / len(values)
    for row, value in zip(numbers, values, strict=True):
        yield [number - center for number, center in zip(row, means, strict=True)], value - mean


def fit(data: Iterator[Row]) -> list[float]:
    """Least squares with ridge: solve (X'X + ridge) w = X'y."""
    size = len(Features._fields)
    matrix = [[_RIDGE * (row == column) for column in range(size)] + [0.0] for row in range(size)]
    for numbers, value in data:
        for row in range(size):
            for column in range(size):
                matrix[row][column] += numbers[row] * numbers[column]
            matrix[row][size] += numbers[row] * value
    return _solved(matrix)


def _solved(matrix: list[list[float]]) -> list[float]:
    """Solve by Gauss–Jordan elimination. The ridge makes the matrix positive definite, so pivoting isn't needed."""
    size = len(matrix)
    for pivot in range(size):
        scale = matrix[pivot][pivot]
        matrix[pivot] = [number / scale for number in matrix[pivot]]
        for row in range(size):
            if row != pivot:
                factor = matrix[row][pivot]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[pivot], strict=True)]
    return [row[size] for row in matrix]


def main() -> None:
    """Fit the weights, and print them ready to paste."""
    for name, (preset, players, positions, seed) in FAMILIES.items():
        weights = fit(rows(PRESETS[preset], players, positions, seed))
        print(f'    "{name}": Features({", ".join(f"{weight:.4f}" for weight in weights)}),', flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
