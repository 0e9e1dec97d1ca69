"""What can go wrong between a client and a server."""

from __future__ import annotations

from chromino.messages.games import ErrorBody

TEMPORARY = ("storage", "database-away", "database-locked", "failed")
"""Codes for temporary server problems: try again."""


class ClientError(Exception):
    """Something's wrong: the link, the identity file, the connection, the request, or the game."""


class Unreachable(ClientError):
    """No Chromino server answered, so we don't know whether the request was carried out."""


class CallRefused(ClientError):
    """The server said no. `code` says why; codes stay the same across versions."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.text)
        self.code = body.code
        self.refusal = body.refusal
