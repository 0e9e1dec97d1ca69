"""Games of the terminal on disk: each in a file of its own, written after every action, never overwritten.

The file is a game record. Which seats are bots, and which bot plays them, stands in a small file beside it: a record
is about the game, not about who sat there.
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
    """Where a game is kept, and who plays it by hand or by bot."""

    path: Path
    bots: frozenset[int]
    bot: str | None = None
    """The name of the bot that plays these seats; None in files that are older than this."""

    @classmethod
    def new(cls, bots: frozenset[int], bot: str, folder: Path | None = None) -> SavedGame:
        """A place for a new game, named after the time it began."""
        folder = folder or games_folder()
        folder.mkdir(parents=True, exist_ok=True)
        stem = datetime.now().astimezone().strftime("%Y-%m-%d_%H-%M-%S")
        names = (f"{stem}.jsonl" if number == 1 else f"{stem}_{number}.jsonl" for number in range(1, 1000))
        return cls(next(folder / name for name in names if _reserved(folder / name)), bots).played_by(bot)

    def played_by(self, bot: str) -> SavedGame:
        """The same game, in which this bot plays the seats of bots from now on."""
        _write(_seats_path(self.path), json.dumps({"bots": sorted(self.bots), "bot": bot}))
        return replace(self, bot=bot)

    @classmethod
    def latest_unfinished(cls, folder: Path | None = None) -> tuple[SavedGame, Game] | None:
        """The newest game that is not over; a file that cannot be read is left alone."""
        for path in sorted((folder or games_folder()).glob("*.jsonl"), reverse=True):
            try:
                game = Game.replay(path.read_text(encoding="utf-8"))
            except (ChrominoError, OSError, UnicodeDecodeError):
                continue
            if not game.over:
                return cls(path, *_read_bots(_seats_path(path))), game
        return None

    def write(self, game: Game) -> None:
        """Keep the game as it is now."""
        _write(self.path, str(game.record))


def _seats_path(path: Path) -> Path:
    return path.with_suffix(".seats.json")


def _reserved(path: Path) -> bool:
    """Make an empty file here, unless there is one: two games of the same second get two files."""
    try:
        path.open("x").close()
    except FileExistsError:
        return False
    return True


def games_folder() -> Path:
    """Where games are kept."""
    return user_data_path("chromino") / "games"


def _read_bots(path: Path) -> tuple[frozenset[int], str | None]:
    """The seats that bots play, and which bot does; without a readable file, none."""
    try:
        match json.loads(path.read_text(encoding="utf-8")):
            case {"bots": [*seats], **more}:
                bot = more.get("bot")
                numbers = frozenset(seat for seat in seats if isinstance(seat, int))
                return numbers, bot if isinstance(bot, str) else None
    except (OSError, ValueError):
        pass
    return frozenset(), None


def _write(path: Path, text: str) -> None:
    """All or nothing: a crash in the middle leaves the old file."""
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
