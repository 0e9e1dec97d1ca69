"""Games and counts that must not change by accident: `python -m tests.golden` regenerates them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from chromino import PRESETS, Game
from chromino.events import event_to_json

FOLDER = Path(__file__).parent
PERFT = FOLDER / "perft.json"
RECORDS = sorted((FOLDER / "records").glob("*.jsonl"))
"""Whole games as version 1.0 wrote them: one for each preset, and one with all choices changed. Never rewrite them."""
_DEPTH = {"contacts": 4, "ends": 3}


def playthrough(name: str) -> str:
    """A whole three-player game with a preset: every event, the actions possible before it, and the result."""
    rng = Random(1)
    game = Game.start(PRESETS[name], ["Ada", "Bob", "Cy"], seed=f"golden {name}")
    lines = [f"preset {name}", json.dumps(game.deal.to_json()), _state(game)]
    while not game.over:
        action = rng.choice(game.actions())
        lines.append(f"actions: {' '.join(map(str, game.actions()))}")
        game = game.apply(action)
        lines += [json.dumps(event_to_json(game.log[-1])), _state(game)]
    lines.append(f"winners {list(game.winners)} scores {list(game.scores)} turns {game.turns}")
    return "\n".join(lines) + "\n"


def _state(game: Game) -> str:
    hands = " | ".join(" ".join(map(str, hand)) for hand in game.hands)
    return f"seat {game.seat} bag {game.bag_count} scores {list(game.scores)} hands {hands}"


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def perft(game: Game, depth: int) -> int:
    """How many ways there are to play on for this many actions; chess programs call this perft."""
    if game.over:
        return 1
    if depth == 1:  # Counting the last actions is enough: there's no need to apply them.
        return len(game.actions())
    return sum(perft(game.apply(action), depth - 1) for action in game.actions())


def perft_counts() -> dict[str, dict[str, list[int]]]:
    """For each preset and seed, the counts at depth 1, 2, 3…"""
    return {
        name: {
            seed: [
                perft(Game.start(rules, ["Ada", "Bob"], seed), depth) for depth in range(1, _DEPTH[rules.joining] + 1)
            ]
            for seed in ("1", "2", "3")
        }
        for name, rules in PRESETS.items()
    }
