"""A client for one person on one server: calls and sockets."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import msgspec
from httptools import HttpParserError
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus, WebSocketException
from websockets.typing import Origin

from chromino.client.deals import Deals
from chromino.client.errors import TEMPORARY, CallRefused, ClientError, Unreachable
from chromino.client.http import Answer, Http, is_loopback
from chromino.client.identity import Identity
from chromino.client.open_game import OpenGame
from chromino.client.sockets import Socket
from chromino.fair_deal import DealCheck, RememberedPart, new_part
from chromino.messages.bounds import Face
from chromino.messages.deals import Commit, DealTerms, Reveal
from chromino.messages.encoding import encode
from chromino.messages.games import Created, ErrorBody, MyGames, NewGame, Refused, State, ToClient
from chromino.messages.gatherings import Begun, FromGathering, GatheringState, Lobby, NewGathering, Sit
from chromino.messages.people import Account, ClaimCode, RecoveryCode

T = TypeVar("T")

_FIRST_WAIT, _LONGEST_WAIT = 0.2, 5.0  # Seconds between attempts to reconnect.
_STABLE_AFTER = 5.0  # Seconds after which a connection counts as stable.
_GIVE_UP_AFTER = 600.0  # Seconds without a connection before we give up.
_MOVED_ON = ("stale", "no-such-gathering")  # The table's next message says what it's waiting for now.
_DECODING_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Client:
    """One person: `async with Client("http://localhost:8075") as ada: game = await ada.start(NewGame(...))`.

    Without an identity, the client gets one with its first game or seat. An identity lasts as long as the client or,
    with an `IdentityFile`, as long as the file. Many clients can share one `Http`. `tell` gets a sentence when the
    connection is lost, when it's back, and when a deal has to be repeated.
    """

    def __init__(
        self, site: str | Http, identity: Identity | None = None, tell: Callable[[str], None] = lambda _text: None
    ) -> None:
        self.http = site if isinstance(site, Http) else Http(site)
        self.identity = identity or Identity()
        self.deals = Deals()
        self._tell = tell
        self._has_connected = False
        self._opening = asyncio.Lock()
        """Held while we open a table, which may send messages before we know its id and which part belongs to it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.close()

    # Calls. For those without a method here, use `call`; /api/openapi.json on any server lists them all.

    async def start(self, game: NewGame) -> str:
        """Start a game at once, and return its id. The client contributes to the deal unless you send a commitment."""
        if game.commitment is not None:
            return (await self.call("POST", "/api/games", Created, game)).game
        return await self._deal("/api/games", lambda commitment: replace(game, commitment=commitment))

    async def games(self, after: str = "") -> MyGames:
        """A page of your games, up to fifty; `after` is the previous page's `next`."""
        return await self.call("GET", f"/api/games?after={quote(after)}", MyGames)

    async def state(self, game: str) -> State:
        return await self.call("GET", f"/api/games/{game}", State)

    async def record(self, game: str) -> str:
        """The record of a finished game."""
        return (await self._call("GET", f"/api/games/{game}/record")).content.decode()

    async def rematch(self, game: str) -> str:
        """Ask for a rematch with the same people, and return the new game's id. If other people played, too, the
        game starts once they've accepted, or when the offer ends: use `dealt` to wait for it."""
        return await self._deal(f"/api/games/{game}/rematch")

    async def gather(self, gathering: NewGathering) -> str:
        """Open a table for others, and return its id, which will also be the game's id."""
        if gathering.commitment is not None:
            return (await self.call("POST", "/api/gatherings", Created, gathering)).game
        return await self._deal("/api/gatherings", lambda commitment: replace(gathering, commitment=commitment))

    async def lobby(self) -> Lobby:
        return await self.call("GET", "/api/gatherings", Lobby)

    async def gathering(self, gathering: str) -> GatheringState:
        return await self.call("GET", f"/api/gatherings/{gathering}", GatheringState)

    async def sit(self, gathering: str, name: str, face: Face | None = None) -> GatheringState:
        """Sit down, or change your name or face. The game starts once everyone has revealed their part of the deal: use
        `dealt` to wait for it."""
        request = Sit(name, self.deals.new_commitment(gathering), face)
        try:
            return await self.call("POST", f"/api/gatherings/{gathering}/sit", GatheringState, request)
        except CallRefused:
            self.deals.forget_last(gathering)
            raise

    async def stand_up(self, gathering: str) -> None:
        await self._call("POST", f"/api/gatherings/{gathering}/leave")

    async def begin(self, gathering: str) -> str:
        """Start the game, as the host, and return its id. The tiles are dealt once everyone has revealed their part of
        the deal: use `dealt` to wait for that."""
        created = await self.call("POST", f"/api/gatherings/{gathering}/begin", Created)
        if created.deal is not None:
            await self.take_part(gathering, created.deal)
        return created.game

    async def dealt(self, gathering: str) -> str:
        """Contribute your part of the deal, wait until the game has started, and return its id."""
        if not await self.stay_connected(f"/api/gatherings/{gathering}/watch", FromGathering, self._until_dealt):
            raise ClientError("everyone has left this table")
        return gathering

    async def _until_dealt(self, socket: Socket[FromGathering]) -> bool:
        revealed_for: list[str] = []  # The commitments that we revealed our part for. Older states may still arrive.
        while True:
            match await socket.receive():
                case Begun() as over:
                    return over.begun
                case GatheringState() as now:
                    if not has_revealed(now) and now.deal.commitments != revealed_for:
                        await self.take_part(now.game, now.deal, now.version)
                        revealed_for = now.deal.commitments if now.deal.begun and all(now.deal.commitments) else []
                case Refused() as refused if refused.code not in TEMPORARY:
                    raise CallRefused(ErrorBody(refused.code, refused.text, refused.refusal))

    async def take_part(self, gathering: str, terms: DealTerms, version: float = math.inf) -> bool:
        """Commit to a part of the deal, or reveal it, if the table is waiting for that.

        Nothing happens if this version of the table is older than your last commitment. If a deal was stopped after you
        revealed your part, `tell` says so. Returns False if the client doesn't know the part you committed to, because
        the program was restarted, or because you're also playing somewhere else.
        """
        if terms.mine is None or version < self.deals.committed_at(gathering):
            return True
        path = f"/api/gatherings/{gathering}"
        try:
            if not terms.commitments[terms.mine]:
                if self.deals.has_revealed(gathering):
                    self._tell(
                        "The deal was stopped after this program revealed its random number, so it's sending another."
                    )
                commit = Commit(self.deals.new_commitment(gathering))
                now = await self.call("POST", f"{path}/commit", GatheringState, commit)
                self.deals.note_commitment(gathering, now.version)
                terms = now.deal
            if terms.begun and all(terms.commitments):
                async with self._opening:
                    part = self.deals.part_to_reveal(gathering, terms)
                if part is None:
                    return False
                await self.call("POST", f"{path}/reveal", Created, Reveal(part))
        except CallRefused as error:
            if error.code not in _MOVED_ON:
                raise
        return True

    async def verify(self, game: str) -> DealCheck | None:
        """Was a finished game dealt from the parts that everyone had committed to? None if you didn't contribute."""
        if not self.deals.knows(game):
            return None
        return self.deals.check(await self.state(game), await self.record(game))

    async def _deal(self, path: str, body: Callable[[str], object] | None = None) -> str:
        """Open a table and contribute to its deal. If nobody else has to contribute, the game starts."""
        remembered = RememberedPart(new_part())
        async with self._opening:
            if body is None:
                created = await self.call("POST", f"{path}?commitment={remembered.commitment}", Created)
            else:
                created = await self.call("POST", path, Created, body(remembered.commitment))
            self.deals.keep(created.game, remembered)
        if created.deal is not None:
            await self.take_part(created.game, created.deal)
        return created.game

    async def claim(self, code: str) -> None:
        """Become the person who made this code on another device, or whose recovery code it is."""
        await self._call("POST", "/api/me/claim", ClaimCode(code))

    async def account(self) -> Account:
        """Your account: how many devices are signed in, and so on."""
        return await self.call("GET", "/api/me", Account)

    async def make_recovery_code(self) -> str:
        """A code for `claim` that's valid until you make another one."""
        return (await self.call("POST", "/api/me/recovery", RecoveryCode)).code

    async def sign_out_others(self) -> Account:
        """Sign out all your other devices: their secrets and your recovery code become invalid."""
        return await self.call("POST", "/api/me/sign-out-others", Account)

    async def declare_bot(self) -> None:
        """Declare that a program plays for this identity. Everyone can see that from then on. You can't undo it."""
        await self._call("POST", "/api/me/bot")

    async def call(self, method: str, path: str, answer_type: type[T], body: object = None) -> T:
        """Make any call, and decode the answer as this type. Raises `CallRefused` if the server says no."""
        answer = await self._call(method, path, body)
        try:
            return msgspec.json.decode(answer.content, type=answer_type)
        except _DECODING_ERRORS:
            raise self._not_chromino() from None

    async def _call(self, method: str, path: str, body: object = None) -> Answer:
        answer = await self.ask(method, path, body)
        if answer.status < 300:
            return answer
        try:
            raise CallRefused(msgspec.json.decode(answer.content, type=ErrorBody))
        except _DECODING_ERRORS:
            raise self._not_chromino() from None

    async def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Make any call, and return the answer even if it's a refusal. Raises `Unreachable` if there's no answer. A
        body is sent as JSON unless it's bytes."""
        content = b"" if body is None else body if isinstance(body, bytes) else encode(body).encode()
        content_type = {"Content-Type": "application/json"} if content else {}
        all_headers = {**content_type, **self.identity.headers, **(headers or {})}
        try:
            answer = await self.http.request(method, path, content, all_headers)
        except (OSError, EOFError, UnicodeError, HttpParserError) as error:
            raise self._unreachable(error) from None
        self._has_connected = True
        self.identity.keep(answer.headers.get_all("Set-Cookie", []))
        return answer

    # Sockets.

    def play(self, game: str, on_state: Callable[[State], None] = lambda _state: None) -> OpenGame:
        """Open a game, with `async with`. You count as present, as with an open page. If the connection drops, the
        client reconnects."""
        return OpenGame(self, game, on_state)

    @asynccontextmanager
    async def open(self, game: str) -> AsyncIterator[Socket[ToClient]]:
        """A game's plain socket, which doesn't reconnect."""
        async with self._open(f"/api/games/{game}/play", ToClient) as socket:
            yield socket

    @asynccontextmanager
    async def watch(self, gathering: str) -> AsyncIterator[Socket[FromGathering]]:
        """A gathering's plain socket, which doesn't reconnect."""
        async with self._open(f"/api/gatherings/{gathering}/watch", FromGathering) as socket:
            yield socket

    @asynccontextmanager
    async def _open(self, path: str, messages: Any) -> AsyncIterator[Socket[Any]]:
        try:
            connection = await self.connect(path)
        except (OSError, WebSocketException, UnicodeError) as error:
            raise self._unreachable(error) from None
        try:
            yield Socket(connection, messages)
        finally:
            await connection.close()

    def connect(self, path: str, headers: Mapping[str, str] | None = None, **options: Any) -> connect:
        """Connect with the websockets library and its options. If you pass `headers`, no `Origin` is sent."""
        is_local = is_loopback(self.http.host)  # No proxy is needed then.
        return connect(
            self.http.site.replace("http", "ws", 1) + path,
            origin=Origin(self.http.site) if headers is None else None,
            additional_headers={**self.identity.headers, **(headers or {})},
            compression=None,
            proxy=None if is_local else True,
            open_timeout=self.http.timeout,
            close_timeout=1,
            max_queue=None,  # With a limit, unread messages would stop the connection from reading.
            **options,
        )

    async def stay_connected(self, path: str, messages: Any, serve: Callable[[Socket[Any]], Awaitable[T]]) -> T:
        """Run `serve` on a socket, and reconnect whenever the connection is lost, until `serve` returns."""
        wait, lost_since = _FIRST_WAIT, None
        while True:
            connected_at = None
            try:
                async with self.connect(path) as connection:
                    connected_at = monotonic()
                    if lost_since is not None:
                        self._tell(f"{self.http.site} is back.")
                    self._has_connected, lost_since = True, None
                    return await serve(Socket(connection, messages))
            except _DECODING_ERRORS:
                raise self._not_chromino() from None
            except (OSError, WebSocketException, UnicodeError) as error:
                if not self._has_connected or _is_final(error):
                    raise self._unreachable(error) from None
            now = monotonic()
            if lost_since is None:
                lost_since = now
                self._tell(f"Lost the connection to {self.http.site}. Trying again.")
            if now - lost_since > _GIVE_UP_AFTER:
                raise Unreachable(f"{self.http.site} hasn't answered for {_GIVE_UP_AFTER / 60:.0f} minutes")
            was_stable = connected_at is not None and now - connected_at > _STABLE_AFTER
            wait = _FIRST_WAIT if was_stable else min(_LONGEST_WAIT, 2 * wait)
            await asyncio.sleep(wait * random.uniform(0.7, 1))

    def _not_chromino(self) -> ClientError:
        return Unreachable(f"{self.http.site} doesn't seem to be a Chromino server")

    def _unreachable(self, error: Exception) -> ClientError:
        if _is_final(error) or isinstance(error, InvalidMessage | HttpParserError):
            return self._not_chromino()
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return Unreachable(f"can't reach {self.http.site}: {' '.join(reason.split())}")


def has_revealed(table: GatheringState) -> bool:
    """Has the server received your part of the deal?"""
    return any(chair.mine and chair.deal == "revealed" for chair in table.chairs)


def _is_final(error: Exception) -> bool:
    """Did the server refuse us for good? While the server is starting, a proxy may answer with 500 or above."""
    return isinstance(error, InvalidStatus) and error.response.status_code < 500
