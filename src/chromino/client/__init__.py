"""A client for any Chromino server: `async with Client("http://localhost:8075") as ada: ...` (docs/client.md).

The client exchanges the messages in `chromino.messages` with servers, and imports nothing from `chromino.server`.
"""

from chromino.client.client import Client, has_revealed
from chromino.client.errors import CallRefused, ClientError, Unreachable
from chromino.client.http import Answer, Http
from chromino.client.identity import Identity, IdentityFile
from chromino.client.link import Link
from chromino.client.open_game import OpenGame, must_decide
from chromino.client.sockets import Socket

__all__ = [
    "Answer",
    "CallRefused",
    "Client",
    "ClientError",
    "Http",
    "Identity",
    "IdentityFile",
    "Link",
    "OpenGame",
    "Socket",
    "Unreachable",
    "has_revealed",
    "must_decide",
]
