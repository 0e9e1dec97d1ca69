"""Games saved by the terminal: one file per game, written after every action and never overwritten by another game.

The file is a game record. A small file next to it says which seats a bot plays, and which bot, because a record is
about the game, not about who sat there.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from chromino.errors import ChrominoError
from chromino.game import Game


@dataclass(frozen=True, slots=True)
class SavedGame:
    """Where a game is saved, and which seats are played by a bot."""

    path: Path
    bots: frozenset[int]
    bot: str | None = None
    """The name of the bot that plays these seats; None in older files."""

    @classmethod
    def new(cls, bots: frozenset[int], bot: str, folder: Path | None = None) -> SavedGame:
        """A file for a new game, named after the time it started."""
        folder = folder or games_folder()
        folder.mkdir(parents=True, exist_ok=True)
        stem = datetime.now().astimezone().strftime("%Y-%m-%d_%H-%M-%S")
        names = (f"{stem}.jsonl" if number == 1 else f"{stem}_{number}.jsonl" for number in range(1, 1000))
        return cls(next(folder / name for name in names if _reserve(folder / name)), bots).save_bot(bot)

    def save_bot(self, bot: str) -> SavedGame:
        """Save which bot plays the bots' seats from now on, and return the updated `SavedGame`."""
        _write(_seats_path(self.path), json.dumps({"bots": sorted(self.bots), "bot": bot}))
        return replace(self, bot=bot)

    @classmethod
    def latest_unfinished(cls, folder: Path | None = None) -> tuple[SavedGame, Game] | None:
        """The newest game that isn't over; unreadable files are skipped."""
        for path in sorted((folder or games_folder()).glob("*.jsonl"), reverse=True):
            try:
                game = Game.replay(path.read_text(encoding="utf-8"))
            except (ChrominoError, OSError, UnicodeDecodeError):
                continue
            if not game.over:
                return cls(path, *_read_bots(_seats_path(path))), game
        return None

    def write(self, game: Game) -> None:
        """Save the game as it is now."""
        _write(self.path, str(game.record))


def _seats_path(path: Path) -> Path:
    return path.with_suffix(".seats.json")


def _reserve(path: Path) -> bool:
    """Create an empty file, or return False if it exists. Games that start in the same second get separate files."""
    try:
        path.open("x").close()
    except FileExistsError:
        return False
    return True


def games_folder() -> Path:
    """Where games are saved."""
    return user_data_path("chromino") / "games"


def _read_bots(path: Path) -> tuple[frozenset[int], str | None]:
    """The bots' seats, and which bot plays them; no seats if the file can't be read."""
    try:
        match json.loads(path.read_text(encoding="utf-8")):
            case {"bots": [*seats], **rest}:
                bot = rest.get("bot")
                numbers = frozenset(seat for seat in seats if isinstance(seat, int))
                return numbers, bot if isinstance(bot, str) else None
    except (OSError, ValueError):
        pass
    return frozenset(), None


def _write(path: Path, text: str) -> None:
    """Write all of the file or nothing: a crash in the middle leaves the old file as it was."""
    temporary_path = path.with_suffix(".tmp")
    with temporary_path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary_path.replace(path)
