"""What a move, socket, bot's turn and review cost on a site with PostgreSQL and nginx: `python -m benchmarks.costs`.

docs/scaling.md uses these figures.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from dataclasses import dataclass
from time import perf_counter

import asyncpg
import uvloop

from benchmarks.crowd import Crowd
from benchmarks.engine import heading, print_table
from benchmarks.load import measured
from chromino.review.reviewing import PLAYOUTS
from tests.server.sites.nginx import ServersBehindNginx
from tests.server.sites.postgres import Postgres
from tests.server.sites.processes import cpu_seconds, memory
from tests.server.sites.serving import ME, Client
from tests.server.sites.site import Site

_SEATS, _MOVE = 4, "move in a four-player game"
_IDLE_SECONDS = 20.0  # Long enough for each socket to be pinged.
_REPORT_SECONDS = 2.0  # After this long, PostgreSQL's processes have reported what they did.
_BOTS = ("snail", "hedgehog", "fox", "owl", "dragon")
_BOT_GAMES = 3

Row = tuple[str, str]


@dataclass(frozen=True)
class Usage:
    """The resources used so far."""

    at: float
    cpu: dict[str, float]
    commits: int
    log_bytes: int
    stored_bytes: int


async def usage(site: Site) -> Usage:
    """What the server, nginx and PostgreSQL have used so far."""
    await asyncio.sleep(_REPORT_SECONDS)
    cpu = {name: cpu_seconds(pids) for name, pids in site.pids.items()}
    connection = await asyncpg.connect(str(site.database))
    (row,) = await connection.fetch(
        "SELECT xact_commit, pg_current_wal_lsn() - '0/0'::pg_lsn AS written, pg_database_size(datname) AS size "
        "FROM pg_stat_database WHERE datname = current_database()"
    )
    await connection.close()
    return Usage(perf_counter(), cpu, row["xact_commit"], int(row["written"]), row["size"])


async def people(site: Site, server: ServersBehindNginx, games: int, rate: float, seconds: float) -> list[Row]:
    """What sockets and moves cost."""
    sockets = games * _SEATS
    nobody = await usage(site)
    await asyncio.sleep(_IDLE_SECONDS)
    alone, before, before_nginx = await usage(site), memory(server.pids), memory(site.pids["nginx"])
    crowd = Crowd(server.port, 1)
    await crowd.come(games, _SEATS)
    opened, opened_nginx, quiet = memory(server.pids), memory(site.pids["nginx"]), await usage(site)
    await asyncio.sleep(_IDLE_SECONDS)
    begin = await usage(site)
    measurements = await measured(crowd, site, rate, seconds)
    end = await usage(site)
    await crowd.close()
    await asyncio.sleep(_REPORT_SECONDS)
    sent = sum(request.bytes for request in server.routed_requests if request.path.endswith("/play"))

    moves = len(measurements.figures.acknowledged)
    base = {name: (alone.cpu[name] - nobody.cpu[name]) / (alone.at - nobody.at) for name in alone.cpu}
    idle = {name: (begin.cpu[name] - quiet.cpu[name]) / (begin.at - quiet.at) for name in quiet.cpu}
    base_commits = (alone.commits - nobody.commits) / (alone.at - nobody.at)
    commits = end.commits - begin.commits - base_commits * (end.at - begin.at)

    def per_move(name: str) -> str:
        return f"{1000 * (end.cpu[name] - begin.cpu[name] - idle[name] * (end.at - begin.at)) / moves:.2f} ms"

    print(f"{moves:,} moves and {measurements.figures.rematches} rematches\n")
    return [
        ("idle process, CPU per second: server, PostgreSQL", _pair(base, 1000)),
        ("idle process, memory", f"{before / 1e6:.0f} MB"),
        ("idle process, commits per second", f"{base_commits:.1f}"),
        ("socket, server memory", f"{(opened - before) / 1000 / sockets:.0f} kB"),
        ("socket, nginx memory", f"{(opened_nginx - before_nginx) / 1000 / sockets:.1f} kB"),
        (
            "socket without moves, server CPU per second",
            f"{1e6 * max(0.0, idle['server'] - base['server']) / sockets:.0f} µs",
        ),
        (f"{_MOVE}, server CPU", per_move("server")),
        (f"{_MOVE}, PostgreSQL CPU", per_move("postgres")),
        (f"{_MOVE}, nginx CPU", per_move("nginx")),
        (f"{_MOVE}, commits", f"{commits / moves:.2f}"),
        (f"{_MOVE}, write-ahead log", f"{(end.log_bytes - begin.log_bytes) / moves:,.0f} bytes"),
        (f"{_MOVE}, database growth", f"{(end.stored_bytes - begin.stored_bytes) / moves:,.0f} bytes"),
        (f"{_MOVE}, sent to all pages", f"{sent / moves / 1000:.1f} kB"),
    ]


def bot_turns(site: Site) -> list[Row]:
    """What each bot's turns cost, in games of one person against three bots."""
    rows = []
    for level, name in enumerate(_BOTS, 1):
        turns, client = 0, Client(site.server.url)
        before = cpu_seconds(site.server.pids)
        for _ in range(_BOT_GAMES):
            bots = [{"kind": "bot", "name": f"Bot {number}", "level": level} for number in range(3)]
            with client.open(client.new_game(ME, *bots)) as page:
                turns += page.play_on()["version"] * 3 // 4
        spent = cpu_seconds(site.server.pids) - before
        rows.append((f"{name.capitalize()}'s turn, server CPU", f"{1000 * spent / turns:.1f} ms"))
    return rows


def reviews(site: Site) -> list[Row]:
    """What reviews of whole games cost, in a helper that's already running."""
    client, spent = Client(site.server.url), []
    for _ in range(3):
        game = client.new_game(ME, {"kind": "bot", "name": "Fox", "level": 3})
        with client.open(game) as page:
            page.play_on()
        before = cpu_seconds(site.server.pids)
        answer = client.get(f"/api/games/{game}/review?seat=0")
        if answer.status != 200:
            raise RuntimeError(f"there's no review: {answer.content!r}")
        spent.append(cpu_seconds(site.server.pids) - before)
    return [
        (f"review of a two-player game, {PLAYOUTS:,} playouts, helper CPU", f"{min(spent):.2f} s"),
        ("server with its helpers, memory after the reviews", f"{memory(site.server.pids) / 1e6:.0f} MB"),
    ]


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.costs", description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--moves", type=float, default=100, help="per second, in all games together")
    parser.add_argument("--seconds", type=float, default=20, help="of play")
    options = parser.parse_args()
    extra = ["--limits", "none", "--review-playouts", str(PLAYOUTS)]
    with Postgres() as postgres, ServersBehindNginx(postgres.url, processes=1, options=extra) as servers:
        site = Site(servers, postgres.url, postgres)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            rows = runner.run(people(site, servers, options.games, options.moves, options.seconds))
        rows += bot_turns(site) + reviews(site)
    print(heading("two"))
    print_table(("one …", "costs"), rows)


def _pair(cpu: dict[str, float], times: float) -> str:
    return f"{times * cpu['server']:.0f}, {times * cpu['postgres']:.0f} ms"


if __name__ == "__main__":
    main()
