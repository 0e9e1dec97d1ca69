"""Where a database is, and why it can't be opened."""

from __future__ import annotations

from pathlib import Path

from chromino.errors import ChrominoError


class StoreError(ChrominoError):
    """A database that can't be opened."""

    def __init__(self, text: str, *, is_away: bool = False) -> None:
        super().__init__(text)
        self.is_away = is_away
        """Might the database be available in a moment?"""


def is_address(database: Path | str) -> bool:
    """Is this a PostgreSQL address rather than a path?"""
    return str(database).startswith(("postgresql://", "postgres://"))


def shown(database: str) -> str:
    """A path, or an address without its password and other secrets."""
    if not is_address(database):
        return database
    address = database.partition("?")[0].partition("://")[2]
    return f"postgresql://{address.rpartition('@')[2]}"
