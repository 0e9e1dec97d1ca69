"""A server in a process of its own, and a client that talks to it as a browser would."""

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
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPMessage
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from sqlalchemy import Connection, update
from websockets.sync.client import ClientConnection, connect

from chromino import Game, Rules
from chromino.events import event_to_json
from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.rows import digest
from chromino.server.database.store import Entry, GameRow, Store, end_game, insert_game, new_id
from chromino.server.people.identity import COOKIE, new_person
from tests.server.processes import children

COMMAND = [sys.executable, "-m", "chromino"]
PATIENCE = 30.0  # Seconds: whatever takes longer is broken.
ME = {"kind": "me", "name": "Ada"}
HERE = {"kind": "here", "name": "Bob"}
SNAIL = {"kind": "bot", "name": "Snail", "level": 1}
FREE = {"kind": "free"}
METRICS = ("--metrics-at", "127.0.0.1:0")  # Any port that is free.

_PRESENCE = ("present", "stand_in_in")

Json = dict[str, Any]


def patiently(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Ask again and again until this holds, for what nobody tells; not as fast as a flood, which would be refused."""
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end, "it never held"
        sleep(0.05)


class Server:
    """`chromino serve` on one database: `with Server(tmp_path / "db.sqlite") as server: server.url`.

    All that the tests do comes from one address: its limits are off, unless `options` say otherwise.
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
        self.port = 0  # Any that is free; once it runs, the one it has.
        self.options = ["--limits", "identity", "--workers", str(workers), *options]
        if grace is not None:  # Seconds until a bot stands in for someone away.
            self.options += ["--grace", str(grace)]
        self._process: subprocess.Popen[str] | None = None
        self._metrics = ""
        if isinstance(database, Path):
            self._stderr = database.with_name(f"{database.name}.stderr")
        else:
            self._stderr = Path(mkdtemp()) / "stderr"

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
    def workers(self) -> list[int]:
        """The processes that serve, if there are several."""
        return children(self.pid)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def errors(self) -> str:
        """All that it wrote to stderr, in this run and those before."""
        return self._stderr.read_text(encoding="utf-8")

    def start(self) -> None:
        """Run it, and wait until it answers."""
        words = ["serve", "--port", str(self.port), "--no-open", "--database", str(self.where), *self.options]
        with self._stderr.open("a", encoding="utf-8") as stderr:
            self._process = subprocess.Popen(
                [*self._command, *words],
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        line = self._process.stdout.readline() if ready else ""
        found = re.fullmatch(r"Chromino is at http://127\.0\.0\.1:(\d+)/ \(stop with Ctrl-C\)\n", line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server said {line!r}, and {self.errors!r}")
        self.port = int(found[1])
        if "--metrics-at" in self.options:
            self._metrics = self._process.stdout.readline().partition("http://")[2].strip()

    @property
    def metrics(self) -> str:
        """What it tells Prometheus; with `options=METRICS`."""
        host, _, path = self._metrics.partition("/")
        connection = HTTPConnection(host, timeout=PATIENCE)
        try:
            connection.request("GET", f"/{path}")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and wait until it has: its exit code."""
        assert self._process is not None
        self._process.send_signal(by)
        try:
            self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        code = self._process.returncode
        self._process = None
        return code

    def kill(self) -> None:
        """End it as a crash would."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        """Run it again on the same port and database."""
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


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    headers: HTTPMessage
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def refused(self) -> tuple[int, str]:
        """Status and code of a refusal."""
        return self.status, self.json["code"]


@dataclass
class Client:
    """One person: it keeps the cookie that it is given."""

    url: str
    secret: str | None = None
    received: list[bytes] = field(default_factory=list, repr=False)
    """All that came over HTTP."""

    def request(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask; a body is sent as JSON, unless it is bytes."""
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        cookie = {} if self.secret is None else {"Cookie": f"{COOKIE}={self.secret}"}
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        try:
            connection.request(method, path, content, {**cookie, **(headers or {})})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        for cookies in map(SimpleCookie, answer.headers.get_all("Set-Cookie", [])):
            if COOKIE in cookies:
                self.secret = cookies[COOKIE].value or None  # One that is taken away has an empty value.
        self.received.append(answer.content)
        return answer

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("GET", path, None, headers)

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("POST", path, body, headers)

    def new_game(self, *seats: Json, **choices: Any) -> str:
        """Begin a game, against one easy bot unless told otherwise, in which bots do not wait; its id."""
        answer = self.post("/api/games", {"seats": seats or (ME, SNAIL), "pace": False, **choices})
        assert answer.status == 201, answer.content
        game: str = answer.json["game"]
        return game

    def gather(self, *chairs: Json, **choices: Any) -> str:
        """Open a table, for one more unless told otherwise, in which bots do not wait; its id."""
        answer = self.post("/api/gatherings", {"chairs": chairs or (ME, FREE), "pace": False, **choices})
        assert answer.status == 201, answer.content
        gathering: str = answer.json["game"]
        return gathering

    def at(self, gathering: str, call: str, body: object = None) -> Answer:
        """A call about a gathering: sit, leave, remove, fill or begin."""
        return self.post(f"/api/gatherings/{gathering}/{call}", body)

    def sit(self, gathering: str, name: str) -> Json:
        """Sit down: the gathering as it is then."""
        answer = self.at(gathering, "sit", {"name": name})
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def begin(self, gathering: str) -> str:
        """Begin the game, as the host; its id."""
        answer = self.at(gathering, "begin")
        assert answer.status == 200, answer.content
        game: str = answer.json["game"]
        return game

    def gathering(self, gathering: str) -> Json:
        """A gathering as this person sees it."""
        answer = self.get(f"/api/gatherings/{gathering}")
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def whole_state(self, game: str) -> Json:
        """The game as this person may see it, with who is there."""
        answer = self.get(f"/api/games/{game}")
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def state(self, game: str) -> Json:
        """The game as this person may see it."""
        return apart_from_presence(self.whole_state(game))

    def record(self, game: str) -> str:
        answer = self.get(f"/api/games/{game}/record")
        assert answer.status == 200, answer.content
        return answer.content.decode()

    def open(self, game: str) -> GameSocket:
        """The game's socket, to be used in a `with`."""
        return GameSocket(self.connect(game))

    def watch(self, gathering: str) -> ClientConnection:
        """The gathering's socket, to be used in a `with`."""
        return self._connect(f"api/gatherings/{gathering}/watch")

    def connect(self, game: str, headers: Mapping[str, str] | None = None) -> ClientConnection:
        """A bare WebSocket, to be used in a `with`; the page's own origin is sent unless `headers` are given."""
        return self._connect(f"api/games/{game}/play", headers)

    def _connect(self, path: str, headers: Mapping[str, str] | None = None) -> ClientConnection:
        if headers is None:
            headers = {"Origin": self.url.rstrip("/")}
        if self.secret is not None:
            headers = {**headers, "Cookie": f"{COOKIE}={self.secret}"}
        return connect(
            self.url.replace("http", "ws", 1) + path,
            additional_headers=headers,
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
            max_queue=None,  # Else what is not looked at stops it from reading, and closing takes ten seconds.
        )


@dataclass
class GameSocket:
    """A game that is watched and played; `state` is the latest, once one was received."""

    connection: ClientConnection
    received: list[str] = field(default_factory=list)
    """All messages as they came."""
    states: list[Json] = field(default_factory=list)
    seats: list[Json] = field(default_factory=list)
    """The latest ones, with who is there."""

    @property
    def state(self) -> Json:
        return self.states[-1]

    @property
    def moves(self) -> list[Json]:
        """What happened, without tiles that are drawn on the way."""
        return [event for event in self.state["view"]["log"] if "draw" not in event]

    def send(self, message: object) -> None:
        """Send; as JSON unless it is a text or bytes."""
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> Json:
        """The next message, whatever it is."""
        text = self.connection.recv(PATIENCE, decode=True)
        self.received.append(text)
        message: Json = json.loads(text)
        if message["type"] == "state":
            self.states.append(apart_from_presence(message))
            self.seats = message["seats"]
        return message

    def seats_when(self, holds: Callable[[list[Json]], bool]) -> list[Json]:
        """The first seats for which this holds, the latest ones included."""
        while not self.seats or not holds(self.seats):
            self.receive()
        return self.seats

    def message(self, kind: str) -> Json:
        """The next message of this kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def state_when(self, holds: Callable[[Json], bool]) -> Json:
        """The first state for which this holds, the latest one included."""
        while not self.states or not holds(self.state):
            self.receive()
        return self.state

    def state_since(self, version: int) -> Json:
        """The first state of this version or later."""
        return self.state_when(lambda state: state["version"] >= version)

    def my_turn(self, since: int = 0) -> Json:
        """The state, of this version or later, in which there is something to decide or the game is over."""

        def holds(state: Json) -> bool:
            view = state["view"]  # A pass is not decided: it goes by itself.
            return state["version"] >= since and (view["over"] or view["actions"] not in ([], ["pass"]))

        return self.state_when(holds)

    def ask(self, message: Json) -> Json:
        """Send a message that has an id, and receive until its answer."""
        self.send(message)
        while (answer := self.receive()).get("id") != message["id"]:
            pass
        return answer

    def refusal(self, message: object) -> Json:
        """Send what cannot be right, even without an id, and receive until the refusal."""
        self.send(message)
        while (answer := self.receive())["type"] in ("state", "said"):
            pass
        assert answer["type"] == "refused", answer
        return answer

    def act(self, action: str, **other: Any) -> Json:
        """Do this in the turn of the latest state, which is mine; `other` replaces parts of the message."""
        return self.ask(act(self.state, action, **other))

    def play_on(self, actions: int = sys.maxsize) -> Json:
        """Take the first action, so many times or to the end; then the state in which it is my turn again."""
        state = self.my_turn()
        while actions and not state["view"]["over"]:
            done = self.act(state["view"]["actions"][0])
            assert done["type"] == "done", done
            state = self.my_turn(since=done["version"])
            actions -= 1
        return state

    def __enter__(self) -> Self:
        self.connection.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.__exit__(kind, error, trace)


def moments(record: str) -> list[Game]:
    """The game of a record after each number of events."""
    played = Game.replay(record)
    found = [Game.dealt(played.rules, played.players, played.deal)]
    for event in played.log:
        found.append(found[-1].apply(event.action))
    return found


def apart_from_presence(state: Json) -> Json:
    """A state without who has a page open at the moment, which the game does not depend on."""
    seats = [{name: value for name, value in seat.items() if name not in _PRESENCE} for seat in state["seats"]]
    return {**state, "seats": seats}


def act(state: Json, action: str, **other: Any) -> Json:
    """The message that does an action in this state."""
    view = state["view"]
    return {
        "type": "act",
        "id": secrets.token_hex(8),
        "version": state["version"],
        "seat": view["seat"],
        "action": action,
        **other,
    }


def play_together(sockets: Mapping[int, GameSocket], looking: GameSocket, end: Callable[[Json], bool]) -> Json:
    """Play the seats that have a socket, each with its own, until a state of `looking` is such; that state."""
    version = 0

    def is_due(state: Json) -> bool:
        return state["version"] >= version or end(state)

    while not end(state := looking.state_when(is_due)) and not state["view"]["over"]:
        version = state["version"] + 1  # Bots and passes go by themselves.
        if socket := sockets.get(state["view"]["seat"]):
            mine = socket.state_since(state["version"])
            if mine["version"] == state["version"] and mine["view"]["actions"] not in ([], ["pass"]):
                done = socket.act(mine["view"]["actions"][0])
                assert done["type"] == "done", done
    return state


def goes_and_is_stood_in_for(game: str, one: Client, other: Client) -> None:
    """The first one, whose turn it is, opens the page of a new game and closes it; the other one waits for the bot."""
    with other.open(game) as socket:
        with one.open(game):
            socket.seats_when(lambda seats: seats[0]["present"])
        socket.state_since(1)


def say(phrase: str) -> Json:
    """The message that says a phrase."""
    return {"type": "say", "id": secrets.token_hex(8), "phrase": phrase}


def leave() -> Json:
    """The message with which one goes for good."""
    return {"type": "leave", "id": secrets.token_hex(8)}


_OF_THE_MOMENT = ("away_since", "due", "process")  # Columns that tell who is there and what is next, not what was.


def lasting(database: Path) -> list[str]:
    """All rows of all tables of a SQLite database, apart from what is true for the moment only."""
    found = []
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall():
            if table not in ("processes", "presence", "phrases"):
                rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608
                names = [column[0] for column in rows.description]
                for row in rows:
                    kept = {name: value for name, value in zip(names, row, strict=True) if name not in _OF_THE_MOMENT}
                    found.append(f"{table} {kept}")
    return found


def plant(
    database: Path | str, game: Game, bots: Mapping[int, str] | None = None, *, aids: bool = True, pace: bool = False
) -> tuple[str, str]:
    """Put a game into a database as it is; its id, and the secret of the person who plays all other seats."""
    names = bots or {}
    seats = [None if seat in names else 0 for seat in range(len(game.players))]
    planted, (secret,) = _plant(database, game, seats, GameRow("", "", aids, pace, ()), names)
    return planted, secret


def plant_apart(
    database: Path | str, game: Game, *, watch: bool = True, turn_limit: int | None = None
) -> tuple[str, tuple[str, ...]]:
    """Put a game into a database as it is; its id, and the secrets of the people, one a seat."""
    row = GameRow("", "", True, False, (), watch=watch, turn_limit=turn_limit)
    return _plant(database, game, range(len(game.players)), row, {})


def _plant(
    database: Path | str, game: Game, seats: Sequence[int | None], row: GameRow, bots: Mapping[int, str]
) -> tuple[str, tuple[str, ...]]:
    """Put a game into a database, with numbers of people in its seats; its id, and the secrets of the people."""

    async def work() -> tuple[str, tuple[str, ...]]:
        store = await Store.open(database)
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
            await store.append(Entry(planted.id, seq, line, None, over, digest(game), preset=preset))
        await store.close()
        return planted.id, tuple(secret for _, secret in people.values())

    return asyncio.run(work())


def plant_many(database: Path | str, running: int, finished: int) -> tuple[list[str], list[str], str]:
    """Many games of one new person, who wins, from the oldest to the latest; and that person's secret.

    They are rows without a log: enough to be listed.
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
