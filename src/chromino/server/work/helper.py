"""A helper process: it runs one task after another for the server, and can be stopped at any time.

In a separate process, work doesn't hold the server's interpreter lock and, unlike in a thread, can be stopped. It runs
at a lower priority, so a move never waits for a picture. The two processes trust each other, and exchange pickles over
pipes.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from chromino.server.problems import Problem

T = TypeVar("T")

_START_SECONDS = 60.0  # Python starts slowly on a busy machine.
_NICENESS = 10
_MAX_WAIT_FACTOR = 12  # Nobody waits longer than this many time limits, even on a busy machine.
_MIN_REMAINING = 0.05  # Seconds: with no more than this left, the time limit counts as reached.
_LENGTH_BYTES = 8  # Sent before each pickle, to say how long it is.
_READY = b"R"
_MODULES = (
    "conundrums.conundrum_work",
    "pictures.painting",
    "work.record_work",
    "coaching.reviews",
)  # What helpers import before their first task.

log = logging.getLogger(__name__)


class Helper:
    """The server's side. The process is started when there's work, and restarted if it has been stopped."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: Process | None = None

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work`, which must be picklable, and return its result. Calls must not overlap.

        Raises a `Problem` if the work takes too long.
        """
        try:
            process = await self._running_process()
            has_failed, answer = await self._in_time(process, _ask(process, work))
        except TimeoutError:
            await self.stop()
            log.warning("stopped work after %g s", self._seconds)
            raise Problem("took-too-long") from None
        except (asyncio.IncompleteReadError, OSError) as error:
            await self.stop()
            raise Problem("failed") from error
        except BaseException:
            await self.stop()  # Nobody needs the answer anymore.
            raise
        if has_failed:
            raise answer
        result: T = answer
        return result

    async def _in_time(self, process: Process, request: Coroutine[Any, Any, T]) -> T:
        """Wait for the process's answer. Time during which other processes use its core doesn't count."""
        task = asyncio.ensure_future(request)
        used_before = _cpu_seconds(process.pid)
        remaining, waited = self._seconds, 0.0
        try:
            while True:
                done, _ = await asyncio.wait([task], timeout=remaining)
                if done:
                    return task.result()
                waited += remaining
                remaining = self._seconds - (_cpu_seconds(process.pid) - used_before)
                is_starved = remaining > _MIN_REMAINING and _is_runnable(process.pid)
                if not is_starved or waited > _MAX_WAIT_FACTOR * self._seconds:
                    raise TimeoutError
        finally:
            task.cancel()

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _running_process(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            arguments = (sys.executable, "-m", "chromino.server.work.helper")
            self._process = process = await asyncio.create_subprocess_exec(*arguments, stdin=PIPE, stdout=PIPE)
            assert process.stdout is not None  # noqa: S101  It's a pipe.
            async with asyncio.timeout(_START_SECONDS):
                await process.stdout.readexactly(len(_READY))
        return self._process


async def _ask(process: Process, work: Callable[[], object]) -> tuple[bool, Any]:
    assert process.stdin is not None  # noqa: S101
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(_message(work))
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(_LENGTH_BYTES))
    answer: tuple[bool, Any] = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301
    return answer


def _stat(pid: int) -> list[str]:
    """What Linux says about a process, starting with its state; empty if the process is gone, and on other systems."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _cpu_seconds(pid: int) -> float:
    stat = _stat(pid)
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK") if stat else 0.0


def _is_runnable(pid: int) -> bool:
    return _stat(pid)[:1] == ["R"]


def _message(content: object) -> bytes:
    data = pickle.dumps(content)
    return len(data).to_bytes(_LENGTH_BYTES) + data


# The helper's side.


def main() -> None:
    """Run tasks until stdin closes, which means that the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes stdin.
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # Keep stray prints out of the replies.
    for name in _MODULES:  # Import them now, so that this doesn't count toward the first task's time limit.
        import_module(f"chromino.server.{name}")
    out.write(_READY)
    out.flush()
    while length := source.read(_LENGTH_BYTES):
        out.write(_answer(source, int.from_bytes(length)))
        out.flush()


def _answer(source: BinaryIO, length: int) -> bytes:
    try:
        return _message((False, pickle.loads(source.read(length))()))  # noqa: S301
    except Exception as error:
        return _message((True, error))


if __name__ == "__main__":
    main()
