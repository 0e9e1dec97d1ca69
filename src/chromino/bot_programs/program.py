"""A bot's program, which chooses its moves. It's started once, gets lines of JSON on stdin, and answers on stdout."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Any, cast

import msgspec

from chromino.client import ClientError
from chromino.errors import ParseError
from chromino.events import parse_action

Json = dict[str, Any]

_PATIENCE = 0.5  # How many seconds we wait for the program to exit or to read a message.


class ProgramFailed(Exception):
    """The program crashed, was too slow, or kept giving wrong answers."""


class NotUnderstood(Exception):
    """An answer that isn't an action."""


class _Answer(msgspec.Struct):
    action: str


class Program:
    """A running program: `await program.ask({...}, seconds=5)` returns its action."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._input = cast(StreamWriter, process.stdin)
        self._output = cast(StreamReader, process.stdout)
        self._may_end = False

    @classmethod
    async def start(cls, command: str) -> Program:
        """Run a command without a shell; its stderr goes to ours."""
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise ClientError(f"can't parse --command: {error}") from None
        if not arguments:
            raise ClientError("--command is empty: specify the program that plays, such as ./mybot")
        try:
            # The program gets its own process group, so Ctrl-C reaches only us, and we can stop the program's child
            # processes, too.
            process = await asyncio.create_subprocess_exec(*arguments, stdin=PIPE, stdout=PIPE, start_new_session=True)
            return cls(process)
        except (OSError, ValueError) as error:
            raise ClientError(f"can't run {arguments[0]!r}: {getattr(error, 'strerror', None) or error}") from None

    async def ask(self, message: Json, seconds: float) -> str:
        """Ask for an action. Raises `TimeoutError` if the program takes longer than this many seconds."""
        self._may_end = False
        try:
            async with asyncio.timeout(seconds):
                await self._write(message)
                line = await self._output.readline()
        except ValueError:  # The line is longer than the stream's limit.
            raise ProgramFailed("the program wrote a line that's too long") from None
        if not line.endswith(b"\n"):
            raise ProgramFailed(await self._exit_reason())
        return _action(line)

    async def tell(self, message: Json, *, is_last: bool = False) -> None:
        """Send a message that needs no answer. After the last message, the program may exit."""
        self._may_end = is_last
        with suppress(TimeoutError):  # The program may read the message later.
            async with asyncio.timeout(_PATIENCE):
                await self._write(message)

    async def _write(self, message: Json) -> None:
        # If the program has exited, we'll notice when we need an answer.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._input.write(msgspec.json.encode(message) + b"\n")
            await self._input.drain()

    async def wait_for_exit(self) -> None:
        """Wait until the program exits. Raises `ProgramFailed` if it exits with an error, or while we still need it."""
        code = await self._process.wait()
        if code or not self._may_end:
            raise ProgramFailed(await self._exit_reason())

    async def _exit_reason(self) -> str:
        """Say how the program ended."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                code = await self._process.wait()
                if code < 0:
                    name = signal.strsignal(-code)
                    return f"the program was terminated by a signal ({name}) before the game was over"
                return f"the program exited with code {code} before the game was over"
        return "the program closed its output before the game was over"

    async def stop(self) -> None:
        """Close the program's input, give the program time to exit, then kill it and its child processes."""
        self._input.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self._process.wait()
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        await self._process.wait()


def _action(line: bytes) -> str:
    try:
        return str(parse_action(msgspec.json.decode(line, type=_Answer).action))
    except ParseError as error:
        raise NotUnderstood(str(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        text = line.decode(errors="replace").strip()
        raise NotUnderstood(
            f'{text[:60]!r} isn\'t a valid answer: write one line like {{"action": "YBR@0,0>"}} to stdout, '
            "and any other output to stderr"
        ) from None
