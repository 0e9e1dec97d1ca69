"""Processes according to Linux's /proc: children, memory and time."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from pathlib import Path

from tests.server.blocking import PATIENCE

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_HELPERS = (b"resource_tracker", b"forkserver")  # Python's own; they serve no requests.


def children(pid: int) -> list[int]:
    """The running processes that this one started, except Python's own helpers."""
    return [child for child in _numbers() if _parent(child) == pid and not _is_helper(child)]


def wait_until_gone(pid: int) -> None:
    """Wait until this process, which doesn't have to be our child, has ended."""
    try:
        ended = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([ended], [], [], PATIENCE)[0], f"process {pid} doesn't end"
    finally:
        os.close(ended)


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    return [pid, *(one for child in _numbers() if _parent(child) == pid for one in family(child))]


def memory(pids: Iterable[int]) -> int:
    """How many bytes of memory these processes are using."""
    return sum(int(_words(_PROC / str(pid) / "statm")[1]) * _PAGE for pid in pids)


def cpu_seconds(pids: Iterable[int]) -> float:
    """CPU time of these processes and of their children that have ended."""
    return sum(sum(map(int, _stat(pid)[11:15])) for pid in pids) / _TICK


def busy_seconds() -> tuple[float, float]:
    """How long all cores together have been busy, and could have been, since the machine was started."""
    first = (_PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0]
    times = list(map(int, first.split()[1:9]))
    return (sum(times) - times[3] - times[4]) / _TICK, sum(times) / _TICK


def _numbers() -> list[int]:
    return [int(found.name) for found in _PROC.iterdir() if found.name.isdigit()]


def _parent(pid: int) -> int | None:
    stat = _stat(pid)
    return int(stat[1]) if stat and stat[0] != "Z" else None


def _stat(pid: int) -> list[str]:
    """The fields after the name, which may contain anything; empty if the process has ended."""
    try:
        return (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").split()
    except OSError:
        return ["0", "0"]


def _is_helper(pid: int) -> bool:
    try:
        command = (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return True
    return any(name in command for name in _HELPERS)
