"""Opens databases for tests, and has a game to put into them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from chromino import Game, Rules
from chromino.seated.seats import Seat
from chromino.server.database.store import GameRow, Store

T = TypeVar("T")
GAME = Game.start(Rules.classic(), ["Ada", "Snail"], seed=7, first=0)
ROW = GameRow(
    id="a-game",
    header=str(GAME.record).partition("\n")[0],
    aids=True,
    pace=False,
    seats=(Seat("ada", None), Seat(None, "snail")),
)

Database = Path | str

ON_BOTH = pytest.mark.parametrize("empty", ["sqlite", "postgresql"], indirect=True)
"""For tests of what may differ between the databases."""


def in_store(path: Database, work: Callable[[Store], Awaitable[T]], revision: str | None = "head") -> T:
    """Open the database, do this work, and close it."""

    async def run() -> T:
        store = await Store.open(path, revision)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())
