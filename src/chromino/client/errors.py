"""What can go wrong between a client and a server."""

from __future__ import annotations

from chromino.messages.games import ErrorBody


class ClientError(Exception):
    """Something's wrong with the link, the connection or the request."""


class Unreachable(ClientError):
    """There was no answer, or none from a Chromino server, so we don't know whether it was done."""


class CallRefused(ClientError):
    """The server said no; `code` says why and never changes."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.text)
        self.code = body.code
        self.refusal = body.refusal
