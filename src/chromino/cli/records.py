"""Reads game records from files, and reports errors in one line."""

from __future__ import annotations

from pathlib import Path

from chromino.cli.app import fail
from chromino.errors import RecordError
from chromino.game import Game
from chromino.record import Record


def read_record(file: Path) -> tuple[Record, Game]:
    """Read a record, and replay its game."""
    try:
        record = Record.parse(_read(file))
        return record, Game.replay(record)
    except RecordError as error:
        fail(f"{file}: {error}", 1)


def _read(file: Path) -> str:
    data = file.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RecordError(data[: error.start].count(b"\n") + 1, "this isn't UTF-8 text") from None
