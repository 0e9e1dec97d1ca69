"""A study file: JSON Lines with a header, then the sums of each batch, so that nothing is played twice.

    {"study": 1, "chromino": "0.1.0", "play": "8d2c…", "seed": 1}
    {"cell": "classic, 2 players, snail", "batches": [0, 1], "sums": {…}}

A line is added after each batch; when the file is shortened, one line holds many batches. If the last line was cut off,
its batches are played again. `play` is a digest of a few games between foxes. If a change to the rules or that bot
changes those games, it changes the digest, too, and the study can't continue.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from io import BufferedRandom
from pathlib import Path
from random import Random
from typing import Any

from chromino.bots import find
from chromino.game import Game
from chromino.rules import PRESETS
from chromino.study.cells import Cell, CellSums, StudyError
from chromino.version import __version__

try:
    import fcntl
except ImportError:  # Windows has no fcntl, so nothing keeps two studies from sharing a file there.
    fcntl = None  # type: ignore[assignment]

FORMAT = 1


@dataclass(slots=True)
class Results:
    """What's been played so far. If there's a file, each batch is written to it right away."""

    seed: int
    played: dict[str, set[int]] = field(default_factory=dict)
    """Batch numbers by cell key."""
    sums: dict[str, CellSums] = field(default_factory=dict)
    _file: BufferedRandom | None = None

    def of(self, cell: Cell) -> CellSums:
        """All sums of a cell."""
        return self.sums.get(cell.key, CellSums())

    def missing(self, plan: dict[Cell, int]) -> list[tuple[Cell, int]]:
        """The batches still to play, in an order that lets all cells progress about equally."""
        unplayed = [
            ((number + 1) / batches, cell, number)
            for cell, batches in plan.items()
            for number in range(batches)
            if number not in self.played.get(cell.key, ())
        ]
        return [(cell, number) for _, cell, number in sorted(unplayed, key=lambda item: item[0])]

    def add(self, cell: Cell, number: int, sums: CellSums) -> None:
        """Add a batch that was just played."""
        self._merge(cell.key, range(number, number + 1), sums)
        if self._file is not None:
            self._file.write(_line(cell.key, number, number + 1, sums))
            self._file.flush()

    def _merge(self, key: str, batches: range, sums: CellSums) -> None:
        played = self.played.setdefault(key, set())
        if played.isdisjoint(batches):
            played.update(batches)
            self.sums.setdefault(key, CellSums()).merge(sums)
        elif not played.issuperset(batches):
            raise StudyError(
                f"some of the batches {batches.start} to {batches.stop - 1} of {key!r} were already counted"
            )

    @classmethod
    def open(cls, path: Path, seed: int) -> Results:
        """Open a file of results to add to, and create it if needed; only one study can use a file at a time."""
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
        try:
            if fcntl is not None:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            results = cls(seed, _file=file)
            file.seek(0)
            results._read(file.read(), path)
        except BlockingIOError:
            file.close()
            raise StudyError(
                f"another study is writing to {path} right now; wait for it to finish or use another file"
            ) from None
        except StudyError:
            file.close()
            raise
        return results

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read the results in a file."""
        data = path.read_bytes()
        first = data.split(b"\n", 1)[0]
        results = cls(_seed(_parsed(first, path, 1), path))
        results._read(data, path)
        return results

    def _read(self, data: bytes, path: Path) -> None:
        *lines, unfinished = data.split(b"\n")
        if not lines:
            self._start(unfinished, path)
            return
        header = _parsed(lines[0], path, 1)
        seed = _seed(header, path)
        if self._file is not None and header.get("play") != games_digest():
            raise StudyError(
                f"{path} was written by chromino {header.get('chromino')}, and rules or bots have changed since then: "
                "delete it or use another file"
            )
        if seed != self.seed:
            raise StudyError(f"{path} has the seed {seed}, not {self.seed}: pass --seed {seed} or use another file")
        for number, line in enumerate(lines[1:], start=2):
            match _parsed(line, path, number):
                case {"cell": str(key), "batches": [int(begin), int(end)], "sums": sums} if 0 <= begin < end:
                    try:
                        self._merge(key, range(begin, end), CellSums.from_json(sums))
                    except StudyError as error:
                        raise StudyError(f"{path}, line {number}: {error}") from None
                case _:
                    raise StudyError(f"{path}, line {number}: expected cell, batches and sums")
        if unfinished:
            self._truncate(len(data) - len(unfinished))

    def _start(self, unfinished: bytes, path: Path) -> None:
        """Write the header if the file is new or was cut off within its header; never erase any other file."""
        if self._file is None:
            return
        if not self._header().startswith(unfinished):
            raise _not_a_study(path)
        self._truncate(0)
        self._file.write(self._header())

    def _header(self) -> bytes:
        header = {"study": FORMAT, "chromino": __version__, "play": games_digest(), "seed": self.seed}
        return json.dumps(header).encode() + b"\n"

    def _truncate(self, size: int) -> None:
        if self._file is not None:
            self._file.truncate(size)

    def shorten(self, path: Path) -> None:
        """Rewrite a file with as few lines as possible."""
        lines = [self._header()]
        for key in sorted(self.sums):
            batches = sorted(self.played[key])
            if batches != list(range(len(batches))):
                return  # There are gaps, and a line can only hold consecutive batches.
            lines.append(_line(key, 0, len(batches), self.sums[key]))
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(b"".join(lines))
        new.replace(path)


def _line(key: str, begin: int, end: int, sums: CellSums) -> bytes:
    data = {"cell": key, "batches": [begin, end], "sums": sums.to_json()}
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _parsed(line: bytes, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise StudyError(f"{path}, line {number} isn't JSON: is this a study file?") from None


def _seed(header: Any, path: Path) -> int:
    match header:
        case {"study": int(version), "seed": int(seed)}:
            if version != FORMAT:
                raise StudyError(
                    f"{path} has format {version}, but this version of chromino reads {FORMAT}: use another file"
                )
            return seed
    raise _not_a_study(path)


def _not_a_study(path: Path) -> StudyError:
    return StudyError(f"{path} isn't a study file: its first line must have study, chromino, play and seed")


@cache
def games_digest() -> str:
    """A digest of one game per preset, played by foxes. It stays the same as long as those games do."""
    digest, bot = sha256(), find("fox")
    for name, rules in PRESETS.items():
        game, rng = Game.start(rules, ["bot"] * 2, name), Random(name)
        while not game.over:
            game = game.apply(bot.choose(game.view(game.seat), rng))
        digest.update(str(game.record).encode())
    return digest.hexdigest()[:16]
