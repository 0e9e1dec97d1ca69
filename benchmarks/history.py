"""The rules engine against itself over time: the same loop on chosen revisions of it, in one run: `make bench`.

Each revision is taken out of git and measured in processes of its own, in turn with the others, so that whatever else
the machine does meets all of them. The best of several rounds counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.engine import heading, mid_games, print_table

ROOT = Path(__file__).parent.parent
ROUNDS = 7
POSITIONS = 100
GAMES = 60


class Revision(NamedTuple):
    """A state of the engine that is worth a line."""

    name: str
    what: str


REVISIONS = (
    Revision("d1c693c", "the first whole game"),
    Revision("62d0479", "records, names and seeds checked; views as JSON"),
    Revision("eac8c65", "a server stands on it"),
    Revision("ca70794", "who ended where; reviews"),
)
NOW = Revision("now", "as it is here")


class NoHistory(Exception):
    """Why the past cannot be measured here."""


def unpack(revision: Revision, folder: Path, root: Path = ROOT) -> Path:
    """The sources of a revision: the folder that belongs on the path."""
    try:
        done = subprocess.run(
            ["git", "archive", revision.name, "src/chromino"],  # noqa: S607
            cwd=root,
            capture_output=True,
            check=True,
        )
    except FileNotFoundError:
        raise NoHistory("git is not installed") from None
    except subprocess.CalledProcessError:
        if not (root / ".git").exists():
            raise NoHistory("this is no clone, but a copy of one version") from None
        raise NoHistory(f"this clone does not reach back to {revision.name}; `git fetch --unshallow` gets it") from None
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(folder / revision.name, filter="data")
    return folder / revision.name / "src"


def measure(source: Path, positions: Sequence[tuple[str, list[str]]], games: int = GAMES) -> list[float]:
    """One round: seconds a hand, an action and a view."""
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "loop.py"],
        input=json.dumps({"positions": positions, "games": games}),
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    if not Path(answer["from"]).is_relative_to(source):
        raise RuntimeError(f"{answer['from']} was measured instead of {source}")
    seconds: list[float] = answer["seconds"]
    return seconds


def main() -> None:
    """Measure and print a table in Markdown."""
    positions = [(str(table), [str(tile) for tile in hand]) for table, hand in mid_games(POSITIONS)]
    with TemporaryDirectory(prefix="chromino-history-") as folder:
        sources: dict[Revision, Path] = {}
        try:
            for revision in REVISIONS:
                sources[revision] = unpack(revision, Path(folder))
        except NoHistory as why:
            print(f"The engine over time: {why}.\n")
        sources[NOW] = ROOT / "src"
        rounds = [{revision: measure(source, positions) for revision, source in sources.items()} for _ in range(ROUNDS)]
    best = {
        revision: [min(found) for found in zip(*(one[revision] for one in rounds), strict=True)] for revision in sources
    }
    print(heading("one core"))
    print_table(("the engine over time", "placements of a hand", "actions a second", "views a second"), rows(best))


def rows(best: dict[Revision, list[float]]) -> list[tuple[str, ...]]:
    """A line for each revision, with how fast it is against the first."""
    first = next(iter(best.values()))
    found = []
    for revision, (hand, action, view) in best.items():
        figures = (f"{hand * 1e6:.1f} µs", f"{1 / action:,.0f}", f"{1 / view:,.0f}")
        ratios = (before / after for before, after in zip(first, (hand, action, view), strict=True))
        cells = (f"{figure}, {ratio:.2f} ×" for figure, ratio in zip(figures, ratios, strict=True))
        found.append((f"{revision.name}: {revision.what}", *cells))
    return found


if __name__ == "__main__":
    main()
