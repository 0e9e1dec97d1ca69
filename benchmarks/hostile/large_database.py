"""A database like that of a public site after several years, and how long the server's queries take on it.

`python -m benchmarks.hostile.large_database` builds one in SQLite and one in PostgreSQL (100,000 people, 200,000 games,
1,000 of them with events, and 50,000 ratings) and times the most frequent queries.
"""

from __future__ import annotations

import asyncio
import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from sqlalchemy import Connection, Table, insert

from benchmarks.engine import heading, print_table
from chromino import Game, Rules
from chromino.events import event_to_json
from chromino.server.database import presence, schema
from chromino.server.database.rows import digest
from chromino.server.database.shared_clock import as_text
from chromino.server.database.store import FINISHED, PageEnd, Store, new_id
from chromino.server.games import gatherings
from chromino.server.people import people, ratings
from chromino.server.people.identity import hashed
from chromino.server.people.leaderboards import Leaderboards
from chromino.server.rating_model import Rating, Result
from tests.helpers import states
from tests.server.sites.postgres import Postgres

_ROWS = 5_000  # How many rows to insert at once.
_GATHERINGS = 2_000
_TIMES = 30  # How many times to run each query.
HOARDED = 17_000
"""How many games a single person has."""


@dataclass(frozen=True)
class Large:
    """What's in the database, for attacks and queries."""

    hoarder: str
    """The id of someone with a huge number of games."""
    hoarder_secret: str
    """That person's secret. They also have a rating, but aren't listed."""
    with_events: list[str]
    """Games that can be replayed, and that anyone may watch."""


async def build(database: Path | str, options: Namespace, seed: int = 1) -> Large:
    """Fill an empty database."""
    rng = Random(seed)
    store = await Store.open(database)
    try:
        crowd = [new_id() for _ in range(options.people)]
        secret = new_id()
        played = [list(states(Rules.classic(), 2, number))[-1] for number in range(min(options.with_events, 200))]
        games = [new_id() for _ in range(options.games)]

        def work(connection: Connection) -> None:
            _insert(connection, schema.people, _people(crowd))
            _insert(connection, schema.devices, _devices(crowd, secret))
            _insert(connection, schema.games, _games(games, played))
            _insert(connection, schema.seats, _seats(games, crowd, played, rng))
            _insert(connection, schema.events, _events(games[: options.with_events], played))
            _insert(connection, schema.ratings, _ratings(crowd[: options.ratings], rng))
            _insert(connection, schema.results, _results(crowd, options.ratings))
            _insert(connection, schema.gatherings, _gatherings(crowd))
            _insert(connection, schema.chairs, _chairs(crowd))
            _insert(connection, schema.solved, _solved(crowd))
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("ANALYZE")

        await store.write(work, isolated=False)
        return Large(crowd[0], secret, games[: options.with_events])
    finally:
        await store.close()


def _insert(connection: Connection, table: Table, rows: Iterator[dict[str, Any]]) -> None:
    while batch := list(islice(rows, _ROWS)):
        connection.execute(insert(table), batch)


def _day(number: int) -> str:
    """A timestamp in 2025 that depends on the number."""
    return f"2025-{1 + number // 28 % 12:02}-{1 + number % 28:02}T{number % 24:02}:00:00.{number % 1000:03}+00:00"


def _people(crowd: list[str]) -> Iterator[dict[str, Any]]:
    for number, person in enumerate(crowd):
        yield {"id": person, "created": _day(number), "listed_as": f"Player {number}" if number % 10 == 1 else None}


def _devices(crowd: list[str], secret: str) -> Iterator[dict[str, Any]]:
    for number, person in enumerate(crowd):
        device_secret = secret if number == 0 else person
        yield {"secret_hash": hashed(device_secret), "person": person, "created": _day(number)}


def _games(games: list[str], played: list[Game]) -> Iterator[dict[str, Any]]:
    texts = [(str(game.record).partition("\n")[0], json.dumps(digest(game))) for game in played]
    for number, name in enumerate(games):
        header, shown = texts[number % len(texts)]
        yield {
            "id": name,
            "header": header,
            "aids": True,
            "pace": True,
            "watch": True,
            "created": _day(number),
            "updated": _day(number),
            "over": number % 100 != 99,
            "digest": shown,
        }


def _seats(games: list[str], crowd: list[str], played: list[Game], rng: Random) -> Iterator[dict[str, Any]]:
    """The two seats of each game; the first person in the crowd has a huge number of games."""
    for number, name in enumerate(games):
        ended = _day(number) if number % 100 != 99 else None
        for seat in range(len(played[number % len(played)].players)):
            is_hoarded = seat == 0 and number >= len(games) - HOARDED
            person = crowd[0] if is_hoarded else rng.choice(crowd)
            yield {"game": name, "seat": seat, "person": person, "bot": None, "has_left": False, "ended": ended}


