"""The sockets of games and gatherings, with typed messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields
from functools import cache
from typing import Any, Generic, TypeVar, get_args

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from chromino.messages.encoding import encode
from chromino.messages.games import FromClient

M = TypeVar("M")


class Socket(Generic[M]):
    """A connection with typed messages: `async for message in socket` ends when the connection closes."""

    def __init__(self, connection: ClientConnection, messages: Any) -> None:
        self.connection = connection
        self._decoders = _by_tag(messages)

    async def send(self, message: FromClient) -> None:
        await self.connection.send(encode(message))

    async def receive(self) -> M:
        """The next message. Messages of unknown types, from a newer server, are skipped."""
        while True:
            text = await self.connection.recv(decode=False)
            decoder = self._decoders.get(_tagged.decode(text).type)
            if decoder is not None:
                message: M = decoder.decode(text)
                return message

    async def __aiter__(self) -> AsyncIterator[M]:
        try:
            while True:
                yield await self.receive()
        except ConnectionClosed:
            return


class _Tagged(msgspec.Struct):
    type: str


_tagged = msgspec.json.Decoder(_Tagged)


@cache
def _by_tag(messages: Any) -> dict[str, msgspec.json.Decoder[Any]]:
    """A decoder for each type in a union, by tag, since msgspec can't tell the dataclasses in a union apart."""
    return {
        str(field.default): msgspec.json.Decoder(kind)
        for kind in get_args(messages)
        for field in fields(kind)
        if field.name == "type"
    }
