"""The server with a crowd: real games, real sockets, a real database, and clients on the same machine (`make load`).

`--knee` adds games and moves until the server can't keep up. `--flood` adds someone who sends as much as they can.
`--against ../old` alternates with another version (`make load AGAINST=../old`). `--homes 1 2 4` alternates between one,
two and four processes behind nginx.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from time import perf_counter, process_time
from types import TracebackType
from typing import Any, Self

import uvloop

from benchmarks.crowd import Crowd, Figures
from benchmarks.engine import heading, print_table
from tests.server.sites.processes import busy_seconds, cpu_seconds, memory
from tests.server.sites.site import DATABASES, Site, run_site

P99_GOAL = 10  # Milliseconds.
GOALS = (
    f"Goals: 5 / {P99_GOAL} / 150 ms from action to acknowledgment (median / p99 / max), 60 kB per socket, "
    "200 moves a second, nothing lost or duplicated."
)
KNEE = ((500, 100), (1000, 200), (1000, 400), (2000, 800), (4000, 800), (4000, 1500), (4000, 2000))
KNEE_SECONDS = 15.0
_MAX_P99 = 1000  # Stop if p99 exceeds this, in milliseconds.
_WARM_SECONDS = 5.0
_ROUNDS = 6  # How many times we alternate: with and without a flood, or between two versions.


@dataclass(frozen=True)
class Measured:
    """Measurements of a period of play."""

    figures: Figures
    seconds: float
    server: float
    """CPU seconds of the server's processes."""
    clients: float
    busy: float
    """The share of all cores' time that was used by any process."""
    nginx: float = 0.0
    postgres: float = 0.0

    def __add__(self, other: Measured) -> Measured:
        seconds = self.seconds + other.seconds
        busy = (self.busy * self.seconds + other.busy * other.seconds) / seconds
        return Measured(
            self.figures + other.figures,
            seconds,
            self.server + other.server,
            self.clients + other.clients,
            busy,
            self.nginx + other.nginx,
            self.postgres + other.postgres,
        )

    @property
    def rate(self) -> float:
        return len(self.figures.acknowledged) / self.seconds

    @property
    def p99(self) -> float:
        """The 99th percentile of the time from an action to its acknowledgment, in milliseconds."""
        return 1000 * quantile(self.figures.acknowledged, 0.99)


async def measured(crowd: Crowd, site: Site, rate: float, seconds: float) -> Measured:
    """Play for a while, and measure."""
    parts = site.pids
    crowd.figures = Figures()
    begin, clients_begin, busy_begin = perf_counter(), process_time(), busy_seconds()
    parts_begin = {name: cpu_seconds(pids) for name, pids in parts.items()}
    await crowd.play(rate, seconds)
    busy, possible = (after - before for after, before in zip(busy_seconds(), busy_begin, strict=True))
    return Measured(
        crowd.figures,
        perf_counter() - begin,
        clients=process_time() - clients_begin,
        busy=busy / possible,
        **{name: cpu_seconds(pids) - parts_begin[name] for name, pids in parts.items()},
    )


def quantile(times: list[float], fraction: float) -> float:
    """A quantile of these times."""
    return sorted(times)[min(len(times) - 1, int(fraction * len(times)))] if times else 0.0


def shown(times: list[float]) -> str:
    """Median, p99 and maximum."""
    return " / ".join(f"{1000 * quantile(times, fraction):.1f}" for fraction in (0.5, 0.99, 1.0)) + " ms"


def counted(counts: Counter[str]) -> str:
    return ", ".join(f"{code}: {count:,}" for code, count in counts.most_common()) or "none"


def _processes(count: int) -> str:
    return "1 process" if count == 1 else f"{count} processes"


def _title(options: Namespace) -> str:
    players = f"{options.games:,} games with {options.seats} players"
    return f"{players}, {options.database}, {_processes(options.workers)}"


