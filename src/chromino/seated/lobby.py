"""Which tables the lobby shows, and in which order: nobody can push another's table out by opening many.

People cost nothing, addresses cost something. So those who open tables from one place share one turn in line, and take
turns among themselves. Where more have an equal claim than there is room for, they alternate over time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

SHOWN = 50
OF_ONE_HOST = 3


@dataclass(frozen=True, slots=True)
class OpenTable:
    """What its place in the lobby depends on."""

    id: str
    host: str
    origin: int
    """Where it was opened: equal for tables of one address."""
    is_visited: bool
    """Is somebody there?"""
    updated: str


def lobby(tables: Sequence[OpenTable], now: float) -> list[str]:
    """The ids of those to show. Somebody there goes before nobody there; then the latest."""
    line = sorted(tables, key=lambda table: table.updated, reverse=True)
    if len(line) > SHOWN:
        turn = int(now // 10)
        line.sort(key=lambda table: (_lot(turn, table.origin), _lot(turn, table.host)))
    line.sort(key=lambda table: not table.is_visited)
    line = _in_turn(line, [table.host for table in line], OF_ONE_HOST)
    line = _in_turn(line, [str(table.origin) for table in line], SHOWN)
    return [table.id for table in line[:SHOWN]]


def _lot(turn: int, whose: object) -> bytes:
    """More tables are no more chances."""
    return sha256(f"{turn} {whose}".encode()).digest()


def _in_turn(line: list[OpenTable], groups: list[str], most: int) -> list[OpenTable]:
    """First one of each group, then a second one of each, and so on."""
    seen: Counter[str] = Counter()
    rounds: list[list[OpenTable]] = [[] for _ in range(most)]
    for table, group in zip(line, groups, strict=True):
        if seen[group] < most:
            rounds[seen[group]].append(table)
            seen[group] += 1
    return [table for tables in rounds for table in tables]
