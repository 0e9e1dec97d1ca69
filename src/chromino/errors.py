"""Everything that can go wrong, as types that a caller can tell apart.

Every error from the rules is a `ChrominoError`, and also a `ValueError`, because something you passed in was wrong.
Error messages are written for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chromino.refusal import Refusal


class ChrominoError(ValueError):
    """The base class of all errors about rules, records and text formats."""


class ParseError(ChrominoError):
    """Text that isn't a tile, a placement, a table, an event…"""


class RulesError(ChrominoError):
    """Invalid rule choices, players or deals. You can translate `code` or test for it, because codes never change;
    "no-such-choice" also stands for all errors without a code of their own."""

    def __init__(self, message: str, code: str = "no-such-choice") -> None:
        super().__init__(message)
        self.code = code


class RecordError(ChrominoError):
    """A game record that can't be read or replayed; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)  # Unpickling passes these arguments to `__init__` again.
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class IllegalAction(ChrominoError):
    """An action that the rules don't allow now; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class IllegalPlacement(IllegalAction):
    """A placement that doesn't fit the table."""
