"""A server in a separate process, and a client that talks to it like a browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self

from sqlalchemy import Connection, update

from chromino import Game, Rules
from chromino.client import Answer as Answer
from chromino.events import event_to_json
from chromino.messages.deals import DealKind
from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.rows import digest
from chromino.server.database.store import Entry, GameRow, Store, end_game, insert_game, new_id
from chromino.server.people.identity import new_person
from tests.server.blocking import FREE as FREE
from tests.server.blocking import ME as ME
from tests.server.blocking import PATIENCE as PATIENCE
from tests.server.blocking import REVIEW_PLAYOUTS
from tests.server.blocking import SNAIL as SNAIL
from tests.server.blocking import BareSocket as BareSocket
from tests.server.blocking import Client as Client
from tests.server.blocking import GameSocket as GameSocket
from tests.server.blocking import act as act
from tests.server.blocking import without_presence as without_presence
from tests.server.sites.changes import News
from tests.server.sites.processes import children, family

COMMAND = [sys.executable, "-m", "chromino"]
HERE = {"kind": "here", "name": "Bob"}
METRICS = ("--metrics-at", "127.0.0.1:0")  # Any free port.

Json = dict[str, Any]


class Server:
    """`chromino serve` on one database: `with Server(tmp_path / "db.sqlite") as server: server.url`.

    All tests come from one address, so limits per address are off, unless `options` say otherwise.
    """

    def __init__(
        self,
        database: Path | str,
        grace: float | None = None,
        *,
        workers: int = 1,
        options: Sequence[str] = (),
        run_by: Sequence[str] = (),
    ) -> None:
        self._command = [*run_by, *COMMAND]
        self.where = database
        self.port = 0  # 0 is any free port; a running server knows which one it uses.
        playouts = ("--review-playouts", str(REVIEW_PLAYOUTS))
        self.options = ["--limits", "identity", "--workers", str(workers), *playouts, *options]
        if grace is not None:  # Seconds until a bot stands in for someone away.
            self.options += ["--grace", str(grace)]
        self._process: subprocess.Popen[str] | None = None
        self._metrics = ""
        self._lines: list[str] = []
        self._news = News()

    @property
    def database(self) -> Path:
        """The file of a SQLite database."""
        assert isinstance(self.where, Path)
        return self.where

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def pids(self) -> list[int]:
        """All processes of the server."""
        return family(self.pid)

    @property
    def workers(self) -> list[int]:
        """The processes that serve, if there are several."""
        return children(self.pid)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def errors(self) -> str:
        """Everything the server has written to stderr, in this run and earlier ones."""
        return "".join(self._lines)

    def until_it_says(self, words: str) -> None:
        """Wait until the server has written this to stderr."""
        self._news.until(lambda: words in self.errors)

    def start(self) -> None:
        """Run the server, and wait until it answers."""
        words = ["serve", "--port", str(self.port), "--no-open", "--database", str(self.where), *self.options]
        self._process = subprocess.Popen(
            [*self._command, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._reader = Thread(target=self._read, args=[self._process.stderr], daemon=True)
        self._reader.start()
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        line = self._process.stdout.readline() if ready else ""
        found = re.fullmatch(r"Chromino is running at http://127\.0\.0\.1:(\d+)/ \(press Ctrl-C to stop\)\n", line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server said {line!r}, and {self.errors!r}")
        self.port = int(found[1])
        if "--metrics-at" in self.options:
            self._metrics = self._process.stdout.readline().partition("http://")[2].strip()

    def _read(self, stderr: IO[str]) -> None:
        with stderr:
            for line in stderr:
                self._lines.append(line)
                self._news.tell()

    @property
    def metrics(self) -> str:
        """The server's metrics; needs `options=METRICS`."""
        host, _, path = self._metrics.partition("/")
        connection = HTTPConnection(host, timeout=PATIENCE)
        try:
            connection.request("GET", f"/{path}")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask the server to stop, and wait until it has; returns its exit code."""
        assert self._process is not None
        self._process.send_signal(by)
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._reader.join(PATIENCE)  # Workers write there, too, so they've also ended.
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return code

    def kill(self) -> None:
        """End the server as a crash would."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        """Run the server again on the same port and database."""
        if self._process is not None:
            self.stop()
        self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()


def moments(record: str) -> list[Game]:
    """The game in a record at each moment: at the start, and after each event."""
    played = Game.replay(record)
    found = [Game.dealt(played.rules, played.players, played.deal)]
    for event in played.log:
        found.append(found[-1].apply(event.action))
    return found


def play_together(sockets: Mapping[int, GameSocket], looking: GameSocket, end: Callable[[Json], bool]) -> Json:
    """Play all seats that have a socket until `end` is true for a state of `looking`; returns that state."""
    version = 0

    def is_due(state: Json) -> bool:
        return state["version"] >= version or end(state)

    while not end(state := looking.state_when(is_due)) and not state["view"]["over"]:
        version = state["version"] + 1  # Bots and passes are automatic.
        if socket := sockets.get(state["view"]["seat"]):
            mine = socket.state_since(state["version"])
            if mine["version"] == state["version"] and mine["view"]["actions"] not in ([], ["pass"]):
                done = socket.act(mine["view"]["actions"][0])
                assert done["type"] == "done", done
    return state


def go_away_until_a_bot_plays(game: str, one: Client, other: Client) -> None:
    """The first person, whose turn it is, opens a page and closes it; the other one waits until a bot has played."""
    with other.open(game) as socket:
        with one.open(game):
            socket.seats_when(lambda seats: seats[0]["present"])
        socket.state_since(1)


def gathering_when(client: Client, gathering: str, holds: Callable[[Json], bool]) -> Json:
    """The first state of the gathering for which this is true, as this person sees it."""
    with client.watch(gathering) as socket:
        while not holds(found := json.loads(socket.recv(PATIENCE))):
            pass
    assert isinstance(found, dict)
    return found


def say(phrase: str) -> Json:
    """The message that says a phrase."""
    return {"type": "say", "id": secrets.token_hex(8), "phrase": phrase}


def leave() -> Json:
    """The message for leaving for good."""
    return {"type": "leave", "id": secrets.token_hex(8)}


_TEMPORARY = ("away_since", "due", "process")  # Who's present and what's next, not what has happened.


def permanent_rows(database: Path) -> list[str]:
    """All rows in a SQLite database, without temporary data."""
    found = []
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall():
            if table not in ("clock", "presence"):
                rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608
                names = [column[0] for column in rows.description]
                for row in rows:
                    kept = {name: value for name, value in zip(names, row, strict=True) if name not in _TEMPORARY}
                    found.append(f"{table} {kept}")
    return found


def plant(
    database: Path | str,
    game: Game,
    bots: Mapping[int, str] | None = None,
    *,
    aids: bool = True,
    pace: bool = False,
    deal: DealKind = "server",
) -> tuple[str, str]:
    """Store a game as it is; returns its id, and the secret of the person who plays every seat that has no bot."""
    names = bots or {}
    seats = [None if seat in names else 0 for seat in range(len(game.players))]
    planted, (secret,) = _plant(database, game, seats, GameRow("", "", aids, pace, (), deal=deal), names)
    return planted, secret


def plant_multiplayer(
    database: Path | str,
    game: Game,
    *,
    watch: bool = True,
    turn_limit: int | None = None,
    ahead: float = 0.0,
    stood_in: int = 0,
    away_for: float = 0.0,
) -> tuple[str, tuple[str, ...]]:
    """Store a game as it is, with a different person in each seat; returns its id, and everyone's secret.

    `ahead` moves the clock; everyone has been away for `away_for` seconds; a bot decided the last `stood_in` events.
    """
    row = GameRow("", "", True, False, (), watch=watch, turn_limit=turn_limit)
    return _plant(database, game, range(len(game.players)), row, {}, ahead, stood_in, away_for)


def _plant(
    database: Path | str,
    game: Game,
    seats: Sequence[int | None],
    row: GameRow,
    bots: Mapping[int, str],
    ahead: float = 0.0,
    stood_in: int = 0,
    away_for: float = 0.0,
) -> tuple[str, tuple[str, ...]]:
    """Store a game with a person's number for each seat; returns its id, and everyone's secret."""

    async def work() -> tuple[str, tuple[str, ...]]:
        store = await Store.open(database)
        store.clock.move(ahead)
        numbers = sorted({number for number in seats if number is not None})
        people = {number: await new_person(store) for number in numbers}
        planted = replace(
            row,
            id=new_id(),
            header=str(game.record).partition("\n")[0],
            seats=tuple(
                Seat(None if number is None else people[number][0], bots.get(seat)) for seat, number in enumerate(seats)
            ),
        )
        await store.add_game(planted, digest(game))
        for seq, event in enumerate(game.log):
            line = json.dumps(event_to_json(event))
            over, preset = game.over and seq == len(game.log) - 1, game.rules.name or ""
            is_own = seats[event.seat] is not None and seq < len(game.log) - stood_in
            action_id = f"planted-{seq}" if is_own else None
            await store.append(Entry(planted.id, seq, line, action_id, over, digest(game), preset=preset))
        earlier = update(schema.seats).values(away_since=schema.seats.c.away_since - away_for)
        mine = earlier.where(schema.seats.c.game == planted.id)
        await store.write(lambda connection: connection.execute(mine))
        await store.close()
        return planted.id, tuple(secret for _, secret in people.values())

    return asyncio.run(work())


def plant_many(database: Path | str, running: int, finished: int) -> tuple[list[str], list[str], str]:
    """Store many games of one new person, who wins the finished ones.

    Returns their ids, oldest first, and that person's secret. The games have no log, because lists don't need one.
    """
    header = str(Game.start(Rules.expert(), ["Ada", "Snail"], seed=1).record).partition("\n")[0]
    ids = [new_id() for _ in range(running + finished)]

    def work(connection: Connection, person: str) -> None:
        for number, name in enumerate(ids):
            row = GameRow(name, header, True, True, (Seat(person, None), Seat(None, "snail")))
            insert_game(connection, row, {"seat": 0, "winners": [], "scores": [0, 0], "tiles": 1}, "nobody")
            at, over = f"2026-01-01T00:{number // 60:02}:{number % 60:02}", number >= running
            games = update(schema.games).where(schema.games.c.id == name)
            connection.execute(games.values(updated=at, over=over))
            if over:
                end_game(connection, Entry(name, 0, "", None, True, {"winners": [0]}, preset="expert"), at)

    async def run() -> str:
        store = await Store.open(database)
        person, secret = await new_person(store)
        await store.write(lambda connection: work(connection, person))
        await store.close()
        return secret

    return ids[:running], ids[running:], asyncio.run(run())
