"""Estimates with 95% confidence intervals, from sums that can be added up in any order.

All sums are whole numbers, so adding them is exact: the results don't depend on where and when each game was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, inf, isfinite, log10, sqrt
from statistics import NormalDist
from typing import Self

Z = 1.959963984540054
"""In a normal distribution, 95% lies within Z standard deviations of the mean."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95% confidence interval."""

    value: float
    low: float
    high: float

    @classmethod
    def from_error(cls, value: float, error: float) -> Self:
        """An estimate whose error is normally distributed, with this standard error."""
        return cls(value, value - Z * error, value + Z * error)

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference from an independent estimate, by Newcombe's method."""
        value = self.value - other.value
        return Estimate(
            value,
            value - sqrt((self.value - self.low) ** 2 + (other.high - other.value) ** 2),
            value + sqrt((self.high - self.value) ** 2 + (other.value - other.low) ** 2),
        )

    def plus(self, number: float) -> Estimate:
        """This estimate plus a known number."""
        return Estimate(self.value + number, self.low + number, self.high + number)

    def times(self, number: float) -> Estimate:
        """This estimate times a known number, for example to change units."""
        return Estimate(self.value * number, self.low * number, self.high * number)

    def compare(self, number: float, among: int = 1) -> int:
        """Is the value clearly larger (1) or smaller (-1) than a number, or neither (0)?

        If you look at many estimates, some stand out by chance. So the more there are (`among`), the more each one has
        to stand out (the Bonferroni correction): at most one study in 20 names any of them by mistake.

        >>> Estimate(0.6, 0.51, 0.69).compare(0.5), Estimate(0.6, 0.51, 0.69).compare(0.5, among=11)
        (1, 0)
        """
        wider = NormalDist().inv_cdf(1 - 0.025 / among) / Z
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return (low > number) - (high < number)

    def percent(self, *, signed: bool = False) -> str:
        """As a percentage.

        >>> Estimate(0.5213, 0.5182, 0.5244).percent()
        '52.1% ± 0.3'
        >>> Estimate(0.0, 0.0, 0.0038).percent()
        '0.0% (0.0 to 0.4)'
        """
        return self.times(100)._text("%", signed)

    def number(self, *, signed: bool = False) -> str:
        """As a plain number.

        >>> Estimate(35.45, 35.33, 35.57).number()
        '35.45 ± 0.12'
        """
        return self._text("", signed)

    def _text(self, unit: str, signed: bool) -> str:
        below, above = self.value - self.low, self.high - self.value
        if not isfinite(below + above):
            return "too few games"
        digits = _digits(max(below, above))
        rounded = round(self.value, digits) or 0.0  # Never minus zero.
        plus = "+" if signed and rounded else ""
        value = f"{rounded:{plus}.{digits}f}{unit}".replace("-", "−")
        if f"{below:.{digits}f}" == f"{above:.{digits}f}":
            return f"{value} ± {above:.{digits}f}"
        return f"{value} ({self.low:.{digits}f} to {self.high:.{digits}f})".replace("-", "−")


def _digits(half: float) -> int:
    """How many decimals to show if half the interval has this size: one significant digit, or two if the first is 1."""
    if half <= 0:
        return 1
    first = floor(log10(half))
    return min(max(-first + (half < 2 * 10.0**first), 0), 4)


def wilson(successes: int, trials: int) -> Estimate:
    """A share with its Wilson interval, which also works for rare events.

    >>> share = wilson(0, 100)
    >>> share.value, share.low, round(share.high, 3)
    (0.0, 0.0, 0.037)
    """
    if trials == 0:
        return Estimate(0.0, -inf, inf)
    share, spread = successes / trials, Z * Z / trials
    center = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    return Estimate(share, max(center - half, 0.0) if successes else 0.0, min(center + half, 1.0))


class Ratio:
    """A sum of amounts divided by a sum of counts, over independent games: a mean, or a share of turns.

    The turns of a game aren't independent, but games are, so the interval depends on how much games differ.
    """

    __slots__ = ("_sums",)

    def __init__(self, sums: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)) -> None:
        self._sums = list(sums)

    def add(self, amount: int, count: int = 1) -> None:
        """Add one game."""
        sums = self._sums
        sums[0] += 1
        sums[1] += amount
        sums[2] += count
        sums[3] += amount * amount
        sums[4] += amount * count
        sums[5] += count * count

    def merge(self, other: Ratio) -> None:
        """Add the games of another ratio."""
        self._sums = [mine + theirs for mine, theirs in zip(self._sums, other._sums, strict=True)]

    @property
    def games(self) -> int:
        """How many games were added."""
        return self._sums[0]

    def estimate(self, unit: int = 1) -> Estimate:
        """The ratio; `unit` is the amount that counts as 1."""
        games, amounts, counts, squares, products, count_squares = self._sums
        if not counts:
            return Estimate(0.0, -inf, inf)
        ratio = amounts / counts
        if games < 2:
            return Estimate(ratio / unit, -inf, inf)
        spread = squares - 2 * ratio * products + ratio * ratio * count_squares
        error = sqrt(max(spread, 0.0) * games / (games - 1)) / counts
        return Estimate.from_error(ratio / unit, error / unit)

    def to_json(self) -> list[int]:
        return list(self._sums)

    def __eq__(self, other: object) -> bool:
        return self._sums == other._sums if isinstance(other, Ratio) else NotImplemented

    def __hash__(self) -> int:
        raise TypeError("ratios can change, so they can't be hashed")

    def __repr__(self) -> str:
        return f"Ratio({tuple(self._sums)})"


def mean(counts: Mapping[int, int]) -> Estimate:
    """The mean of numbers, given how often each occurred.

    >>> mean({0: 50, 1: 50}).value
    0.5
    """
    total = sum(counts.values())
    if total < 2:
        return Estimate(float(sum(counts)), -inf, inf)
    value = sum(number * count for number, count in counts.items()) / total
    spread = sum((number - value) ** 2 * count for number, count in counts.items())
    return Estimate.from_error(value, sqrt(spread / (total - 1) / total))


def quantile(counts: Counter[int], fraction: float) -> int:
    """The smallest number such that at least this fraction of all numbers is no larger than it.

    >>> quantile(Counter({1: 5, 2: 4, 9: 1}), 0.9)
    2
    """
    left = fraction * counts.total()
    for number in sorted(counts):
        left -= counts[number]
        if left <= 0:
            return number
    raise ValueError("nothing was counted")
