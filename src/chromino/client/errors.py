"""What can go wrong between a client and a server."""

from __future__ import annotations

from chromino.messages.games import ErrorBody


class ClientError(Exception):
    """The link, the connection or the server says no."""


class Unreachable(ClientError):
    """There was no answer, and nobody knows whether it was done; or not the answer of a Chromino server."""


class CallRefused(ClientError):
    """The server said no; `code` is a fixed word."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.text)
        self.code = body.code
        self.refusal = body.refusal
