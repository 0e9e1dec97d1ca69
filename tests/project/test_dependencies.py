"""Everything that gets installed is pinned in constraints.txt."""

from __future__ import annotations

import re
import sys
from importlib.metadata import distributions
from pathlib import Path

PINNED = Path(__file__).parents[2] / "constraints.txt"
OURS = {"chromino", "pip", "setuptools"}  # The last two come with some environments.


def normal(name: str) -> str:
    """A package's name in the form that PyPI compares."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    lines = [line for line in PINNED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found = dict(line.split("==") for line in lines)
    assert list(found) == [normal(name) for name in found], "write names in the form that PyPI compares"
    assert len(found) == len(lines), "each name may appear only once"
    return found


def test_everything_installed_is_pinned() -> None:
    installed = {normal(found.name): found.version for found in distributions(path=sys.path) if found.name}
    known = pinned()
    wrong = {name: version for name, version in installed.items() if known.get(name) != version}
    assert wrong.keys() <= OURS, wrong
