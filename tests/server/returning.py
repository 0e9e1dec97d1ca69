"""A page that comes back by itself, as `web/js/server/connection.js` does, and people who play through it.

What was not answered is sent again under the same id; the waits between two tries grow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import msgspec

from tests.server.heard import Done, Refused, State, hear
from tests.server.ledger import Ledger
from tests.server.wire import Caller, Socket

SLOWEST = 5.0  # Seconds between two tries, at most.
SILENCE = 10.0  # How long an answer may take.
GONE = (4403, 4404, 4500)  # The server says that there is no way back.

_THINKING = 0.05  # Seconds, on average: these people are fast.
_AFTER_REFUSAL = 0.2


@dataclass
class World:
    """What all people share: the server, chance, and what is known of it all."""

    port: int
    rng: Random
    caller: Caller
    ledger: Ledger = field(default_factory=Ledger)
    complaints: list[str] = field(default_factory=list)
    up_since: float = field(default_factory=monotonic)
    """When the server last began to answer."""
    slowest_return: float = 0.0
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set for a moment with each action that is sent."""
    plays: bool = True
    """Does anybody begin something new?"""
    resent: int = 0
    """Actions that were sent again, because there was no answer."""
    ids: int = 0

    def new_id(self) -> str:
        self.ids += 1
        return f"{self.ids:012x}"


class Connection:
    """The socket of one game; see connection.js, of which this is the twin."""

    def __init__(
        self, world: World, game: str, secret: str, on_state: Callable[[State], None], on_answer: Callable[[bool], None]
    ) -> None:
        self.world = world
        self.game = game
        self.waiting: dict[str, bytes] = {}
        """What was not answered yet."""
        self.offline_since: float | None = monotonic()
        self._secret = secret
        self._on_state = on_state
        self._on_answer = on_answer
        self._socket: Socket | None = None
        self._tries = 0
        self._closed = False
        self._version = -1
        self._task = asyncio.create_task(self._open())

    def ask(self, action: str, text: bytes) -> None:
        """Ask for something; the answer comes when there is a connection again, if there is none now."""
        self.waiting[action] = text
        if self._socket is not None and self._socket.is_open:
            self._send(self._socket, action, text)

    def close(self) -> None:
        self._closed = True
        self._task.cancel()
        if self._socket is not None:
            self._socket.close()

    async def _open(self, wait: float = 0.0) -> None:
        await asyncio.sleep(wait)
        try:
            path = f"/api/games/{self.game}/play"
            self._socket = await Socket.open(self.world.port, path, self._secret, self._hear, self._lose, self._opened)
        except OSError:  # Nobody listens.
            self._lose(0)

    async def closed(self) -> None:
        """Returns when the socket is closed for good."""
        if self._socket is not None:
            await self._socket.closed()

    def _opened(self, socket: Socket) -> None:
        self.world.resent += len(self.waiting)
        for action, text in self.waiting.items():
            self._send(socket, action, text)

    def _send(self, socket: Socket, action: str, text: bytes) -> None:
        """Send; a connection that died without a word is found out by its silence."""
        socket.send(text)
        self.world.sent.set()
        self.world.sent.clear()

        def look() -> None:
            if action in self.waiting and socket is self._socket and not self._closed:
                socket.transport.abort()  # Then it is lost, and another one is opened.

        asyncio.get_running_loop().call_later(SILENCE, look)

    def _lose(self, code: int) -> None:
        if self._closed:
            return
        if code in GONE:
            self.world.complaints.append(f"game {self.game} is gone: {code}")
            return
        if self.offline_since is None:
            self.offline_since = monotonic()
        self._tries += 1
        wait = min(SLOWEST, 0.2 * 2**self._tries) * (0.7 + 0.3 * self.world.rng.random())
        self._task = asyncio.create_task(self._open(wait))

    def _hear(self, text: bytes) -> None:
        message = hear(text)
        match message:
            case State():
                self._tries = 0
                self._is_back()
                if message.version >= self._version:  # Else it was overtaken by a newer one.
                    self._version = message.version
                    self._on_state(message)
            case Done():
                self.world.ledger.done(self.game, message.id, message.version)
                self._answer(message.id, done=True)
            case Refused(id=str()):
                assert message.id is not None
                self.world.ledger.refuse(self.game, message.id, message.code)
                self._answer(message.id, done=False)

    def _answer(self, action: str, *, done: bool) -> None:
        if self.waiting.pop(action, None) is not None:
            self._on_answer(done)

    def _is_back(self) -> None:
        if self.offline_since is not None:
            took = monotonic() - max(self.offline_since, self.world.up_since)
            self.world.slowest_return = max(self.world.slowest_return, took)
            self.offline_since = None


class Person:
    """Someone who plays one game after the other, fast."""

    def __init__(self, world: World, name: str, on_change: Callable[[int, bool], None]) -> None:
        self.world = world
        self.name = name
        self.secret: str | None = None
        self.connection: Connection | None = None
        self._on_change = on_change
        """Told of each version, and whether the game is over."""
        self._state: State | None = None
        self._acted = -1
        self._thinking: asyncio.TimerHandle | None = None

    @property
    def is_answered(self) -> bool:
        return self.connection is None or not self.connection.waiting

    @property
    def away(self) -> float | None:
        """For how many seconds the server answers and this person is not back; None if they are here."""
        since = None if self.connection is None else self.connection.offline_since
        return None if since is None else monotonic() - max(since, self.world.up_since)

    def go(self, game: str) -> None:
        assert self.secret is not None
        self.leave()
        self._state, self._acted = None, -1
        self.connection = Connection(self.world, game, self.secret, self._see, self._hear)

    def leave(self) -> None:
        self._stop_thinking()
        if self.connection is not None:
            self.connection.close()

    def _see(self, state: State) -> None:
        self._state = state
        self._on_change(state.version, state.view.over)
        self._think(self.world.rng.expovariate(1 / _THINKING))

    def _hear(self, done: bool) -> None:
        if not done:
            self._acted = -1
            self._think(_AFTER_REFUSAL)

    def _think(self, seconds: float) -> None:
        self._stop_thinking()
        self._thinking = asyncio.get_running_loop().call_later(seconds, self._act)

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()

    def _act(self) -> None:
        state = self._state
        if state is None or not state.is_mine or state.version <= self._acted or not self.world.plays:
            return
        if self.connection is None or self.connection.waiting:
            return  # One thing after the other.
        action, name = self.world.rng.choice(state.view.actions), self.world.new_id()
        self._acted = state.version
        message = {"type": "act", "id": name, "version": state.version, "seat": state.view.me, "action": action}
        self.connection.ask(name, msgspec.json.encode(message))