def _events(games: list[str], played: list[Game]) -> Iterator[dict[str, Any]]:
    for number, name in enumerate(games):
        for seq, event in enumerate(played[number % len(played)].log):
            text = json.dumps(event_to_json(event), separators=(",", ":"))
            yield {"game": name, "seq": seq, "event": text, "action_id": None, "at": _day(number)}


def _ratings(crowd: list[str], rng: Random) -> Iterator[dict[str, Any]]:
    for number, person in enumerate(crowd):
        rating = Rating(rng.gauss(25, 4), rng.uniform(1, 8), 1 + number % 50)
        yield {
            "family": ratings.FAMILIES[0 if number == 0 else number % len(ratings.FAMILIES)],
            "player": f"p:{person}",
            **rating._asdict(),
            "certain": rating.ordinal,
            "listed": number % 10 == 1,
        }


def _results(crowd: list[str], count: int) -> Iterator[dict[str, Any]]:
    for number in range(1, count):
        for seat in range(2):
            player = f"p:{crowd[(number + seat) % count]}"
            row = {"number": number, "seat": seat, "game": f"rated-{number}", "family": "classic"}
            yield {**row, "player": player, "place": seat + 1}


def _gatherings(crowd: list[str]) -> Iterator[dict[str, Any]]:
    choices = {"rules": json.dumps(Rules.classic().to_json()), "aids": True, "pace": True, "watch": True}
    for number in range(_GATHERINGS):
        shown = {"public": True, "in_lobby": True, "updated": as_text(time.time())}
        yield {"id": f"table-{number}", "version": 0, "host": crowd[1 + number // 3], **choices, **shown}


def _chairs(crowd: list[str]) -> Iterator[dict[str, Any]]:
    for number in range(_GATHERINGS):
        for seat, person in enumerate((crowd[1 + number // 3], None)):
            chair = {"kind": "free" if person is None else "person", "name": "Host" if person else "", "person": person}
            yield {"gathering": f"table-{number}", "seat": seat, **chair}


def _solved(crowd: list[str]) -> Iterator[dict[str, Any]]:
    for number, person in enumerate(crowd[:10_000]):
        yield {"person": person, "day": "2026-01-01", "grade": 1 + number % 5, "seconds": 60}


# How long queries take.


def queries(large: Large) -> dict[str, Callable[[Store], Any]]:
    me, game = large.hoarder, large.with_events[0]
    return {
        "who a cookie belongs to": lambda store: store.read(people.find(hashed(large.hoarder_secret))),
        "a game with its events": lambda store: store.game(game),
        "how many games I have in progress": lambda store: store.read(people.open_games(me)),
        f"my games: the first 50 of {HOARDED:,}": lambda store: store.games_of(me, 50),
        "my games: 50 from the middle": lambda store: store.games_of(me, 50, PageEnd(True, "2025-07", "a")),
        "my last 200 finished games": lambda store: store.games_of(me, 200, FINISHED),
        "the leaderboard, and my rank": lambda store: Leaderboards(store).get("classic", "people", me),
        f"the lobby, with {_GATHERINGS:,} tables": lambda store: gatherings.Gatherings(store, 60).lobby(),
        "what each process checks every second": lambda store: store.poll(),
        "give turns their time back": lambda store: store.write(lambda c: presence.extend_turns(c, 0.0)),
        "rate a game": lambda store: store.write(ratings.add(new_id(), "classic", _RESULTS)),
    }


_RESULTS = [Result(0, "b:fox", 1), Result(1, "b:owl", 2)]


async def timed(database: Path | str, large: Large) -> dict[str, float]:
    """The median time of each query, in milliseconds."""
    store = await Store.open(database)
    try:
        times = {}
        for name, query in queries(large).items():
            query_times = []
            for _ in range(_TIMES):
                start = perf_counter()
                await query(store)
                query_times.append(perf_counter() - start)
            times[name] = 1000 * sorted(query_times)[_TIMES // 2]
        return times
    finally:
        await store.close()


def sizes(parser: ArgumentParser) -> None:
    """Add the options for the size of the database."""
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--ratings", type=int, default=50_000)
    parser.add_argument("--with-events", type=int, default=1_000)


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.hostile.large_database", description=__doc__)
    sizes(parser)
    options = parser.parse_args()
    columns = {}
    with ExitStack() as stack:
        file = Path(stack.enter_context(TemporaryDirectory())) / "large.sqlite"
        for kind, database in (("SQLite", file), ("PostgreSQL", stack.enter_context(Postgres()).url)):
            start = perf_counter()
            large = asyncio.run(build(database, options))
            columns[kind] = {"build it": 1000 * (perf_counter() - start), **asyncio.run(timed(database, large))}
    print(heading("one"))
    title = f"{options.people:,} people, {options.games:,} games, {options.ratings:,} ratings"
    rows = [(name, *(f"{column[name]:,.1f} ms" for column in columns.values())) for name in columns["SQLite"]]
    print_table((title, *columns), rows)


if __name__ == "__main__":
    main()