def rows(measurements: Measured) -> list[tuple[str, str]]:
    figures = measurements.figures
    moves = max(1, len(figures.acknowledged))
    other_cpu = {"nginx": measurements.nginx, "PostgreSQL": measurements.postgres}
    return [
        ("action to acknowledgment, median / p99 / max", shown(figures.acknowledged)),
        ("action to the others' pages, median / p99 / max", shown(figures.seen)),
        ("moves a second", f"{measurements.rate:.1f}"),
        ("rematches", f"{figures.rematches:,}"),
        ("refusals", counted(figures.refusals)),
        ("sockets lost", f"{figures.lost:,}"),
        ("server CPU, per second", f"{measurements.server / measurements.seconds:.2f} s"),
        ("server CPU, per move", f"{1000 * measurements.server / moves:.2f} ms"),
        *((f"{name} CPU, per move", f"{1000 * spent / moves:.2f} ms") for name, spent in other_cpu.items() if spent),
        ("clients' CPU, per second", f"{measurements.clients / measurements.seconds:.2f} s"),
        ("share of all cores used", f"{measurements.busy:.0%}"),
        ("how late the clients were, median / p99 / max", shown(figures.late)),
    ]


async def steady(site: Site, options: Namespace) -> list[str]:
    """Play all games at once, for several minutes, and return what went wrong."""
    server = site.server
    before = memory(server.pids)
    crowd = Crowd(server.port, options.seed)
    begin = perf_counter()
    await crowd.come(options.games, options.seats)
    arrival_seconds = perf_counter() - begin
    sockets = options.games * options.seats
    opened = memory(server.pids)
    await _warm(crowd, options.moves)
    quiet, flooded, answers = await _played(crowd, site, options)
    after = memory(server.pids)
    await crowd.close()
    complaints = await crowd.ledger.check(site.database)

    print(heading("two"))
    columns = [rows(quiet)] if flooded is None else [rows(quiet), rows(flooded)]
    title = _title(options)
    head = (title, "figure") if flooded is None else (title, "without the flood", "with it")
    table = [(row[0][0], *(cell[1] for cell in row)) for row in zip(*columns, strict=True)]
    for text, figure in (
        ("server memory per socket, when everyone has arrived", f"{(opened - before) / 1000 / sockets:.1f} kB"),
        ("server memory per socket, after play", f"{(after - before) / 1000 / sockets:.1f} kB"),
        ("time until everyone has arrived", f"{arrival_seconds:.1f} s"),
        ("moves lost or duplicated", f"{len(complaints)} of {len(crowd.ledger.acknowledged):,}"),
    ):
        table.append((text, figure, *[""] * (len(head) - 2)))
    print_table(head, table)
    if options.flood:
        print(f"\nAnswers to the flood: {counted(answers)}.")
    print(f"\n{GOALS}")
    return complaints


