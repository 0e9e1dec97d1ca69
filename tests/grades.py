"""`make grades`: a thousand conundrums of each grade, all valid and different, and what makes them hard.

Prints the table in docs/conundrums.md, which takes minutes; `make test` tries forty of each grade.
"""

from __future__ import annotations

from statistics import mean

from joblib import Parallel, delayed

from benchmarks.engine import print_table
from chromino.conundrum import GRADES, Conundrum, difficulty, make
from tests.valid_conundrum import assert_valid

SEEDS = 1000
COUNTED = {
    "tiles on the table": "tiles_on_table",
    "places": "places",
    "rotations": "rotated",
    "corners": "corners",
    "by a wild center": "by_wild",
    "near misses": "near_misses",
}


def made(grade: int, seed: int) -> Conundrum:
    """A conundrum that agrees with the oracle."""
    conundrum = make(f"statistics {seed}", grade)
    assert_valid(conundrum)
    return conundrum


def row(grade: int) -> tuple[str, ...]:
    conundrums = Parallel(n_jobs=-1)(delayed(made)(grade, seed) for seed in range(SEEDS))
    found = [difficulty(conundrum) for conundrum in conundrums]
    assert all(one.grade == grade for one in found)
    scores = [one.score for one in found]
    means = (f"{mean(getattr(one, name) for one in found):.1f}" for name in COUNTED.values())
    different = len(set(map(str, conundrums)))
    assert different == SEEDS
    return str(grade), f"{min(scores):.1f}–{max(scores):.1f}", *means, f"{different:,}"


if __name__ == "__main__":
    print_table(("grade", "score", *COUNTED, "distinct conundrums"), [row(grade) for grade in GRADES])
