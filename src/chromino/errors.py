"""What can go wrong, as types that a caller can tell apart.

Every error of the rules is a `ChrominoError`, and a `ValueError`: something given was not right.
Its text is written for the person who reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chromino.refusal import Refusal


class ChrominoError(ValueError):
    """Anything that the rules, a record or a text form can object to."""


class ParseError(ChrominoError):
    """A text that is not a tile, a placement, a table, an event…"""


class RulesError(ChrominoError):
    """Choices that make no sense, alone or together; `code` is fixed, to translate or to test."""

    def __init__(self, message: str, code: str = "no-such-choice") -> None:
        super().__init__(message)
        self.code = code


class RecordError(ChrominoError):
    """A game record that cannot be read or replayed; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)  # As given: whoever unpickles the error gives them again.
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class IllegalAction(ChrominoError):
    """An action that the rules do not allow now; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class IllegalPlacement(IllegalAction):
    """A placement that does not fit the table."""
