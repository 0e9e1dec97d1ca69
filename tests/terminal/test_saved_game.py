"""A game saved in the terminal continues with the same bot."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from chromino import Game
from chromino.bots import Bot
from chromino.cli.app import app
from chromino.terminal.saved_game import SavedGame
from chromino.terminal.screen import Screen, Stopped


def test_resume_continues_with_the_same_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    playing = []

    def stopped_at_once(game: Game, saved: SavedGame, _screen: Screen, bot: Bot, _rng: Random) -> None:
        saved.write(game)
        playing.append(bot.name)
        raise Stopped

    def bot_of(*arguments: str) -> str:
        assert CliRunner().invoke(app, ["play", *arguments]).exit_code == 0
        return playing.pop()

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("chromino.cli.play.play_game", stopped_at_once)
    assert bot_of("--level", "5") == bot_of("--resume") == "dragon"
    assert bot_of("--resume", "--level", "1") == bot_of("--resume") == "snail"
    (seats,) = tmp_path.rglob("*.seats.json")
    seats.write_text('{"bots": [1]}', encoding="utf-8")  # An older format.
    assert bot_of("--resume") == bot_of() == "hedgehog"
