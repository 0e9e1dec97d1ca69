"""Which tables the lobby shows, and in which order. Nobody can push other tables out by opening many.

Identities are free, but addresses aren't. So people who open tables from one address share one turn, and take turns
among themselves. If too many have an equal claim, they alternate over time.
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
    """What a table's position in the lobby depends on."""

    id: str
    host: str
    origin: int
    """Where it was opened: equal for tables from one address."""
    is_visited: bool
    """Is anyone there?"""
    updated: str


def lobby(tables: Sequence[OpenTable], now: float) -> list[str]:
    """The ids of the tables to show: those with someone there first, then the latest."""
    line = sorted(tables, key=lambda table: table.updated, reverse=True)
    if len(line) > MAX_TABLES:
        turn = int(now // 10)
        line.sort(key=lambda table: (_lot(turn, table.origin), _lot(turn, table.host)))
    line.sort(key=lambda table: not table.is_visited)
    line = _in_turn(line, [table.host for table in line], MAX_PER_HOST)
    line = _in_turn(line, [str(table.origin) for table in line], MAX_TABLES)
    return [table.id for table in line[:MAX_TABLES]]


def _lot(turn: int, whose: object) -> bytes:
    """A random order that doesn't favor those with more tables."""
    return sha256(f"{turn} {whose}".encode()).digest()


def _in_turn(line: list[OpenTable], groups: list[str], limit: int) -> list[OpenTable]:
    """One of each group first, then a second one of each, and so on."""
    seen: Counter[str] = Counter()
    rounds: list[list[OpenTable]] = [[] for _ in range(limit)]
    for table, group in zip(line, groups, strict=True):
        if seen[group] < limit:
            rounds[seen[group]].append(table)
            seen[group] += 1
    return [table for tables in rounds for table in tables]
