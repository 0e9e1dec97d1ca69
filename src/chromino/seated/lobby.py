"""Which tables the lobby shows, and in what order. Nobody can push out other tables by opening many of their own.

New identities cost nothing, but addresses do. So all tables opened from one address count as one group, whose members
take turns. If there are too many tables to show, they alternate over time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

MAX_TABLES = 50
MAX_PER_HOST = 3


@dataclass(frozen=True, slots=True)
class OpenTable:
    """The facts that decide where the lobby shows a table."""

    id: str
    host: str
    origin: int
    """Where the table was opened: the same number for all tables from one address."""
    is_visited: bool
    """Is anyone there?"""
    updated: str


def lobby(tables: Sequence[OpenTable], now: float) -> list[str]:
    """The ids of the tables to show: first those with someone there, then by the latest update."""
    line = sorted(tables, key=lambda table: table.updated, reverse=True)
    if len(line) > MAX_TABLES:
        turn = int(now // 10)
        line.sort(key=lambda table: (_lot(turn, table.origin), _lot(turn, table.host)))
    line.sort(key=lambda table: not table.is_visited)
    line = _in_turn(line, [table.host for table in line], MAX_PER_HOST)
    line = _in_turn(line, [str(table.origin) for table in line], MAX_TABLES)
    return [table.id for table in line[:MAX_TABLES]]


def _lot(turn: int, whose: object) -> bytes:
    """A sort key for a random order, which doesn't favor people with more tables."""
    return sha256(f"{turn} {whose}".encode()).digest()


def _in_turn(line: list[OpenTable], groups: list[str], limit: int) -> list[OpenTable]:
    """The first table of each group, then the second one of each, and so on, up to `limit` per group."""
    seen: Counter[str] = Counter()
    rounds: list[list[OpenTable]] = [[] for _ in range(limit)]
    for table, group in zip(line, groups, strict=True):
        if seen[group] < limit:
            rounds[seen[group]].append(table)
            seen[group] += 1
    return [table for tables in rounds for table in tables]
