"""The socket of one game: the newest state, and actions that are sent until they are answered."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from chromino.outside.site import CannotPlay, Site

Json = dict[str, Any]

_TROUBLE = ("storage", "failed")  # The server could not; it may be asked again.
_TROUBLE_WAIT = 1.0  # Seconds.


# What is read of the server's messages; there is more in them.


class Kind(Struct):
    """Any message."""

    type: str


class _State(Struct):
    version: int
    view: msgspec.Raw
    watching: bool
    turn_left: float | None
    next_game: str | None


class Seen(Struct):
    """The parts of a view that matter here; the program gets it whole."""

    me: int | None
    players: list[str]
    actions: list[str]
    over: bool
    winners: list[int]


class Answer(Struct):
    """To an action: `done`, or `refused`."""

    type: str
    id: str | None
    version: int = 0
    code: str = ""
    text: str = ""
    refusal: Json | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A game as it is now."""

    version: int
    view: msgspec.Raw
    """As it came, for the program."""
    seen: Seen
    watching: bool
    """Is there no seat?"""
    turn_ends: float | None
    """By our clock, if the table limits turns."""
    next_game: str | None

    @classmethod
    def parse(cls, text: str | bytes) -> State:
        found = msgspec.json.decode(text, type=_State)
        seen = msgspec.json.decode(found.view, type=Seen)
        ends = None if found.turn_left is None else monotonic() + found.turn_left
        return cls(found.version, found.view, seen, found.watching, ends, found.next_game)

    @property
    def is_due(self) -> bool:
        """Is there something to do, or nothing any more? A pass goes by itself."""
        return self.watching or self.seen.over or self.seen.actions not in ([], ["pass"])


class OpenGame:
    """A game in which one is present, as a page that is open."""

    def __init__(self, site: Site, game: str) -> None:
        self._site = site
        self._path = f"/api/games/{game}/play"
        self._socket: ClientConnection | None = None
        self._state: State | None = None
        self._changed = asyncio.Event()
        self._waiting: dict[str, tuple[str, asyncio.Future[Answer]]] = {}

    async def stay(self) -> NoReturn:
        """Be there, whatever happens to the connection, until the server refuses it."""
        await self._site.keep(self._path, self._serve)
        raise AssertionError("a socket is served until it is lost")

    async def _serve(self, socket: ClientConnection) -> None:
        self._socket = socket
        try:
            for text, _ in list(self._waiting.values()):
                await socket.send(text)
            while True:
                self._receive(await socket.recv())
        finally:
            self._socket = None

    def _receive(self, text: str | bytes) -> None:
        match msgspec.json.decode(text, type=Kind).type:
            case "state":
                state = State.parse(text)
                if self._state is None or state.version >= self._state.version:
                    self._state = state
                    self._changed.set()
            case "done" | "refused":
                answer = msgspec.json.decode(text, type=Answer)
                if answer.id is None and answer.code not in _TROUBLE:
                    raise CannotPlay(answer.text, answer.code)  # The socket closes for good.
                if answer.id in self._waiting:
                    self._waiting.pop(answer.id)[1].set_result(answer)

    async def state_when(self, holds: Callable[[State], object]) -> State:
        """The first state for which this holds, the latest one included."""
        while self._state is None or not holds(self._state):
            self._changed.clear()
            await self._changed.wait()
        return self._state

    def has_gone_on(self, state: State) -> bool:
        """Has something happened since?"""
        return self._state is not None and self._state.version > state.version

    async def act(self, state: State, action: str) -> Answer:
        """Do this, once: what is not answered is sent again under the same id when the connection is back."""
        name = secrets.token_hex(12)
        message = {"type": "act", "id": name, "version": state.version, "seat": state.seen.me, "action": action}
        text = msgspec.json.encode(message).decode()
        while (answer := await self._ask(name, text)).code in _TROUBLE:
            await asyncio.sleep(_TROUBLE_WAIT)
        return answer

    async def _ask(self, name: str, text: str) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[name] = text, answer
        if self._socket is not None:
            with suppress(ConnectionClosed):  # The next connection sends it again.
                await self._socket.send(text)
        return await answer
