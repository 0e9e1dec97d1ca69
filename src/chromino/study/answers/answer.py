"""An answer to a question: sentences, a table and plots, all from the same sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar

from chromino.draw.shapes import Drawing
from chromino.study.cells import UNIT, Cell, CellSums
from chromino.study.estimates import Estimate
from chromino.study.plan import QUESTIONS
from chromino.study.results import Results

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Share:
    """An estimate to be shown as a percentage."""

    estimate: Estimate
    signed: bool = False

    def __str__(self) -> str:
        return self.estimate.percent(signed=self.signed)


@dataclass(frozen=True, slots=True)
class Number:
    """An estimate to be shown as a plain number."""

    estimate: Estimate
    signed: bool = False

    def __str__(self) -> str:
        return self.estimate.number(signed=self.signed)


Entry = str | int | Share | Number


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question, from the games played so far."""

    question: str
    games: int
    sentences: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    plots: dict[str, Drawing]
    """The plots by name, which is the question, or the question with a suffix."""
    note: str
    """What the figures mean, and what they don't."""

    @property
    def title(self) -> str:
        """The question in words."""
        return QUESTIONS[self.question]

    def to_json(self) -> dict[str, Any]:
        """The title, sentences and table, with `value`, `low` and `high` for each estimate."""
        rows = [dict(zip(self.head, map(_plain, row), strict=True)) for row in self.rows]
        return {"title": self.title, "games": self.games, "sentences": list(self.sentences), "rows": rows}


def shown(entry: Entry) -> str:
    """A table entry as text.

    >>> shown(100000)
    '100,000'
    """
    return f"{entry:,}" if isinstance(entry, int) else str(entry)


def _plain(entry: Entry) -> Any:
    if isinstance(entry, str | int):
        return entry
    value, low, high = entry.estimate.value, entry.estimate.low, entry.estimate.high
    is_known = isfinite(low + high)
    return {"value": value, "low": low if is_known else None, "high": high if is_known else None}


# Used by several answers:


def known(cells: Mapping[T, Cell], results: Results) -> dict[T, CellSums]:
    """The sums of the cells with at least two games."""
    return {name: results.of(cell) for name, cell in cells.items() if results.of(cell).games > 1}


def all_games(cells: Iterable[CellSums]) -> int:
    """How many games these sums come from."""
    return sum(sums.games for sums in cells)


def share_of(sums: CellSums, place: int) -> Estimate:
    """How often the player at this place in the turn order wins; 0 goes first."""
    return sums.ratios[f"order {place}"].estimate(UNIT)


def players_text(number: int) -> str:
    return "solo" if number == 1 else f"{number} players"
