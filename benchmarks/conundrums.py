"""How long it takes to solve and make conundrums: `make bench`."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from benchmarks.engine import best, heading, print_table
from chromino import Game, Rules, Table
from chromino.conundrum.grading import GRADES
from chromino.conundrum.making import make
from chromino.tiles import ALL_TILES
from tests.oracle import Oracle

SEEDS = 40


def full_table() -> Table:
    """A table with all 80 tiles, or nearly all."""
    game = Game.start(Rules.preset("classic", hand_size=79), ["Ada"], seed=0)
    while not game.over:
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    return game.table


def solving(table: Table) -> float:
    """Seconds to find all places for 80 tiles, on a new table each time."""
    text = str(table)
    tables: list[Table] = []

    def prepare() -> None:
        tables[:] = [Table.parse(text) for _ in range(20)]

    def work() -> int:
        for new_table in tables:
            for tile in ALL_TILES[:80]:
                new_table.placements(tile)
        return len(tables)

    return best(work, prepare=prepare)


def oracle_solving(table: Table) -> float:
    """Seconds that the oracle would take for all 80 tiles: 20 times what it takes for four of them."""
    start = perf_counter()
    oracle = Oracle(str(table))
    for tile in ALL_TILES[:4]:
        oracle.placements(str(tile))
    return (perf_counter() - start) * 20


def making(grade: int) -> float:
    """Median seconds to make a conundrum of this grade."""
    times = []
    for seed in range(SEEDS):
        start = perf_counter()
        make(f"bench {seed}", grade)
        times.append(perf_counter() - start)
    return median(times)


def making_with_given_counts() -> float:
    """Seconds to make a conundrum with the rulebook's counts, for the slowest of ten seeds."""
    times = []
    for seed in range(10):
        start = perf_counter()
        make(seed, counts={"YRB": 5, "GBB": 7})
        times.append(perf_counter() - start)
    return max(times)


def main() -> None:
    table = full_table()
    solved, by_oracle = solving(table), oracle_solving(table)
    print(heading("one"))
    print_table(
        ("solving and making conundrums", "figure"),
        [
            (f"all places of 80 tiles, {len(table)} tiles on the table", f"{1000 * solved:.2f} ms"),
            ("oracle's time ÷ engine's time", f"{by_oracle / solved:,.0f} ×"),
            *(
                (f"making one of grade {grade}, median of {SEEDS}", f"{1000 * making(grade):.0f} ms")
                for grade in GRADES
            ),
            ("making one with given counts (5 and 7), slowest of ten", f"{making_with_given_counts():.2f} s"),
        ],
    )


if __name__ == "__main__":
    main()
