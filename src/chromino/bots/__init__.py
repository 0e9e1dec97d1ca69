"""Bots: players that see a `View` and nothing else, and choose one of its actions.

>>> from random import Random
>>> from chromino import Game, Rules
>>> game = Game.start(Rules.classic(), ["Ada", "Bot"], seed=7)
>>> action = find("3").choose(game.view(game.seat), Random(1))
>>> action in game.actions()
True
"""

from chromino.bots.awkward import awkward
from chromino.bots.blocking import blocking
from chromino.bots.bot import Bot, BotError
from chromino.bots.greedy import greedy
from chromino.bots.linear import linear
from chromino.bots.playouts import Estimate, Playouts, estimate
from chromino.bots.uniform import uniform

BOTS = (
    Bot("snail", "Plays any tile that fits, awkward ones first, chameleons last.", awkward, level=1),
    Bot("hedgehog", "Leaves the next player as few places to play as it can.", blocking, level=2),
    Bot("fox", "Weighs what each placement leaves for the others and for itself.", linear, level=3),
    Bot(
        "owl",
        "Plays hundreds of random games to the end before it decides.",
        Playouts(seconds=0.004, inference=False),
        level=4,
        tick=0.02,
    ),
    Bot(
        "dragon",
        "Plays thousands of random games to the end, and remembers when others had to draw.",
        Playouts(seconds=0.06),
        level=5,
        tick=0.12,
    ),
    Bot("random", "Picks a legal placement at random, with equal probability.", uniform),
    Bot("greedy", "Takes the most points now.", greedy),
    *(
        Bot(
            f"mc{number}",
            f"Plays {number} random games to the end per placement, without inference.",
            Playouts(worlds=number, inference=False, eliminate=False, prior=False),
        )
        for number in (40, 400)
    ),
)
"""The five levels, then the reference bots."""


def find(name: str | int) -> Bot:
    """A bot by name or level.

    >>> find(1).name, find("mc40").level
    ('snail', None)
    """
    for bot in BOTS:
        if str(name).lower() in (bot.name, str(bot.level)):
            return bot
    names = ", ".join(f"{bot.level} or {bot.name}" if bot.level else bot.name for bot in BOTS)
    raise BotError(f"there is no bot {name!r}; choose from {names}")


__all__ = ["BOTS", "Bot", "BotError", "Estimate", "Playouts", "estimate", "find"]
