"""The addresses of databases, and the error for one that can't be opened."""

from __future__ import annotations

from pathlib import Path

from chromino.errors import ChrominoError


class StoreError(ChrominoError):
    """Raised when a database can't be opened."""

    def __init__(self, text: str, *, is_temporary: bool = False) -> None:
        super().__init__(text)
        self.is_temporary = is_temporary
        """Might it work if we try again in a moment?"""


def is_address(database: Path | str) -> bool:
    """Is this a PostgreSQL address rather than a path?"""
    return str(database).startswith(("postgresql://", "postgres://"))


def without_secrets(database: str) -> str:
    """A path, or an address without its password and other secrets."""
    if not is_address(database):
        return database
    address = database.partition("?")[0].partition("://")[2]
    return f"postgresql://{address.rpartition('@')[2]}"
