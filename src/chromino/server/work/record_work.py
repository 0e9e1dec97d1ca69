"""Checking a record, in a helper process."""

from __future__ import annotations

from chromino.errors import RecordError
from chromino.game import Game
from chromino.messages.records import Checked
from chromino.server.problems import Problem


def check(record: str) -> Checked:
    """Check a record against the rules. If it's invalid, raise a `Problem` that names the line and the reason."""
    try:
        game = Game.replay(record)
    except RecordError as error:
        raise Problem("bad-record", str(error)) from None
    return Checked(game.over, list(game.winners), list(game.scores), game.rules.name)
