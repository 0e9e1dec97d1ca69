"""Compares what clients were told with what the database has."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from sqlalchemy import text

from chromino import Game
from chromino.errors import ChrominoError
from chromino.server.database.store import Store

_MOST = 20  # How many complaints to show.


class Ledger:
    """Each action by its game and id: acknowledged with a version, or refused."""

    def __init__(self) -> None:
        self.acknowledged: dict[tuple[str, str], int] = {}
        self.refused: dict[tuple[str, str], str] = {}
        self.complaints: list[str] = []

    def done(self, game: str, action: str, version: int) -> None:
        before = self.acknowledged.setdefault((game, action), version)
        if before != version:
            self.complaints.append(f"{action} in {game} was acknowledged as {before} and as {version}")

    def refuse(self, game: str, action: str, code: str) -> None:
        self.refused[game, action] = code

    @property
    def codes(self) -> Counter[str]:
        """How often each code was given for a refusal."""
        return Counter(self.refused.values())

    async def check(self, database: Path | str) -> list[str]:
        """Everything that's wrong with the database, once every action has an answer."""
        complaints = list(self.complaints)
        store = await Store.open(database)
        games = await store.read(lambda connection: connection.execute(text("SELECT id, header FROM games")).all())
        query = text("SELECT game, seq, event, action_id FROM events ORDER BY game, seq")
        rows = await store.read(lambda connection: connection.execute(query).all())
        await store.close()
        headers = {row.id: row.header for row in games}
        logs: dict[str, list[str]] = defaultdict(list)
        stored: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in rows:
            if row.seq != len(logs[row.game]):
                complaints.append(f"game {row.game} has no event {len(logs[row.game])} before {row.seq}")
            logs[row.game].append(row.event)
            if row.action_id is not None:
                stored[row.game, row.action_id].append(row.seq + 1)
        for (game, action), version in self.acknowledged.items():
            if (found := stored.get((game, action), [])) != [version]:
                complaints.append(f"{action} in {game}: acknowledged as {version}, stored as {found or 'nothing'}")
        complaints += [
            f"{action} in {game}: stored as {found}, yet nobody was told"
            for (game, action), found in stored.items()
            if (game, action) not in self.acknowledged and (game, action) not in self.refused
        ]
        complaints += [
            f"{action} in {game}: refused ({code}), yet stored as {stored[game, action]}"
            for (game, action), code in self.refused.items()
            if (game, action) in stored and (game, action) not in self.acknowledged
        ]
        for game, header in headers.items():
            try:
                Game.replay([header, *logs[game]])
            except ChrominoError as error:
                complaints.append(f"game {game} doesn't follow the rules: {error}")
        return complaints[:_MOST]
