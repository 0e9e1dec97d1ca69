"""Which tables the lobby shows, and in what order. Nobody can crowd out other tables by opening many of their own.

New identities are free; new networks aren't. So the lobby lists one table from each network, then a second one from
each, and so on. If there are too many tables to show, their order changes every ten seconds.
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
    """Where the table was opened: the same number for all tables from one network."""
    is_occupied: bool
    """Is anyone there?"""
    updated: str


def lobby(tables: Sequence[OpenTable], now: float) -> list[str]:
    """The ids of the tables to show, in rounds of one table per network.

    In each round, tables with someone there come before empty ones, and the most recently updated come first.
    """
    queue = sorted(tables, key=lambda table: table.updated, reverse=True)
    if len(queue) > MAX_TABLES:
        period = int(now // 10)
        queue.sort(key=lambda table: (_random_key(period, table.origin), _random_key(period, table.host)))
    queue.sort(key=lambda table: not table.is_occupied)
    queue = _in_turn(queue, [table.host for table in queue], MAX_PER_HOST)
    queue = _in_turn(queue, [str(table.origin) for table in queue], MAX_TABLES)
    return [table.id for table in queue[:MAX_TABLES]]


def _random_key(period: int, owner: object) -> bytes:
    """A sort key for a random order, the same for all tables of one owner, so that having more tables doesn't help."""
    return sha256(f"{period} {owner}".encode()).digest()


def _in_turn(queue: list[OpenTable], groups: list[str], limit: int) -> list[OpenTable]:
    """The first table of each group, then the second one of each, and so on, up to `limit` per group."""
    counts: Counter[str] = Counter()
    rounds: list[list[OpenTable]] = [[] for _ in range(limit)]
    for table, group in zip(queue, groups, strict=True):
        if counts[group] < limit:
            rounds[counts[group]].append(table)
            counts[group] += 1
    return [table for tables in rounds for table in tables]
