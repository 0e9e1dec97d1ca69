"""Lets a program play a seat: sits down, waits for the host, and asks the program when there's something to choose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from platformdirs import user_data_path

from chromino.bot_programs.program import Json, NotUnderstood, Program, ProgramFailed
from chromino.client import CallRefused, Client, ClientError, IdentityFile, Link, OpenGame, Socket, has_revealed
from chromino.draw import winners_words
from chromino.fair_deal import DealCheck, Verdict
from chromino.messages.games import State
from chromino.messages.gatherings import Begun, FromGathering, GatheringState

T = TypeVar("T")
Tell = Callable[[str], None]

_VERDICTS: dict[Verdict, str] = {
    "verified": "The deal was fair: the players' and the server's random numbers decided it, so nobody could pick it.",
    "repeated": "The players had to pick new random numbers: someone may have seen an earlier deal and disliked it.",
    "not-in-it": "Warning: the game was dealt without this program's random number. Someone may have picked the deal.",
    "changed": "Warning: someone changed their random number after committing to it. They may have picked the deal.",
    "other-rules": "Warning: the rules were changed after the deal. Someone may have picked the hands.",
    "other-seats": "Warning: seats were changed after the deal. Someone may have picked the hands.",
    "other-hash": "Warning: the seed doesn't match the hash that came with the hands.",
    "other-tiles": "Warning: the tiles don't match the seed.",
}
_TRIES = 3  # How many times the program may answer the same question.


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
    """Sit down under this name and play to the end; `seconds` is the limit for one decision.

    With `stay`, the bot also plays every rematch. With `code`, the bot becomes the person who made that code
    on another device. `tell` gets a sentence for each thing that happens.
    """
    identity_file = IdentityFile(identity or _default_file(link.site, name), link.site)
    program = await Program.start(command)
    try:
        async with Client(link.site, identity_file, tell) as client:
            await _first(_play(link, name, code, stay, client, program, seconds, tell), program.wait_for_exit())
    finally:
        await program.stop()


def _default_file(site: str, name: str) -> Path:
    """Where to keep the identity of a bot with this name, unless the user chose a file."""
    file = sha256(f"{site} {name}".encode(errors="replace")).hexdigest()[:16]
    return user_data_path("chromino") / "bots" / f"{file}.json"


async def _play(
    link: Link, name: str, code: str | None, stay: bool, client: Client, program: Program, seconds: float, tell: Tell
) -> None:
    if code is not None:
        await client.claim(code)
    await client.declare_bot()
    is_gathering = link.is_gathering
    game: str | None = link.game
    while game is not None:
        if is_gathering:
            await WaitingBot(client, game, name).sit_and_wait(tell)
        async with client.play(game) as open_game:
            game = await Player(open_game, program, seconds, tell, came_from_gathering=is_gathering).play(stay)
        is_gathering = True  # For a rematch, people gather again.


class WaitingBot:
    """Sits in a gathering until the host starts the game."""

    def __init__(self, client: Client, gathering: str, name: str) -> None:
        self._client = client
        self._gathering = gathering
        self._name = name
        self._version = 0

    async def sit_and_wait(self, tell: Tell) -> None:
        """Sit down and wait until the host starts. If the gathering is gone, the game may have started already."""
        try:
            await self._sit()
        except CallRefused as error:
            if error.code == "no-such-gathering":
                return
            raise
        tell(f"{self._name} has a seat and is waiting for the host to start.")
        path = f"/api/gatherings/{self._gathering}/watch"
        if not await self._client.stay_connected(path, FromGathering, self._watch):
            raise ClientError("everyone has left this table")

    async def _sit(self) -> None:
        self._version = (await self._client.sit(self._gathering, self._name)).version

    async def _watch(self, socket: Socket[FromGathering]) -> bool:
        """Watch until the gathering is over, and return whether the game has started."""
        while True:
            match await socket.receive():
                case Begun() as over:
                    return over.begun
                case GatheringState() as now if now.version >= self._version:
                    if not any(chair.mine for chair in now.chairs):
                        raise ClientError("the host removed this bot from the table")
                    must_hand_over_host = now.host and not now.deal.begun
                    takes_part = has_revealed(now) or await self._client.take_part(now.game, now.deal, now.version)
                    if must_hand_over_host or not takes_part:
                        # Sit down again. If the host left and we became the host, that makes someone else the host: a
                        # program can't tell when to start. If we were restarted and don't know our random number
                        # anymore, that commits us to a new one.
                        await self._client.stand_up(self._gathering)
                        await self._sit()


class Player:
    """A program that plays one game."""

    def __init__(
        self, open_game: OpenGame, program: Program, seconds: float, tell: Tell, *, came_from_gathering: bool
    ) -> None:
        self._game = open_game
        self._program = program
        self._seconds = seconds
        self._tell = tell
        self._came_from_gathering = came_from_gathering

    async def play(self, stay: bool) -> str | None:
        """Play to the end, and return the id of the rematch if the bot stays for one."""
        since = -1
        while not (state := await self._next_decision(since)).view.over:
            if since < 0:
                self._tell(f"The game has started: {', '.join(state.view.players)}.")
            since = await self._decide(state)
        self._tell(f"The game is over. {winners_words(state.view.players, state.view.winners)}")
        # Check the deal first: when the program hears that the game is over, it may exit, and that ends everything.
        if check := await self._game.verify():
            self._tell(_deal_words(check, state.view.players))
        elif self._came_from_gathering:
            self._tell("This program hasn't contributed a random number since it started, so it can't check the deal.")
        await self._program.tell(_message("over", state), is_last=True)
        return (await self._game.state_when(lambda now: now.next_game)).next_game if stay else None

    async def _next_decision(self, since: int) -> State:
        """Wait for a state, of this version or later, in which there's something to do or the game is over."""
        state = await self._game.my_turn(since)
        if state.watching:
            raise ClientError("this bot has no seat in that game")
        return state

    async def _decide(self, state: State) -> int:
        """Make one decision, and return the version from which there may be another decision to make."""
        if len(state.view.actions) == 1:
            with suppress(CallRefused):  # The action came too late.
                return await self._game.act(state, state.view.actions[0])
            return state.version + 1
        end = monotonic() + self._seconds
        problem = ""
        for _ in range(_TRIES):
            refused: Json = {"type": "refused", "action": None, "refusal": None}
            try:
                action = await self._program.ask(self._question(state, end), end - monotonic())
            except TimeoutError:
                raise ProgramFailed(f"the program didn't decide within {self._seconds:g} seconds") from None
            except NotUnderstood as error:
                refused["text"] = problem = str(error)
            else:
                if self._game.has_moved_on(state):
                    return state.version + 1  # Time ran out, and a stand-in played.
                try:
                    return await self._game.act(state, action)
                except CallRefused as error:
                    if error.refusal is None:
                        return state.version + 1  # The action came too late.
                    problem = error.refusal.text
                    refused |= {"action": action, "text": problem, "refusal": error.refusal}
            await self._program.tell(refused)
        raise ProgramFailed(f"the program gave {_TRIES} wrong answers in one turn. The last problem: {problem}")

    def _question(self, state: State, end: float) -> Json:
        """The question for the program, with the time left to answer it, which the table's turn limit may shorten."""
        left, limit = max(0.0, end - monotonic()), self._game.turn_left
        return {**_message("decide", state), "seconds_left": round(left if limit is None else min(left, limit), 2)}


def _deal_words(check: DealCheck, players: Sequence[str]) -> str:
    """The result of checking the deal, and who didn't contribute a random number."""
    names = ", ".join(players[seat] for seat in check.silent)
    return _VERDICTS[check.verdict] + (f" These players didn't contribute a random number: {names}." if names else "")


def _message(kind: str, state: State) -> Json:
    return {"type": kind, "version": state.version, "seat": state.view.me, "view": state.view}


async def _first(*work: Coroutine[Any, Any, T]) -> T:
    """The result or error of the coroutine that finishes first; the others are canceled."""
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task for task in tasks if task in done).result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
