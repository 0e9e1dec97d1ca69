"""Games for server tests to store."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random

from chromino import Game, Rules
from chromino.bots import find
from chromino.events import Action

RULES = Rules.preset("classic", hand_size=2)
PLAYERS = ("Ada", "Bob", "Cleo")
SHORT = Rules.preset("classic", hand_size=4)


def finished(seed: int, players: int = 2, rules: Rules = SHORT) -> Game:
    """A game between people who place tiles at random, so there's always something to learn from it."""
    game = Game.start(rules, ["Ada", "Bob", "Cy"][:players], seed)
    rng = Random(seed)
    while not game.over:
        game = game.apply(find("random").choose(game.view(game.seat), rng))
    return game


def played(names: tuple[str, ...] = ("Ada", "Bob"), *, events: int = 1000, hand_size: int = 2) -> Game:
    game = Game.start(Rules.preset("expert", hand_size=hand_size), names, seed=7, first=0)
    while not game.over and len(game.log) < events:
        game = game.apply(game.actions()[0])
    return game


def alike(first_action: type[Action]) -> tuple[Game, Game]:
    """Two games with different seeds that look the same to seat 0, who starts with this action, and to a spectator."""
    seen: dict[str, Game] = {}
    for number in range(10_000):
        game = Game.start(RULES, PLAYERS, seed=sha256(b"%d" % number).hexdigest()[:32], first=0)
        if not isinstance(game.actions()[0], first_action):
            continue
        other = seen.setdefault(json.dumps(game.view(0).to_json()), game)
        if other.deal.bag[0] != game.deal.bag[0]:
            return other, game
    raise AssertionError("no two seeds lead to such games")
