"""Nothing changes by accident: whole games and counts of games for each preset."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from chromino import PRESETS, Game, Record
from chromino.rules import ALWAYS_WRITTEN
from tests.golden import FOLDER, PERFT, RECORDS, path, perft, playthrough

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("name", PRESETS)
def test_the_playthrough_of_each_preset_is_unchanged(name: str) -> None:
    assert path(name).read_text(encoding="utf-8") == playthrough(name)


def test_no_playthrough_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(PRESETS)
    assert set(json.loads(PERFT.read_text())) == set(PRESETS)


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_records_from_version_1_0_stay_the_same_byte_for_byte(file: Path) -> None:
    written = file.read_bytes()
    assert str(Game.replay(written.decode()).record).encode() == written


def test_records_from_version_1_0_cover_every_preset_and_every_choice() -> None:
    rules = {file.stem: Record.parse(file.read_text(encoding="utf-8")).rules for file in RECORDS}
    assert {name: rules[name] for name in PRESETS} == PRESETS
    other, classic = (asdict(rules[name]) for name in ("other", "classic"))
    assert [name for name in ALWAYS_WRITTEN if other[name] == classic[name]] == []


@pytest.mark.heavy
@pytest.mark.parametrize("name", PRESETS)
def test_perft_counts_are_unchanged(name: str) -> None:
    for seed, counts in json.loads(PERFT.read_text())[name].items():
        start = Game.start(PRESETS[name], ["Ada", "Bob"], seed)
        assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts
