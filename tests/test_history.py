"""The engine is measured against its own past, and says kindly where there is none to be found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import chromino
from benchmarks.history import NOW, REVISIONS, NoHistory, Revision, measure, rows, unpack
from tests.test_release import commit
from tools.readiness import git

POSITIONS = [("Y*R@0,0> GRR@1,1>", ["YBR", "GBB"])]


def test_an_earlier_revision_is_measured_not_the_present_one(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    shutil.copytree(
        Path(chromino.__file__).parent,
        repository / "src" / "chromino",
        ignore=lambda _folder, names: [name for name in names if "." in name and not name.endswith(".py")],
    )
    git(repository, "init", "--quiet")
    commit(repository)
    (repository / "src" / "chromino" / "game.py").write_text("raise RuntimeError('the present')", encoding="utf-8")
    source = unpack(Revision("HEAD", "the past"), tmp_path, root=repository)
    assert source.is_relative_to(tmp_path / "HEAD")
    assert all(seconds > 0 for seconds in measure(source, POSITIONS, games=1))


def test_another_chromino_is_not_measured_by_mistake(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="was measured instead of"):
        measure(tmp_path, POSITIONS, games=1)


def test_a_copy_without_history_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoHistory, match="this is no clone"):
        unpack(REVISIONS[0], tmp_path, root=tmp_path)


def test_a_shallow_clone_says_how_to_get_the_rest(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(NoHistory, match="git fetch --unshallow"):
        unpack(REVISIONS[0], tmp_path, root=tmp_path)


def test_ratios_are_those_to_the_first() -> None:
    found = rows({Revision("a", "then"): [2e-5, 1e-4, 1e-5], NOW: [1e-5, 1e-4, 2e-5]})
    assert found == [
        ("a: then", "20.0 µs, 1.00 ×", "10,000, 1.00 ×", "100,000, 1.00 ×"),
        ("now: as it is here", "10.0 µs, 2.00 ×", "10,000, 1.00 ×", "50,000, 0.50 ×"),
    ]
