"""The error for everything that can't be done at a table."""

from __future__ import annotations

from typing import Literal

from chromino.errors import ChrominoError
from chromino.refusal import Refusal

Reason = Literal[
    "aids-off",
    "bad-message",
    "bad-name",
    "bad-part",
    "bad-rules",
    "bad-seats",
    "cannot-be-rated",
    "has-seat",
    "no-latecomers",
    "not-allowed",
    "not-over",
    "not-the-host",
    "not-your-game",
    "not-your-seat",
    "not-your-turn",
    "nothing-to-choose",
    "nothing-to-take-back",
    "seat-taken",
    "seats-taken",
    "stale",
    "too-fast",
    "too-late",
]


class Declined(ChrominoError):
    """A request that can't be granted. Nothing has changed."""

    def __init__(self, reason: Reason, text: str | None = None, refusal: Refusal | None = None) -> None:
        self.reason = reason
        self.text = text
        self.refusal = refusal
        """Why the rules don't allow it, if the reason is `not-allowed`."""
        super().__init__(text or reason)
