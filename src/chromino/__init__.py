"""Chromino: the rules of the tile game, exact and fast.

>>> from chromino import Game, Rules
>>> game = Game.start(Rules.classic(), players=["Ada", "Bob"], seed=7)
>>> while not game.over:
...     game = game.apply(game.actions()[0])
>>> [game.players[seat] for seat in game.winners]
['Ada']
"""

from chromino.deal import Deal
from chromino.errors import (
    ChrominoError,
    IllegalAction,
    IllegalPlacement,
    ParseError,
    RecordError,
    RulesError,
)
from chromino.events import Action, Draw, Drew, Event, Pass, Passed, Place, Placed
from chromino.game import Game
from chromino.record import Record
from chromino.refusal import Contact, Reason, Refusal
from chromino.rules import PRESETS, Rules
from chromino.table import Table
from chromino.tiles import ALL_TILES, CHAMELEONS, CLASSIC_TILES, COLORS, WILD, Kind, Placement, Square, Tile
from chromino.version import __version__
from chromino.view import View

__all__ = [
    "ALL_TILES",
    "CHAMELEONS",
    "CLASSIC_TILES",
    "COLORS",
    "PRESETS",
    "WILD",
    "Action",
    "ChrominoError",
    "Contact",
    "Deal",
    "Draw",
    "Drew",
    "Event",
    "Game",
    "IllegalAction",
    "IllegalPlacement",
    "Kind",
    "ParseError",
    "Pass",
    "Passed",
    "Place",
    "Placed",
    "Placement",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Rules",
    "RulesError",
    "Square",
    "Table",
    "Tile",
    "View",
    "__version__",
]