class Side:
    """One of the servers being compared, and its crowd: see `benchmarks.compared_version`."""

    def __init__(self, checkout: Path, options: Namespace, homes: int | None = None) -> None:
        # Only the script comes from this version. Everything it imports comes from the checkout.
        words = [sys.executable, "-P", Path(__file__).with_name("compared_version.py")]
        self._process = subprocess.Popen(
            [
                *map(str, words),
                options.database,
                str(homes or options.workers),
                str(options.seed),
                *["nginx"] * bool(homes),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{checkout / 'src'}{os.pathsep}{checkout}"},
        )

    def ask(self, *words: Any) -> Any:
        """Send a command, and wait for the result."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process has no pipes")
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the server or its crowd stopped; the output above says why")
        return json.loads(line)

    def play(self, moves: float, seconds: float) -> Measured:
        measurements = self.ask("play", moves, seconds)
        figures = measurements.pop("figures")
        return Measured(Figures(**figures | {"refusals": Counter(figures["refusals"])}), **measurements)

    def close(self) -> list[str]:
        """Make everyone leave, and return what went wrong."""
        complaints: list[str] = self.ask("close")
        return complaints

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # The process exits when its input is closed.


def versus(options: Namespace) -> list[str]:
    """Alternate between another version and this one, or between numbers of processes, and return what went wrong."""
    here = Path(__file__).parents[1]
    with ExitStack() as stack:
        if options.homes:
            title = f"{options.games:,} games with {options.seats} players, PostgreSQL, behind nginx"
            names = [_processes(count) for count in options.homes]
            sides = [stack.enter_context(Side(here, options, count)) for count in options.homes]
        else:
            title = _title(options)
            names = ["before", "after"]
            sides = [stack.enter_context(Side(checkout, options)) for checkout in (options.against.resolve(), here)]
        for side in sides:
            side.ask("come", options.games, options.seats)
            side.ask("warm", options.moves, _WARM_SECONDS)
        turns = [[side.play(options.moves, options.seconds / _ROUNDS) for side in sides] for _ in range(_ROUNDS)]
        complaints = [complaint for side in sides for complaint in side.close()]
    print(heading("two"))
    columns = [rows(reduce(add, times)) for times in zip(*turns, strict=True)]
    print_table((title, *names), [(row[0][0], *(cell for _, cell in row)) for row in zip(*columns, strict=True)])
    return complaints


async def knee(site: Site, options: Namespace) -> list[str]:
    """Add games and moves until the server can't keep up, and return what went wrong."""
    crowd = Crowd(site.server.port, options.seed)
    before = memory(site.server.pids)
    table, best = [], "none"
    for games, moves in KNEE:
        await crowd.come(games - len(crowd.tables), options.seats)
        await _warm(crowd, moves)
        measurements = await measured(crowd, site, moves, options.seconds)
        times = measurements.figures.acknowledged
        sockets = games * options.seats
        table.append(
            (
                f"{games:,} games, {moves} moves a second",
                f"{measurements.rate:.0f}",
                *(f"{1000 * quantile(times, fraction):.1f}" for fraction in (0.5, 0.99, 1.0)),
                f"{measurements.server / measurements.seconds:.2f}",
                f"{measurements.clients / measurements.seconds:.2f}",
                f"{measurements.busy:.0%}",
                f"{(memory(site.server.pids) - before) / 1000 / sockets:.0f}",
            )
        )
        if measurements.p99 <= P99_GOAL:
            best = table[-1][0]
        if measurements.p99 > _MAX_P99:
            break
    await crowd.close()
    print(heading("two"))
    title = f"{options.database}, {_processes(options.workers)}"
    print_table((title, "reached", "p50", "p99", "max", "server", "clients", "busy", "kB per socket"), table)
    print(f"\nThe highest load with a p99 of at most {P99_GOAL} ms: {best}.")
    return await crowd.ledger.check(site.database)


async def _warm(crowd: Crowd, rate: float) -> None:
    """Play without measuring, then stop the clients' garbage collection, which would slow them down later."""
    await crowd.play(rate, _WARM_SECONDS)
    gc.collect()
    gc.freeze()
    gc.disable()


async def _played(crowd: Crowd, site: Site, options: Namespace) -> tuple[Measured, Measured | None, Counter[str]]:
    """Play and measure; with `--flood`, someone sends as much as they can half of the time.

    Periods with and without the flood alternate, so that about as many games end in one kind as in the other. The last
    value counts the answers that the flood got.
    """
    if not options.flood:
        return await measured(crowd, site, options.moves, options.seconds), None, Counter()
    seconds = options.seconds / _ROUNDS
    words = [sys.executable, "-m", "benchmarks.flood", str(site.server.port), str(seconds)]
    quiet, flooded, answers = [], [], Counter[str]()
    for _ in range(_ROUNDS):
        quiet.append(await measured(crowd, site, options.moves, seconds))
        flood = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
        flooded.append(await measured(crowd, site, options.moves, seconds))
        output, _ = await flood.communicate()
        answers += Counter(json.loads(output))
    return reduce(add, quiet), reduce(add, flooded), answers


def _options() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=4, help="people at each table")
    parser.add_argument("--moves", type=float, default=200, help="per second, in all games together")
    parser.add_argument("--seconds", type=float, help=f"of play (300; {KNEE_SECONDS:.0f} for each step of --knee)")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--workers", type=int, default=1, help="server processes")
    parser.add_argument("--seed", type=int, default=1, help="for the crowd's choices")
    parser.add_argument("--flood", action="store_true", help="alternate with someone who floods the server")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another version to alternate with")
    parser.add_argument(
        "--homes", type=int, nargs="+", metavar="N", help="numbers of processes behind nginx, to alternate between"
    )
    parser.add_argument("--knee", action="store_true", help="add games and moves until the server can't keep up")
    options = parser.parse_args()
    if options.homes:
        options.database = "postgresql"
    if options.seconds is None:
        options.seconds = KNEE_SECONDS if options.knee else 300.0
    return options


def main() -> None:
    options = _options()
    if options.against is not None or options.homes:
        complaints = versus(options)
    else:
        # Everyone comes from one address, so there are no limits per address.
        with (
            run_site(options.database, options.workers, limits="identity") as site,
            site.server,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            complaints = runner.run((knee if options.knee else steady)(site, options))
    if complaints:
        sys.exit("\n".join(["", "Problems:", *complaints]))


if __name__ == "__main__":
    main()
