"""Nothing changes by accident: whole games and counts of games, per preset."""

from __future__ import annotations

import json

import pytest

from chromino import PRESETS, Game
from tests.golden import FOLDER, PERFT, path, perft, playthrough

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("name", PRESETS)
def test_the_playthrough_of_each_preset(name: str) -> None:
    assert path(name).read_text(encoding="utf-8") == playthrough(name)


def test_no_playthrough_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(PRESETS)
    assert set(json.loads(PERFT.read_text())) == set(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_perft(name: str) -> None:
    for seed, counts in json.loads(PERFT.read_text())[name].items():
        start = Game.start(PRESETS[name], ["Ada", "Bob"], seed)
        assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts
