"""A game you have open: its latest state, and messages that are sent again until they're answered."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from websockets.exceptions import ConnectionClosed

from chromino.client.errors import TEMPORARY, CallRefused, ClientError
from chromino.client.sockets import Socket
from chromino.fair_deal import DealCheck
from chromino.messages.games import Act, Done, ErrorBody, FromClient, Hint, Refused, Said, State, ToClient

if TYPE_CHECKING:
    from chromino.client.client import Client

_RETRY_WAIT = 1.0  # Seconds.
_SILENCE = 10.0  # Seconds without an answer after which a connection is considered dead.


def must_decide(state: State) -> bool:
    """Is it your turn, and do you have something to decide? Passing is automatic."""
    return not state.view.over and state.view.actions not in ([], ["pass"])


class OpenGame:
    """A game you have open: `async with client.play(game) as table: await table.state_when(...)`."""

    def __init__(self, client: Client, game: str, on_state: Callable[[State], None]) -> None:
        self.state: State | None = None
        """The latest state, once there is one."""
        self.lost_since: float | None = monotonic()
        """Since when we've had no state from the server, by the monotonic clock; None while we're connected."""
        self.resent = 0
        """How many messages were sent on a new connection because they hadn't been answered."""
        self._client = client
        self._path = f"/api/games/{game}/play"
        self._on_state = on_state
        self._socket: Socket[ToClient] | None = None
        self._changed = asyncio.Event()
        self._received_at = 0.0
        self._unanswered: dict[str, tuple[FromClient, asyncio.Future[Done | Hint | Refused]]] = {}
        self._error: ClientError | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def all_answered(self) -> bool:
        """Have all messages been answered?"""
        return not self._unanswered

    @property
    def turn_left(self) -> float | None:
        """Seconds left in this turn, if turns are limited."""
        if self.state is None or self.state.turn_left is None:
            return None
        return max(0.0, self.state.turn_left - (monotonic() - self._received_at))

    async def state_when(self, condition: Callable[[State], object]) -> State:
        """Wait for a state that meets this condition. If the latest state does, return it right away."""
        while self.state is None or not condition(self.state):
            if self._error is not None:
                raise self._error
            self._changed.clear()
            await self._changed.wait()
        return self.state

    async def my_turn(self, since: int = 0) -> State:
        """Wait for a state of this version or later in which you have something to decide, the game is over, or you're
        a spectator."""
        return await self.state_when(
            lambda state: state.version >= since and (state.watching or state.view.over or must_decide(state))
        )

    def has_moved_on(self, state: State) -> bool:
        """Has anything happened in the game since this state?"""
        return self.state is not None and self.state.version > state.version

    async def verify(self) -> DealCheck | None:
        """Wait for the end of the game, and check that it was dealt from the parts that everyone had committed to: see
        `Client.verify`."""
        state = await self.state_when(lambda state: state.view.over)
        return await self._client.verify(state.game)

    async def act(self, state: State, action: str, action_id: str | None = None) -> int:
        """Perform an action exactly once, and return the new version. The action is sent again, with the same id,
        until there's an answer. Raises `CallRefused` if the server says no."""
        if state.view.me is None:
            raise ClientError("a spectator can't act")
        return (await self.ask(Act(action_id or secrets.token_hex(12), state.version, state.view.me, action))).version

    async def ask(self, message: FromClient) -> Done | Hint:
        """Send any message, repeatedly if needed, until it's answered. Raises `CallRefused` if the server says no."""
        while True:
            answer = await self._ask(message)
            if not isinstance(answer, Refused):
                return answer
            if answer.code not in TEMPORARY:
                raise _call_refused(answer)
            await asyncio.sleep(_RETRY_WAIT)

    async def _ask(self, message: FromClient) -> Done | Hint | Refused:
        if self._error is not None:
            raise self._error
        answer: asyncio.Future[Done | Hint | Refused] = asyncio.get_running_loop().create_future()
        self._unanswered[message.id] = message, answer
        try:
            await self._send(message)
            while not answer.done():
                socket = self._socket
                await asyncio.wait([answer], timeout=_SILENCE)
                if not answer.done() and socket is not None and socket is self._socket:
                    socket.connection.transport.abort()  # The connection is dead. The next one sends the message again.
            return answer.result()
        finally:
            self._unanswered.pop(message.id, None)

    async def _send(self, message: FromClient) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # The next connection sends the message again.
                await self._socket.send(message)

    async def _stay_connected(self) -> None:
        try:
            await self._client.stay_connected(self._path, ToClient, self._use)
        except ClientError as error:
            self._error = error
            self._changed.set()
            for _, answer in self._unanswered.values():
                if not answer.done():
                    answer.set_exception(error)

    async def _use(self, socket: Socket[Any]) -> None:
        self._socket = socket
        try:
            for message, _ in list(self._unanswered.values()):
                self.resent += 1
                await socket.send(message)
            while True:
                self._receive(await socket.receive())
        finally:
            self._socket, self.lost_since = None, self.lost_since or monotonic()

    def _receive(self, message: ToClient) -> None:
        match message:
            case State():
                if self.state is None or message.version >= self.state.version:  # Otherwise, a newer state came first.
                    self.state, self._received_at = message, monotonic()
                    self._client.deals.note_start(message)
                    self._changed.set()
                    self._on_state(message)
                self.lost_since = None
            case Refused(id=None) if message.code not in TEMPORARY:
                raise _call_refused(message)  # The server is closing this socket for good.
            case Done() | Hint() | Refused():
                _, answer = self._unanswered.get(message.id or "", (None, None))
                if answer is not None and not answer.done():
                    answer.set_result(message)
            case Said():
                pass


def _call_refused(refused: Refused) -> CallRefused:
    return CallRefused(ErrorBody(refused.code, refused.text, refused.refusal))
