"""A seat played by a program: sit down, wait for the host, and ask the program when there is something to choose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection

from chromino.draw import winners_words
from chromino.outside.open_game import Json, Kind, OpenGame, State
from chromino.outside.program import NotUnderstood, Program, ProgramFailed
from chromino.outside.site import CannotPlay, Identity, Link, Site

T = TypeVar("T")
Tell = Callable[[str], None]

_TRIES = 3  # Answers to one question, before the program is given up.


async def play(
    link: Link,
    command: str,
    name: str,
    *,
    seconds: float,
    identity: Path | None,
    code: str | None,
    stay: bool,
    tell: Tell,
) -> None:
    """Sit down with a name and play to the end, or on into each rematch; `seconds` are for one decision.

    `code` makes the bot the same person as whoever asked the server for it. What happens is told in sentences.
    """
    known = Identity.usual(link.site, name) if identity is None else Identity(identity, link.site)
    site = Site(link.site, known, tell)
    program = await Program.start(command)
    try:
        await _first(_play(link, name, code, stay, site, program, seconds, tell), program.ended())
    finally:
        await program.stop()


async def _play(
    link: Link, name: str, code: str | None, stay: bool, site: Site, program: Program, seconds: float, tell: Tell
) -> None:
    if code is not None:
        await site.post("/api/me/claim", {"code": code}, object)
    if link.is_gathering:
        await Chair(site, link.game, name).wait(tell)
    game: str | None = link.game
    while game is not None:
        opened = OpenGame(site, game)
        player = Player(opened, program, seconds, tell)
        game = await _first(player.play(stay), opened.stay())


class _Chair(Struct):
    mine: bool


class _Gathering(Struct):
    version: int
    chairs: list[_Chair]
    host: bool


class _Begun(Struct):
    begun: bool


class Chair:
    """A chair at a table at which people gather."""

    def __init__(self, site: Site, gathering: str, name: str) -> None:
        self._site = site
        self._path = f"/api/gatherings/{gathering}"
        self._name = name
        self._version = 0

    async def wait(self, tell: Tell) -> None:
        """Sit down, and wait until the host begins. Where nobody gathers any more, the game may have begun."""
        try:
            await self._sit()
        except CannotPlay as error:
            if error.code == "no-such-gathering":
                return
            raise
        tell(f"{self._name} sits at the table and waits for the host to begin.")
        if not await self._site.keep(f"{self._path}/watch", self._watch):
            raise CannotPlay("nobody is left at this table")

    async def _sit(self) -> None:
        self._version = (await self._site.post(f"{self._path}/sit", {"name": self._name}, _Gathering)).version

    async def _watch(self, socket: ClientConnection) -> bool:
        """Has the game begun, when the gathering is over?"""
        while True:
            text = await socket.recv()
            if msgspec.json.decode(text, type=Kind).type == "begun":
                return msgspec.json.decode(text, type=_Begun).begun
            now = msgspec.json.decode(text, type=_Gathering)
            if now.version < self._version:
                continue
            if not any(chair.mine for chair in now.chairs):
                raise CannotPlay("the host gave this seat away")
            if now.host:  # The host is gone; a program does not know when to begin, so the next one shall.
                await self._site.post(f"{self._path}/leave", None, object)
                await self._sit()


class Player:
    """A program that plays one game."""

    def __init__(self, opened: OpenGame, program: Program, seconds: float, tell: Tell) -> None:
        self._game = opened
        self._program = program
        self._seconds = seconds
        self._tell = tell

    async def play(self, stay: bool) -> str | None:
        """Play to the end; the rematch, if one is to be waited for."""
        since = -1
        while not (state := await self._due(since)).seen.over:
            if since < 0:
                self._tell(f"The game is on: {', '.join(state.seen.players)}.")
            since = await self._decide(state)
        self._tell(f"The game is over. {winners_words(state.seen.players, state.seen.winners)}")
        await self._program.tell(_line("over", state), is_last=True)
        return (await self._game.state_when(lambda now: now.next_game)).next_game if stay else None

    async def _due(self, since: int) -> State:
        """The state, of this version or later, in which there is something to do or the game is over."""
        state = await self._game.state_when(lambda now: now.version >= since and now.is_due)
        if state.watching:
            raise CannotPlay("this bot has no seat in that game")
        return state

    async def _decide(self, state: State) -> int:
        """Have one decision made and done; the version from which on there may be another one."""
        actions = state.seen.actions
        if len(actions) == 1:
            return (await self._game.act(state, actions[0])).version or state.version + 1
        end = monotonic() + self._seconds
        said = ""
        for _ in range(_TRIES):
            refused: Json = {"type": "refused", "action": None, "refusal": None}
            try:
                action = await self._program.ask(_question(state, end), end - monotonic())
            except TimeoutError:
                raise ProgramFailed(f"the program did not decide within {self._seconds:g} seconds") from None
            except NotUnderstood as error:
                refused["text"] = said = str(error)
            else:
                if self._game.has_gone_on(state):
                    return state.version + 1  # The table's own limit ran out, and a bot played.
                answer = await self._game.act(state, action)
                if answer.type == "done":
                    return answer.version
                if answer.refusal is None:
                    return state.version + 1  # It came too late.
                said = str(answer.refusal.get("text", answer.text))
                refused |= {"action": action, "text": said, "refusal": answer.refusal}
            await self._program.tell(refused)
        raise ProgramFailed(f"the program gave {_TRIES} wrong answers in one turn, the last: {said}")


def _question(state: State, end: float) -> Json:
    """What a program is asked; the table's own limit may leave it less time."""
    left = min(end, state.turn_ends or end) - monotonic()
    return {**_line("decide", state), "seconds_left": round(max(0.0, left), 2)}


def _line(kind: str, state: State) -> Json:
    return {"type": kind, "version": state.version, "seat": state.seen.me, "view": state.view}


async def _first(*work: Coroutine[Any, Any, T]) -> T:
    """The result of what is done first, or its error; the rest is ended."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task for task in tasks if task in done).result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
